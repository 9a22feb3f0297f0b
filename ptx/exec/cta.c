/* ptx/exec/cta.c: a CTA: begins it, runs its warps in turns, ends it. */
#include "ptx/warp/cta.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/warp/launch.h"
#include "ptx/warp/strict.h"
#include "ptx/warp/watch.h"

enum { LONG_WHILE = 1 << 24 }; /* a CTA's turn ends after this number of warp instructions */

static uint32_t threads_of(const struct ptx_run *r)
{
    return r->launch.block[0] * r->launch.block[1] * r->launch.block[2];
}

static int make_warps(struct ptx_cta *c, struct err *e)
{
    struct ptx_cta_state *s = c->state;

    s->warp_count = (threads_of(c->run) + PTX_LANES - 1) / PTX_LANES;
    for (uint32_t k = 0; k < s->warp_count; k++) {
        s->warps[k].id = k;
        s->warps[k].cta = c;
        s->warps[k].state = mem_zalloc(1, sizeof *s->warps[k].state, e);
        if (!s->warps[k].state)
            return -1;
    }
    return 0;
}

struct ptx_cta *ptx_cta_new(struct ptx_run *r, struct err *e)
{
    struct ptx_cta *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return NULL;
    c->run = r;
    c->shared_bytes = r->shared.dynamic + r->launch.shared_bytes;
    c->cluster_ctas = r->cluster_ctas;
    c->memory = ptx_program_memory(r->program);
    c->params = r->launch.params;
    c->param_bytes = r->launch.param_bytes;
    c->options = &r->options;
    c->observer = r->options.observer;
    c->stats = &r->stats;
    c->shared = aligned_alloc(128, ((size_t)c->shared_bytes + 255) & ~(size_t)127);
    c->state = c->shared ? mem_zalloc(1, sizeof *c->state, e) : NULL;
    if (!c->shared)
        err_no_memory(e);
    if (!c->state || make_warps(c, e) || (c->options->strict && !(c->strict = ptx_strict_new(c, e)))) {
        ptx_cta_free(c);
        return NULL;
    }
    return c;
}

void ptx_cta_free(struct ptx_cta *c)
{
    if (!c)
        return;
    ptx_async_end(c);
    ptx_strict_free(c->strict);
    for (uint32_t k = 0; c->state && k < c->state->warp_count; k++)
        ptx_warp_release(&c->state->warps[k]);
    free(c->state);
    free(c->shared);
    free(c);
}

uint64_t ptx_cta_bytes(const struct ptx_cta *c)
{
    uint64_t bytes = sizeof *c + sizeof *c->state + c->shared_bytes;

    for (uint32_t k = 0; k < c->state->warp_count; k++) {
        const struct ptx_warp *w = &c->state->warps[k];

        bytes += sizeof *w->state + (uint64_t)w->local_bytes * PTX_LANES;
        for (size_t i = 0; i < w->state->activation_count; i++)
            if (w->state->activations[i].code) /* NULL: unused since a checkpoint was loaded */
                bytes += (uint64_t)w->state->activations[i].code->rows * PTX_ROW_BYTES;
    }
    return bytes;
}

/* `number` counts CTAs in the order in which they begin. CTAs of a cluster are adjacent in the grid and have
 * consecutive numbers. Without clusters the number is the position in the grid. */
static void find_place(struct ptx_cta *c, uint64_t number)
{
    const struct ptx_launch *l = &c->run->launch;
    uint64_t cluster = number / c->cluster_ctas, rank = number % c->cluster_ctas;

    c->number = number;
    for (int k = 0; k < 3; k++) {
        uint32_t clusters = l->grid[k] / l->cluster[k];

        c->id[k] = (uint32_t)(cluster % clusters * l->cluster[k] + rank % l->cluster[k]);
        cluster /= clusters;
        rank /= l->cluster[k];
    }
    c->linear = c->id[0] + (uint64_t)l->grid[0] * (c->id[1] + (uint64_t)l->grid[1] * c->id[2]);
}

