/* simcore/sm/memory_inst.c: executes memory instructions: queue, address generation, load/store unit, banks.
 * loads.c and stores.c handle the lines of an access.
 *
 * A sub-core's queue passes its oldest instruction to address generation (one per few cycles in each sub-core),
 * which passes it to the SM's load/store unit (one at a time). The unit is busy for the cycles that the tags and
 * the banks need. Latencies count from the time at which the unit accepts the instruction. On an idle SM this is
 * the issue time. */
#include <string.h>

#include "base/bits.h"
#include "simcore/sm/access.h"
#include "simcore/sm/flight.h"
#include "simcore/sm/poll.h"
#include "simcore/trace/fields.h"

#define BANKS_BYTES 128u /* 32 banks of 4 bytes: the most that a pass can move */

_Static_assert((uint64_t)WINDOW_BYTES *WARP_LANES == 1ull << MEM_LOCAL_WINDOW_SHIFT, "a window a warp");

/* Passes the queue and address generation, which holds one instruction until the load/store unit accepts it.
 * Returns the earliest time of that. */
static uint32_t generate(struct sm *sm, uint32_t slot, uint32_t t)
{
    const struct gpu_design *d = sm->env->design;
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    uint32_t start = time_max(t, time_max(sc->agu_free, sc->lsu_taken));

    sc->agu_free = start + d->lsu_agu;
    sm->warp[slot].taken = start;
    sc->queue_slot[sc->queue_head] = start;
    sc->queue_head = (uint8_t)((sc->queue_head + 1u) % d->lsu_queue);
    return start;
}

/* When the load/store unit begins an instruction that reaches it at t. */
static uint32_t lsu_start(const struct sm *sm, uint32_t t)
{
    uint64_t free = (sm->lsu_free_256 + 255) >> 8;

    return free > t ? (free < SM_TIME_MAX ? (uint32_t)free : SM_TIME_MAX) : t;
}

/* Passes the queue and address generation into the unit; returns when the unit begins. */
static uint32_t enter_lsu(struct sm *sm, uint32_t slot, uint32_t t)
{
    uint32_t start = lsu_start(sm, generate(sm, slot, t));

    sm->sub[slot % SUB_CORES].lsu_taken = start;
    return start;
}

static void set_results(const struct access *a, uint32_t t, uint32_t by_memory)
{
    uint32_t *ready = sm_registers(a->sm, a->slot);

    if (a->node) {
        flight_results(a->sm, a->node);
        return;
    }
    if (t > SM_TIME_MAX)
        t = SM_TIME_MAX;
    for (uint32_t i = 0; i < a->in->dst_count; i++)
        ready[a->in->dst + i] = t << 1 | by_memory;
    if (a->in->flags & OP_WRITES_PREDICATE)
        a->warp->predicate_ready = t;
    a->warp->load_done = t;
    if (a->in->dst_count) /* stores to shared memory have none */
        a->warp->results_done = time_max(a->warp->results_done, t);
    a->warp->memory_done = time_max(a->warp->memory_done, t);
}

/* The passes through the banks for lanes that do not form a run. */
static uint32_t access_passes(const struct access *a, uint32_t mask, uint32_t width)
{
    uint32_t passes = bank_passes_strided(&a->lanes, mask, width);
    uint64_t address[WARP_LANES];

    if (passes)
        return passes;
    lanes_expand(&a->lanes, a->mask, address);
    return bank_passes(address, mask, width);
}

/* --- shared memory --- */

/* Whether the access goes to another CTA of the cluster (FIELDS_RANK_SHIFT). The first lane decides. */
static bool is_remote(const struct access *a)
{
    uint64_t slot = a->lanes.base >> FIELDS_RANK_SHIFT;
    const struct cta *cta = &a->sm->cta[a->warp->cta];

    return slot && cta->cluster && slot - 1 != cta->rank;
}

