#include "simcore/mem/dram.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Activates follow each other by t_RRD, and no more than four lie in t_FAW. */
static uint32_t activate_ps(const struct gpu_design *d)
{
    uint32_t quarter = (uint32_t)((uint64_t)d->dram_t_faw * 1000000000 / 4 / d->dram_khz);

    return quarter > d->dram_rrd_ps ? quarter : d->dram_rrd_ps;
}

int dram_init(struct dram *m, const struct gpu_design *d, struct err *e)
{
    /* MB/s a channel -> picoseconds * 65536 a sector: 32 B * 10^6 ps/us / (MB/s = B/us). */
    uint64_t sector_q16 = ((uint64_t)SECTOR_BYTES * 1000000 * 65536 * d->dram_channels) / d->dram_mbs;

    memset(m, 0, sizeof *m);
    m->fixed = d->model.dram == DRAM_FIXED;
    m->channels = d->dram_channels;
    m->open_rows = d->dram_open_rows;
    m->read_q16 = (uint64_t)(((unsigned __int128)sector_q16 * d->dram_read_65536) >> 16);
    m->write_q16 = (uint64_t)(((unsigned __int128)sector_q16 * d->dram_write_65536) >> 16);
    m->mix_q16 = m->fixed ? 0 : (uint64_t)(((unsigned __int128)sector_q16 * d->dram_mix_65536) >> 16);
    m->row_ps = m->fixed ? 0 : d->dram_rcd_ps + d->dram_rp_ps;
    m->rrd_ps = activate_ps(d);
    /* The design's latency is that of a read from a row that is not open. */
    m->latency_ps = d->dram_latency_ps - m->row_ps;
    m->write_buffer_ps = (d->dram_write_buffer * m->write_q16) >> 16;
    m->channel = mem_zalloc(d->dram_channels, sizeof *m->channel, e);
    return m->channel ? 0 : -1;
}

void dram_release(struct dram *m)
{
    free(m->channel);
    m->channel = NULL;
}

void dram_begin(struct dram *m, uint32_t epoch)
{
    m->epoch = epoch;
    memset(&m->count, 0, sizeof m->count);
}

static struct dram_channel *channel_begin(struct dram *m, uint32_t index)
{
    struct dram_channel *c = &m->channel[index];

    if (c->epoch != m->epoch) {
        res_reset(&c->bus, m->epoch);
        res_reset(&c->activate, m->epoch);
        memset(c->row, 0, sizeof c->row);
        c->write_share = 0;
        c->epoch = m->epoch;
    }
    return c;
}

/* Is the row among the bank's last ones? It is the newest afterwards. */
static bool row_open(struct dram *m, uint64_t *rows, uint64_t row)
{
    uint32_t i = 0;
    bool hit;

    while (i < m->open_rows && rows[i] != row + 1)
        i++;
    hit = i < m->open_rows;
    if (!hit)
        i = m->open_rows - 1;
    memmove(rows + 1, rows, i * sizeof *rows);
    rows[0] = row + 1;
    return hit;
}

/* Picoseconds for these sectors; each turn of the bus between reads and writes costs, so a mixture is slower. */
static uint32_t service_ps(struct dram *m, struct dram_channel *c, uint32_t sectors, bool write)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < sectors; i++) {
        uint64_t w = c->write_share, turns = (w * (65536 - w)) >> 14; /* 4 w (1 - w) in 1/65536 */

        total += (write ? m->write_q16 : m->read_q16) + ((m->mix_q16 * turns) >> 16);
        if (write)
            c->write_share += (65536 - c->write_share) >> 6;
        else
            c->write_share -= c->write_share >> 6;
    }
    return (uint32_t)(total >> 16);
}

void dram_prefetch(const struct dram *m, const struct address_place *p, bool deep)
{
    const struct dram_channel *c = &m->channel[p->channel];

    if (deep) {
        res_prefetch_slot(&c->bus);
        res_prefetch_slot(&c->activate);
    } else {
        res_prefetch(&c->bus);
        res_prefetch(&c->activate);
        __builtin_prefetch(c->row[p->bank], 1);
    }
}

sim_time_ps dram_access(struct dram *m, const struct address_place *p, uint32_t sectors, bool write,
                        sim_time_ps now, sim_time_ps t)
{
    struct dram_channel *c = channel_begin(m, p->channel);
    uint32_t service = service_ps(m, c, sectors, write);

    if (m->fixed) {
        /* rows do not matter */
    } else if (row_open(m, c->row[p->bank], p->row)) {
        m->count.row_hits++;
    } else {
        m->count.row_misses++;
        t = res_take(&c->activate, now, t, m->rrd_ps) - m->rrd_ps + m->row_ps;
    }
    if (write) {
        m->count.write_sectors += sectors;
        return res_take(&c->bus, now, t, service);
    }
    m->count.read_sectors += sectors;
    return res_take(&c->bus, now, t, service) + m->latency_ps;
}
