/* simcore/mem/dram/fixed.c: a fixed latency and the rate of the bus, independent of rows and of the mix of reads
 * and writes. */
#include "simcore/mem/dram/bus.h"

static void fixed_set_timing(struct dram *m, const struct gpu_design *d)
{
    (void)m, (void)d; /* rows and the mix of reads and writes have no cost */
}

static sim_time_ps fixed_access(struct dram *m, const struct address_place *p, uint32_t sectors, bool write,
                                sim_time_ps now, sim_time_ps t)
{
    return dram_pass_bus(m, &m->count, dram_channel_begin(m, p->channel), sectors, write, now, t);
}

static void fixed_read_lines(struct dram *m, const struct address_places *home, const uint8_t line[],
                             const uint8_t sectors[], uint32_t n, sim_time_ps now, sim_time_ps t[])
{
    for (uint32_t k = 0; k < n; k++) {
        struct dram_channel *c = dram_channel_begin(m, home->channel[line[k]]);

        t[k] = dram_pass_bus(m, &m->count, c, sectors[k], false, now, t[k]);
    }
}

const struct dram_ops dram_fixed = {
    .name = "fixed", .set_timing = fixed_set_timing, .access = fixed_access, .read_lines = fixed_read_lines};
