/* simcore/mem/reserve.c: a request walks the whole way at the moment it is made, and reserves every stage for the
 * time at which it will get there. */
#include "simcore/mem/memory_internal.h"
#include "simcore/mem/slice.h"

static inline struct slice_stages *slice_begin(struct memory *m, uint32_t i)
{
    struct slice_stages *s = &m->slice[i];

    if (s->epoch != m->epoch) {
        res_reset(&s->port, m->epoch);
        res_reset(&s->atomic, m->epoch);
        s->accept_from = 0;
        s->epoch = m->epoch;
    }
    return s;
}

/* One request on its way. The common kind of walk is compiled apart: a read on a GPU of one partition, without
 * address translation, that nobody watches. So the functions below are part of whoever calls them. */
#define WALK static inline __attribute__((always_inline))

struct walk {
    struct memory *m;
    const struct mem_request *r;
    const struct address_place *home;
    struct observer *observer; /* NULL: nobody watches */
    sim_time_ps now;
    enum mem_kind kind;
    uint32_t sectors; /* asked for */
};

/* Tells a stage that the request was in from `from` to `to`; returns `to`. */
WALK sim_time_ps tell_stage(const struct walk *k, enum mem_stage stage, uint32_t place, uint32_t amount,
                            sim_time_ps from, sim_time_ps to)
{
    return k->observer ? told(k->m, k->r, stage, place, amount, from, to) : to;
}

/* Changed sectors leave for DRAM. A full write buffer holds up the slice: what comes next is let in no earlier than
 * the buffer has room again. */
static __attribute__((noinline)) sim_time_ps write_back_of(struct walk walk, struct slice_stages *s,
                                                           struct slice_step step, sim_time_ps t)
{
    const struct walk *k = &walk;
    struct memory *m = k->m;
    struct address_place place;
    sim_time_ps done;

    address_locate(&m->map, step.evicted, &place);
    done = tell_stage(k, STAGE_WRITE_BACK, place.channel, sector_count(step.write_back), t,
                      dram_access(&m->dram, &place, sector_count(step.write_back), true, k->now, t));
    if (done > t + m->dram.write_buffer_ps) {
        s->accept_from = later(s->accept_from, done - m->dram.write_buffer_ps);
        t = s->accept_from;
    }
    return t;
}

/* What has to be written back first is: seldom, so the walk is handed over as a copy and can stay in registers. */
WALK sim_time_ps write_back(const struct walk *k, struct slice_stages *s, const struct slice_step *step,
                            sim_time_ps t)
{
    return step->write_back ? write_back_of(*k, s, *step, t) : t;
}

/* Brings in what is to be fetched; returns when all of the line that was ever asked for is there. */
WALK sim_time_ps fill(const struct walk *k, const struct slice_step *step, sim_time_ps t)
{
    struct memory *m = k->m;
    struct l2_line *line = &m->l2.lines[step->line];

    if (step->fetch) {
        uint32_t sectors = sector_count(step->fetch);

        line->ready = later(line->ready, tell_stage(k, STAGE_FILL, k->home->channel, sectors, t,
                                                    dram_access(&m->dram, k->home, sectors, false, k->now, t)));
    }
    return later(t, line->ready);
}

/* The tags look at one request a cycle. What passes them takes the port as least as long as that, so that its time
 * there stands for both. */
WALK sim_time_ps tags(const struct walk *k, struct slice_stages *s, uint32_t slice, sim_time_ps t)
{
    return tell_stage(k, STAGE_TAGS, slice, k->sectors, t, later(t, s->accept_from) + k->m->tag_ps);
}

/* Through the slice's port: a reply brings its header along, a write has left its own at the tags. */
WALK sim_time_ps data(const struct walk *k, struct slice_stages *s, uint32_t slice, uint32_t sectors, sim_time_ps t)
{
    return tell_stage(k, STAGE_DATA, slice, sectors, t,
                      res_take(&s->port, k->now, t, k->m->slice_ps[k->kind == MEM_WRITE][sectors]));
}