int ptx_cta_begin(struct ptx_cta *c, uint64_t number)
{
    struct ptx_cta_state *s = c->state;
    const struct ptx_launch *l = &c->run->launch;
    uint32_t threads = threads_of(c->run);

    find_place(c, number);
    c->stores = c->clock = 0;
    c->stats->ctas++;
    memset(c->shared, 0, c->shared_bytes);
    if (c->strict)
        ptx_strict_begin(c);
    memset(s->barriers, 0, sizeof s->barriers);
    memset(s->cluster_arrived, 0, sizeof s->cluster_arrived);
    s->barriers_used = 0;
    s->round = (struct ptx_round){.waits = true};
    s->turn = PTX_TURN;
    s->executed = 0;
    s->pause_at = UINT64_MAX;
    s->live_warps = s->warp_count == PTX_WARPS_MAX ? UINT32_MAX : (1u << s->warp_count) - 1;
    for (uint32_t k = 0; k < PTX_BARRIERS; k++)
        s->barriers[k].all = true;
    for (uint32_t k = 0; k < s->warp_count; k++)
        if (ptx_warp_begin(&s->warps[k], l->module, c->run->code, threads - k * PTX_LANES))
            return -1;
    if (c->observer && c->observer->cta)
        c->observer->cta(c->observer->ctx, c->id, s->warp_count, true);
    ptx_watch_cta(c, true);
    return 0;
}

/* Runs the warp's turn, or the rest of it after a pause. 1: paused; 0: the turn has ended; -1: fault. */
static int run_turn(struct ptx_cta *c, struct ptx_warp *w)
{
    struct ptx_cta_state *s = c->state;
    struct ptx_round *r = &s->round;
    uint32_t most, some;

    if (s->executed >= s->pause_at)
        return 1;
    if (!r->left) {
        r->left = r->turn = s->turn;
        r->stores = c->stores;
        ptx_warp_turn_begin(w);
    }
    most = s->pause_at - s->executed < r->left ? (uint32_t)(s->pause_at - s->executed) : r->left;
    if (ptx_warp_turn(w, most, &some))
        return -1;
    r->left -= some;
    r->used += some;
    s->executed += some;
    if (some == most && r->left && !w->state->yields)
        return 1;
    r->moves = r->moves || (r->left != r->turn && !ptx_warp_repeats(w));
    r->waits = r->waits && (r->left == r->turn || (w->state->waited && c->stores == r->stores));
    r->left = 0;
    return 0;
}

/* Runs a turn of every live warp. 1: paused; 0: all turns have ended; -1: fault. */
static int run_round(struct ptx_cta *c)
{
    struct ptx_cta_state *s = c->state;

    for (; s->round.warp < s->warp_count; s->round.warp++) {
        int ret = s->live_warps >> s->round.warp & 1 ? run_turn(c, &s->warps[s->round.warp]) : 0;

        if (ret)
            return ret;
    }
    return 0;
}

/* Runs rounds until the CTA ends, stalls, pauses or faults, or its turn is over. PTX_CTA_ENDED: no warp is live. */
static enum ptx_cta_turn run_rounds(struct ptx_cta *c)
{
    struct ptx_cta_state *s = c->state;

    while (s->live_warps) {
        int ret = run_round(c);
        struct ptx_round done = s->round;

        if (ret)
            return ret < 0 ? PTX_CTA_FAULT : PTX_CTA_PAUSED;
        s->round = (struct ptx_round){.waits = true, .all = done.all + done.used};
        s->moves = done.moves;
        if (!done.released) /* after a barrier release, some warps have not had a short turn yet */
            s->turn = s->turn < PTX_TURN / 2 ? 2 * s->turn : PTX_TURN;
        if (!s->live_warps)
            break;
        if (!done.used && !ptx_cluster_waits(c))
            return ptx_dead_end(c, "deadlock: all its warps wait for each other"), PTX_CTA_FAULT;
        if (!done.waits && s->round.all <= LONG_WHILE &&
            c->stats->warp_instructions <= c->options->limit_instructions)
            continue;
        s->round.all = 0;
        return done.waits ? PTX_CTA_STALLED : PTX_CTA_RUNS;
    }
    return PTX_CTA_ENDED;
}

enum ptx_cta_turn ptx_cta_run(struct ptx_cta *c)
{
    enum ptx_cta_turn turn;

    if (c->observer && c->observer->turn)
        c->observer->turn(c->observer->ctx, c->id);
    turn = run_rounds(c);
    if (turn != PTX_CTA_ENDED)
        return turn;
    ptx_async_end(c);
    if (c->observer && c->observer->cta)
        c->observer->cta(c->observer->ctx, c->id, c->state->warp_count, false);
    ptx_watch_cta(c, false);
    return PTX_CTA_ENDED;
}
