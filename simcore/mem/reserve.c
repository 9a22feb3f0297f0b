/* simcore/mem/reserve.c: a request walks the whole way at the moment it is made, and reserves every stage for the
 * time at which it will get there: those of an instruction together. */
#include "simcore/mem/walk.h"

/* What they have in common. Each function below goes over all of them, and is compiled apart for the common kinds:
 * so a stage keeps what it needs within itself, and while one request waits for the host's memory the next is
 * looked at. */
struct many {
    struct memory *m;
    struct mem_batch *b;
    uint32_t first, end;
    sim_time_ps now;
    enum mem_kind kind;
    struct observer *observer;
    bool apart; /* the L2 has two partitions */
    struct noc_way way;
    sim_time_ps *from; /* where somebody watches: when each stood at its port */
};

WALK struct walk walk_of(const struct many *a, uint32_t i)
{
    return (struct walk){a->m, &a->b->r[i], &a->b->home[i], a->observer, a->now, a->kind, a->b->sectors[i]};
}

WALK bool has_answer(enum mem_kind kind)
{
    return kind == MEM_READ || kind == MEM_ATOMIC;
}

/* Out of the SM one after the other, through the GPC's port together. Returns how long they wait there. */
WALK sim_time_ps leave_sm(const struct many *a)
{
    struct noc *noc = &a->m->noc;
    struct noc_train train = {.first = SIM_NEVER};
    sim_time_ps free = a->way.port->egress_free;
    uint64_t bytes = 0;

    for (uint32_t i = a->first; i < a->end; i++) {
        const struct mem_request *r = &a->b->r[i];
        const struct noc_packet *p = &noc->packet[a->kind == MEM_READ ? 0 : a->b->sectors[i]];
        sim_time_ps address = translation_ps(a->m, r, r->made), t;

        free = later(r->made, free) + p->egress_ps;
        bytes += p->bytes;
        t = free + address;
        if (a->observer)
            a->from[i] = r->made + address;
        noc_train_add(&train, t, p->gpc_request_ps);
        a->b->back[i] = t + p->gpc_request_ps;
    }
    a->way.port->egress_free = free;
    noc->request_bytes += bytes;
    return noc_train_pass(&train, &a->way.gpc->request, a->now);
}

/* What slices count (slice.h). */
static inline void mem_count(struct mem_counters *to, const struct mem_counters *more)
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

/* What each finds at the tags, which has nothing to do with time. */
WALK void decide_all(const struct many *a, struct slice_step step[])
{
    struct mem_counters count = {0};

    for (uint32_t i = a->first; i < a->end; i++)
        slice_decide_kind(&a->m->l2, &count, &a->b->r[i], a->kind, &a->b->home[i], &step[i]);
    mem_count(&a->m->count, &count);
}

WALK sim_time_ps pass_slice(const struct walk *k, const struct slice_step *step, sim_time_ps t)
{
    struct slice_stages *s = slice_begin(k->m, k->home->slice);

    t = write_back(k, s, step, tags(k, s, k->home->slice, t));
    if (k->kind != MEM_WRITE)
        t = fill(k, step, t);
    return leave_slice(k, s, t);
}

/* When request i, which has waited so long at the GPC's port, is at the slice. */
WALK sim_time_ps arrives(const struct many *a, uint32_t i, sim_time_ps waits)
{
    const struct noc *noc = &a->m->noc;
    const struct mem_batch *b = a->b;
    sim_time_ps t =
        b->back[i] + waits + a->way.there_ps + (sim_time_ps)(int64_t)noc->slice_extra_ps[b->home[i].slice];

    if (a->observer)
        told(a->m, &b->r[i], STAGE_REQUEST, b->r[i].sm, noc->packet[a->kind == MEM_READ ? 0 : b->sectors[i]].bytes,
             a->from[i], t);
    return t;
}

/* From the GPC's port through the slices, one after the other. */
WALK void pass_slices(const struct many *a, const struct slice_step step[], sim_time_ps waits)
{
    for (uint32_t i = a->first; i < a->end; i++) {
        const struct walk k = walk_of(a, i);
        sim_time_ps t = arrives(a, i, waits);

        a->b->back[i] = a->apart ? serve_apart(&k, t) : pass_slice(&k, &step[i], t);
    }
}

