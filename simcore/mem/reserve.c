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

static uint32_t slice_index(const struct memory *m, const struct slice_stages *s)
{
    return (uint32_t)(s - m->slice);
}

static sim_time_ps reply(struct memory *m, const struct mem_request *r, sim_time_ps now, sim_time_ps t)
{
    uint32_t bytes = sector_count(r->sectors) * SECTOR_BYTES;

    return told(m, r, STAGE_REPLY, r->sm, bytes + m->noc.header_bytes, t, noc_back(&m->noc, r->sm, bytes, now, t));
}

/* What is left of a request once it has the line. */
static sim_time_ps finish_read(struct memory *m, const struct mem_request *r, struct slice_stages *s,
                               sim_time_ps now, sim_time_ps t)
{
    uint32_t sectors = sector_count(r->sectors);

    t = told(m, r, STAGE_DATA, slice_index(m, s), sectors, t,
             res_take(&s->data, now, t, bytes_ps(m->slice_q16, sectors * SECTOR_BYTES)));
    return reply(m, r, now, t);
}

static sim_time_ps finish_atomic(struct memory *m, const struct mem_request *r, struct slice_stages *s,
                                 struct l2_line *line, sim_time_ps now, sim_time_ps t)
{
    uint32_t sectors = sector_count(r->sectors);
    uint32_t by_lanes = r->lanes * m->atomic_lane_ps, by_sectors = sectors * m->atomic_sector_ps;

    t = told(m, r, STAGE_DATA, slice_index(m, s), sectors, t,
             res_take(&s->atomic, now, t, by_lanes > by_sectors ? by_lanes : by_sectors));
    line->ready = t; /* the next operation on this line waits for this one */
    if (r->kind == MEM_REDUCTION)
        return t;
    return reply(m, r, now, t + m->atomic_latency_ps);
}

sim_time_ps memory_access(struct memory *m, const struct mem_request *r, sim_time_ps now, sim_time_ps t)
{
    uint32_t sectors = sector_count(r->sectors), bytes = sectors * SECTOR_BYTES;
    uint32_t packet = r->kind == MEM_READ ? 0 : bytes;
    struct address_place place;
    struct slice_stages *s;
    struct slice_step step;

    address_locate(&m->map, r->line, &place);
    s = slice_begin(m, place.slice);
    t = told(m, r, STAGE_REQUEST, r->sm, packet + m->noc.header_bytes, t,
             noc_there(&m->noc, r->sm, packet, now, t));
    t = told(m, r, STAGE_TAGS, place.slice, sectors, t,
             res_take(&s->input, now, later(t, s->accept_from), m->tag_ps));
    slice_decide(&m->l2, &m->count, r, &place, &step);
    t = write_back(m, r, s, &step, now, t);
    if (r->kind == MEM_WRITE)
        return told(m, r, STAGE_DATA, place.slice, sectors, t,
                    res_take(&s->data, now, t, bytes_ps(m->slice_q16, bytes)));
    t = fill(m, r, &step, &place, now, t);
    if (r->kind == MEM_READ)
        return finish_read(m, r, s, now, t);
    return finish_atomic(m, r, s, &m->l2.lines[step.line], now, t);
}
