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

static uint32_t request_bytes(const struct mem_request *r)
{
    return sector_count(r->sectors) * SECTOR_BYTES;
}

/* Changed sectors leave for DRAM. A full write buffer holds up the slice: what comes next is let in no earlier than
 * the buffer has room again. */
static sim_time_ps write_back(struct memory *m, const struct mem_request *r, struct slice_stages *s,
                              const struct slice_step *step, sim_time_ps now, sim_time_ps t)
{
    struct address_place place;
    sim_time_ps done;

    if (!step->write_back)
        return t;
    address_locate(&m->map, step->evicted, &place);
    done = told(m, r, STAGE_WRITE_BACK, place.channel, sector_count(step->write_back), t,
                dram_access(&m->dram, &place, sector_count(step->write_back), true, now, t));
    if (done > t + m->dram.write_buffer_ps) {
        s->accept_from = later(s->accept_from, done - m->dram.write_buffer_ps);
        t = s->accept_from;
    }
    return t;
}

/* Brings in what is to be fetched; returns when all of the line that was ever asked for is there. */
static sim_time_ps fill(struct memory *m, const struct mem_request *r, const struct slice_step *step,
                        const struct address_place *place, sim_time_ps now, sim_time_ps t)
{
    struct l2_line *line = &m->l2.lines[step->line];

    if (step->fetch)
        line->ready =
            later(line->ready, told(m, r, STAGE_FILL, place->channel, sector_count(step->fetch), t,
                                    dram_access(&m->dram, place, sector_count(step->fetch), false, now, t)));
    return later(t, line->ready);
}

static sim_time_ps tags(struct memory *m, const struct mem_request *r, uint32_t slice, sim_time_ps now,
                        sim_time_ps t)
{
    struct slice_stages *s = slice_begin(m, slice);

    return told(m, r, STAGE_TAGS, slice, sector_count(r->sectors), t,
                res_take(&s->input, now, later(t, s->accept_from), m->tag_ps));
}

/* Through the slice's port: a reply brings its header along, a write has left its own at the tags. */
static sim_time_ps data(struct memory *m, const struct mem_request *r, uint32_t slice, uint32_t sectors,
                        sim_time_ps now, sim_time_ps t)
{
    uint32_t bytes = sectors * SECTOR_BYTES + (r->kind == MEM_WRITE ? 0 : m->noc.header_bytes);

    return told(m, r, STAGE_DATA, slice, sectors, t,
                res_take(&m->slice[slice].data, now, t, bytes_ps(m->slice_q16, bytes)));
}

static sim_time_ps cross(struct memory *m, const struct mem_request *r, uint32_t from, bool back, uint32_t bytes,
                         sim_time_ps now, sim_time_ps t)
{
    return told(m, r, STAGE_BRIDGE, from, bytes + m->noc.header_bytes, t,
                noc_cross(&m->noc, from, back, bytes, now, t));
}

/* Operations on one line follow one another because those of a slice do. */
static sim_time_ps atomic(struct memory *m, const struct mem_request *r, uint32_t slice, sim_time_ps now,
                          sim_time_ps t)
{
    uint32_t sectors = sector_count(r->sectors);
    uint32_t by_lanes = r->lanes * m->atomic_lane_ps, by_sectors = sectors * m->atomic_sector_ps;

    t = told(m, r, STAGE_DATA, slice, sectors, t,
             res_take(&m->slice[slice].atomic, now, t, by_lanes > by_sectors ? by_lanes : by_sectors));
    return r->kind == MEM_REDUCTION ? t : t + m->atomic_latency_ps;
}

/* Through the slice that is the address's home. Returns when the answer leaves it, or for what has no answer when
 * the slice has accepted it. */
static sim_time_ps serve(struct memory *m, const struct mem_request *r, const struct address_place *home,
                         sim_time_ps now, sim_time_ps t)
{
    struct slice_step step;

    t = tags(m, r, home->slice, now, t);
    slice_decide(&m->l2, &m->count, r, home, &step);
    t = write_back(m, r, &m->slice[home->slice], &step, now, t);
    if (r->kind != MEM_WRITE)
        t = fill(m, r, &step, home, now, t);
    if (r->kind == MEM_ATOMIC || r->kind == MEM_REDUCTION)
        return atomic(m, r, home->slice, now, t);
    return data(m, r, home->slice, sector_count(r->sectors), now, t);
}

