/* simcore/sm/memory_inst.c: memory instructions: queue, address generation, load/store unit, banks, L1, and what
 * goes on to L2.
 *
 * A sub-core's queue hands its oldest instruction to address generation (one in a few cycles a sub-core), which
 * hands it to the SM's load/store unit (one at a time). There it stays for as many cycles as it needs at the tags
 * and at the banks. Latencies count from the moment the unit takes it, so that on an idle SM they count from issue.
 */
#include <string.h>

#include "base/bits.h"
#include "simcore/mem/warm.h"
#include "simcore/observe/observer.h"
#include "simcore/sm/flight.h"

#define WINDOW_BYTES (16u << 20) /* of the generic windows of shared and local memory */
#define BANKS_BYTES  128u        /* 32 banks of 4 bytes: what a pass can bring */
enum { SCATTERED_LEAST = 8 };    /* lines from which fetching them together pays */

_Static_assert((uint64_t)WINDOW_BYTES *WARP_LANES == 1ull << MEM_LOCAL_WINDOW_SHIFT, "a window a warp");

struct access {
    struct sm *sm;
    struct warp *warp;
    struct counters *count; /* of the warp's launch */
    const struct static_inst *in;
    uint32_t slot, mask, width, t;
    uint32_t node; /* in event mode, once it has to wait for something */
    bool run;      /* the lanes form one gapless run: no conflicts */
    struct lane_addresses lanes;
    uint64_t address[WARP_LANES];
    struct coalesced lines;
    uint32_t set[COALESCED_MAX]; /* of each line in L1 */
    bool placed;                 /* and the place of each behind it is known */
    struct address_place place[COALESCED_MAX];
};

/* Through queue and address generation, which holds one instruction until the load/store unit takes it; returns
 * when that could be. */
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

/* When the load/store unit begins with what reaches it at t. */
static uint32_t lsu_start(const struct sm *sm, uint32_t t)
{
    uint64_t free = (sm->lsu_free_256 + 255) >> 8;

    return free > t ? (free < SM_TIME_MAX ? (uint32_t)free : SM_TIME_MAX) : t;
}

/* Through queue, address generation and into the unit; returns when it begins. */
static uint32_t enter_lsu(struct sm *sm, uint32_t slot, uint32_t t)
{
    uint32_t start = lsu_start(sm, generate(sm, slot, t));

    sm->sub[slot % SUB_CORES].lsu_taken = start;
    return start;
}

/* Keeps the unit busy from `start` for so many 1/256 cycles; returns them in whole cycles. */
static uint32_t lsu_occupy(struct sm *sm, uint32_t start, uint32_t busy_256)
{
    uint32_t least = sm->env->design->lsu_interval << 8;
    uint64_t from = (uint64_t)start << 8;

    if (busy_256 < least)
        busy_256 = least;
    /* The fraction of a cycle that the unit became free earlier is not lost. */
    if (sm->lsu_free_256 > from - 256 && sm->lsu_free_256 < from && from >= 256)
        from = sm->lsu_free_256;
    sm->lsu_free_256 = from + busy_256;
    if (sm->env->observer)
        observer_lsu(sm->env->observer, sm, start, (busy_256 + 255) >> 8);
    return (busy_256 + 255) >> 8;
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
    if (a->in->dst_count) /* stores to shared memory come here, too */
        a->warp->results_done = time_max(a->warp->results_done, t);
    a->warp->memory_done = time_max(a->warp->memory_done, t);
}

/* Passes through the banks of lanes that do not form a run. */
static uint32_t passes_of(const struct access *a, uint32_t mask, uint32_t width)
{
    uint32_t passes = bank_passes_strided(&a->lanes, mask, width);
    uint64_t address[WARP_LANES];

    if (passes)
        return passes;
    lanes_expand(&a->lanes, a->mask, address);
    return bank_passes(address, mask, width);
}

/* --- shared memory --- */

