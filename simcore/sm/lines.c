/* simcore/sm/lines.c: the lines of a memory instruction: L1, and what goes on to L2.
 *
 * In reserve mode an instruction first looks all its lines up, then asks L2 for what it needs of them together
 * (memory_access_some), then notes when each is there. Nothing in between depends on an answer. */
#include <string.h>

#include "base/bits.h"
#include "simcore/mem/warm.h"
#include "simcore/observe/observer.h"
#include "simcore/sm/access.h"
#include "simcore/sm/flight.h"

/* --- what goes to L2 --- */

static void charge(const struct access *a)
{
    struct sm_env *env = a->sm->env;

    if (env->charged != a->warp->launch)
        account_memory(env, a->warp->launch);
}

/* Filled in place: a struct of small parts that is copied at once stalls the host. */
static inline void make_request(const struct access *a, uint64_t line, uint8_t sectors, uint8_t full,
                                enum mem_kind kind, uint32_t lanes, sim_time_ps made, struct mem_request *r)
{
    r->line = line;
    r->sectors = sectors;
    r->full = full;
    r->kind = (uint8_t)kind;
    r->lanes = (uint8_t)lanes;
    r->sm = (uint16_t)a->sm->index;
    r->ahead = false;
    r->made = made;
    r->watch = 0;
}

/* What passes the tags of L1 at t leaves the SM: */
static inline sim_time_ps leaves(const struct access *a, uint32_t t)
{
    const struct sm_env *env = a->sm->env;

    return clock_to_ps(&env->clock, a->sm->base + t + env->design->l1_detect);
}

/* One more of those that go together, of line i. */
static inline void add_request(struct access *a, uint32_t i, uint8_t sectors, enum mem_kind kind, uint32_t lanes,
                               sim_time_ps made)
{
    const struct coalesced_line *l = &a->lines.line[i];
    uint32_t k = a->asked.count++;

    make_request(a, l->line, sectors, l->full, kind, lanes, made, &a->asked.r[k]);
    if (a->placed)
        a->asked.home[k] = a->home[i];
}

static void watch_request(const struct access *a, struct mem_request *r)
{
    struct observer *o = a->sm->env->observer;

    if (o)
        r->watch = observer_request(o, r);
}

static void prepare_requests(struct access *a)
{
    const struct sm_env *env = a->sm->env;

    if (!a->asked.count)
        return;
    charge(a);
    if (!env->warming)
        memory_prepare(env->memory, &a->asked, a->placed);
}

/* Those from `first` to `end` - 1, which are prepared, go; `back` says when each is done. */
static void send_requests(struct access *a, uint32_t first, uint32_t end)
{
    const struct sm_env *env = a->sm->env;
    struct mem_batch *b = &a->asked;

    if (first == end)
        return;
    for (uint32_t i = first; env->observer && i < end; i++)
        watch_request(a, &b->r[i]);
    if (!env->warming) {
        memory_access_some(env->memory, b, first, end, event_queue_now(env->queue));
        return;
    }
    for (uint32_t i = first; i < end; i++) {
        memory_warm(env->memory, &b->r[i]);
        b->back[i] = b->r[i].made;
    }
}

/* When the answer to request i can be used. */
static inline uint32_t answered(const struct access *a, uint32_t i)
{
    const struct gpu_design *d = a->sm->env->design;

    return sm_local(a->sm, clock_from_ps(&a->sm->env->clock, a->asked.back[i]) + d->l1_latency - d->l1_detect);
}

/* Event mode: the node of the instruction. */
static uint32_t node_of(struct access *a)
{
    if (!a->node)
        a->node = flight_node(a->sm, a->slot, a->in);
    return a->node;
}

/* Event mode: a request that leaves at t and answers to the instruction or, where there is one, to a line of L1. */
static void ask_in_flight(struct access *a, const struct coalesced_line *l, uint8_t sectors, enum mem_kind kind,
                          uint32_t lanes, uint32_t t, struct l1_line *fill)
{
    struct mem_request r;

    charge(a);
    make_request(a, l->line, sectors, l->full, kind, lanes, leaves(a, t), &r);
    watch_request(a, &r);
    t += a->sm->env->design->l1_detect;
    if (fill)
        flight_fill(a->sm, node_of(a), &r, fill, t);
    else
        flight_ask(a->sm, node_of(a), &r, t);
}

/* From so many lines on an access is one that goes here and there, and most of it misses L1. */
enum { LINES_SCATTERED = 8 };

