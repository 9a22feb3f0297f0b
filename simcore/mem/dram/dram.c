#include "simcore/mem/dram/dram.h"

#include <string.h>

#include "simcore/engine/wide.h"

const struct dram_ops *dram_model(uint32_t level)
{
    static const struct dram_ops *const models[] = {
#define X(enumerator, name, what) &dram_##name,
        DRAM_MODELS(X)
#undef X
    };

    return models[level];
}

int dram_init(struct dram *m, const struct gpu_design *d, struct err *e)
{
    /* MB/s per channel -> picoseconds * 65536 per sector: 32 B * 10^6 ps/us / (MB/s = B/us). */
    uint64_t sector_q16 = ((uint64_t)SECTOR_BYTES * 1000000 * 65536 * d->dram_channels) / d->dram_mbs;

    memset(m, 0, sizeof *m);
    m->ops = dram_model(d->model.dram);
    m->channels = d->dram_channels;
    m->open_rows = d->dram_open_rows;
    m->read_q16 = (uint64_t)(((unsigned __int128)sector_q16 * d->dram_read_65536) >> 16);
    m->write_q16 = (uint64_t)(((unsigned __int128)sector_q16 * d->dram_write_65536) >> 16);
    for (uint32_t i = 0; i <= LINE_SECTORS; i++)
        m->read_ps[i] = (uint32_t)((i * m->read_q16) >> 16);
    m->ops->set_timing(m, d);
    /* The design's latency is for a read from a row that is not open. */
    m->latency_ps = d->dram_latency_ps - m->row_ps;
    m->write_buffer_ps = (d->dram_write_buffer * m->write_q16) >> 16;
    m->channel = wide_zalloc(d->dram_channels, sizeof *m->channel, e);
    return m->channel ? 0 : -1;
}

void dram_release(struct dram *m)
{
    if (m->ops && m->ops->close)
        m->ops->close(m);
    wide_free(m->channel, m->channels, sizeof *m->channel);
    m->channel = NULL;
}

void dram_begin(struct dram *m, uint32_t epoch)
{
    m->epoch = epoch;
    memset(&m->count, 0, sizeof m->count);
}

void dram_state(struct dram *m, struct state_io *io)
{
    STATE(io, m->count);
    for (uint32_t i = 0; i < m->channels; i++) {
        struct dram_channel *c = &m->channel[i];

        if (!state_flag(io, c->epoch == m->epoch))
            continue;
        STATE(io, *c);
        c->epoch = c->bus.epoch = c->activate.epoch = m->epoch;
    }
}

uint64_t dram_busy_ps(const struct dram *m)
{
    uint64_t sum = 0;

    if (m->ops->busy_ps)
        return m->ops->busy_ps(m);
    for (uint32_t i = 0; i < m->channels; i++)
        if (m->channel[i].epoch == m->epoch)
            sum += m->channel[i].busy_ps;
    return sum;
}