/* Answers come back through the GPC's port and that of the SM together. */
WALK void come_back(const struct many *a)
{
    struct noc *noc = &a->m->noc;
    struct noc_train gpc = {.first = SIM_NEVER}, sm = {.first = SIM_NEVER};
    struct mem_batch *b = a->b;
    uint64_t bytes = 0;
    sim_time_ps waits;

    for (uint32_t i = a->first; i < a->end; i++) {
        const struct noc_packet *p = &noc->packet[b->sectors[i]];
        sim_time_ps t = b->back[i];

        if (a->observer)
            a->from[i] = t;
        bytes += p->bytes;
        t += a->way.back_ps + (sim_time_ps)(int64_t)noc->slice_extra_ps[b->home[i].slice];
        noc_train_add(&gpc, t, p->gpc_reply_ps);
        t += p->gpc_reply_ps;
        noc_train_add(&sm, t, p->ingress_ps);
        b->back[i] = t + p->ingress_ps;
    }
    noc->reply_bytes += bytes;
    waits = noc_train_pass(&gpc, &a->way.gpc->reply, a->now);
    sm.first += waits;
    sm.last += waits;
    waits += noc_train_pass(&sm, &a->way.port->ingress, a->now);
    for (uint32_t i = a->first; i < a->end; i++)
        b->back[i] += waits;
}

/* `a` is a copy, of which all that is constant is known. */
WALK void pass_all(struct many a, enum mem_kind kind, struct observer *observer, bool apart)
{
    struct slice_step step[MEM_BATCH_MAX];
    sim_time_ps waits;

    a.kind = kind;
    a.observer = observer;
    a.apart = apart;
    waits = leave_sm(&a);
    if (!apart)
        decide_all(&a, step);
    pass_slices(&a, step, waits);
    if (has_answer(kind))
        come_back(&a);
}

/* --- reads --- */

/* Those that nobody watches and whose home is where they ask, nearly all of a kernel that reads here and there, go
 * through each stage together. The loops are so short that the host has several requests in work at once, and waits
 * for its own memory once for all of them. */
struct reads {
    struct slice_stages *slice[MEM_BATCH_MAX];
    struct l2_line *line[MEM_BATCH_MAX];
    uint64_t evicted[MEM_BATCH_MAX];   /* where there is something to write back */
    uint8_t write_back[MEM_BATCH_MAX]; /* the sectors */
    uint8_t fetch[MEM_BATCH_MAX];
    uint8_t fetching[MEM_BATCH_MAX]; /* which of them fetch something */
    uint32_t fetches;
};

/* Returns whether any has something to write back. */
static inline bool reads_decide(const struct many *a, struct reads *reads)
{
    struct l2 l2 = a->m->l2; /* a copy: nothing that is written can change it */
    struct mem_counters count = {0};
    uint32_t write_back = 0;

    reads->fetches = 0;
    for (uint32_t i = a->first; i < a->end; i++) {
        struct slice_step step;

        slice_decide_kind(&l2, &count, &a->b->r[i], MEM_READ, &a->b->home[i], &step);
        reads->line[i] = &l2.lines[step.line];
        reads->fetch[i] = step.fetch;
        reads->fetching[reads->fetches] = (uint8_t)i;
        reads->fetches += step.fetch != 0;
        reads->write_back[i] = step.write_back;
        if (step.write_back)
            reads->evicted[i] = step.evicted;
        write_back |= step.write_back;
    }
    mem_count(&a->m->count, &count);
    return write_back;
}

/* What is written back holds up those behind it, so they go one after the other. */
static __attribute__((noinline)) void reads_pass_slowly(const struct many *a, const struct reads *reads,
                                                        sim_time_ps waits)
{
    for (uint32_t i = a->first; i < a->end; i++) {
        const struct walk k = walk_of(a, i);
        const struct slice_step step = {.line = (size_t)(reads->line[i] - a->m->l2.lines),
                                        .evicted = reads->write_back[i] ? reads->evicted[i] : 0,
                                        .write_back = reads->write_back[i],
                                        .fetch = reads->fetch[i]};

        a->b->back[i] = pass_slice(&k, &step, arrives(a, i, waits));
    }
}

/* To the slices and past their tags. */
static inline void reads_pass_tags(const struct many *a, struct reads *reads, sim_time_ps waits)
{
    struct mem_batch *b = a->b;
    const uint32_t tag_ps = a->m->tag_ps;

    for (uint32_t i = a->first; i < a->end; i++) {
        struct slice_stages *s = slice_begin(a->m, b->home[i].slice);

        reads->slice[i] = s;
        b->back[i] = later(arrives(a, i, waits), s->accept_from) + tag_ps;
    }
}