/* Where the lines are in L1, and of many in L2, which the host begins to fetch. */
static void place_lines(struct access *a)
{
    const struct l1 *l1 = &a->sm->l1;
    const struct sm_env *env = a->sm->env;
    uint64_t line[COALESCED_MAX];

    a->asked.count = 0;
    for (uint32_t i = 0; i < a->lines.count; i++) {
        line[i] = a->lines.line[i].line;
        a->set[i] = l1_set(l1, line[i]);
        l1_prefetch(l1, a->set[i]);
    }
    a->placed = a->lines.count >= LINES_SCATTERED && !a->sm->flight && !env->warming;
    if (a->placed)
        memory_place(env->memory, line, a->lines.count, a->home);
}

/* --- loads --- */

/* What a load has found out about its lines. */
struct found {
    uint64_t hits; /* a bit for each line that can be used at once, beside the latency of a hit */
    uint32_t latest, hit_sectors, miss_sectors;
    uint32_t there, pending, missing; /* sectors in L1, on their way to it, and not */
};

static void count_load(struct counters *c, const struct found *f)
{
    c->l1_load_sectors += f->there + f->pending + f->missing;
    c->l1_load_hit_sectors += f->there;
    c->l1_load_pending_sectors += f->pending;
    c->l1_load_miss_sectors += f->missing;
}

/* For who asks once a line. */
#define LINE_INLINE static inline __attribute__((always_inline))

/* Line i is there at t, 0: at once. */
LINE_INLINE void note_line(struct found *f, const struct access *a, uint32_t i, uint32_t t)
{
    *(t ? &f->miss_sectors : &f->hit_sectors) += sector_count(a->lines.line[i].sectors);
    f->hits |= (uint64_t)!t << i;
    if (t < SM_UNKNOWN)
        f->latest = time_max(f->latest, t);
}

/* Its sectors come from L2, asked for at `start`, which leaves at `made`; to `line` of L1 unless that is passed by.
 */
LINE_INLINE void bring_line(struct access *a, uint32_t i, uint8_t sectors, struct l1_line *line, uint32_t start,
                            sim_time_ps made, struct found *f)
{
    const struct coalesced_line *l = &a->lines.line[i];

    if (a->sm->flight) {
        ask_in_flight(a, l, sectors, MEM_READ, 0, start, line);
    } else {
        a->fills[a->asked.count] = line;
        a->ready[a->asked.count] = line ? line->ready : 0;
        add_request(a, i, sectors, MEM_READ, 0, made);
    }
    if (line)
        line->valid |= sectors;
    note_line(f, a, i, SM_UNKNOWN);
}

/* Looks line i up at `start`. */
LINE_INLINE void load_line(struct access *a, uint32_t i, uint32_t start, sim_time_ps made, struct found *f)
{
    const struct coalesced_line *l = &a->lines.line[i];
    struct l1_line *line = l1_find(&a->sm->l1, a->set[i], l->line, true);
    uint8_t rest = l->sectors & (uint8_t)~line->valid;
    uint32_t sectors = sector_count(l->sectors), missing = sector_count(rest);
    uint32_t pending = line->ready > start ? sectors - missing : 0;

    f->pending += pending;
    f->there += sectors - missing - pending;
    f->missing += missing;
    if (missing) {
        bring_line(a, i, rest, line, start, made, f);
        return;
    }
    if (line->ready >= SM_UNKNOWN)
        flight_join(a->sm, node_of(a), line);
    note_line(f, a, i, line->ready > start ? line->ready : 0);
}

/* The answers have come. A line that another of the same instruction has driven out again is not told. */
static void fill_lines(const struct access *a, struct found *f)
{
    for (uint32_t k = 0; k < a->asked.count; k++) {
        struct l1_line *line = a->fills[k];
        uint32_t t = time_max(a->ready[k], answered(a, k));

        if (line && line->number == a->asked.r[k].line)
            line->ready = t;
        f->latest = time_max(f->latest, t);
    }
}

/* Passes of data: conflicts at the banks for lanes whose line is there, and never more than so many bytes a cycle;
 * what misses comes a sector at a time. */
static uint32_t load_passes(const struct access *a, const struct found *f)
{
    const struct gpu_design *d = a->sm->env->design;
    uint32_t hit_lanes = 0, bytes, hit_bytes = f->hit_sectors * SECTOR_BYTES, passes;

    for (uint32_t left = f->hits ? a->mask : 0; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        hit_lanes |= (uint32_t)(f->hits >> a->lines.of_lane[lane] & 1) << lane;
    }
    bytes = bits_count(hit_lanes) * a->width;
    if (bytes > hit_bytes) /* lanes that share words */
        bytes = hit_bytes;
    passes = (bytes + f->miss_sectors * SECTOR_BYTES + d->l1_bytes - 1) / d->l1_bytes;
    if (!hit_lanes)
        return passes;
    return time_max(passes,
                    a->run ? bank_passes_least(hit_lanes, a->width) : access_passes(a, hit_lanes, a->width));
}