static void do_shared(struct access *a)
{
    struct sm *sm = a->sm;
    const struct gpu_design *d = sm->env->design;
    struct counters *c = a->count;
    uint32_t mask = a->mask, width = a->width, start, busy, passes, ideal;

    if (a->in->flags & OP_MATRIX) {
        /* One row of 16 bytes for each of the first 8, 16 or 32 lanes, by the number of 8x8 matrices. */
        uint32_t rows = a->in->dst_count && a->in->dst_count < 4 ? a->in->dst_count * 8u : WARP_LANES;

        width = 16;
        mask &= rows < WARP_LANES ? (1u << rows) - 1 : UINT32_MAX;
    }
    ideal = bank_passes_least(mask, width);
    passes = a->run && !(a->in->flags & OP_MATRIX) ? ideal : passes_of(a, mask, width);
    c->shared_requests++;
    c->shared_passes += passes;
    c->shared_conflicts += passes > ideal ? passes - ideal : 0;
    if (a->in->action == ACT_ATOMIC || a->in->action == ACT_REDUCTION) {
        uint32_t rounds = busiest_word(a->address, mask) * d->shared_atomic_cycles;

        c->shared_atomic_requests++;
        passes = time_max(passes, rounds);
    }
    passes = time_max(passes, (ideal * BANKS_BYTES + d->shared_bytes_a_clock - 1) / d->shared_bytes_a_clock);
    start = enter_lsu(sm, a->slot, a->t);
    busy = lsu_occupy(sm, start, passes << 8);
    set_results(a, start + d->shared_latency + busy - 1, 1);
}

/* --- what goes to L2 --- */

/* Filled in place: a struct of small parts that is copied at once stalls the host. */
static inline void make_request(const struct access *a, const struct coalesced_line *l, enum mem_kind kind,
                                uint32_t lanes, uint32_t t, struct mem_request *r)
{
    struct sm_env *env = a->sm->env;

    if (env->charged != a->warp->launch)
        account_memory(env, a->warp->launch);
    r->line = l->line;
    r->sectors = l->sectors;
    r->full = l->full;
    r->kind = (uint8_t)kind;
    r->lanes = (uint8_t)lanes;
    r->sm = (uint16_t)a->sm->index;
    r->made = clock_to_ps(&env->clock, a->sm->base + t);
    r->watch = env->observer ? observer_request(env->observer, r) : 0;
}

/* For line i of the access, or what l says is left of it. */
static sim_time_ps request(const struct access *a, uint32_t i, const struct coalesced_line *l, enum mem_kind kind,
                           uint32_t lanes, uint32_t t)
{
    const struct sm_env *env = a->sm->env;
    sim_time_ps now = event_queue_now(env->queue);
    struct mem_request r;

    make_request(a, l, kind, lanes, t, &r);
    if (env->warming) {
        memory_warm(env->memory, &r);
        return r.made;
    }
    if (a->placed)
        return memory_access_at(env->memory, &r, &a->place[i], now, r.made);
    return memory_access(env->memory, &r, now, r.made);
}

/* Event mode: the node of the instruction. */
static uint32_t node_of(struct access *a)
{
    if (!a->node)
        a->node = flight_node(a->sm, a->slot, a->in);
    return a->node;
}

/* A request that answers: when its data can be used. */
static uint32_t ask(struct access *a, uint32_t i, const struct coalesced_line *l, enum mem_kind kind,
                    uint32_t lanes, uint32_t t)
{
    const struct gpu_design *d = a->sm->env->design;
    sim_time_ps back;

    if (a->sm->flight) {
        struct mem_request r;

        make_request(a, l, kind, lanes, t + d->l1_detect, &r);
        flight_ask(a->sm, node_of(a), &r, t + d->l1_detect);
        return SM_UNKNOWN;
    }
    back = request(a, i, l, kind, lanes, t + d->l1_detect);
    return sm_local(a->sm, clock_from_ps(&a->sm->env->clock, back) + d->l1_latency - d->l1_detect);
}

/* The place for lines on their way to L2 that is free first is taken until `accepted`. */
static void take_store_slot(struct sm *sm, uint32_t accepted)
{
    uint32_t places = sm->env->design->lsu_stores, i = 0, *slot = sm->store_slot;

    for (uint32_t child = 1; child < places; child = 2 * i + 1) {
        child += child + 1 < places && slot[child + 1] < slot[child];
        if (slot[child] >= accepted)
            break;
        slot[i] = slot[child];
        i = child;
    }
    slot[i] = accepted;
}

