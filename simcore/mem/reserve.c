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

/* --- the requests of an instruction --- */

/* On a GPU with two partitions. */
static sim_time_ps serve_apart(const struct walk *k, sim_time_ps t)
{
    uint32_t partition = noc_partition(&k->m->noc, k->r->sm);

    if (k->kind != MEM_READ)
        return serve_change(k, partition, t);
    if (memory_home(k->m, k->home) != partition)
        return serve_copy(k, partition, t);
    return serve(k, t);
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

/* Through the slices of a GPU of one partition, stage by stage: first what each request finds at the tags, which
 * has nothing to do with time, then DRAM, then the ports. Between two stages of one request the host goes on with
 * the next request rather than wait for its own memory. */
WALK void serve_stages(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now,
                       enum mem_kind kind, struct observer *observer)
{
    struct slice_step step[MEM_BATCH_MAX];
    struct mem_counters count = {0};

    for (uint32_t i = first; i < end; i++)
        slice_decide_kind(&m->l2, &count, &b->r[i], kind, &b->home[i], &step[i]);
    mem_count(&m->count, &count);
    for (uint32_t i = first; i < end; i++) {
        const struct walk k = {m, &b->r[i], &b->home[i], observer, now, kind, b->sectors[i]};
        struct slice_stages *s = slice_begin(m, b->home[i].slice);
        sim_time_ps t = tags(&k, s, b->home[i].slice, b->back[i]);

        t = write_back(&k, s, &step[i], t);
        b->back[i] = kind == MEM_WRITE ? t : fill(&k, &step[i], t);
    }
    for (uint32_t i = first; i < end; i++) {
        const struct walk k = {m, &b->r[i], &b->home[i], observer, now, kind, b->sectors[i]};

        b->back[i] = leave_slice(&k, &m->slice[b->home[i].slice], b->back[i]);
    }
}

static void serve_reads(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now)
{
    serve_stages(m, b, first, end, now, MEM_READ, NULL);
}

static void serve_writes(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now)
{
    serve_stages(m, b, first, end, now, MEM_WRITE, NULL);
}

static void serve_any(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now)
{
    serve_stages(m, b, first, end, now, (enum mem_kind)b->r[first].kind, m->observer);
}

static void serve_two_partitions(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end,
                                 sim_time_ps now)
{
    for (uint32_t i = first; i < end; i++) {
        enum mem_kind kind = (enum mem_kind)b->r[i].kind;
        const struct walk k = {m, &b->r[i], &b->home[i], m->observer, now, kind, b->sectors[i]};

        b->back[i] = serve_apart(&k, b->back[i]);
    }
}

static void serve_batch(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now)
{
    if (m->noc.partitions > 1)
        serve_two_partitions(m, b, first, end, now);
    else if (!m->observer && b->r[first].kind == MEM_READ)
        serve_reads(m, b, first, end, now);
    else if (!m->observer && b->r[first].kind == MEM_WRITE)
        serve_writes(m, b, first, end, now);
    else
        serve_any(m, b, first, end, now);
}

/* --- the network --- */

/* To the slices: out of the SM one after the other, through the GPC's port together. */
static void to_slices(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end,
                      const struct noc_way *way, sim_time_ps now, sim_time_ps from[])
{
    bool carries = b->r[first].kind != MEM_READ;
    struct noc_train train = {.first = SIM_NEVER};
    sim_time_ps waits;

    for (uint32_t i = first; i < end; i++) {
        uint32_t carried = carries ? b->sectors[i] : 0;
        const struct mem_request *r = &b->r[i];
        sim_time_ps address = translation_ps(m, r, r->made), t = noc_leave(way, carried, r->made) + address;

        from[i] = r->made + address;
        noc_train_add(&train, t, m->noc.packet[carried].gpc_request_ps);
        b->back[i] = t + m->noc.packet[carried].gpc_request_ps;
    }
    waits = noc_train_pass(&train, &way->gpc->request, now) + way->there_ps;
    for (uint32_t i = first; i < end; i++)
        b->back[i] += waits + (sim_time_ps)(int64_t)m->noc.slice_extra_ps[b->home[i].slice];
}

/* Answers back to the SM, through the GPC's port and its own together. */
static void to_sm(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, const struct noc_way *way,
                  sim_time_ps now, sim_time_ps from[])
{
    struct noc_train gpc = {.first = SIM_NEVER}, sm = {.first = SIM_NEVER};
    sim_time_ps waits;

    for (uint32_t i = first; i < end; i++) {
        const struct noc_packet *p = &m->noc.packet[b->sectors[i]];
        sim_time_ps t = b->back[i] + way->back_ps + (sim_time_ps)(int64_t)m->noc.slice_extra_ps[b->home[i].slice];

        from[i] = b->back[i];
        m->noc.reply_bytes += p->bytes;
        noc_train_add(&gpc, t, p->gpc_reply_ps);
        t += p->gpc_reply_ps;
        noc_train_add(&sm, t, p->ingress_ps);
        b->back[i] = t + p->ingress_ps;
    }
    waits = noc_train_pass(&gpc, &way->gpc->reply, now);
    sm.first += waits;
    sm.last += waits;
    waits += noc_train_pass(&sm, &way->port->ingress, now);
    for (uint32_t i = first; i < end; i++)
        b->back[i] += waits;
}

/* `from`, of these: when each request began. Whoever watches is told afterwards. */
WALK void tell_network(const struct memory *m, const struct mem_batch *b, uint32_t first, uint32_t end,
                       enum mem_stage stage, const sim_time_ps from[])
{
    for (uint32_t i = first; m->observer && i < end; i++) {
        const struct mem_request *r = &b->r[i];
        uint32_t carried = stage == STAGE_REPLY || r->kind != MEM_READ ? b->sectors[i] : 0;

        told(m, r, stage, r->sm, m->noc.packet[carried].bytes, from[i], b->back[i]);
    }
}

void memory_access_some(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now)
{
    const struct noc_way way = noc_way_of(&m->noc, b->r[first].sm);
    enum mem_kind kind = (enum mem_kind)b->r[first].kind;
    sim_time_ps from[MEM_BATCH_MAX];

    to_slices(m, b, first, end, &way, now, from);
    tell_network(m, b, first, end, STAGE_REQUEST, from);
    serve_batch(m, b, first, end, now);
    if (kind != MEM_READ && kind != MEM_ATOMIC)
        return;
    to_sm(m, b, first, end, &way, now, from);
    tell_network(m, b, first, end, STAGE_REPLY, from);
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
