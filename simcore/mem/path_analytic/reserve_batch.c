/* simcore/mem/path_analytic/reserve_batch.c: the common path of an instruction's requests. All requests pass a
 * stage in a short loop over arrays indexed by line, before the next stage.
 *
 * In short loops, the host processes several requests at once and overlaps its own cache misses. A write-back
 * delays later requests; in this case the requests pass one after the other. */
#include "simcore/mem/path_analytic/reserve_batch.h"
#include "simcore/mem/path_analytic/reserve_request.h"

/* Indexed by request. A later request of the same instruction can evict the line of an earlier one that is in
 * flight, so the arrival time of a line is also stored here. */
struct batch_state {
    struct slice_stages *slice[MEM_BATCH_MAX];
    struct l2_line *line[MEM_BATCH_MAX];
    sim_time_ps ready[MEM_BATCH_MAX];  /* arrival time of the data; not for writes */
    uint64_t evicted[MEM_BATCH_MAX];   /* valid if there is a write-back */
    uint8_t write_back[MEM_BATCH_MAX]; /* its sectors */
    uint8_t fetch[MEM_BATCH_MAX];
    uint8_t fetching[MEM_BATCH_MAX]; /* list of the requests that fetch sectors */
    uint32_t fetches;
};

static inline void count_more(struct mem_counters *to, const struct mem_counters *more)
{
    to->read_requests += more->read_requests;
    to->read_sectors += more->read_sectors;
    to->read_hit_sectors += more->read_hit_sectors;
    to->read_miss_sectors += more->read_miss_sectors;
    to->write_requests += more->write_requests;
    to->write_sectors += more->write_sectors;
    to->atomic_requests += more->atomic_requests;
    to->atomic_sectors += more->atomic_sectors;
    to->writebacks += more->writebacks;
}

/* Looks up all requests in the tags, without time. Returns whether any needs a write-back. usual: the sets of L2
 * have the usual shape (tag_set.h). */
BATCH_INLINE bool decide_so(const struct reserve_batch *a, enum mem_kind kind, bool usual, struct batch_state *p)
{
    struct l2 l2 = a->m->l2; /* a local copy, so that the compiler knows that no store changes it */
    const struct mem_batch *b = a->b;
    struct mem_counters count = {0};
    uint32_t write_back = 0;

    if (usual)
        tag_take_usual(&l2.tags);
    p->fetches = 0;
    for (uint32_t k = a->first; k < a->end; k++) {
        uint32_t i = b->which[k];
        const struct mem_request r = {.line = b->line[i], .sectors = b->ask[i], .full = b->full[i]};
        const struct address_place home = {.slice = b->home.slice[i], .set = b->home.set[i]};
        struct slice_step step;

        slice_decide_kind(&l2, &count, &r, kind, b->mark[i], &home, &step);
        p->line[k] = &l2.lines[step.line];
        if (kind != MEM_WRITE)
            p->ready[k] = step.ready;
        p->fetch[k] = step.fetch;
        p->fetching[p->fetches] = (uint8_t)k;
        p->fetches += step.fetch != 0;
        p->write_back[k] = step.write_back;
        if (step.write_back)
            p->evicted[k] = step.evicted;
        write_back |= step.write_back;
    }
    count_more(&a->m->count, &count);
    return write_back;
}

BATCH_INLINE bool decide(const struct reserve_batch *a, enum mem_kind kind, struct batch_state *p)
{
    return tag_is_usual(&a->m->l2.tags) ? decide_so(a, kind, true, p) : decide_so(a, kind, false, p);
}

/* Passes the requests to the slices and through their tags. */
BATCH_INLINE void pass_tags(const struct reserve_batch *a, struct batch_state *p, sim_time_ps waits)
{
    struct mem_batch *b = a->b;
    const uint32_t tag_ps = a->m->tag_ps;

    for (uint32_t k = a->first; k < a->end; k++) {
        uint32_t i = b->which[k];
        struct slice_stages *s = slice_begin(a->m, b->home.slice[i]);

        p->slice[k] = s;
        b->back[i] = later(arrives(a, i, waits), s->accept_from) + tag_ps;
    }
}

/* Stores the arrival time of request k's fetch in its line, unless the line has been replaced. */
BATCH_INLINE void keep_ready(const struct reserve_batch *a, const struct batch_state *p, uint32_t k)
{
    struct l2_line *line = p->line[k];

    if (line->number == a->b->line[a->b->which[k]])
        line->ready = p->ready[k];
}