static sim_time_ps cross(const struct walk *k, uint32_t from, bool back, uint32_t bytes, sim_time_ps t)
{
    return tell_stage(k, STAGE_BRIDGE, from, bytes + k->m->noc.header_bytes, t,
                      noc_cross(&k->m->noc, from, back, bytes, k->now, t));
}

/* Operations on one line follow one another because those of a slice do. */
WALK sim_time_ps atomic(const struct walk *k, struct slice_stages *s, sim_time_ps t)
{
    struct memory *m = k->m;
    uint32_t sectors = k->sectors;
    uint32_t by_lanes = k->r->lanes * m->atomic_lane_ps, by_sectors = sectors * m->atomic_sector_ps;

    t = tell_stage(k, STAGE_DATA, k->home->slice, sectors, t,
                   res_take(&s->atomic, k->now, t, by_lanes > by_sectors ? by_lanes : by_sectors));
    return k->kind == MEM_REDUCTION ? t : t + m->atomic_latency_ps;
}

/* Behind tags and DRAM: through the slice's port, or its atomic unit. */
WALK sim_time_ps leave_slice(const struct walk *k, struct slice_stages *s, sim_time_ps t)
{
    if (k->kind == MEM_ATOMIC || k->kind == MEM_REDUCTION)
        return atomic(k, s, t);
    return data(k, s, k->home->slice, k->sectors, t);
}

/* Through the slice that is the address's home. Returns when the answer leaves it, or for what has no answer when
 * the slice has accepted it. */
WALK sim_time_ps serve(const struct walk *k, sim_time_ps t)
{
    struct slice_stages *s = slice_begin(k->m, k->home->slice);
    struct slice_step step;

    t = tags(k, s, k->home->slice, t);
    slice_decide_kind(&k->m->l2, &k->m->count, k->r, k->kind, k->home, &step);
    t = write_back(k, s, &step, t);
    if (k->kind != MEM_WRITE)
        t = fill(k, &step, t);
    return leave_slice(k, s, t);
}

/* A read of an address whose home is the other partition: what the own one has no copy of comes over the bridge,
 * and leaves a copy. What arrives is passed on as it comes; only what was there is read from the slice's data. That
 * also keeps the stages free of circles, in which two partitions' waits would drive each other up. */
static sim_time_ps serve_copy(const struct walk *k, uint32_t partition, sim_time_ps t)
{
    struct memory *m = k->m;
    const struct address_place own = memory_mirror(m, k->home);
    struct slice_stages *s = slice_begin(m, own.slice);
    struct mem_request rest = *k->r;
    struct slice_step step;
    sim_time_ps read;
    uint8_t present;

    t = tags(k, s, own.slice, t);
    slice_decide_copy(&m->l2, &m->count, k->r, &own, &step);
    t = write_back(k, s, &step, t);
    present = k->r->sectors & (uint8_t)~step.fetch;
    read = present ? data(k, s, own.slice, sector_count(present), t) : t;
    if (step.fetch) {
        struct l2_line *copy = &m->l2.lines[step.line];
        struct walk home = *k;

        home.r = &rest;
        home.kind = MEM_FAR_READ;
        rest.kind = MEM_FAR_READ;
        rest.sectors = step.fetch;
        home.sectors = sector_count(step.fetch);
        t = serve(&home, cross(k, partition, false, 0, t));
        copy->ready = later(copy->ready, cross(k, !partition, true, home.sectors * SECTOR_BYTES, t));
    }
    return later(read, m->l2.lines[step.line].ready);
}

/* Changes go home, and the copy that the other partition may have is void. */
static sim_time_ps serve_change(const struct walk *k, uint32_t partition, sim_time_ps t)
{
    struct memory *m = k->m;
    const struct address_place other = memory_mirror(m, k->home);
    bool far = memory_home(m, k->home) != partition;

    if (far) {
        t = cross(k, partition, false, k->sectors * SECTOR_BYTES, t);
        m->count.far_requests++;
        m->count.far_sectors += k->sectors;
    }
    slice_forget_copy(&m->l2, &other, k->r->line, k->r->sectors);
    t = serve(k, t);
    return far && k->kind == MEM_ATOMIC ? cross(k, !partition, true, k->sectors * SECTOR_BYTES, t) : t;
}

