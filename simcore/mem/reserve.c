/* simcore/mem/reserve.c: a request walks the whole way at the moment it is made, and reserves every stage for the
 * time at which it will get there. */
#include "simcore/mem/memory_internal.h"
#include "simcore/mem/slice.h"

static struct slice_stages *slice_begin(struct memory *m, uint32_t i)
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
    sim_time_ps now;
    enum mem_kind kind;
};

/* Tells a stage that the request was in from `from` to `to`; returns `to`. */
WALK sim_time_ps tell_stage(const struct walk *k, enum mem_stage stage, uint32_t place, uint32_t amount,
                            sim_time_ps from, sim_time_ps to)
{
    return k->observer ? told(k->m, k->r, stage, place, amount, from, to) : to;
}

WALK uint32_t request_bytes(const struct walk *k)
{
    return sector_count(k->r->sectors) * SECTOR_BYTES;
}

/* Changed sectors leave for DRAM. A full write buffer holds up the slice: what comes next is let in no earlier than
 * the buffer has room again. */
static __attribute__((noinline)) sim_time_ps write_back(const struct walk *k, struct slice_stages *s,
                                                        const struct slice_step *step, sim_time_ps t)
{
    struct memory *m = k->m;
    struct address_place place;
    sim_time_ps done;

    address_locate(&m->map, step->evicted, &place);
    done = tell_stage(k, STAGE_WRITE_BACK, place.channel, sector_count(step->write_back), t,
                      dram_access(&m->dram, &place, sector_count(step->write_back), true, k->now, t));
    if (done > t + m->dram.write_buffer_ps) {
        s->accept_from = later(s->accept_from, done - m->dram.write_buffer_ps);
        t = s->accept_from;
    }
    return t;
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

WALK sim_time_ps tags(const struct walk *k, struct slice_stages *s, uint32_t slice, sim_time_ps t)
{
    return tell_stage(k, STAGE_TAGS, slice, sector_count(k->r->sectors), t,
                      res_take(&s->input, k->now, later(t, s->accept_from), k->m->tag_ps));
}

/* Through the slice's port: a reply brings its header along, a write has left its own at the tags. */
WALK sim_time_ps data(const struct walk *k, struct slice_stages *s, uint32_t slice, uint32_t sectors, sim_time_ps t)
{
    uint32_t bytes = sectors * SECTOR_BYTES + (k->kind == MEM_WRITE ? 0 : k->m->noc.header_bytes);

    return tell_stage(k, STAGE_DATA, slice, sectors, t,
                      res_take(&s->data, k->now, t, bytes_ps(k->m->slice_q16, bytes)));
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
    uint32_t sectors = sector_count(k->r->sectors);
    uint32_t by_lanes = k->r->lanes * m->atomic_lane_ps, by_sectors = sectors * m->atomic_sector_ps;

    t = tell_stage(k, STAGE_DATA, k->home->slice, sectors, t,
                   res_take(&s->atomic, k->now, t, by_lanes > by_sectors ? by_lanes : by_sectors));
    return k->kind == MEM_REDUCTION ? t : t + m->atomic_latency_ps;
}

/* Through the slice that is the address's home. Returns when the answer leaves it, or for what has no answer when
 * the slice has accepted it. */
WALK sim_time_ps serve(const struct walk *k, sim_time_ps t)
{
    struct slice_stages *s = slice_begin(k->m, k->home->slice);
    struct slice_step step;

    t = tags(k, s, k->home->slice, t);
    slice_decide(&k->m->l2, &k->m->count, k->r, k->home, &step);
    if (step.write_back)
        t = write_back(k, s, &step, t);
    if (k->kind != MEM_WRITE)
        t = fill(k, &step, t);
    if (k->kind == MEM_ATOMIC || k->kind == MEM_REDUCTION)
        return atomic(k, s, t);
    return data(k, s, k->home->slice, sector_count(k->r->sectors), t);
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
    if (step.write_back)
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
        t = serve(&home, cross(k, partition, false, 0, t));
        copy->ready = later(copy->ready, cross(k, !partition, true, request_bytes(&home), t));
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
        t = cross(k, partition, false, request_bytes(k), t);
        m->count.far_requests++;
        m->count.far_sectors += sector_count(k->r->sectors);
    }
    slice_forget_copy(&m->l2, &other, k->r->line, k->r->sectors);
    t = serve(k, t);
    return far && k->kind == MEM_ATOMIC ? cross(k, !partition, true, request_bytes(k), t) : t;
}