/* A request without an answer: when L2 has taken it. An SM has room for so many lines on their way; where all are
 * taken the unit stands still, and *t becomes later. */
static uint32_t tell(struct access *a, uint32_t i, enum mem_kind kind, uint32_t lanes, uint32_t *t)
{
    const struct coalesced_line *l = &a->lines.line[i];
    struct sm *sm = a->sm;
    sim_time_ps accepted;
    uint32_t until;

    if (sm->flight) {
        struct mem_request r;

        make_request(a, l, kind, lanes, *t + sm->env->design->l1_detect, &r);
        flight_tell(sm, node_of(a), &r, *t);
        return 0;
    }
    /* Nothing behind it issues meanwhile: requests made far ahead of their time would hold up earlier ones. */
    if (sm->store_slot[0] > *t)
        *t = sm->stands_still = sm->store_slot[0];
    accepted = request(a, i, l, kind, lanes, *t + sm->env->design->l1_detect);
    if (accepted > a->warp->launch->stores_done)
        a->warp->launch->stores_done = accepted;
    until = sm_local(sm, clock_from_ps(&sm->env->clock, accepted));
    take_store_slot(sm, until);
    return until;
}

/* --- loads --- */

/* Looks line i up at `start`; returns when its sectors can be used beside the latency of a hit; 0: at once. */
static uint32_t load_line(struct access *a, uint32_t i, uint32_t start)
{
    const struct coalesced_line *l = &a->lines.line[i];
    struct counters *c = a->count;
    uint32_t sectors = sector_count(l->sectors), missing, t;
    struct coalesced_line rest = *l;
    struct l1_line *line;

    c->l1_load_sectors += sectors;
    line = l1_find(&a->sm->l1, a->set[i], l->line, true);
    rest.sectors &= (uint8_t)~line->valid;
    missing = sector_count(rest.sectors);
    if (line->ready > start)
        c->l1_load_pending_sectors += sectors - missing;
    else
        c->l1_load_hit_sectors += sectors - missing;
    if (!missing) {
        if (line->ready >= SM_UNKNOWN)
            flight_join(a->sm, node_of(a), line);
        return line->ready > start ? line->ready : 0;
    }
    c->l1_load_miss_sectors += missing;
    if (a->sm->flight) {
        struct mem_request r;

        make_request(a, &rest, MEM_READ, 0, start + a->sm->env->design->l1_detect, &r);
        flight_fill(a->sm, node_of(a), &r, line, start + a->sm->env->design->l1_detect);
        line->valid |= rest.sectors;
        return SM_UNKNOWN;
    }
    t = ask(a, i, &rest, MEM_READ, 0, start);
    line->valid |= rest.sectors;
    line->ready = time_max(line->ready, t);
    return line->ready;
}

/* Passes of data: conflicts at the banks for lanes whose line is there, and never more than so many bytes a cycle;
 * what misses comes a sector at a time. */
static uint32_t load_passes(const struct access *a, uint32_t hit_lanes, const bool hit[])
{
    const struct gpu_design *d = a->sm->env->design;
    uint32_t bytes = bits_count(hit_lanes) * a->width, hit_bytes = 0, miss_bytes = 0, passes;

    for (uint32_t i = 0; i < a->lines.count; i++)
        *(hit[i] ? &hit_bytes : &miss_bytes) += sector_count(a->lines.line[i].sectors) * SECTOR_BYTES;
    if (bytes > hit_bytes) /* lanes that share words */
        bytes = hit_bytes;
    passes = (bytes + miss_bytes + d->l1_bytes - 1) / d->l1_bytes;
    if (!hit_lanes)
        return passes;
    return time_max(passes, a->run ? bank_passes_least(hit_lanes, a->width) : passes_of(a, hit_lanes, a->width));
}