/* On a GPU with two partitions. */
WALK sim_time_ps serve_apart(const struct walk *k, sim_time_ps t)
{
    uint32_t partition = noc_partition(&k->m->noc, k->r->sm);

    if (k->kind != MEM_READ)
        return serve_change(k, partition, t);
    if (memory_home(k->m, k->home) != partition)
        return serve_copy(k, partition, t);
    return serve(k, t);
}

/* --- the requests of an instruction --- */

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

/* From the GPC's port, where they have waited so long, through the slices. Answers come back through the GPC's port
 * and that of the SM together. */
WALK void pass_slices(const struct many *a, const struct slice_step step[], sim_time_ps waits)
{
    struct noc *noc = &a->m->noc;
    struct noc_train gpc = {.first = SIM_NEVER}, sm = {.first = SIM_NEVER};
    uint64_t bytes = 0;

    waits += a->way.there_ps;
    for (uint32_t i = a->first; i < a->end; i++) {
        const struct walk k = walk_of(a, i);
        const struct noc_packet *p = &noc->packet[k.sectors];
        sim_time_ps far = (sim_time_ps)(int64_t)noc->slice_extra_ps[k.home->slice];
        sim_time_ps t = a->b->back[i] + waits + far;

        if (a->observer)
            told(k.m, k.r, STAGE_REQUEST, k.r->sm, noc->packet[a->kind == MEM_READ ? 0 : k.sectors].bytes,
                 a->from[i], t);
        t = a->apart ? serve_apart(&k, t) : pass_slice(&k, &step[i], t);
        if (has_answer(a->kind)) {
            if (a->observer)
                a->from[i] = t;
            bytes += p->bytes;
            t += a->way.back_ps + far;
            noc_train_add(&gpc, t, p->gpc_reply_ps);
            t += p->gpc_reply_ps;
            noc_train_add(&sm, t, p->ingress_ps);
            t += p->ingress_ps;
        }
        a->b->back[i] = t;
    }
    if (!has_answer(a->kind))
        return;
    noc->reply_bytes += bytes;
    waits = noc_train_pass(&gpc, &a->way.gpc->reply, a->now);
    sm.first += waits;
    sm.last += waits;
    waits += noc_train_pass(&sm, &a->way.port->ingress, a->now);
    for (uint32_t i = a->first; i < a->end; i++)
        a->b->back[i] += waits;
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
}

/* The common kinds. */
static __attribute__((noinline)) void pass_reads(const struct many *a)
{
    pass_all(*a, MEM_READ, NULL, false);
}
static __attribute__((noinline)) void pass_writes(const struct many *a)
{
    pass_all(*a, MEM_WRITE, NULL, false);
}
static __attribute__((noinline)) void pass_reads_apart(const struct many *a)
{
    pass_all(*a, MEM_READ, NULL, true);
}

static __attribute__((noinline)) void pass_any(struct many *a, enum mem_kind kind)
{
    struct memory *m = a->m;
    sim_time_ps from[MEM_BATCH_MAX];

    a->from = from;
    if (m->noc.partitions > 1)
        pass_all(*a, kind, m->observer, true);
    else
        pass_all(*a, kind, m->observer, false);
    for (uint32_t i = a->first; m->observer && has_answer(kind) && i < a->end; i++)
        told(m, &a->b->r[i], STAGE_REPLY, a->b->r[i].sm, m->noc.packet[a->b->sectors[i]].bytes, from[i],
             a->b->back[i]);
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

void memory_prepare(const struct memory *m, struct mem_batch *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        struct address_place *home = &b->home[i];

        if (m->map.shifts)
            address_locate_by_shifts(&m->map, b->r[i].line, home);
        else
            address_locate(&m->map, b->r[i].line, home);
        b->sectors[i] = (uint8_t)sector_count(b->r[i].sectors);
        l2_prefetch(&m->l2, home->slice, home->set);
    }
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
    memory_prepare(m, &b);
    memory_access_some(m, &b, 0, 1, now);
    return b.back[0];
}