BATCH_INLINE void fetch_all(const struct reserve_batch *a, struct batch_state *p)
{
    const struct mem_batch *b = a->b;
    uint8_t line[MEM_BATCH_MAX], sectors[MEM_BATCH_MAX];
    sim_time_ps t[MEM_BATCH_MAX];

    if (!p->fetches)
        return;
    for (uint32_t f = 0; f < p->fetches; f++) {
        uint32_t k = p->fetching[f];

        line[f] = b->which[k];
        sectors[f] = (uint8_t)sector_count(p->fetch[k]);
        t[f] = b->back[line[f]];
    }
    a->m->dram.ops->read_lines(&a->m->dram, &b->home, line, sectors, p->fetches, a->now, t);
    for (uint32_t f = 0; f < p->fetches; f++) {
        uint32_t k = p->fetching[f];

        p->ready[k] = later(p->ready[k], t[f]);
        keep_ready(a, p, k);
    }
}

/* Passes the slice's port or its atomic unit, after the fetched data has arrived. */
BATCH_INLINE sim_time_ps leave_one(const struct reserve_batch *a, enum mem_kind kind, uint32_t i,
                                   struct slice_stages *s, sim_time_ps t)
{
    const struct memory *m = a->m;
    uint32_t sectors = sector_count(a->b->ask[i]);

    if (kind == MEM_ATOMIC || kind == MEM_REDUCTION)
        t = res_take(&s->atomic, a->now, t, slice_atomic_ps(m, a->b->lanes[i], sectors));
    else
        t = res_take(&s->port, a->now, t, m->slice_ps[kind == MEM_WRITE][sectors]);
    return kind == MEM_ATOMIC ? t + m->atomic_latency_ps : t;
}

BATCH_INLINE void leave_slices(const struct reserve_batch *a, enum mem_kind kind, const struct batch_state *p)
{
    struct mem_batch *b = a->b;

    for (uint32_t k = a->first; k < a->end; k++) {
        uint32_t i = b->which[k];
        sim_time_ps t = kind == MEM_WRITE ? b->back[i] : later(b->back[i], p->ready[k]);

        b->back[i] = leave_one(a, kind, i, p->slice[k], t);
    }
}

/* Passes all stages behind the tags, one request after the other. */
BATCH_INLINE void pass_in_turn(const struct reserve_batch *a, enum mem_kind kind, struct batch_state *p,
                               sim_time_ps waits)
{
    struct mem_batch *b = a->b;

    for (uint32_t k = a->first; k < a->end; k++) {
        uint32_t i = b->which[k];
        const struct mem_request r = mem_batch_request(b, i);
        const struct address_place home = address_place_of(&b->home, i);
        const struct reserve_request request = {a->m, &r, &home, NULL, a->now, kind, sector_count(r.sectors)};
        const struct slice_step step = {.line = (size_t)(p->line[k] - a->m->l2.lines),
                                        .evicted = p->write_back[k] ? p->evicted[k] : 0,
                                        .write_back = p->write_back[k],
                                        .fetch = p->fetch[k]};

        b->back[i] = pass_slice(&request, &step, &p->ready[k], arrives(a, i, waits));
        if (step.fetch)
            keep_ready(a, p, k);
    }
}

/* `a` is a copy, so that its constant members are known to the compiler. */
BATCH_INLINE void pass(const struct reserve_batch a, enum mem_kind kind)
{
    struct batch_state p;
    sim_time_ps waits = leave_sm(&a, kind, NULL);

    if (decide(&a, kind, &p)) {
        pass_in_turn(&a, kind, &p, waits);
    } else {
        pass_tags(&a, &p, waits);
        if (kind != MEM_WRITE)
            fetch_all(&a, &p);
        leave_slices(&a, kind, &p);
    }
    if (has_answer(kind))
        come_back(&a);
}

static __attribute__((noinline)) void pass_reads(const struct reserve_batch *a)
{
    pass(*a, MEM_READ);
}
static __attribute__((noinline)) void pass_writes(const struct reserve_batch *a)
{
    pass(*a, MEM_WRITE);
}
static __attribute__((noinline)) void pass_atomics(const struct reserve_batch *a, enum mem_kind kind)
{
    pass(*a, kind);
}

void pass_together(const struct reserve_batch *a, enum mem_kind kind)
{
    if (kind == MEM_READ)
        pass_reads(a);
    else if (kind == MEM_WRITE)
        pass_writes(a);
    else
        pass_atomics(a, kind);
}
