#include "simcore/sm/cta_scheduler.h"

#include <inttypes.h>

#include "simcore/sm/cluster.h"
#include "simcore/sm/poll.h"

int cta_scheduler_next(const struct cta_scheduler *s, struct launch *l, struct cta_trace **out, struct err *e)
{
    for (;;) {
        struct cta_trace *cta;
        bool empty = true;
        int got = inst_source_next_cta(l->source, &cta, e);

        if (got <= 0)
            return got;
        l->taken++;
        if (l->source->polls && !l->source->polls->begun)
            poll_begin(l->source->polls, l->count.slots_issued);
        for (uint32_t w = 0; w < cta->warp_count && empty; w++)
            empty = !cta->warps[w].count;
        if (!empty && cta->warp_count > l->fit.warps_per_cta) {
            err_set(e, ERR_INVALID, "CTA %" PRIu64 " of the trace has %u warps, but a block of this kernel has %u",
                    cta->index, cta->warp_count, l->fit.warps_per_cta);
            inst_source_release_cta(l->source, cta);
            return -1;
        }
        if (!empty && static_code_extend(&l->code, l->source, s->env->design, e) < 0) {
            inst_source_release_cta(l->source, cta);
            return -1;
        }
        if (!empty) {
            *out = cta;
            return 1;
        }
        l->count.empty_ctas++;
        inst_source_release_cta(l->source, cta);
    }
}

/* Takes the next CTA. If the grid size shows that it is the last one, the source is read to its end at once, so
 * that the next launch does not wait for an exit. */
static int take_cta(struct cta_scheduler *s, struct launch *l, struct cta_trace **out, struct err *e)
{
    int got = 1;

    if (l->held_count)
        *out = l->held[--l->held_count];
    else
        got = cta_scheduler_next(s, l, out, e);
    l->drained |= got == 0;
    if (got <= 0 || l->taken < l->grid_ctas)
        return got;
    got = cta_scheduler_next(s, l, &l->held[0], e);
    l->held_count = got > 0;
    l->drained |= got == 0;
    if (got >= 0)
        return 1;
    inst_source_release_cta(l->source, *out);
    return -1;
}

/* Dispatches a CTA at `cycle`, or later if the dispatch rate requires it. Returns the cycle. */
static uint64_t cta_scheduler_dispatch(struct cta_scheduler *s, uint64_t cycle)
{
    uint64_t at = cycle > s->dispatch_free ? cycle : s->dispatch_free;

    s->dispatch_free = at + s->env->design->cta_interval_cycles;
    return at;
}

static uint32_t cta_scheduler_room(const struct cta_scheduler *s, const struct sm *sm, const struct launch *l)
{
    static const struct sm_room nothing;

    return occupancy_room(s->env->design, sm->active ? &sm->used : &nothing, sm->carveout_bytes, &l->fit);
}

/* Starts a CTA of this launch on the SM and returns its CTA slot. `late`: cycles from dispatch to its first issue.
 */
static uint32_t start_cta(struct cta_scheduler *s, struct sm *sm, struct launch *l, struct cta_trace *cta,
                          uint64_t cycle, uint32_t late)
{
    if (!sm->active) {
        sm_begin(sm, cycle, l->fit.carveout_bytes);
        l->count.slots_idle[SLOT_EMPTY] += (cycle - s->busy_from) * SUB_CORES;
    } else if (!sm->used.ctas && sm->carveout_bytes != l->fit.carveout_bytes) {
        sm_set_carveout(sm, l->fit.carveout_bytes);
    }
    l->resident++;
    l->on_sm[sm->index / 64] |= 1ull << sm->index % 64;
    return sm_add_cta(sm, l, cta, cta_scheduler_dispatch(s, cycle) + late);
}

int cta_scheduler_place_one(struct cta_scheduler *s, struct sm *sm, struct launch *l, uint64_t cycle, uint32_t late,
                            struct err *e)
{
    struct cta_trace *cta;
    int got;

    if (!cta_scheduler_room(s, sm, l))
        return 0;
    got = take_cta(s, l, &cta, e);
    if (got > 0)
        start_cta(s, sm, l, cta, cycle, late);
    return got;
}

/* --- clusters --- */

/* The number of CTAs that fit into a GPC; counting stops at `enough`. */
static uint32_t room_in_gpc(const struct cta_scheduler *s, const struct launch *l, uint32_t gpc, uint32_t enough)
{
    const struct gpu_design *d = s->env->design;
    uint32_t n = 0;

    for (uint32_t i = gpc; i < d->sms && n < enough; i += d->gpcs)
        n += cta_scheduler_room(s, &s->sms[i], l);
    return n;
}

/* Reads CTAs until a whole cluster, or the rest of the launch, is available. */
static int hold_cluster(struct cta_scheduler *s, struct launch *l, struct err *e)
{
    int got = 1;

    while (l->held_count < l->cluster && got > 0) {
        got = cta_scheduler_next(s, l, &l->held[l->held_count], e);
        l->held_count += got > 0;
    }
    l->drained = !l->held_count;
    return got < 0 ? -1 : 0;
}