WALK sim_time_ps to_slice(const struct walk *k, sim_time_ps address, sim_time_ps t)
{
    struct noc *n = &k->m->noc;
    uint32_t bytes = k->kind == MEM_READ ? 0 : request_bytes(k);
    sim_time_ps left = noc_leave(n, k->r->sm, bytes, t) + address;

    return tell_stage(k, STAGE_REQUEST, k->r->sm, bytes + n->header_bytes, t + address,
                      noc_there(n, k->r->sm, k->home->slice, bytes, k->now, left));
}

WALK sim_time_ps to_sm(const struct walk *k, sim_time_ps t)
{
    struct noc *n = &k->m->noc;
    uint32_t bytes = request_bytes(k);

    return tell_stage(k, STAGE_REPLY, k->r->sm, bytes + n->header_bytes, t,
                      noc_back(n, k->r->sm, k->home->slice, bytes, k->now, t));
}

/* --- the requests of an instruction --- */

WALK struct walk walk_of(struct memory *m, const struct mem_batch *b, uint32_t i, sim_time_ps now)
{
    return (struct walk){m, &b->r[i], &b->home[i], m->observer, now, (enum mem_kind)b->r[i].kind};
}

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

/* Requests first .. end - 1, stage by stage: no stage of the way there or back is one of the slices', so each stage
 * sees them in the same order as if one followed the other. */
WALK void walk_together(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now,
                        struct observer *observer)
{
    for (uint32_t i = first; i < end; i++) {
        struct walk k = walk_of(m, b, i, now);

        k.observer = observer;
        b->back[i] = to_slice(&k, translation_ps(m, k.r, k.r->made), k.r->made);
    }
    for (uint32_t i = first; i < end; i++) {
        struct walk k = walk_of(m, b, i, now);

        k.observer = observer;
        if (m->noc.partitions > 1) {
            b->back[i] = serve_apart(&k, b->back[i]);
        } else if (k.kind == MEM_READ) {
            k.kind = MEM_READ; /* the common kind is compiled apart */
            b->back[i] = serve(&k, b->back[i]);
        } else {
            b->back[i] = serve(&k, b->back[i]);
        }
    }
    if (b->r[first].kind != MEM_READ && b->r[first].kind != MEM_ATOMIC)
        return;
    for (uint32_t i = first; i < end; i++) {
        struct walk k = walk_of(m, b, i, now);

        k.observer = observer;
        b->back[i] = to_sm(&k, b->back[i]);
    }
}

/* Whoever watches wants to hear of one request after the other. */
static void walk_watched(struct memory *m, struct mem_batch *b, sim_time_ps now)
{
    for (uint32_t i = 0; i < b->count; i++)
        walk_together(m, b, i, i + 1, now, m->observer);
}

void memory_access_all(struct memory *m, struct mem_batch *b, sim_time_ps now)
{
    for (uint32_t i = 0; i < b->count; i++)
        address_locate(&m->map, b->r[i].line, &b->home[i]);
    if (m->observer) {
        walk_watched(m, b, now);
        return;
    }
    memory_prefetch(m, b, now);
    walk_together(m, b, 0, b->count, now, NULL);
}

sim_time_ps memory_access(struct memory *m, const struct mem_request *r, sim_time_ps now, sim_time_ps t)
{
    struct mem_batch b;

    b.count = 1;
    b.r[0] = *r;
    b.r[0].made = t;
    memory_access_all(m, &b, now);
    return b.back[0];
}
