/* simcore/mem/dram/bus.h: the data bus of a channel, for models that return completion times at once: a ring of
 * time windows (engine). */
#ifndef VIVACE_SIMCORE_MEM_DRAM_BUS_H
#define VIVACE_SIMCORE_MEM_DRAM_BUS_H

#include <string.h>

#include "simcore/mem/dram/dram.h"

/* For functions that are called once per sector. */
#define DRAM_INLINE static inline __attribute__((always_inline))

DRAM_INLINE struct dram_channel *dram_channel_begin(const struct dram *m, uint32_t index)
{
    struct dram_channel *c = &m->channel[index];

    if (c->epoch != m->epoch) {
        res_reset(&c->bus, m->epoch);
        res_reset(&c->activate, m->epoch);
        memset(c->row, 0, sizeof c->row);
        c->write_share = 0;
        c->busy_ps = 0;
        c->epoch = m->epoch;
    }
    return c;
}

/* Picoseconds for these sectors. Each bus turnaround between reads and writes takes time, so a mixture is slower.
 */
DRAM_INLINE uint32_t dram_service_ps(const struct dram *m, struct dram_channel *c, uint32_t sectors, bool write)
{
    uint64_t total = 0;

    if (!write && !c->write_share)
        return m->read_ps[sectors];
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

/* Transfers the sectors of a row that is open at t over the channel's bus; returns when the last sector has been
 * transferred. */
DRAM_INLINE sim_time_ps dram_pass_bus(const struct dram *m, struct dram_counters *count, struct dram_channel *c,
                                      uint32_t sectors, bool write, sim_time_ps now, sim_time_ps t)
{
    const uint32_t service = dram_service_ps(m, c, sectors, write);

    c->busy_ps += service;
    *(write ? &count->write_sectors : &count->read_sectors) += sectors;
    return res_take(&c->bus, now, t, service) + (write ? 0 : m->latency_ps);
}

#endif
