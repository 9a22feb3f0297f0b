/* simcore/sm/loads.c: the lines of a load: L1 lookups, and requests for misses. */
#include "base/bits.h"
#include "simcore/sm/flight.h"
#include "simcore/sm/outstanding.h"

static void count_load(struct counters *c, const struct found *f)
{
    uint32_t sectors = f->hit_sectors + f->miss_sectors;

    c->l1_load_sectors += sectors;
    c->l1_load_hit_sectors += sectors - f->pending - f->missing;
    c->l1_load_pending_sectors += f->pending;
    c->l1_load_miss_sectors += f->missing;
}

/* For functions that are called once per line. */
#define LINE_INLINE static inline __attribute__((always_inline))

/* Requests sectors of line i from L2 at `start`; the request leaves at `made`. The data goes to `line` of L1, or
 * bypasses L1. */
LINE_INLINE void bring_line(struct access *a, uint32_t i, uint8_t sectors, struct l1_line *line, uint32_t start,
                            sim_time_ps made, bool in_flight)
{
    if (in_flight) {
        flight_ask_line(a, i, sectors, MEM_READ, 0, start, line);
    } else {
        a->fills[i] = line;
        a->ready[i] = line ? line->ready : 0;
        mem_batch_add(&a->asked, i, sectors, 0, made);
    }
    if (line)
        line->valid |= sectors;
}

/* Looks up line i at `start`. */
LINE_INLINE void load_line(struct access *a, struct l1 *l1, uint32_t i, uint32_t start, sim_time_ps made,
                           bool in_flight, struct found *f)
{
    const uint8_t wanted = a->lines.sectors[i];
    const uint32_t sectors = sector_count(wanted);
    struct l1_line *line = l1_find(l1, a->set[i], a->lines.line[i], a->mark[i], true);
    uint8_t rest = wanted & (uint8_t)~line->valid;
    bool late = line->ready > start;

    if (rest) {
        uint32_t missing = sector_count(rest);

        f->missing += missing;
        f->pending += late ? sectors - missing : 0;
        f->miss_sectors += sectors;
        bring_line(a, i, rest, line, start, made, in_flight);
        return;
    }
    if (in_flight && line->ready >= SM_UNKNOWN)
        flight_join(a->sm, flight_access_node(a), line);
    if (late) {
        f->pending += sectors;
        f->miss_sectors += sectors;
        f->latest = line->ready < SM_UNKNOWN ? time_max(f->latest, line->ready) : f->latest;
    } else {
        f->hit_sectors += sectors;
        f->hits |= 1ull << i;
    }
}

/* Compile-time variants of the lookup: bypass of L1; answers as events; L1 sets of the usual shape (tag_set.h). */
enum { LOOK_PLAIN = 0, LOOK_BYPASS = 1, LOOK_IN_FLIGHT = 2, LOOK_USUAL = 4 };

/* Looks up the lines one after the other. how: LOOK_... flags */
LINE_INLINE void look_up(struct access *a, uint32_t start, uint32_t how, struct found *f)
{
    const bool bypass = how & LOOK_BYPASS, in_flight = how & LOOK_IN_FLIGHT;
    struct l1 l1 = a->sm->l1; /* a local copy, so that the compiler knows that no store changes it */
    const uint32_t slope = a->sm->env->design->tag_slope_256, count = a->lines.count;
    const struct clock_run clock = leaving(a, start);
    struct found found = {0};

    if (how & LOOK_USUAL)
        tag_take_usual(&l1.tags);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t behind = (slope * i) >> 8, when = start + behind;
        const sim_time_ps made = clock_run_ps(&clock, behind);

        if (bypass) {
            found.miss_sectors += sector_count(a->lines.sectors[i]);
            bring_line(a, i, a->lines.sectors[i], NULL, when, made, in_flight);
        } else {
            load_line(a, &l1, i, when, made, in_flight, &found);
        }
    }
    *f = found;
}

