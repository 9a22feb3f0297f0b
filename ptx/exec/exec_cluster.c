/* ptx/exec/exec_cluster.c: the barrier of a cluster. */
#include <string.h>

#include "ptx/warp/cta.h"
#include "ptx/warp/exec_address.h"
#include "ptx/warp/launch.h"
#include "ptx/warp/strict.h"

/* The barrier is complete when all live lanes of all CTAs of the cluster have arrived. This function checks one
 * CTA. *some becomes true if any lane has arrived. */
static bool all_arrived(const struct ptx_cta *c, bool *some)
{
    bool all = true;

    for (uint32_t k = 0; k < c->state->warp_count; k++) {
        uint32_t arrived = c->state->cluster_arrived[k];

        all = all && (c->state->warps[k].live & ~arrived) == 0;
        *some = *some || arrived;
    }
    return all;
}

static void go_on(struct ptx_cta *c)
{
    memset(c->state->cluster_arrived, 0, sizeof c->state->cluster_arrived);
    for (uint32_t k = 0; k < c->state->warp_count; k++)
        ptx_barrier_release_warp(&c->state->warps[k], PTX_CLUSTER_BARRIER);
    if (c->strict)
        ptx_strict_barrier_over(c, PTX_CLUSTER_BARRIER);
}

void ptx_cluster_retry(struct ptx_cta *c)
{
    bool some = false, all = all_arrived(c, &some);
    struct ptx_cta *peer;

    for (uint32_t rank = 0; all && rank < c->cluster_ctas; rank++)
        all = !(peer = ptx_cluster_peer(c, rank)) || all_arrived(peer, &some);
    if (!all || !some)
        return;
    for (uint32_t rank = 0; rank < c->cluster_ctas; rank++)
        if ((peer = ptx_cluster_peer(c, rank)))
            go_on(peer);
    c->stores++; /* counts as a store, because CTAs that wait for others can now make progress */
    c->stats->barriers++;
}

bool ptx_cluster_waits(const struct ptx_cta *c)
{
    for (uint32_t k = 0; c->cluster_ctas > 1 && k < c->state->warp_count; k++) {
        const struct ptx_warp_state *s = c->state->warps[k].state;

        for (uint32_t f = 0; f < s->fragment_count; f++)
            if (s->fragments[f].state == PTX_WAITS_BARRIER && s->fragments[f].waits == PTX_CLUSTER_BARRIER)
                return true;
    }
    return false;
}

static int arrive(struct ptx_warp *w, uint32_t mask)
{
    uint32_t *arrived = &w->cta->state->cluster_arrived[w->id];

    if (*arrived & mask && ptx_undefined(w, *arrived & mask, "arrives twice at the barrier of the cluster"))
        return -1;
    *arrived |= mask;
    if (w->cta->strict)
        ptx_strict_at_barrier(w, PTX_CLUSTER_BARRIER);
    w->cta->stores++;
    w->pc++;
    ptx_warp_leave(w);
    ptx_cluster_retry(w->cta);
    return 0;
}

/* A lane that has arrived waits until the barrier is complete. If the barrier is complete already, the lane
 * continues. */
int ptx_do_cluster_barrier(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_warp_state *s = w->state;

    if (w->code->accesses[op->access].what == PTX_BARRIER_CLUSTER_ARRIVE)
        return arrive(w, mask);
    if (!(w->cta->state->cluster_arrived[w->id] & mask)) {
        w->pc++;
        return 0;
    }
    if (mask != s->fragments[s->current].mask && ptx_warp_split(w, mask, w->pc, w->pc + 1, w->pc + 1, true))
        return -1;
    s->fragments[s->current].state = PTX_WAITS_BARRIER;
    s->fragments[s->current].waits = PTX_CLUSTER_BARRIER;
    ptx_warp_leave(w);
    return 0;
}
