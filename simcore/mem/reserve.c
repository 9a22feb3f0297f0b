/* simcore/mem/reserve.c: a request walks the whole way at the moment it is made, and reserves every stage for the
 * time at which it will get there. */
#include "simcore/mem/memory_internal.h"
#include "simcore/mem/slice.h"

static inline struct slice_stages *slice_begin(struct memory *m, uint32_t i)
{
    struct slice_stages *s = &m->slice[i];

    if (s->epoch != m->epoch) {
        res_reset(&s->input, m->epoch);
        res_reset(&s->data, m->epoch);
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
    const struct res_now *at;
    const struct noc_way *way;
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
                      dram_access(&m->dram, &place, sector_count(step.write_back), true, k->at->now, t));
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
                                                    dram_access_at(&m->dram, k->home, sectors, false, k->at, t)));
    }
    return later(t, line->ready);
}

WALK sim_time_ps tags(const struct walk *k, struct slice_stages *s, uint32_t slice, sim_time_ps t)
{
    return tell_stage(k, STAGE_TAGS, slice, k->sectors, t,
                      res_take_at(&s->input, k->at, later(t, s->accept_from), k->m->tag_ps));
}

/* Through the slice's port: a reply brings its header along, a write has left its own at the tags. */
WALK sim_time_ps data(const struct walk *k, struct slice_stages *s, uint32_t slice, uint32_t sectors, sim_time_ps t)
{
    return tell_stage(k, STAGE_DATA, slice, sectors, t,
                      res_take_at(&s->data, k->at, t, k->m->slice_ps[k->kind == MEM_WRITE][sectors]));
}

static sim_time_ps cross(const struct walk *k, uint32_t from, bool back, uint32_t bytes, sim_time_ps t)
{
    return tell_stage(k, STAGE_BRIDGE, from, bytes + k->m->noc.header_bytes, t,
                      noc_cross(&k->m->noc, from, back, bytes, k->at->now, t));
}

/* Operations on one line follow one another because those of a slice do. */
WALK sim_time_ps atomic(const struct walk *k, struct slice_stages *s, sim_time_ps t)
{
    struct memory *m = k->m;
    uint32_t sectors = k->sectors;
    uint32_t by_lanes = k->r->lanes * m->atomic_lane_ps, by_sectors = sectors * m->atomic_sector_ps;

    t = tell_stage(k, STAGE_DATA, k->home->slice, sectors, t,
                   res_take_at(&s->atomic, k->at, t, by_lanes > by_sectors ? by_lanes : by_sectors));
    return k->kind == MEM_REDUCTION ? t : t + m->atomic_latency_ps;
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
    if (k->kind == MEM_ATOMIC || k->kind == MEM_REDUCTION)
        return atomic(k, s, t);
    return data(k, s, k->home->slice, k->sectors, t);
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

WALK sim_time_ps to_slice(const struct walk *k, sim_time_ps address, sim_time_ps t)
{
    uint32_t carried = k->kind == MEM_READ ? 0 : k->sectors;
    sim_time_ps left = noc_leave(k->way, carried, t) + address;

    return tell_stage(k, STAGE_REQUEST, k->r->sm, k->m->noc.packet[carried].bytes, t + address,
                      noc_there(k->way, k->home->slice, carried, k->at, left));
}

WALK sim_time_ps to_sm(const struct walk *k, sim_time_ps t)
{
    return tell_stage(k, STAGE_REPLY, k->r->sm, k->m->noc.packet[k->sectors].bytes, t,
                      noc_back(k->way, k->home->slice, k->sectors, k->at, t));
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

WALK struct walk walk_of(struct memory *m, const struct mem_batch *b, uint32_t i, const struct noc_way *way,
                         const struct res_now *at)
{
    return (struct walk){
        m, &b->r[i], &b->home[i], m->observer, at, way, (enum mem_kind)b->r[i].kind, b->sectors[i]};
}

/* Through the slices: reads on a GPU of one partition. */
static void serve_reads(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end,
                        const struct noc_way *way, const struct res_now *at)
{
    for (uint32_t i = first; i < end; i++) {
        const struct walk k = {m, &b->r[i], &b->home[i], NULL, at, way, MEM_READ, b->sectors[i]};

        b->back[i] = serve(&k, b->back[i]);
    }
}

static void serve_any(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end,
                      const struct noc_way *way, const struct res_now *at)
{
    for (uint32_t i = first; i < end; i++) {
        const struct walk k = walk_of(m, b, i, way, at);

        b->back[i] = m->noc.partitions > 1 ? serve_apart(&k, b->back[i]) : serve(&k, b->back[i]);
    }
}

/* Whoever watches wants to hear of one request after the other. */
static void walk_watched(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end,
                         const struct noc_way *way, const struct res_now *at)
{
    for (uint32_t i = first; i < end; i++) {
        const struct walk k = walk_of(m, b, i, way, at);
        sim_time_ps t = to_slice(&k, translation_ps(m, k.r, k.r->made), k.r->made);

        t = m->noc.partitions > 1 ? serve_apart(&k, t) : serve(&k, t);
        b->back[i] = k.kind == MEM_READ || k.kind == MEM_ATOMIC ? to_sm(&k, t) : t;
    }
}

/* Stage by stage: no stage of the way there or back is one of the slices', so each sees the requests in the same
 * order as if one walked after the other. */
static void walk_together(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end,
                          const struct noc_way *way, const struct res_now *at)
{
    enum mem_kind kind = (enum mem_kind)b->r[first].kind;

    for (uint32_t i = first; i < end; i++) {
        const struct walk k = {m, &b->r[i], &b->home[i], NULL, at, way, kind, b->sectors[i]};

        b->back[i] = to_slice(&k, translation_ps(m, k.r, k.r->made), k.r->made);
    }
    if (kind == MEM_READ && m->noc.partitions == 1)
        serve_reads(m, b, first, end, way, at);
    else
        serve_any(m, b, first, end, way, at);
    if (kind != MEM_READ && kind != MEM_ATOMIC)
        return;
    for (uint32_t i = first; i < end; i++) {
        const struct walk k = {m, &b->r[i], &b->home[i], NULL, at, way, kind, b->sectors[i]};

        b->back[i] = to_sm(&k, b->back[i]);
    }
}

void memory_prepare(const struct memory *m, struct mem_batch *b, sim_time_ps now)
{
    for (uint32_t i = 0; i < b->count; i++) {
        if (m->map.shifts)
            address_locate_by_shifts(&m->map, b->r[i].line, &b->home[i]);
        else
            address_locate(&m->map, b->r[i].line, &b->home[i]);
        b->sectors[i] = (uint8_t)sector_count(b->r[i].sectors);
    }
    memory_prefetch(m, b, now);
}

void memory_access_some(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now)
{
    const struct noc_way way = noc_way_of(&m->noc, b->r[first].sm);
    const struct res_now at = res_at(now);

    if (m->observer)
        walk_watched(m, b, first, end, &way, &at);
    else
        walk_together(m, b, first, end, &way, &at);
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
    memory_prepare(m, &b, now);
    memory_access_some(m, &b, 0, 1, now);
    return b.back[0];
}