/* The rank in the cluster, which is a box of the grid, ordered by z, y, x. The order in the trace can differ. */
static uint32_t rank_in(const struct launch *l, const struct cta_trace *cta)
{
    uint32_t rank = 0;

    for (uint32_t i = 0; i < l->held_count; i++) {
        const uint32_t *a = l->held[i]->id, *b = cta->id;

        rank += a[2] != b[2] ? a[2] < b[2] : a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
    }
    return rank;
}

static int start_cluster(struct cta_scheduler *s, struct launch *l, uint32_t gpc, uint64_t cycle, uint32_t late,
                         struct err *e)
{
    const struct gpu_design *d = s->env->design;
    uint32_t done = 0, number = cluster_begin(s->env, l->held_count, e);

    while (number && done < l->held_count)
        for (uint32_t i = gpc; i < d->sms && done < l->held_count; i += d->gpcs)
            if (cta_scheduler_room(s, &s->sms[i], l)) {
                uint32_t rank = rank_in(l, l->held[done]);
                uint32_t slot = start_cta(s, &s->sms[i], l, l->held[done++], cycle, late);

                cluster_join(s->env, number, rank, &s->sms[i], slot);
            }
    if (!number)
        return -1;
    l->held_count = 0;
    s->next_gpc = (gpc + 1) % d->gpcs;
    return 0;
}

static int place_clusters(struct cta_scheduler *s, struct launch *l, uint64_t cycle, uint32_t late, struct err *e)
{
    const uint32_t gpcs = s->env->design->gpcs;
    uint32_t tried = 0;

    while (tried < gpcs) {
        uint32_t gpc = (s->next_gpc + tried) % gpcs;

        if (hold_cluster(s, l, e) < 0)
            return -1;
        if (l->drained)
            return 0;
        if (room_in_gpc(s, l, gpc, l->held_count) < l->held_count) {
            tried++;
            continue;
        }
        if (start_cluster(s, l, gpc, cycle, late, e) < 0)
            return -1;
        tried = 0;
    }
    return 0;
}

/* --- placement of launches, one after the other --- */

static void report_end(struct cta_scheduler *s, struct launch *l)
{
    if (l->drained && !l->resident)
        s->over(s->ctx, l);
}

/* Places all CTAs that fit, after the first launch in the list has changed or SMs have become free. */
static int cta_scheduler_place(struct cta_scheduler *s, uint64_t cycle, uint32_t late, struct err *e)
{
    while (s->placing) {
        struct launch *l = s->placing;
        int ret = l->cluster > 1 ? place_clusters(s, l, cycle, late, e) : s->placement->place(s, l, cycle, e);

        if (ret < 0)
            return -1;
        if (!l->drained)
            return 0;
        s->placing = l->next;
        report_end(s, l);
    }
    return 0;
}

int cta_scheduler_add(struct cta_scheduler *s, struct launch *l, uint64_t cycle, struct err *e)
{
    struct launch **end = &s->placing;

    while (*end)
        end = &(*end)->next;
    l->next = NULL;
    *end = l;
    if (s->dispatch_free < cycle)
        s->dispatch_free = cycle;
    return s->placing == l ? cta_scheduler_place(s, cycle, 0, e) : 0;
}

/* The successor of an ended CTA waits until its slot has been cleared. */
static int cta_scheduler_fill(struct cta_scheduler *s, struct sm *sm, uint64_t cycle, uint32_t late, struct err *e)
{
    struct launch *l = s->placing;
    int got = 1;

    if (l->cluster > 1)
        return cta_scheduler_place(s, cycle, late, e);
    while (got > 0 && !l->drained)
        got = cta_scheduler_place_one(s, sm, l, cycle, late, e);
    if (got < 0 || !l->drained)
        return got;
    s->placing = l->next;
    report_end(s, l);
    /* The next launch may use all SMs, and this free slot first. */
    got = 1;
    while (got > 0 && s->placing && !s->placing->drained && s->placing->cluster == 1)
        got = cta_scheduler_place_one(s, sm, s->placing, cycle, late, e);
    return got < 0 ? -1 : cta_scheduler_place(s, cycle, late, e);
}

void cta_scheduler_cta_done(struct cta_scheduler *s, struct sm *sm, struct cta *cta, uint64_t cycle,
                            uint32_t reading)
{
    const uint32_t late = s->env->design->turnover_cycles + reading;
    struct launch *l = cta->launch;
    bool last_known = l->drained;

    inst_source_release_cta(l->source, cta->trace);
    cta->trace = NULL;
    occupancy_give(&sm->used, &l->fit.cta);
    l->resident--;
    if (s->placing && cta_scheduler_fill(s, sm, cycle, late, &s->env->err) < 0)
        s->env->failed = true;
    if (last_known)
        report_end(s, l);
}
