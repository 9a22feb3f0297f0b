/* simcore/mem/dram.h: device memory by channel: a data bus and activates as rings of windows, the rows each bank
 * has open. The row timing stands for what a real controller's queue would reach by reordering: a bank remembers
 * its last few rows. */
#ifndef VIVACE_SIMCORE_MEM_DRAM_H
#define VIVACE_SIMCORE_MEM_DRAM_H

#include "simcore/design.h"
#include "simcore/engine/resource.h"
#include "simcore/mem/address_map.h"

enum { DRAM_BANKS_MAX = 64, DRAM_ROWS_KEPT = 4 };

struct dram_counters {
    uint64_t read_sectors, write_sectors, row_hits, row_misses;
};

struct dram_channel {
    struct res bus, activate;
    uint32_t epoch;
    uint32_t write_share;                         /* of recent sectors, in 1/65536 */
    uint64_t row[DRAM_BANKS_MAX][DRAM_ROWS_KEPT]; /* newest first, + 1; 0: none */
};

struct dram {
    bool fixed; /* one latency and the rate of the bus, whatever the rows and the mix */
    uint32_t channels, open_rows, epoch;
    uint64_t read_q16, write_q16, mix_q16; /* of one sector: picoseconds * 65536 */
    uint32_t latency_ps, row_ps, rrd_ps;   /* open row; precharge and activate; activate to activate */
    uint64_t write_buffer_ps;              /* how long the bus takes to empty a full write buffer */
    struct dram_counters count;
    struct dram_channel *channel;
};

int dram_init(struct dram *m, const struct gpu_design *d, struct err *e);
void dram_release(struct dram *m);
void dram_begin(struct dram *m, uint32_t epoch); /* a new kernel: all rows closed, nothing reserved */

/* The host begins to fetch what an access will look at; deep: what that leads to. */
void dram_prefetch(const struct dram *m, const struct address_place *p, bool deep);
/* Reads or writes 1 to 4 sectors of one line, arriving at the channel at t; returns when the last is over. */
sim_time_ps dram_access(struct dram *m, const struct address_place *p, uint32_t sectors, bool write,
                        sim_time_ps now, sim_time_ps t);

#endif
