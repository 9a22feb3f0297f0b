/* simcore/mem/dram/dram.h: device memory: what a DRAM model is, and what all models share.
 *
 * A model is a file of its own with a struct dram_ops, and a line in DRAM_MODELS (simcore/components.h). It answers
 * at once (`access`), or with events: then it says whether it has room, and calls the listener when a read is over.
 * Models with events answer `access` too, for copies. */
#ifndef VIVACE_SIMCORE_MEM_DRAM_DRAM_H
#define VIVACE_SIMCORE_MEM_DRAM_DRAM_H

#include "simcore/design.h"
#include "simcore/engine/resource.h"
#include "simcore/mem/address_map.h"

enum { DRAM_BANKS_MAX = 64, DRAM_ROWS_KEPT = 4 }; /* rows that a bank of level bucket has open at most */

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

/* Who asks a model with events. A read with this id is over at `at`. A channel has room for another read or write.
 * A bank has moved sectors, the last one at `at`; accesses to it were pending from `from` to `to` (both for
 * recordings). */
struct dram_listener {
    void (*read)(void *ctx, uint32_t id, sim_time_ps at);
    void (*room)(void *ctx, uint32_t channel, bool write, sim_time_ps now);
    void (*moved)(void *ctx, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at);
    void (*pending)(void *ctx, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to);
    void *ctx;
};

struct dram {
    const struct dram_ops *ops;
    uint32_t channels, open_rows, epoch;
    uint64_t read_q16, write_q16, mix_q16; /* of one sector: picoseconds * 65536 */
    uint32_t read_ps[LINE_SECTORS + 1];    /* by number of sectors, when there are only reads */
    uint32_t latency_ps, row_ps, rrd_ps;   /* open row; precharge and activate; activate to activate */
    uint64_t write_buffer_ps;              /* how long the bus takes to empty a full write buffer */
    struct dram_counters count;
    struct dram_channel *channel;
    void *events; /* a model with events: its own */
};

struct dram_ops {
    const char *name;
    /* Sets row_ps, rrd_ps and mix_q16, which are 0. */
    void (*set_timing)(struct dram *m, const struct gpu_design *d);
    /* Reads or writes 1 to 4 sectors of one line, arriving at the channel at t; returns when the last is over. */
    sim_time_ps (*access)(struct dram *m, const struct address_place *p, uint32_t sectors, bool write,
                          sim_time_ps now, sim_time_ps t);
    /* The same for n reads, one after the other: of the lines that `line` numbers in `home`, arriving at t[k]; t[k]
     * becomes when it is over. */
    void (*read_lines)(struct dram *m, const struct address_places *home, const uint8_t line[],
                       const uint8_t sectors[], uint32_t n, sim_time_ps now, sim_time_ps t[]);

    /* Models with events, else all NULL. open: once, before the first request; at most a pending event a channel.
     */
    int (*open)(struct dram *m, const struct gpu_design *d, struct event_queue *q, const struct dram_listener *l,
                struct err *e);
    void (*close)(struct dram *m);
    void (*begin)(struct dram *m); /* a new kernel; the queue holds none of its events */
    bool (*has_room)(const struct dram *m, uint32_t channel, bool write);
    /* As `access`, now; there is room. id: the read's. */
    void (*request)(struct dram *m, const struct address_place *p, uint32_t sectors, bool write, uint32_t id,
                    sim_time_ps now);
    uint64_t (*busy_ps)(const struct dram *m); /* of all data buses, since begin */
};

/* By enum dram_level: X(FIXED, fixed, ...) is dram_fixed, in fixed.c. */
#define X(enumerator, name, what) extern const struct dram_ops dram_##name;
DRAM_MODELS(X)
#undef X
const struct dram_ops *dram_model(uint32_t level);

int dram_init(struct dram *m, const struct gpu_design *d, struct err *e);
void dram_release(struct dram *m);
void dram_begin(struct dram *m, uint32_t epoch); /* a new kernel: all rows closed, nothing reserved */
/* What `access` has reserved, saved or loaded. */
void dram_state(struct dram *m, struct state_io *io);
/* Of all channels' data buses together, since begin. */
uint64_t dram_busy_ps(const struct dram *m);

static inline sim_time_ps dram_access(struct dram *m, const struct address_place *p, uint32_t sectors, bool write,
                                      sim_time_ps now, sim_time_ps t)
{
    return m->ops->access(m, p, sectors, write, now, t);
}

static inline bool dram_has_room(const struct dram *m, uint32_t channel, bool write)
{
    return !m->ops->has_room || m->ops->has_room(m, channel, write);
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

#endif
