/* simcore/mem/dram/dram.h: device memory: the interface of a DRAM model, and the state that all models share.
 *
 *
 * A model is a file with a struct dram_ops, and a line in DRAM_MODELS (simcore/components.h). It returns completion
 * times at once (`access`), or it uses events: then it reports whether it has room, and calls the listener when a
 * read ends. Models with events implement `access` too, for copies. */
#ifndef VIVACE_SIMCORE_MEM_DRAM_DRAM_H
#define VIVACE_SIMCORE_MEM_DRAM_DRAM_H

#include "simcore/design.h"
#include "simcore/engine/resource.h"
#include "simcore/mem/address_map.h"

/* DRAM_ROWS_KEPT: open rows of a bank, at most, in the model `bucket`. */
enum { DRAM_BANKS_MAX = 64, DRAM_ROWS_KEPT = 4 };

struct dram_counters {
    uint64_t read_sectors, write_sectors, row_hits, row_misses;
};

struct dram_channel {
    uint64_t busy_ps; /* total time for which the bus was reserved */
    uint32_t epoch;
    uint32_t write_share; /* of recent sectors, in 1/65536 */
    struct res bus, activate;
    /* Newest first, row number + 1; 0: none. Only the low bits are stored: rows with the same low bits are 2^32
     * rows apart. */
    uint32_t row[DRAM_BANKS_MAX][DRAM_ROWS_KEPT];
};

/* Callbacks of a model with events. The read with this id ended at `at`. A channel has room for another read or
 * write. A bank has transferred sectors, the last one at `at`; accesses to it were pending from `from` to `to`
 * (both for recordings). */
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
    uint32_t read_ps[LINE_SECTORS + 1];    /* by number of sectors, if there are only reads */
    uint32_t latency_ps, row_ps, rrd_ps;   /* open row; precharge and activate; activate to activate */
    uint64_t write_buffer_ps;              /* time in which the bus empties a full write buffer */
    struct dram_counters count;
    struct dram_channel *channel;
    void *events; /* state of a model with events */
};

struct dram_ops {
    const char *name;
    /* Sets row_ps, rrd_ps and mix_q16, which are initially 0. */
    void (*set_timing)(struct dram *m, const struct gpu_design *d);
    /* Reads or writes 1 to 4 sectors of one line that arrive at the channel at t. Returns when the last one has
     * been transferred. */
    sim_time_ps (*access)(struct dram *m, const struct address_place *p, uint32_t sectors, bool write,
                          sim_time_ps now, sim_time_ps t);
    /* As `access`, for n reads in order. `line` has their indices in `home`. t[k] is the arrival time, and becomes
     * the end time. */
    void (*read_lines)(struct dram *m, const struct address_places *home, const uint8_t line[],
                       const uint8_t sectors[], uint32_t n, sim_time_ps now, sim_time_ps t[]);

    /* For models with events, else all NULL. open: called once, before the first request; at most one pending event
     * per channel. */
    int (*open)(struct dram *m, const struct gpu_design *d, struct event_queue *q, const struct dram_listener *l,
                struct err *e);
    void (*close)(struct dram *m);
    void (*begin)(struct dram *m); /* for a new kernel; the event queue holds none of its events */
    bool (*has_room)(const struct dram *m, uint32_t channel, bool write);
    /* Like `access`, at the current time; the channel must have room. id: identifies a read. */
    void (*request)(struct dram *m, const struct address_place *p, uint32_t sectors, bool write, uint32_t id,
                    sim_time_ps now);
    uint64_t (*busy_ps)(const struct dram *m); /* sum over all data buses, since begin */
};

/* Indexed by enum dram_level: X(FIXED, fixed, ...) is dram_fixed, in fixed.c. */
#define X(enumerator, name, what) extern const struct dram_ops dram_##name;
DRAM_MODELS(X)
#undef X
const struct dram_ops *dram_model(uint32_t level);

int dram_init(struct dram *m, const struct gpu_design *d, struct err *e);
void dram_release(struct dram *m);
void dram_begin(struct dram *m, uint32_t epoch); /* for a new kernel: closes all rows, clears reservations */
/* Saves or loads the reservations of `access`. */
void dram_state(struct dram *m, struct state_io *io);
/* Busy time of all channels' data buses together, since begin. */
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

/* Prefetches, on the host, the state of a bank that a read uses first. */
static inline __attribute__((always_inline)) void dram_prefetch(const struct dram *m, uint32_t channel,
                                                                uint32_t bank)
{
    const struct dram_channel *c = &m->channel[channel];

    __builtin_prefetch(c, 1);
    __builtin_prefetch(&c->activate, 1);
    __builtin_prefetch(c->row[bank], 1);
}

#endif
