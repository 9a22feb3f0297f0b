/* simcore/sm/flight.h: requests in flight of an SM in event mode ("model.memory": "event"). Their end is not known
 * when they are sent.
 *
 *
 * Memory instructions and L1 lines that are being filled wait for requests. An instruction that hits such a line
 * waits for its fill; a fill waits for the previous fill of the same line. Each of them is a node that counts its
 * pending dependences. When the last one ends, the node ends: it sets registers, lines and groups and wakes the
 * warp. Nodes, edges and requests come from pools of the SM. An instruction issues only if the pools have enough
 * entries for its worst case, so a full pool stalls the load/store unit. */
#ifndef VIVACE_SIMCORE_SM_FLIGHT_H
#define VIVACE_SIMCORE_SM_FLIGHT_H

#include "simcore/sm/mbarrier.h"

enum { NO_NODE = 0 };

struct flight *flight_new(const struct gpu_design *d, struct err *e);
void flight_free(struct flight *f);
void flight_begin(struct sm *sm); /* no request is in flight */
void flight_begin_warp(struct sm *sm, uint32_t slot);
void flight_rebase(struct sm *sm, uint32_t cycles); /* local time 0 moves forward */
/* Whether this memory instruction may issue. If not, flight_hold() puts all warps of a sub-core that are ready for
 * a memory instruction at t to sleep until one may issue. */
bool flight_room(const struct sm *sm, const struct static_inst *in);
void flight_hold(struct sm *sm, uint32_t sub, uint32_t t);

/* While a request is in flight, limits how far the SM runs ahead of `now`, so that it sees each answer in time. */
void flight_limit(struct sm *sm, uint32_t now);

/* --- creation of a memory instruction --- */
/* Makes its node, which cannot end before flight_seal(). */
uint32_t flight_node(struct sm *sm, uint32_t slot, const struct static_inst *in);
void flight_not_before(struct sm *sm, uint32_t node, uint32_t t); /* the node cannot end before t */
void flight_results(struct sm *sm, uint32_t node);                /* the end of the node sets its results */
void flight_seal(struct sm *sm, uint32_t node);

/* A bulk copy: its end is reported to a barrier, and no group of the warp waits for it. */
void flight_copy(struct sm *sm, uint32_t node, const struct mbarrier_news *news);
/* Arrivals that wait for the copies of the warp's committed groups. False: the copies have ended. */
bool flight_arrive_late(struct sm *sm, uint32_t slot, const struct mbarrier_news *news);
/* The warp has exited at t: its delayed arrivals are reported. */
void flight_exit(struct sm *sm, uint32_t slot, uint32_t t);

/* Sends requests that leave the SM at t. The first answer is for the node. */
void flight_ask(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t);
/* Sends a request that fills a line of L1 and sets its `ready`; the node waits for the fill. */
void flight_fill(struct sm *sm, uint32_t node, const struct mem_request *r, struct l1_line *line, uint32_t t);
/* The node waits for the pending fill of a line. */
void flight_join(struct sm *sm, uint32_t node, const struct l1_line *line);
/* Sends writes and reductions at t, or later if the SM has reached its maximum of lines in flight. Until then the
 * load/store unit stalls. */
void flight_tell(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t);

/* In flight_lines.c: the node of an access, created at its first use; and a request for sectors of line i that
 * leaves at t and answers the node or, if given, a line of L1. */
struct access;
uint32_t flight_access_node(struct access *a);
void flight_ask_line(struct access *a, uint32_t i, uint8_t sectors, enum mem_kind kind, uint32_t lanes, uint32_t t,
                     struct l1_line *fill);

/* --- warps that wait for an unknown time --- */
/* The warp's next instruction, which cannot issue before `from`, waits for something with an unknown time. */
void flight_sleep(struct sm *sm, uint32_t slot, uint32_t from, enum slot_reason reason);
/* The warp issues a fence at t and sleeps until the pending requests have ended; _group: a wait for a group of
 * copies. False: nothing is pending, and the warp need not sleep. */
bool flight_sleep_fence(struct sm *sm, uint32_t slot, uint32_t t);
bool flight_sleep_exit(struct sm *sm, uint32_t slot,
                       uint32_t t); /* after the last instruction: waits for all results */
bool flight_sleep_group(struct sm *sm, uint32_t slot, int32_t allowed, uint32_t t);

/* A request has ended (request_done_fn); ctx is the array of all SMs. */
void flight_done(void *ctx, uint32_t sm, uint32_t token, sim_time_ps at);
/* The warps that wait for this request, as a mask of slots. */
uint64_t flight_waiters(const struct sm *sm, uint32_t token);

#endif
