#include "simcore/mem/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct slice {
    struct res input, data, atomic;
    sim_time_ps accept_from; /* write-back pressure: nothing new is let in before */
    uint32_t epoch;
};

struct sm_port {
    sim_time_ps egress_free; /* used in issue order, so one number is exact */
    struct res ingress;
    uint32_t epoch;
};

struct gpc_port {
    struct res request, reply;
};

struct memory {
    struct address_map map;
    struct l2 l2;
    struct dram dram;
    uint32_t epoch, sms, gpcs;
    struct slice *slice;
    struct sm_port *port;
    struct gpc_port *gpc;
    /* picoseconds; the q16 ones times 65536 */
    uint64_t egress_q16, ingress_q16, gpc_request_q16, gpc_reply_q16, slice_q16; /* a byte */
    uint32_t header_bytes, tag_ps, atomic_lane_ps, atomic_sector_ps, atomic_latency_ps;
    uint32_t there_ps, back_ps; /* network and slice latency, so that an idle read takes what the design says */
    struct mem_counters count;
};

static uint32_t bytes_ps(uint64_t per_byte_q16, uint32_t bytes)
{
    return (uint32_t)((per_byte_q16 * bytes + 32768) >> 16);
}

static sim_time_ps later(sim_time_ps a, sim_time_ps b)
{
    return a > b ? a : b;
}

static struct slice *slice_begin(struct memory *m, uint32_t i)
{
    struct slice *s = &m->slice[i];

    if (s->epoch != m->epoch) {
        res_reset(&s->input, m->epoch);
        res_reset(&s->data, m->epoch);
        res_reset(&s->atomic, m->epoch);
        s->accept_from = 0;
        s->epoch = m->epoch;
    }
    return s;
}

static struct sm_port *port_begin(struct memory *m, uint32_t sm)
{
    struct sm_port *p = &m->port[sm];

    if (p->epoch != m->epoch) {
        res_reset(&p->ingress, m->epoch);
        p->egress_free = 0;
        p->epoch = m->epoch;
    }
    return p;
}

static sim_time_ps travel_there(struct memory *m, uint32_t sm, uint32_t bytes, sim_time_ps now, sim_time_ps t)
{
    struct sm_port *p = port_begin(m, sm);

    m->count.request_bytes += bytes;
    p->egress_free = later(t, p->egress_free) + bytes_ps(m->egress_q16, bytes);
    t = res_take(res_begin(&m->gpc[sm % m->gpcs].request, m->epoch), now, p->egress_free,
                 bytes_ps(m->gpc_request_q16, bytes));
    return t + m->there_ps;
}

static sim_time_ps travel_back(struct memory *m, uint32_t sm, uint32_t bytes, sim_time_ps now, sim_time_ps t)
{
    m->count.reply_bytes += bytes;
    t = res_take(res_begin(&m->gpc[sm % m->gpcs].reply, m->epoch), now, t + m->back_ps,
                 bytes_ps(m->gpc_reply_q16, bytes));
    return res_take(&port_begin(m, sm)->ingress, now, t, bytes_ps(m->ingress_q16, bytes));
}

/* Dirty sectors leave for DRAM. A full write buffer holds up the slice: what comes next is let in no earlier than
 * the buffer has room again. */
static sim_time_ps write_back(struct memory *m, struct slice *s, const struct l2_lookup *found, sim_time_ps now,
                              sim_time_ps t)
{
    struct address_place place;
    sim_time_ps done;

    if (!found->evicted_dirty)
        return t;
    m->count.writebacks++;
    address_locate(&m->map, found->evicted, &place);
    done = dram_access(&m->dram, &place, sector_count(found->evicted_dirty), true, now, t);
    if (done > t + m->dram.write_buffer_ps) {
        s->accept_from = later(s->accept_from, done - m->dram.write_buffer_ps);
        t = s->accept_from;
    }
    return t;
}

/* Brings the wanted sectors of a line in; returns when the last of them is there. */
static sim_time_ps fill(struct memory *m, struct l2_line *line, const struct address_place *place, uint8_t wanted,
                        sim_time_ps now, sim_time_ps t)
{
    uint8_t missing = wanted & (uint8_t)(~line->valid | line->partial);

    if (missing) {
        sim_time_ps there = dram_access(&m->dram, place, sector_count(missing), false, now, t);

        line->ready = later(line->ready, there);
        line->valid |= missing;
        line->partial &= (uint8_t)~missing;
    }
    return later(t, line->ready);
}