/* The tags take a load's lines one after the other, but two neighbours together: loads that straddle two lines run
 * at the speed of those that do not (A100, stride 1 at all offsets: 1.02 clocks; github te42kyfo/gpu-benches). */
static uint32_t tag_cycles_256(const struct gpu_design *d, const struct coalesced *c)
{
    if (c->count == 2 && c->line[1].line == c->line[0].line + 1)
        return d->tag_slope_256 + d->tag_base_256;
    return d->tag_slope_256 * c->count + d->tag_base_256;
}

/* Where the lines are. Those of a scattered access lie all over the host's memory: it begins to fetch them
 * together.
 */
static void place_lines(struct access *a, uint32_t start)
{
    const struct sm_env *env = a->sm->env;
    const struct l1 *l1 = &a->sm->l1;
    uint64_t line[COALESCED_MAX];
    uint32_t n = a->lines.count;

    a->placed = n >= SCATTERED_LEAST && !a->sm->flight;
    for (uint32_t i = 0; i < n; i++) {
        line[i] = a->lines.line[i].line;
        a->set[i] = l1_set(l1, line[i]);
    }
    if (!a->placed)
        return;
    for (uint32_t i = 0; i < n; i++)
        l1_prefetch(l1, a->set[i]);
    memory_prefetch(env->memory, line, n, a->place, event_queue_now(env->queue),
                    clock_to_ps(&env->clock, a->sm->base + start));
    for (uint32_t i = 0; i < n; i++)
        l1_prefetch_way(l1, a->set[i]);
}

/* Loads the lines of a; returns when the last is there. */
static uint32_t load_lines(struct access *a, uint32_t start)
{
    struct sm *sm = a->sm;
    const struct gpu_design *d = sm->env->design;
    uint32_t latest = 0, hit_lanes = 0, hit_lines = 0, busy;
    bool hit[COALESCED_MAX];
    uint32_t tags = tag_cycles_256(d, &a->lines), passes;

    a->count->l1_load_requests++;
    a->count->l1_load_lines += a->lines.count;
    place_lines(a, start);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        /* The tags take the lines one after the other. */
        uint32_t when = start + ((d->tag_slope_256 * i) >> 8), t;

        if (a->in->flags & OP_BYPASS_L1) {
            a->count->l1_bypass_sectors += sector_count(a->lines.line[i].sectors);
            t = ask(a, i, &a->lines.line[i], MEM_READ, 0, when);
        } else {
            t = load_line(a, i, when);
        }
        hit[i] = !t;
        hit_lines += hit[i];
        latest = time_max(latest, t < SM_UNKNOWN ? t : 0);
    }
    for (uint32_t left = hit_lines ? a->mask : 0; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        hit_lanes |= (uint32_t)hit[a->lines.of_lane[lane]] << lane;
    }
    passes = load_passes(a, hit_lanes, hit);
    if (a->in->action == ACT_ASYNC_COPY) /* and into shared memory */
        passes += (bits_count(a->mask) * a->width + 127) / 128;
    busy = lsu_occupy(sm, start, time_max(tags, passes << 8));
    latest = time_max(latest, start + d->l1_latency + busy - 1);
    if (!a->node)
        return latest;
    flight_not_before(sm, a->node, latest);
    return 0; /* its end says when */
}

/* --- stores and atomics --- */

static uint32_t store_lines(struct access *a, uint32_t start, bool keep)
{
    struct sm *sm = a->sm;
    const struct gpu_design *d = sm->env->design;
    uint32_t latest = 0, sectors = 0, t = start, tags = tag_cycles_256(d, &a->lines);

    a->count->l1_store_requests++;
    place_lines(a, start);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        const struct coalesced_line *l = &a->lines.line[i];
        struct l1_line *line = l1_find(&sm->l1, a->set[i], l->line, keep);

        if (line && keep)
            line->valid |= l->full;
        sectors += sector_count(l->sectors);
        latest = time_max(latest, tell(a, i, MEM_WRITE, 0, &t));
    }
    a->count->l1_store_sectors += sectors;
    lsu_occupy(sm, t, time_max(tags, ((sectors * SECTOR_BYTES + 127) / 128) << 8));
    return latest;
}

