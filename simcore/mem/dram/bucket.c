/* simcore/mem/dram/bucket.c: data bus and activates of a channel as rings of time windows, and the open rows of
 * each bank. A bank keeps its last few rows, which models the reordering in a controller's queue. */
#include "simcore/mem/dram/bucket.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "simcore/mem/dram/bus.h"

/* Activates are at least t_RRD apart, with at most four in t_FAW. */
static uint32_t activate_ps(const struct gpu_design *d)
{
    uint32_t quarter = (uint32_t)((uint64_t)d->dram_t_faw * 1000000000 / 4 / d->dram_khz);

    return quarter > d->dram_rrd_ps ? quarter : d->dram_rrd_ps;
}

void bucket_set_timing(struct dram *m, const struct gpu_design *d)
{
    uint64_t sector_q16 = ((uint64_t)SECTOR_BYTES * 1000000 * 65536 * d->dram_channels) / d->dram_mbs;

    m->mix_q16 = (uint64_t)(((unsigned __int128)sector_q16 * d->dram_mix_65536) >> 16);
    m->row_ps = d->dram_rcd_ps + d->dram_rp_ps;
    m->rrd_ps = activate_ps(d);
}

/* Makes the row the newest. The rows before it move back by one place, up to its old place. */
static inline void row_to_front(const struct dram *m, uint32_t *rows, uint32_t place, uint32_t row)
{
    for (uint32_t i = place < m->open_rows ? place : m->open_rows - 1; i; i--)
        rows[i] = rows[i - 1];
    rows[0] = row;
}

/* Whether the row is one of the bank's last rows. Makes it the newest. */
static inline bool row_is_open(const struct dram *m, uint32_t *rows, uint64_t number)
{
    uint32_t row = (uint32_t)number + 1, place;

#ifdef __SSE2__
    __m128i all = _mm_loadu_si128((const __m128i *)(const void *)rows);
    uint32_t equal = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi32(all, _mm_set1_epi32((int)row)));

    if (!equal && m->open_rows == DRAM_ROWS_KEPT) { /* no row is near: the usual case of an irregular kernel */
        all = _mm_or_si128(_mm_slli_si128(all, sizeof row), _mm_cvtsi32_si128((int)row));
        _mm_storeu_si128((__m128i *)(void *)rows, all);
        return false;
    }
    if (equal & 1)
        return true;
#endif
    for (place = 0; place < m->open_rows && rows[place] != row; place++)
        ;
    row_to_front(m, rows, place, row);
    return place < m->open_rows;
}

/* The time at which the row is open, for a request for a row of a bank of channel c that arrives at t. */
DRAM_INLINE sim_time_ps open_row(const struct dram *m, struct dram_counters *count, struct dram_channel *c,
                                 uint32_t bank, uint64_t row, sim_time_ps now, sim_time_ps t)
{
    if (row_is_open(m, c->row[bank], row)) {
        count->row_hits++;
        return t;
    }
    count->row_misses++;
    return res_take(&c->activate, now, t, m->rrd_ps) - m->rrd_ps + m->row_ps;
}

sim_time_ps bucket_access(struct dram *m, const struct address_place *p, uint32_t sectors, bool write,
                          sim_time_ps now, sim_time_ps t)
{
    struct dram_channel *c = dram_channel_begin(m, p->channel);

    t = open_row(m, &m->count, c, p->bank, p->row, now, t);
    return dram_pass_bus(m, &m->count, c, sectors, write, now, t);
}

void bucket_read_lines(struct dram *m, const struct address_places *home, const uint8_t line[],
                       const uint8_t sectors[], uint32_t n, sim_time_ps now, sim_time_ps t[])
{
    const struct dram dram = *m; /* local copies, so that the compiler knows that no store changes them */
    struct dram_counters count = m->count;

    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = line[k];
        struct dram_channel *c = dram_channel_begin(&dram, home->channel[i]);
        sim_time_ps at = open_row(&dram, &count, c, home->bank[i], home->row[i], now, t[k]);

        t[k] = dram_pass_bus(&dram, &count, c, sectors[k], false, now, at);
    }
    m->count = count;
}

const struct dram_ops dram_bucket = {
    .name = "bucket", .set_timing = bucket_set_timing, .access = bucket_access, .read_lines = bucket_read_lines};