static sim_time_ps do_read(struct memory *m, const struct mem_request *r, const struct address_place *place,
                           sim_time_ps now, sim_time_ps t)
{
    struct slice *s = slice_begin(m, place->slice);
    uint32_t sectors = sector_count(r->sectors);
    struct l2_lookup found;
    uint32_t hits;

    m->count.read_requests++;
    m->count.read_sectors += sectors;
    t = res_take(&s->input, now, later(t, s->accept_from), m->tag_ps);
    l2_find(&m->l2, place->slice, place->set, r->line, &found);
    hits = sector_count(r->sectors & found.line->valid & (uint8_t)~found.line->partial);
    m->count.read_hit_sectors += hits;
    m->count.read_miss_sectors += sectors - hits;
    t = write_back(m, s, &found, now, t);
    t = fill(m, found.line, place, r->sectors, now, t);
    t = res_take(&s->data, now, t, bytes_ps(m->slice_q16, sectors * SECTOR_BYTES));
    return travel_back(m, r->sm, m->header_bytes + sectors * SECTOR_BYTES, now, t);
}

static sim_time_ps do_write(struct memory *m, const struct mem_request *r, const struct address_place *place,
                            sim_time_ps now, sim_time_ps t)
{
    struct slice *s = slice_begin(m, place->slice);
    uint32_t sectors = sector_count(r->sectors);
    struct l2_lookup found;

    m->count.write_requests++;
    m->count.write_sectors += sectors;
    t = res_take(&s->input, now, later(t, s->accept_from), m->tag_ps);
    l2_find(&m->l2, place->slice, place->set, r->line, &found);
    t = write_back(m, s, &found, now, t);
    t = res_take(&s->data, now, t, bytes_ps(m->slice_q16, sectors * SECTOR_BYTES));
    /* A write never fetches: a sector written in part is completed when somebody reads it. */
    found.line->partial |= (uint8_t)(r->sectors & ~r->full & ~found.line->valid);
    found.line->partial &= (uint8_t)~r->full;
    found.line->valid |= r->sectors;
    found.line->dirty |= r->sectors;
    return t;
}

static sim_time_ps do_atomic(struct memory *m, const struct mem_request *r, const struct address_place *place,
                             sim_time_ps now, sim_time_ps t)
{
    struct slice *s = slice_begin(m, place->slice);
    uint32_t sectors = sector_count(r->sectors);
    uint32_t by_lanes = r->lanes * m->atomic_lane_ps, by_sectors = sectors * m->atomic_sector_ps;
    uint32_t service = by_lanes > by_sectors ? by_lanes : by_sectors;
    struct l2_lookup found;

    m->count.atomic_requests++;
    m->count.atomic_sectors += sectors;
    t = res_take(&s->input, now, later(t, s->accept_from), m->tag_ps);
    l2_find(&m->l2, place->slice, place->set, r->line, &found);
    t = write_back(m, s, &found, now, t);
    t = fill(m, found.line, place, r->sectors, now, t);
    t = res_take(&s->atomic, now, t, service);
    found.line->ready = t; /* the next operation on this line waits for this one */
    found.line->dirty |= r->sectors;
    if (r->kind == MEM_REDUCTION)
        return t;
    return travel_back(m, r->sm, m->header_bytes + sectors * SECTOR_BYTES, now, t + m->atomic_latency_ps);
}

sim_time_ps memory_access(struct memory *m, const struct mem_request *r, sim_time_ps now, sim_time_ps t)
{
    uint32_t data = r->kind == MEM_READ ? 0 : sector_count(r->sectors) * SECTOR_BYTES;
    struct address_place place;

    address_locate(&m->map, r->line, &place);
    t = travel_there(m, r->sm, m->header_bytes + data, now, t);
    switch ((enum mem_kind)r->kind) {
    case MEM_READ: return do_read(m, r, &place, now, t);
    case MEM_WRITE: return do_write(m, r, &place, now, t);
    case MEM_ATOMIC:
    case MEM_REDUCTION: break;
    }
    return do_atomic(m, r, &place, now, t);
}

