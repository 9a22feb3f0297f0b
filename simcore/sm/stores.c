/* simcore/sm/stores.c: the lines of stores, which write through L1; of atomics and reductions, which bypass it; and
 * an SM's entries for lines in flight to L2 without an answer. */
#include <string.h>

#include "simcore/sm/outstanding.h"

/* Adds an entry for a line in flight to L2 to the heap. The entry that is free first is at the top. */
static void give_store_slot(uint32_t *slot, uint32_t n, uint32_t accepted)
{
    uint32_t i = n;

    for (; i && slot[(i - 1) / 2] > accepted; i = (i - 1) / 2)
        slot[i] = slot[(i - 1) / 2];
    slot[i] = accepted;
}

/* Removes the top of a heap of n entries. */
static void take_store_slot(uint32_t *slot, uint32_t n)
{
    uint32_t i = 0, last = slot[n - 1];

    for (uint32_t child = 1; child < n - 1; child = 2 * i + 1) {
        child += child + 1 < n - 1 && slot[child + 1] < slot[child];
        if (slot[child] >= last)
            break;
        slot[i] = slot[child];
        i = child;
    }
    slot[i] = last;
}

/* Sends requests `first` to `end` - 1, whose entries are already taken. Returns the time at which the last one is
 * accepted, in local cycles of the SM. */
static uint32_t accept_some(struct access *a, uint32_t first, uint32_t end)
{
    struct sm *sm = a->sm;
    struct launch *launch = a->warp->launch;
    uint32_t places = sm->env->design->lsu_stores - (end - first), latest = 0;

    lines_send(a, first, end);
    for (uint32_t k = first; k < end; k++) {
        sim_time_ps accepted = a->asked.back[a->asked.which[k]];
        uint32_t until = sm_local(sm, clock_from_ps(&sm->env->clock, accepted));

        if (accepted > launch->stores_done)
            launch->stores_done = accepted;
        give_store_slot(sm->store_slot, places++, until);
        latest = time_max(latest, until);
    }
    return latest;
}

/* A lower bound of the time at which a request sent at t is accepted. */
static uint32_t least_accepted(const struct sm *sm, uint32_t t)
{
    const struct sm_env *env = sm->env;
    sim_time_ps made = clock_to_ps(&env->clock, sm->base + t + env->design->l1_detect);

    return sm_local(sm, clock_from_ps(&env->clock, made + env->port->ops->least_ps(env->port, sm->index)));
}

/* Sends all lines to L2 from *t on; lanes: for each line, the lanes on its busiest word. Returns the time at
 * which the last line is accepted. An SM has a limited number of entries for lines in flight. If all are taken, the
 * unit stalls and *t increases. Requests are sent together if none needs an entry that another one of them frees.
 */
uint32_t stores_send(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t)
{
    struct sm *sm = a->sm;
    const struct gpu_design *d = sm->env->design;
    uint32_t latest = 0, back = 0, first = 0;

    (void)kind; /* stored in the batch */
    for (uint32_t i = 0; i < a->lines.count; i++)
        mem_batch_add(&a->asked, i, a->lines.sectors[i], lanes[i], 0);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        if (i > first && (i - first == d->lsu_stores || sm->store_slot[0] > back)) {
            latest = time_max(latest, accept_some(a, first, i));
            first = i;
        }
        /* No later instruction issues in the meantime: requests sent far ahead of their time would delay earlier
         * ones. */
        if (sm->store_slot[0] > *t)
            *t = sm->lsu_stalled_until = sm->store_slot[0];
        if (i == first)
            back = least_accepted(sm, *t);
        take_store_slot(sm->store_slot, d->lsu_stores - (i - first));
        a->asked.made[i] = leaves(a, *t);
    }
    return time_max(latest, accept_some(a, first, a->lines.count));
}

/* --- stores and atomics --- */

uint32_t store_lines(struct access *a, uint32_t start, bool keep)
{
    static const uint8_t no_lanes[COALESCED_MAX];
    struct sm *sm = a->sm;
    uint32_t latest, sectors = 0, t = start, tags = tag_cycles_256(sm->env->design, &a->lines);

    a->count->l1_store_requests++;
    lines_begin(a, MEM_WRITE, true);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        struct l1_line *line = l1_find(&sm->l1, a->set[i], a->lines.line[i], a->mark[i], keep);

        if (line && keep)
            line->valid |= a->lines.full[i];
        sectors += sector_count(a->lines.sectors[i]);
    }
    latest = sm->env->outstanding->store(a, MEM_WRITE, no_lanes, &t);
    a->count->l1_store_sectors += sectors;
    lsu_occupy(sm, t, time_max(tags, ((sectors * SECTOR_BYTES + 127) / 128) << 8));
    return latest;
}

/* Counts for each line the lanes on its busiest word. */
static void count_lanes(const struct access *a, uint8_t lanes[])
{
    uint32_t on_line[COALESCED_MAX];

    memset(on_line, 0, a->lines.count * sizeof *on_line);
    for (uint32_t left = a->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        on_line[a->lines.of_lane[lane]] |= 1u << lane;
    }
    for (uint32_t i = 0; i < a->lines.count; i++)
        lanes[i] = (uint8_t)(on_line[i] & (on_line[i] - 1) ? busiest_word(a->address, on_line[i]) : 1);
}

/* Atomics return a result. */
uint32_t atomics_send(struct access *a, const uint8_t lanes[], uint32_t start)
{
    const struct answers answers = answers_to(a);
    uint32_t latest = 0;

    for (uint32_t i = 0; i < a->lines.count; i++) {
        mem_batch_add(&a->asked, i, a->lines.sectors[i], lanes[i], leaves(a, start));
    }
    lines_send(a, 0, a->asked.count);
    for (uint32_t i = 0; i < a->asked.count; i++)
        latest = time_max(latest, answered(&answers, a->asked.back[i]));
    return latest;
}

uint32_t atomic_lines(struct access *a, uint32_t start)
{
    const struct outstanding_ops *o = a->sm->env->outstanding;
    uint8_t lanes[COALESCED_MAX];
    uint32_t latest, t = start;

    a->count->atomic_requests++;
    lines_begin(a, a->in->action == ACT_ATOMIC ? MEM_ATOMIC : MEM_REDUCTION, false); /* atomics bypass L1 */
    count_lanes(a, lanes);
    latest = a->in->action == ACT_ATOMIC ? o->atomic(a, lanes, t) : o->store(a, MEM_REDUCTION, lanes, &t);
    lsu_occupy(a->sm, t, a->lines.count << 8);
    return latest;
}