/* The tags take a load's lines one after the other, but two neighbours together: loads that straddle two lines run
 * at the speed of those that do not (A100, stride 1 at all offsets: 1.02 clocks; github te42kyfo/gpu-benches). */
static uint32_t tag_cycles_256(const struct gpu_design *d, const struct coalesced *c)
{
    if (c->count == 2 && c->line[1].line == c->line[0].line + 1)
        return d->tag_slope_256 + d->tag_base_256;
    return d->tag_slope_256 * c->count + d->tag_base_256;
}

uint32_t load_lines(struct access *a, uint32_t start)
{
    struct sm *sm = a->sm;
    const struct gpu_design *d = sm->env->design;
    uint32_t passes, busy, last = start;
    sim_time_ps made = leaves(a, start);
    struct found f = {0};

    a->count->l1_load_requests++;
    a->count->l1_load_lines += a->lines.count;
    place_lines(a);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        /* The tags take the lines one after the other. */
        uint32_t when = start + ((d->tag_slope_256 * i) >> 8);

        if (when != last)
            made = leaves(a, last = when);
        if (a->in->flags & OP_BYPASS_L1) {
            a->count->l1_bypass_sectors += sector_count(a->lines.line[i].sectors);
            bring_line(a, i, a->lines.line[i].sectors, NULL, when, made, &f);
        } else {
            load_line(a, i, when, made, &f);
        }
    }
    count_load(a->count, &f);
    prepare_requests(a);
    send_requests(a, 0, a->asked.count);
    fill_lines(a, &f);
    passes = load_passes(a, &f);
    if (a->in->action == ACT_ASYNC_COPY) /* and into shared memory */
        passes += (bits_count(a->mask) * a->width + 127) / 128;
    busy = lsu_occupy(sm, start, time_max(tag_cycles_256(d, &a->lines), passes << 8));
    f.latest = time_max(f.latest, start + d->l1_latency + busy - 1);
    if (!a->node)
        return f.latest;
    flight_not_before(sm, a->node, f.latest);
    return 0; /* its end says when */
}

/* --- requests without an answer --- */

/* The places for lines on their way to L2: a heap, the one that is free first on top. */
static void give_store_slot(uint32_t *slot, uint32_t n, uint32_t accepted)
{
    uint32_t i = n;

    for (; i && slot[(i - 1) / 2] > accepted; i = (i - 1) / 2)
        slot[i] = slot[(i - 1) / 2];
    slot[i] = accepted;
}

/* Takes the top of n off. */
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

/* Requests `first` to `end` - 1, whose places are taken, go; returns when the last has been accepted. */
static uint32_t accept_some(struct access *a, uint32_t first, uint32_t end)
{
    struct sm *sm = a->sm;
    struct launch *launch = a->warp->launch;
    uint32_t places = sm->env->design->lsu_stores - (end - first), latest = 0;

    send_requests(a, first, end);
    for (uint32_t k = first; k < end; k++) {
        sim_time_ps accepted = a->asked.back[k];
        uint32_t until = sm_local(sm, clock_from_ps(&sm->env->clock, accepted));

        if (accepted > launch->stores_done)
            launch->stores_done = accepted;
        give_store_slot(sm->store_slot, places++, until);
        latest = time_max(latest, until);
    }
    return latest;
}

/* No request that an SM tells at t is accepted before. */
static uint32_t least_accepted(const struct sm *sm, uint32_t t)
{
    const struct sm_env *env = sm->env;
    sim_time_ps made = clock_to_ps(&env->clock, sm->base + t + env->design->l1_detect);

    return sm_local(
        sm, clock_from_ps(&env->clock, env->warming ? made : made + memory_least_ps(env->memory, sm->index)));
}

/* Tells L2 of all lines from *t on; lanes: of each, on the busiest word. Returns when it has taken the last. An SM
 * has room for so many lines on their way; where all are taken the unit stands still, and *t becomes later. Those
 * go together that need no place which one of them gives back. */
static uint32_t tell_lines(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t)
{
    struct sm *sm = a->sm;
    const struct gpu_design *d = sm->env->design;
    uint32_t latest = 0, back = 0, first = 0;

    for (uint32_t i = 0; i < a->lines.count; i++)
        add_request(a, i, a->lines.line[i].sectors, kind, lanes[i], 0);
    prepare_requests(a);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        if (i > first && (i - first == d->lsu_stores || sm->store_slot[0] > back)) {
            latest = time_max(latest, accept_some(a, first, i));
            first = i;
        }
        /* Nothing behind it issues meanwhile: requests made far ahead of their time would hold up earlier ones. */
        if (sm->store_slot[0] > *t)
            *t = sm->stands_still = sm->store_slot[0];
        if (i == first)
            back = least_accepted(sm, *t);
        take_store_slot(sm->store_slot, d->lsu_stores - (i - first));
        a->asked.r[i].made = leaves(a, *t);
    }
    return time_max(latest, accept_some(a, first, a->lines.count));
}