static void set_rates(struct memory *m, const struct gpu_design *d)
{
    struct clock_domain sm, l2;

    clock_domain_init(&sm, d->sm_khz);
    clock_domain_init(&l2, d->l2_khz);
    m->egress_q16 = l2.period / d->noc_request_bytes;
    m->ingress_q16 = l2.period / d->noc_reply_bytes;
    m->gpc_request_q16 = l2.period / d->noc_gpc_request_bytes;
    m->gpc_reply_q16 = l2.period / d->noc_gpc_reply_bytes;
    m->slice_q16 = l2.period / d->l2_slice_bytes;
    m->header_bytes = d->noc_header_bytes;
    m->tag_ps = (uint32_t)clock_span_ps(&l2, 1, 1);
    m->atomic_lane_ps = (uint32_t)clock_span_ps(&l2, d->l2_atomic_lane, 1);
    m->atomic_sector_ps = (uint32_t)clock_span_ps(&l2, d->l2_atomic_sector, 1);
    m->atomic_latency_ps = (uint32_t)clock_span_ps(&sm, d->l2_atomic_latency, 1);
}

/* The design gives latencies as a program sees them, end to end. What the stages take by themselves on an idle
 * machine is measured here, and the network gets the rest; so does DRAM. */
static void calibrate(struct memory *m, const struct gpu_design *d)
{
    const struct mem_request r = {.sectors = 1, .kind = MEM_READ};
    struct clock_domain sm;
    uint64_t outside = d->l1_detect + (d->l1_latency - d->l1_detect); /* L1 before and after the trip */
    uint64_t want, dram_stages, hit;

    clock_domain_init(&sm, d->sm_khz);
    want = clock_span_ps(&sm, d->l2_latency - outside, 1);
    memory_begin(m);
    dram_stages = memory_access(m, &r, 0, 0);
    hit = memory_access(m, &r, dram_stages, dram_stages) - dram_stages;
    /* A read from DRAM passes the same stages as a hit, and a bus and an activate of its own. */
    dram_stages -= hit + m->dram.latency_ps + m->dram.row_ps;
    m->dram.latency_ps -= dram_stages < m->dram.latency_ps ? (uint32_t)dram_stages : m->dram.latency_ps;
    want = want > hit ? want - hit : 0;
    m->there_ps = (uint32_t)(want / 2);
    m->back_ps = (uint32_t)(want - want / 2);
}

struct memory *memory_new(const struct gpu_design *d, struct err *e)
{
    struct memory *m = mem_zalloc(1, sizeof *m, e);

    if (!m)
        return NULL;
    m->sms = d->sms;
    m->gpcs = d->gpcs;
    if (l2_init(&m->l2, d, e) < 0 || dram_init(&m->dram, d, e) < 0)
        goto fail;
    m->slice = mem_zalloc(d->l2_slices, sizeof *m->slice, e);
    m->port = mem_zalloc(d->sms, sizeof *m->port, e);
    m->gpc = mem_zalloc(d->gpcs, sizeof *m->gpc, e);
    if (!m->slice || !m->port || !m->gpc)
        goto fail;
    m->map = (struct address_map){
        .channels = divisor_of(d->dram_channels),
        .slices_per_channel = divisor_of(d->l2_slices / d->dram_channels),
        .lines_per_chunk = divisor_of(d->dram_chunk_bytes / LINE_BYTES),
        .sets = divisor_of(m->l2.sets),
        .banks = divisor_of(d->dram_banks),
        .lines_per_row = divisor_of(d->dram_row_bytes / LINE_BYTES),
    };
    set_rates(m, d);
    calibrate(m, d);
    return m;
fail:
    memory_free(m);
    return NULL;
}

void memory_free(struct memory *m)
{
    if (!m)
        return;
    l2_release(&m->l2);
    dram_release(&m->dram);
    free(m->slice);
    free(m->port);
    free(m->gpc);
    free(m);
}

void memory_begin(struct memory *m)
{
    m->epoch++;
    l2_begin(&m->l2, m->epoch);
    dram_begin(&m->dram, m->epoch);
    memset(&m->count, 0, sizeof m->count);
}

const struct mem_counters *memory_counters(const struct memory *m)
{
    return &m->count;
}

const struct dram_counters *memory_dram_counters(const struct memory *m)
{
    return &m->dram.count;
}

uint64_t memory_dram_busy_ps(const struct memory *m)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < m->dram.channels; i++)
        if (m->dram.channel[i].epoch == m->epoch)
            sum += m->dram.channel[i].bus.busy_ps;
    return sum;
}