/* The lanes whose first byte is on each line. */
static void lanes_by_line(const struct access *a, uint32_t lanes[])
{
    memset(lanes, 0, a->lines.count * sizeof *lanes);
    for (uint32_t left = a->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        lanes[a->lines.of_lane[lane]] |= 1u << lane;
    }
}

static uint32_t atomic_lines(struct access *a, uint32_t start)
{
    bool answers = a->in->action == ACT_ATOMIC;
    uint32_t latest = 0, t = start, on_line[COALESCED_MAX];

    a->count->atomic_requests++;
    place_lines(a, start);
    lanes_by_line(a, on_line);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        uint32_t lanes = on_line[i] & (on_line[i] - 1) ? busiest_word(a->address, on_line[i]) : 1;
        uint32_t done =
            answers ? ask(a, i, &a->lines.line[i], MEM_ATOMIC, lanes, t) : tell(a, i, MEM_REDUCTION, lanes, &t);

        latest = time_max(latest, done);
    }
    lsu_occupy(a->sm, t, a->lines.count << 8);
    return latest;
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

static void do_global(struct access *a)
{
    uint32_t start = enter_lsu(a->sm, a->slot, a->t);

    if (a->run)
        coalesce_run(a->lanes.base, a->mask, a->width, &a->lines);
    else
        coalesce(a->address, a->mask, a->width, &a->lines);
    do_lines(a, start, false);
}

/* Local memory: word k of neighbouring threads lies side by side, so an access is one of 4 bytes a lane for each
 * word. Every warp slot of every SM has a region of its own. */
static void do_local(struct access *a)
{
    uint32_t start = enter_lsu(a->sm, a->slot, a->t), words = (a->width + 3) / 4, latest = 0;
    uint64_t region =
        MEM_LOCAL_REGION + ((uint64_t)(a->sm->index * SM_WARPS_MAX + a->slot) << MEM_LOCAL_WINDOW_SHIFT);
    const uint64_t word_bytes = 4ull * WARP_LANES; /* one word of all lanes */
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

/* A generic access lies in the window of shared or local memory, or is global: the first active lane decides. */
static enum op_space resolve(struct access *a)
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

/* Instructions without addresses: constants, textures, and what the trace does not say. */
static void do_blind(struct access *a)
{
    const struct gpu_design *d = a->sm->env->design;
    struct counters *c = a->count;
    uint32_t start = generate(a->sm, a->slot, a->t), latency = d->l1_latency;

    if (a->in->action == ACT_CONSTANT) {
        c->constant_requests++;
        set_results(a, start + d->constant_latency, 1);
        return;
    }
    if (a->in->action == ACT_BULK_COPY) {
        /* One trip to L2; neither their addresses nor their sizes are recorded. */
        c->bulk_copies++;
        a->warp->group_open = time_max(a->warp->group_open, start + d->l2_latency);
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

/* Does it need the address of each lane even where they form one run, or go to shared memory? */
static bool lane_by_lane(const struct static_inst *in)
{
    return in->space == SPACE_GENERIC || in->space == SPACE_LOCAL || in->flags & OP_MATRIX ||
           in->action == ACT_ATOMIC || in->action == ACT_REDUCTION;
}

/* It is large: what only some accesses need stays unset. */
static void begin(struct access *a, struct sm *sm, uint32_t slot, const struct warp_inst *wi,
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

    begin(&a, sm, slot, wi, in, t);
    if (wi->address == UINT32_MAX || !in->width || space == SPACE_NONE) {
        do_blind(&a);
        a.warp->read = time_max(a.warp->read, sm_read_time(sm, a.warp, in, t));
        return;
    }
    cta_addresses(sm->cta[a.warp->cta].trace, wi->address, &a.lanes);
    a.run = lanes_form_run(&a.lanes, a.mask, a.width);
    if ((!a.run && space != SPACE_SHARED) || lane_by_lane(in))
        lanes_expand(&a.lanes, a.mask, a.address);
    if (space == SPACE_GENERIC)
        space = resolve(&a);
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
