/* simcore/mem/dram/bank_commands.h: device memory simulated by DRAM commands ("model.dram": "bank"; event mode
 * only).
 *
 *
 * Each channel has a queue of 64 reads and one of 64 writes, bank groups whose banks have one open row each, a row
 * command bus, a column command bus and a data bus. Reads have priority; writes drain from a high to a low
 * watermark, or while there are no reads. Among the next commands of the queued requests, the one that can be
 * issued first is issued. If several can be issued at once, the order is: columns of open rows, activates,
 * precharges, then the oldest (first-ready, first-come-first-served). A row that has not been used for some time is
 * closed. Each bank is refreshed every t_refi, the banks of a channel in turn, while the others continue: a V100
 * writes at 895 of 897 GB/s, and refreshes of all banks at once would cost 7 %.
 *
 *
 * The model is event-driven: after each command, the channel computes the earliest time at which a queued request
 * can issue its next command, and sleeps until then. Times are picoseconds. Timing constraints are whole command
 * clocks, but data is transferred at the design's bandwidth, where a burst is not a whole number of clocks. */
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
/* Called when the last sector of a read leaves the pins at `at`, or when a write has left its queue. The queue then
 * has room for another access of this kind. id: the read's. */
typedef void dram_read_fn(void *ctx, uint32_t id, sim_time_ps at);
typedef void dram_room_fn(void *ctx, uint32_t channel, bool write, sim_time_ps now);

/* For observers: sectors of a bank were transferred at `at`; and from `from` to `to` an access to the bank was
 * always pending, which means that it had arrived and was not yet transferred. A pending interval is reported again
 * when it grows. */
typedef void dram_moved_fn(void *ctx, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at);
typedef void dram_pending_fn(void *ctx, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to);

struct dram_bank; /* opaque: contains all channels */
/* Adds its counts to *count. */
struct dram_bank *dram_bank_new(const struct gpu_design *d, struct event_queue *q, struct dram_counters *count,
                                struct err *e);
void dram_bank_free(struct dram_bank *m);
void dram_bank_listen(struct dram_bank *m, dram_read_fn *read, dram_room_fn *room, void *ctx);
void dram_bank_tell_commands(struct dram_bank *m, dram_command_fn *f, void *ctx);
void dram_bank_tell_use(struct dram_bank *m, dram_moved_fn *moved, dram_pending_fn *pending, void *ctx);
/* Resets for a new kernel: empty queues, all rows closed, the first refresh after one interval. The event queue
 * must hold none of its events. */
void dram_bank_begin(struct dram_bank *m);

bool dram_bank_has_room(const struct dram_bank *m, uint32_t channel, bool write);
/* Adds an access to 1 to 4 sectors of one line; the queue must have room. Commands that can be issued at once are
 * issued within the call. */
void dram_bank_access(struct dram_bank *m, const struct address_place *p, uint32_t sectors, bool write, uint32_t id,
                      sim_time_ps now);

uint64_t dram_bank_busy_ps(const struct dram_bank *m); /* sum over all data buses, since begin */
/* The latency of a read of one sector on an idle channel with closed rows. */
uint32_t dram_bank_idle_ps(const struct dram_bank *m);

#endif