static void do_shared(struct access *a)
{
    struct sm *sm = a->sm;
    const struct gpu_design *d = sm->env->design;
    struct counters *c = a->count;
    uint32_t mask = a->mask, width = a->width, start, busy, passes, ideal;

    if (a->in->flags & OP_MATRIX) {
        /* Each of the first 8, 16 or 32 lanes has a row of 16 bytes, depending on the number of 8x8 matrices. */
        uint32_t rows = a->in->dst_count && a->in->dst_count < 4 ? a->in->dst_count * 8u : WARP_LANES;

        width = 16;
        mask &= rows < WARP_LANES ? (1u << rows) - 1 : UINT32_MAX;
    }
    ideal = bank_passes_min(mask, width);
    passes = a->run && !(a->in->flags & OP_MATRIX) ? ideal : access_passes(a, mask, width);
    c->shared_requests++;
    c->shared_passes += passes;
    c->shared_conflicts += passes > ideal ? passes - ideal : 0;
    if (a->in->action == ACT_ATOMIC || a->in->action == ACT_REDUCTION) {
        uint32_t lanes = a->in->flags & OP_COUNTS ? passes : busiest_word(a->address, mask),
                 rounds = (lanes * d->shared_atomic_256 + 255) >> 8;

        c->shared_atomic_requests++;
        passes = time_max(passes, rounds);
    }
    if (ideal > passes) /* some lanes share words */
        ideal = passes;
    passes = time_max(passes, (ideal * BANKS_BYTES + d->shared_bytes_a_clock - 1) / d->shared_bytes_a_clock);
    start = enter_lsu(sm, a->slot, a->t);
    busy = lsu_occupy(sm, start, passes << 8);
    if (is_remote(a)) {
        c->remote_shared++;
        set_results(a, remote_shared(sm, start, bits_count(mask) * width), 1);
        return;
    }
    set_results(a, start + d->shared_latency + busy - 1, 1);
}

/* --- global and local --- */

static void do_lines(struct access *a, uint32_t start, bool local)
{
    uint32_t done;

    switch ((enum op_action)a->in->action) {
    case ACT_STORE:
        done = store_lines(a, start, local);
        a->warp->memory_done = time_max(a->warp->memory_done, done);
        break;
    case ACT_ATOMIC: set_results(a, atomic_lines(a, start), 1); break;
    case ACT_REDUCTION:
        done = atomic_lines(a, start);
        a->warp->memory_done = time_max(a->warp->memory_done, done);
        break;
    case ACT_ASYNC_COPY:
        done = load_lines(a, start);
        a->warp->group_open = time_max(a->warp->group_open, done);
        break;
    default: set_results(a, load_lines(a, start), 1); break;
    }
}

/* When a write that reached the unit at `start` is complete. In event mode this is not known yet. */
static uint32_t complete(const struct access *a, uint32_t start)
{
    uint32_t least = start + a->sm->env->design->l2_latency;

    return a->node || a->warp->memory_done >= SM_UNKNOWN ? least : time_max(a->warp->memory_done, start);
}

static void do_global(struct access *a)
{
    uint32_t start = enter_lsu(a->sm, a->slot, a->t);

    if (a->run)
        coalesce_run(a->lanes.base, a->mask, a->width, &a->lines);
    else if (a->in->action == ACT_STORE)
        coalesce(a->address, a->mask, a->width, &a->lines);
    else
        coalesce_sectors(a->address, a->mask, a->width, &a->lines);
    do_lines(a, start, false);
    if (a->in->action >= ACT_STORE && a->in->action <= ACT_REDUCTION && a->warp->launch->source->polls)
        poll_wrote(a, complete(a, start));
}

/* In local memory, word k of neighbouring threads is contiguous, so an access is divided into accesses of 4 bytes
 * per lane. Every warp slot of every SM has its own region. */
static void do_local(struct access *a)
{
    uint32_t start = enter_lsu(a->sm, a->slot, a->t), words = (a->width + 3) / 4, latest = 0;
    uint64_t region =
        MEM_LOCAL_REGION + ((uint64_t)(a->sm->index * SM_WARPS_MAX + a->slot) << MEM_LOCAL_WINDOW_SHIFT);
    const uint64_t word_bytes = 4ull * WARP_LANES; /* bytes of one word of all lanes */
    uint64_t offset[WARP_LANES];

    memcpy(offset, a->address, sizeof offset);
    a->count->local_requests++;
    for (uint32_t k = 0; k < words; k++) {
        for (uint32_t left = a->mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);

            a->address[lane] = region + (offset[lane] % WINDOW_BYTES / 4 + k) * word_bytes + 4ull * lane;
        }
        a->width = 4;
        a->run = false;
        a->lanes = (struct lane_addresses){.kind = ADDRESS_LIST, .list = a->address};
        coalesce(a->address, a->mask, 4, &a->lines);
        start = time_max(start, lsu_start(a->sm, start));
        if (a->in->action == ACT_LOAD)
            latest = time_max(latest, load_lines(a, start));
        else
            do_lines(a, start, true);
    }
    if (a->in->action == ACT_LOAD)
        set_results(a, latest, 1);
}

