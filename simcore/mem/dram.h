/* simcore/mem/dram.h: device memory by channel: a data bus and activates as rings of windows, the rows each bank
 * has open. The row timing stands for what a real controller's queue would reach by reordering: a bank remembers
 * its last few rows. */
#ifndef VIVACE_SIMCORE_MEM_DRAM_H
#define VIVACE_SIMCORE_MEM_DRAM_H

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "simcore/design.h"
#include "simcore/engine/resource.h"
#include "simcore/mem/address_map.h"

enum { DRAM_BANKS_MAX = 64, DRAM_ROWS_KEPT = 4 }; /* as many rows as dram_row_open() looks at */

struct dram_counters {
    uint64_t read_sectors, write_sectors, row_hits, row_misses;
};

struct dram_channel {
    uint64_t busy_ps; /* of the bus, all that was ever taken */
    uint32_t epoch;
    uint32_t write_share; /* of recent sectors, in 1/65536 */
    struct res bus, activate;
    /* Newest first, + 1; 0: none. The number's low bits: rows that only the others tell apart lie 2^32 rows away.
     */
    uint32_t row[DRAM_BANKS_MAX][DRAM_ROWS_KEPT];
};

struct dram {
    bool fixed; /* one latency and the rate of the bus, whatever the rows and the mix */
    uint32_t channels, open_rows, epoch;
    uint64_t read_q16, write_q16, mix_q16; /* of one sector: picoseconds * 65536 */
    uint32_t read_ps[LINE_SECTORS + 1];    /* so many sectors, when only reads are about */
    uint32_t latency_ps, row_ps, rrd_ps;   /* open row; precharge and activate; activate to activate */
    uint64_t write_buffer_ps;              /* how long the bus takes to empty a full write buffer */
    struct dram_counters count;
    struct dram_channel *channel;
};

int dram_init(struct dram *m, const struct gpu_design *d, struct err *e);
void dram_release(struct dram *m);
void dram_begin(struct dram *m, uint32_t epoch); /* a new kernel: all rows closed, nothing reserved */

static inline struct dram_channel *dram_channel_begin(const struct dram *m, uint32_t index)
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

/* The host begins to fetch what a read of the bank looks at first. */
static inline __attribute__((always_inline)) void dram_prefetch(const struct dram *m, uint32_t channel,
                                                                uint32_t bank)
{
    const struct dram_channel *c = &m->channel[channel];

    __builtin_prefetch(c, 1);
    __builtin_prefetch(&c->activate, 1);
    __builtin_prefetch(c->row[bank], 1);
}

/* The row becomes the newest: those before it move on by one place, up to the one that it had. */
static inline void dram_row_first(const struct dram *m, uint32_t *rows, uint32_t place, uint32_t row)
{
    for (uint32_t i = place < m->open_rows ? place : m->open_rows - 1; i; i--)
        rows[i] = rows[i - 1];
    rows[0] = row;
}

/* Is the row among the bank's last ones? It is the newest afterwards. */
static inline bool dram_row_open(const struct dram *m, uint32_t *rows, uint64_t number)
{
    uint32_t row = (uint32_t)number + 1, place;

#ifdef __SSE2__
    __m128i all = _mm_loadu_si128((const __m128i *)(const void *)rows);
    uint32_t equal = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi32(all, _mm_set1_epi32((int)row)));

    if (!equal && m->open_rows == DRAM_ROWS_KEPT) { /* far from all others: the usual one of an irregular kernel */
        all = _mm_or_si128(_mm_slli_si128(all, sizeof row), _mm_cvtsi32_si128((int)row));
        _mm_storeu_si128((__m128i *)(void *)rows, all);
        return false;
    }
    if (equal & 1)
        return true;
#endif
    for (place = 0; place < m->open_rows && rows[place] != row; place++)
        ;
    dram_row_first(m, rows, place, row);
    return place < m->open_rows;
}

/* Picoseconds for these sectors; each turn of the bus between reads and writes costs, so a mixture is slower. */
static inline uint32_t dram_service_ps(const struct dram *m, struct dram_channel *c, uint32_t sectors, bool write)
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

/* For who asks once a sector. */
#define DRAM_INLINE static inline __attribute__((always_inline))

/* A request for a row of a bank of channel c that gets there at t: when the row is open. */
DRAM_INLINE sim_time_ps dram_open_row(const struct dram *m, struct dram_counters *count, struct dram_channel *c,
                                      uint32_t bank, uint64_t row, sim_time_ps now, sim_time_ps t)
{
    if (m->fixed) /* rows do not matter */
        return t;
    if (dram_row_open(m, c->row[bank], row)) {
        count->row_hits++;
        return t;
    }
    count->row_misses++;
    return res_take(&c->activate, now, t, m->rrd_ps) - m->rrd_ps + m->row_ps;
}

/* Its row is open at t: over the channel's bus; returns when the last sector is over. */
DRAM_INLINE sim_time_ps dram_pass_bus(const struct dram *m, struct dram_counters *count, struct dram_channel *c,
                                      uint32_t sectors, bool write, sim_time_ps now, sim_time_ps t)
{
    const uint32_t service = dram_service_ps(m, c, sectors, write);

    c->busy_ps += service;
    *(write ? &count->write_sectors : &count->read_sectors) += sectors;
    return res_take(&c->bus, now, t, service) + (write ? 0 : m->latency_ps);
}

/* Reads or writes 1 to 4 sectors of one line, arriving at the channel at t; returns when the last is over. */
DRAM_INLINE sim_time_ps dram_access(struct dram *m, const struct address_place *p, uint32_t sectors, bool write,
                                    sim_time_ps now, sim_time_ps t)
{
    struct dram_channel *c = dram_channel_begin(m, p->channel);

    t = dram_open_row(m, &m->count, c, p->bank, p->row, now, t);
    return dram_pass_bus(m, &m->count, c, sectors, write, now, t);
}

#endif