void loads_look_up(struct access *a, uint32_t start, bool bypass, struct found *f)
{
    if (bypass)
        look_up(a, start, LOOK_BYPASS, f);
    else if (tag_is_usual(&a->sm->l1.tags))
        look_up(a, start, LOOK_USUAL, f);
    else
        look_up(a, start, LOOK_PLAIN, f);
}

void loads_look_up_in_flight(struct access *a, uint32_t start, bool bypass, struct found *f)
{
    look_up(a, start, bypass ? LOOK_IN_FLIGHT | LOOK_BYPASS : LOOK_IN_FLIGHT, f);
}

/* Applies the answers. A line that another line of the same instruction has evicted again is skipped. */
static void fill_lines(const struct access *a, struct found *f)
{
    const struct answers answers = answers_to(a);
    const struct mem_batch *b = &a->asked;
    uint32_t latest = f->latest;

    for (uint32_t k = 0; k < b->count; k++) {
        uint32_t i = b->which[k], t = time_max(a->ready[i], answered(&answers, b->back[i]));
        struct l1_line *line = a->fills[i];

        if (line && line->number == a->lines.line[i])
            line->ready = t;
        latest = time_max(latest, t);
    }
    f->latest = latest;
}

/* The passes through the banks, at most `passes`; computed only as far as needed. */
static uint32_t conflict_passes(const struct access *a, uint32_t sectors, uint32_t passes)
{
    uint32_t n = a->run ? bank_passes_min(a->mask, a->width) : bank_passes_strided(&a->lanes, a->mask, a->width);

    if (n)
        return n;
    if (a->width <= BANK_BYTES) {
        n = busiest_bank(a->address, a->mask);
        if (n <= passes || sectors == bits_count(a->mask)) /* as many sectors as lanes: no two lanes share a word */
            return n;
    }
    return bank_passes(a->address, a->mask, a->width);
}

/* The passes of data: bank conflicts, or the byte rate per cycle if it takes longer. Misses arrive sector by
 * sector, and their lanes read them from the banks as for hits. */
static uint32_t load_passes(const struct access *a, const struct found *f)
{
    const struct gpu_design *d = a->sm->env->design;
    uint32_t hit_lanes = 0, bytes, hit_bytes = f->hit_sectors * SECTOR_BYTES, passes;

    for (uint32_t left = f->hits ? a->mask : 0; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        hit_lanes |= (uint32_t)(f->hits >> a->lines.of_lane[lane] & 1) << lane;
    }
    bytes = bits_count(hit_lanes) * a->width;
    if (bytes > hit_bytes) /* some lanes share words */
        bytes = hit_bytes;
    passes = (bytes + f->miss_sectors * SECTOR_BYTES + d->l1_bytes - 1) / d->l1_bytes;
    return a->lines.count ? time_max(passes, conflict_passes(a, f->hit_sectors + f->miss_sectors, passes)) : passes;
}

uint32_t load_lines(struct access *a, uint32_t start)
{
    struct sm *sm = a->sm;
    const struct gpu_design *d = sm->env->design;
    bool bypass = a->in->flags & OP_BYPASS_L1;
    uint32_t passes, busy;
    struct found f = {0};

    a->count->l1_load_requests++;
    a->count->l1_load_lines += a->lines.count;
    lines_begin(a, MEM_READ, true);
    sm->env->outstanding->look_up(a, start, bypass, &f);
    if (bypass)
        a->count->l1_bypass_sectors += f.miss_sectors;
    else
        count_load(a->count, &f);
    lines_send(a, 0, a->asked.count);
    fill_lines(a, &f);
    passes = load_passes(a, &f);
    if (a->in->action == ACT_ASYNC_COPY) /* plus the writes to shared memory */
        passes += (bits_count(a->mask) * a->width + 127) / 128;
    busy = lsu_occupy(sm, start, time_max(tag_cycles_256(d, &a->lines), passes << 8));
    f.latest = time_max(f.latest, start + d->l1_latency + busy - 1);
    if (!a->node)
        return f.latest;
    flight_not_before(sm, a->node, f.latest);
    return 0; /* the end of its node sets the time */
}