/* The space of a generic access: the window of shared or local memory, or global memory. The first active lane
 * decides. */
static enum op_space memory_inst_resolve(struct access *a)
{
    const struct launch *launch = a->warp->launch;
    uint64_t first = a->address[__builtin_ctz(a->mask)], base = 0;
    enum op_space space = SPACE_GLOBAL;

    if (launch->shared_base && first - launch->shared_base < WINDOW_BYTES) {
        base = launch->shared_base;
        space = SPACE_SHARED;
    } else if (launch->local_base && first - launch->local_base < WINDOW_BYTES) {
        base = launch->local_base;
        space = SPACE_LOCAL;
    }
    for (uint32_t left = base ? a->mask : 0; left; left &= left - 1)
        a->address[__builtin_ctz(left)] -= base;
    a->lanes.base -= base;
    a->lanes.list = a->address;
    return space;
}

/* Executes instructions without addresses (constants, textures, and unrecorded ones) and those with fields. */
static void do_blind(struct access *a, const struct warp_inst *wi)
{
    const struct gpu_design *d = a->sm->env->design;
    struct counters *c = a->count;
    uint32_t start = generate(a->sm, a->slot, a->t), latency = d->l1_latency;

    if (a->in->flags & OP_FIELDS && wi->address != UINT32_MAX) {
        do_fields(a, wi, start);
        if (a->node)
            flight_seal(a->sm, a->node);
        return;
    }
    if (a->in->action == ACT_CONSTANT) {
        c->constant_requests++;
        set_results(a, start + d->constant_latency, 1);
        return;
    }
    if (a->in->action == ACT_BULK_COPY) {
        /* Modelled as one round trip to L2, because its addresses and size are not recorded. */
        c->bulk_copies++;
        a->warp->group_open = time_max(a->warp->group_open, start + d->l2_latency);
        return;
    }
    if (a->in->action == ACT_ASYNC_COPY && a->in->width) { /* no lane reads: the copy only writes zeros */
        a->lines.count = 0;
        do_lines(a, lsu_start(a->sm, start), false);
        return;
    }
    if (a->in->action == ACT_TEXTURE) {
        c->texture_requests++;
        latency = d->texture_latency;
    } else {
        c->memory_without_addresses++;
    }
    start = lsu_start(a->sm, start);
    lsu_occupy(a->sm, start, 1 << 8);
    set_results(a, start + latency, 1);
}

/* Whether the address of each lane is needed, even if the lanes form a run or access shared memory. */
static bool lane_by_lane(const struct static_inst *in)
{
    return in->space == SPACE_GENERIC || in->space == SPACE_LOCAL || in->flags & OP_MATRIX ||
           in->action == ACT_ATOMIC || in->action == ACT_REDUCTION;
}

/* The struct is large, so members that only some accesses need are not initialized. */
static void memory_inst_begin(struct access *a, struct sm *sm, uint32_t slot, const struct warp_inst *wi,
                              const struct static_inst *in, uint32_t t)
{
    a->sm = sm;
    a->warp = &sm->warp[slot];
    a->count = &a->warp->launch->count;
    a->in = in;
    a->slot = slot;
    a->mask = wi->mask;
    a->width = in->width;
    a->t = t;
    a->node = 0;
}

void sm_memory(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in, uint32_t t)
{
    enum op_space space = in->space;
    struct access a;

    memory_inst_begin(&a, sm, slot, wi, in, t);
    if (wi->address == UINT32_MAX || !in->width || space == SPACE_NONE) {
        do_blind(&a, wi);
        a.warp->read = time_max(a.warp->read, sm_read_time(sm, a.warp, in, t));
        return;
    }
    cta_addresses(sm->cta[a.warp->cta].trace, wi->address, &a.lanes);
    a.run = lanes_form_run(&a.lanes, a.mask, a.width);
    if ((!a.run && space != SPACE_SHARED) || lane_by_lane(in))
        lanes_expand(&a.lanes, a.mask, a.address);
    if (space == SPACE_GENERIC)
        space = memory_inst_resolve(&a);
    if (space == SPACE_SHARED)
        do_shared(&a);
    else if (space == SPACE_LOCAL)
        do_local(&a);
    else
        do_global(&a);
    a.warp->read = time_max(a.warp->read, sm_read_time(sm, a.warp, in, t));
    if (a.node)
        flight_seal(sm, a.node);
}
