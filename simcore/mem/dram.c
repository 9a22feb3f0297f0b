#include "simcore/mem/dram.h"

#include <string.h>

#include "simcore/engine/wide.h"

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
    for (uint32_t i = 0; i <= LINE_SECTORS; i++)
        m->read_ps[i] = (uint32_t)((i * m->read_q16) >> 16);
    m->row_ps = m->fixed ? 0 : d->dram_rcd_ps + d->dram_rp_ps;
    m->rrd_ps = activate_ps(d);
    /* The design's latency is that of a read from a row that is not open. */
    m->latency_ps = d->dram_latency_ps - m->row_ps;
    m->write_buffer_ps = (d->dram_write_buffer * m->write_q16) >> 16;
    m->channel = wide_zalloc(d->dram_channels, sizeof *m->channel, e);
    return m->channel ? 0 : -1;
}

void dram_release(struct dram *m)
{
    wide_free(m->channel, m->channels, sizeof *m->channel);
    m->channel = NULL;
}

void dram_begin(struct dram *m, uint32_t epoch)
{
    m->epoch = epoch;
    memset(&m->count, 0, sizeof m->count);
}