/* A read of an address whose home is the other partition: what the own one has no copy of comes over the bridge,
 * and leaves a copy. What arrives is passed on as it comes; only what was there is read from the slice's data. That
 * also keeps the stages free of circles, in which two partitions' waits would drive each other up. */
static sim_time_ps serve_copy(struct memory *m, const struct mem_request *r, const struct address_place *home,
                              uint32_t partition, sim_time_ps now, sim_time_ps t)
{
    const struct address_place own = memory_mirror(m, home);
    struct mem_request rest = *r;
    struct slice_step step;
    sim_time_ps read;
    uint8_t present;

    t = tags(m, r, own.slice, now, t);
    slice_decide_copy(&m->l2, &m->count, r, &own, &step);
    t = write_back(m, r, &m->slice[own.slice], &step, now, t);
    present = r->sectors & (uint8_t)~step.fetch;
    read = present ? data(m, r, own.slice, sector_count(present), now, t) : t;
    if (step.fetch) {
        struct l2_line *copy = &m->l2.lines[step.line];

        rest.kind = MEM_FAR_READ;
        rest.sectors = step.fetch;
        t = serve(m, &rest, home, now, cross(m, r, partition, false, 0, now, t));
        copy->ready = later(copy->ready, cross(m, r, !partition, true, request_bytes(&rest), now, t));
    }
    return later(read, m->l2.lines[step.line].ready);
}

/* Changes go home, and the copy that the other partition may have is void. */
static sim_time_ps serve_change(struct memory *m, const struct mem_request *r, const struct address_place *home,
                                uint32_t partition, sim_time_ps now, sim_time_ps t)
{
    const struct address_place other = memory_mirror(m, home);
    bool far = memory_home(m, home) != partition;

    if (far) {
        t = cross(m, r, partition, false, request_bytes(r), now, t);
        m->count.far_requests++;
        m->count.far_sectors += sector_count(r->sectors);
    }
    slice_forget_copy(&m->l2, &other, r->line, r->sectors);
    t = serve(m, r, home, now, t);
    return far && r->kind == MEM_ATOMIC ? cross(m, r, !partition, true, request_bytes(r), now, t) : t;
}

static sim_time_ps to_slice(struct memory *m, const struct mem_request *r, uint32_t slice, sim_time_ps now,
                            sim_time_ps t)
{
    uint32_t bytes = r->kind == MEM_READ ? 0 : request_bytes(r);
    sim_time_ps address = translation_ps(m, r, t), left = noc_leave(&m->noc, r->sm, bytes, t) + address;

    return told(m, r, STAGE_REQUEST, r->sm, bytes + m->noc.header_bytes, t + address,
                noc_there(&m->noc, r->sm, slice, bytes, now, left));
}

static sim_time_ps to_sm(struct memory *m, const struct mem_request *r, uint32_t slice, sim_time_ps now,
                         sim_time_ps t)
{
    uint32_t bytes = request_bytes(r);

    return told(m, r, STAGE_REPLY, r->sm, bytes + m->noc.header_bytes, t,
                noc_back(&m->noc, r->sm, slice, bytes, now, t));
}

sim_time_ps memory_access(struct memory *m, const struct mem_request *r, sim_time_ps now, sim_time_ps t)
{
    uint32_t partition = noc_partition(&m->noc, r->sm);
    struct address_place home;

    address_locate(&m->map, r->line, &home);
    t = to_slice(m, r, home.slice, now, t);
    if (m->noc.partitions > 1 && r->kind != MEM_READ)
        t = serve_change(m, r, &home, partition, now, t);
    else if (memory_home(m, &home) != partition)
        t = serve_copy(m, r, &home, partition, now, t);
    else
        t = serve(m, r, &home, now, t);
    return r->kind == MEM_READ || r->kind == MEM_ATOMIC ? to_sm(m, r, home.slice, now, t) : t;
}