static uint32_t tell(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t)
{
    struct mem_request r;

    if (!a->sm->flight)
        return tell_lines(a, kind, lanes, t);
    charge(a);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        const struct coalesced_line *l = &a->lines.line[i];

        make_request(a, l->line, l->sectors, l->full, kind, lanes[i], leaves(a, *t), &r);
        watch_request(a, &r);
        flight_tell(a->sm, node_of(a), &r, *t);
    }
    return 0;
}

/* --- stores and atomics --- */

uint32_t store_lines(struct access *a, uint32_t start, bool keep)
{
    static const uint8_t no_lanes[COALESCED_MAX];
    struct sm *sm = a->sm;
    uint32_t latest, sectors = 0, t = start, tags = tag_cycles_256(sm->env->design, &a->lines);

    a->count->l1_store_requests++;
    place_lines(a);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        const struct coalesced_line *l = &a->lines.line[i];
        struct l1_line *line = l1_find(&sm->l1, a->set[i], l->line, keep);

        if (line && keep)
            line->valid |= l->full;
        sectors += sector_count(l->sectors);
    }
    latest = tell(a, MEM_WRITE, no_lanes, &t);
    a->count->l1_store_sectors += sectors;
    lsu_occupy(sm, t, time_max(tags, ((sectors * SECTOR_BYTES + 127) / 128) << 8));
    return latest;
}

/* Of each line, how many lanes are on its busiest word. */
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

/* Atomics answer. */
static uint32_t ask_lines(struct access *a, const uint8_t lanes[], uint32_t t)
{
    uint32_t latest = 0;

    for (uint32_t i = 0; i < a->lines.count; i++) {
        const struct coalesced_line *l = &a->lines.line[i];

        if (a->sm->flight)
            ask_in_flight(a, l, l->sectors, MEM_ATOMIC, lanes[i], t, NULL);
        else
            add_request(a, i, l->sectors, MEM_ATOMIC, lanes[i], leaves(a, t));
    }
    if (a->sm->flight)
        return SM_UNKNOWN;
    prepare_requests(a);
    send_requests(a, 0, a->asked.count);
    for (uint32_t i = 0; i < a->asked.count; i++)
        latest = time_max(latest, answered(a, i));
    return latest;
}

uint32_t atomic_lines(struct access *a, uint32_t start)
{
    uint8_t lanes[COALESCED_MAX];
    uint32_t latest, t = start;

    a->count->atomic_requests++;
    a->asked.count = 0;
    a->placed = false; /* they pass by L1 */
    count_lanes(a, lanes);
    latest = a->in->action == ACT_ATOMIC ? ask_lines(a, lanes, t) : tell(a, MEM_REDUCTION, lanes, &t);
    lsu_occupy(a->sm, t, a->lines.count << 8);
    return latest;
}

/* --- copies --- */

static void ask_bulk_in_flight(struct access *a, enum mem_kind kind, uint32_t start)
{
    struct mem_request r;

    charge(a);
    for (uint32_t i = 0; i < a->lines.count; i++) {
        const struct coalesced_line *l = &a->lines.line[i];
        uint32_t t = start + i * a->sm->env->design->bulk_line;

        make_request(a, l->line, l->sectors, l->full, kind, kind != MEM_READ, leaves(a, t), &r);
        r.ahead = true; /* the unit is busy with the whole copy, the port is not */
        watch_request(a, &r);
        if (kind == MEM_READ)
            flight_ask(a->sm, node_of(a), &r, t + a->sm->env->design->l1_detect);
        else
            flight_tell(a->sm, node_of(a), &r, t);
    }
}

uint32_t bulk_lines(struct access *a, enum mem_kind kind, uint32_t start)
{
    uint32_t latest = start;

    if (a->sm->flight) {
        ask_bulk_in_flight(a, kind, start);
        return start;
    }
    a->asked.count = 0;
    a->placed = false;
    for (uint32_t i = 0; i < a->lines.count; i++)
        add_request(a, i, a->lines.line[i].sectors, kind, kind == MEM_REDUCTION,
                    leaves(a, start + i * a->sm->env->design->bulk_line));
    prepare_requests(a);
    send_requests(a, 0, a->asked.count);
    for (uint32_t i = 0; i < a->asked.count; i++) {
        latest = time_max(latest, answered(a, i));
        if (kind != MEM_READ && a->asked.back[i] > a->warp->launch->stores_done)
            a->warp->launch->stores_done = a->asked.back[i];
    }
    return latest;
}