static inline void reads_fetch(const struct many *a, const struct reads *reads)
{
    const struct dram dram = a->m->dram;
    struct dram_counters count = dram.count;

    for (uint32_t k = 0; k < reads->fetches; k++) {
        uint32_t i = reads->fetching[k];
        const struct address_place *home = &a->b->home[i];
        struct dram_channel *c = dram_channel_begin(&dram, home->channel);
        struct l2_line *line = reads->line[i];
        sim_time_ps t = dram_open_row(&dram, &count, c, home, a->now, a->b->back[i]);

        t = dram_pass_bus(&dram, &count, c, sector_count(reads->fetch[i]), false, a->now, t);
        line->ready = later(line->ready, t);
    }
    a->m->dram.count = count;
}

static inline void reads_leave_slices(const struct many *a, const struct reads *reads)
{
    struct mem_batch *b = a->b;

    for (uint32_t i = a->first; i < a->end; i++)
        b->back[i] = res_take(&reads->slice[i]->port, a->now, later(b->back[i], reads->line[i]->ready),
                              a->m->slice_ps[0][b->sectors[i]]);
}

static __attribute__((noinline)) void pass_reads(const struct many *given)
{
    struct many a = *given;
    struct reads reads;
    sim_time_ps waits;

    a.kind = MEM_READ;
    a.observer = NULL;
    a.apart = false;
    waits = leave_sm(&a);
    if (reads_decide(&a, &reads)) {
        reads_pass_slowly(&a, &reads, waits);
    } else {
        reads_pass_tags(&a, &reads, waits);
        reads_fetch(&a, &reads);
        reads_leave_slices(&a, &reads);
    }
    come_back(&a);
}

/* --- the other kinds, the common ones apart --- */

static __attribute__((noinline)) void pass_writes(const struct many *a)
{
    pass_all(*a, MEM_WRITE, NULL, false);
}
static __attribute__((noinline)) void pass_reads_apart(const struct many *a)
{
    pass_all(*a, MEM_READ, NULL, true);
}

static __attribute__((noinline)) void pass_any(const struct many *given, enum mem_kind kind)
{
    struct memory *m = given->m;
    const struct mem_batch *b = given->b;
    sim_time_ps from[MEM_BATCH_MAX];
    struct many a = *given;

    a.from = from;
    if (m->noc.partitions > 1)
        pass_all(a, kind, m->observer, true);
    else
        pass_all(a, kind, m->observer, false);
    for (uint32_t i = a.first; m->observer && has_answer(kind) && i < a.end; i++)
        told(m, &b->r[i], STAGE_REPLY, b->r[i].sm, m->noc.packet[b->sectors[i]].bytes, from[i], b->back[i]);
}

void memory_access_some(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now)
{
    enum mem_kind kind = (enum mem_kind)b->r[first].kind;
    struct many a = {.m = m, .b = b, .first = first, .end = end, .now = now};
    bool apart = m->noc.partitions > 1;

    a.way = noc_way_of(&m->noc, b->r[first].sm);
    if (!m->observer && kind == MEM_READ && !apart)
        pass_reads(&a);
    else if (!m->observer && kind == MEM_READ)
        pass_reads_apart(&a);
    else if (!m->observer && kind == MEM_WRITE && !apart)
        pass_writes(&a);
    else
        pass_any(&a, kind);
}

void memory_place(const struct memory *m, const uint64_t line[], uint32_t n, struct address_place home[])
{
    address_locate_lines(&m->map, line, n, home);
    for (uint32_t i = 0; i < n; i++)
        l2_prefetch(&m->l2, home[i].slice, home[i].set);
}

void memory_prepare(const struct memory *m, struct mem_batch *b, bool placed)
{
    uint64_t line[MEM_BATCH_MAX];

    for (uint32_t i = 0; i < b->count; i++) {
        line[i] = b->r[i].line;
        b->sectors[i] = (uint8_t)sector_count(b->r[i].sectors);
    }
    if (!placed)
        memory_place(m, line, b->count, b->home);
}

sim_time_ps memory_least_ps(const struct memory *m, uint32_t sm)
{
    return (sim_time_ps)((int64_t)m->noc.there_ps + m->noc.sm_extra_ps[sm] + m->noc.slice_least_ps);
}

sim_time_ps memory_access(struct memory *m, const struct mem_request *r, sim_time_ps now, sim_time_ps t)
{
    struct mem_batch b;

    b.count = 1;
    b.r[0] = *r;
    b.r[0].made = t;
    memory_prepare(m, &b, false);
    memory_access_some(m, &b, 0, 1, now);
    return b.back[0];
}
