/* simcore/mem/dram/bank_commands.h: device memory command by command ("model.dram": "bank"; event mode only).
 *
 * Each channel has a queue of 64 reads and one of 64 writes, banks in groups with one open row each, a row command
 * bus, a column command bus and a data bus. Reads go first; writes drain from a high to a low watermark, or while
 * there are no reads. Among the commands that queued requests need next, the one that can issue first does; of
 * those that can at once, columns of open rows before activates before precharges, then the oldest (first-ready,
 * first come). A row that has not been used for a while is closed; every bank is refreshed each t_refi.
 *
 * Nothing ticks: after each command the channel works out the earliest time at which any queued request could issue
 * its next one, and sleeps until then. Times are picoseconds: constraints are whole command clocks, but data leave
 * at the design's bandwidth, which is not a whole number of clocks a burst. */
#ifndef VIVACE_SIMCORE_MEM_DRAM_BANK_COMMANDS_H
#define VIVACE_SIMCORE_MEM_DRAM_BANK_COMMANDS_H

#include "simcore/design.h"
#include "simcore/engine/event_queue.h"
#include "simcore/mem/address_map.h"
#include "simcore/mem/dram/dram.h"

enum { DRAM_QUEUE = 64 };

enum dram_command { DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE, DRAM_REFRESH };
/* Called for every command, for tests and studies. */
typedef void dram_command_fn(void *ctx, uint32_t channel, enum dram_command c, uint32_t bank, uint64_t row,
                             sim_time_ps at);
/* The last sector of a read will have left the pins at `at`, or a write has left its queue: there is room for
 * another of its kind. id: the read's. */
typedef void dram_read_fn(void *ctx, uint32_t id, sim_time_ps at);
typedef void dram_room_fn(void *ctx, uint32_t channel, bool write, sim_time_ps now);

/* For who watches a simulation: sectors of a bank are over the pins at `at`; from `from` to `to` there was always
 * an access to the bank that had arrived and was not over the pins. Such times are reported again when they grow.
 */
typedef void dram_moved_fn(void *ctx, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at);
typedef void dram_pending_fn(void *ctx, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to);

struct dram_bank; /* opaque: all channels */
/* Counts into *count. */
struct dram_bank *dram_bank_new(const struct gpu_design *d, struct event_queue *q, struct dram_counters *count,
                                struct err *e);
void dram_bank_free(struct dram_bank *m);
void dram_bank_listen(struct dram_bank *m, dram_read_fn *read, dram_room_fn *room, void *ctx);
void dram_bank_tell_commands(struct dram_bank *m, dram_command_fn *f, void *ctx);
void dram_bank_tell_use(struct dram_bank *m, dram_moved_fn *moved, dram_pending_fn *pending, void *ctx);
/* A new kernel: nothing queued, all rows closed, the first refresh one interval away. The queue holds no events. */
void dram_bank_begin(struct dram_bank *m);

bool dram_bank_has_room(const struct dram_bank *m, uint32_t channel, bool write);
/* 1 to 4 sectors of one line; there is room. Commands that can issue at once do so within the call. */
void dram_bank_access(struct dram_bank *m, const struct address_place *p, uint32_t sectors, bool write, uint32_t id,
                      sim_time_ps now);

uint64_t dram_bank_busy_ps(const struct dram_bank *m); /* of all data buses, since begin */
/* From the arrival of a read of one sector at an idle channel with closed rows to its end. */
uint32_t dram_bank_idle_ps(const struct dram_bank *m);

#endif
