/* simcore/sm/flight.h: what an SM has under way in event mode ("model.memory": "event"): requests whose end nobody
 * knows yet, and what waits for them.
 *
 * Two kinds of things wait: memory instructions, and lines of the L1 that are being filled (an instruction that
 * hits such a line waits for its fill, a fill for the one before it of the same line). Each is a node that counts
 * what it still waits for; the last to come ends it, which sets registers, lines and groups and wakes the warp.
 * Nodes, edges and requests come from pools of the SM: an instruction issues only where enough is left for the
 * worst that it can do, so a full pool means that the load/store unit waits. */
#ifndef VIVACE_SIMCORE_SM_FLIGHT_H
#define VIVACE_SIMCORE_SM_FLIGHT_H

#include "simcore/sm/mbarrier.h"

enum { NO_NODE = 0 };

struct flight *flight_new(const struct gpu_design *d, struct err *e);
void flight_free(struct flight *f);
void flight_begin(struct sm *sm); /* nothing is under way */
void flight_begin_warp(struct sm *sm, uint32_t slot);
void flight_rebase(struct sm *sm, uint32_t cycles); /* local time 0 moves forward */
/* May this memory instruction issue? Where not, flight_hold() puts the warps of a sub-core that are ready for one
 * at t to sleep until one may. */
bool flight_room(const struct sm *sm, const struct static_inst *in);
void flight_hold(struct sm *sm, uint32_t sub, uint32_t t);

/* As long as anything is under way an SM runs ahead of `now` only as far as no answer can be felt before. */
void flight_limit(struct sm *sm, uint32_t now);

/* --- while a memory instruction is made --- */
/* Its node, which cannot end before flight_seal(). */
uint32_t flight_node(struct sm *sm, uint32_t slot, const struct static_inst *in);
void flight_not_before(struct sm *sm, uint32_t node, uint32_t t); /* it cannot end before t */
void flight_results(struct sm *sm, uint32_t node);                /* its end sets its results */
void flight_seal(struct sm *sm, uint32_t node);

/* A copy: its end is news for a barrier, and no group of the warp waits for it. */
void flight_copy(struct sm *sm, uint32_t node, const struct mbarrier_news *news);
/* Arrivals that wait for the copies of the groups that the warp has committed. False: those are over. */
bool flight_arrive_late(struct sm *sm, uint32_t slot, const struct mbarrier_news *news);
/* The warp has exited at t: what of it still waits to arrive somewhere does. */
void flight_exit(struct sm *sm, uint32_t slot, uint32_t t);

/* Requests that leave the SM at t. The first answers to the node. */
void flight_ask(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t);
/* Answers to a line of L1, whose `ready` it becomes; the node waits for that. */
void flight_fill(struct sm *sm, uint32_t node, const struct mem_request *r, struct l1_line *line, uint32_t t);
/* The node waits for the fill under way of a line. */
void flight_join(struct sm *sm, uint32_t node, const struct l1_line *line);
/* Writes and reductions: at t, or later when an SM has as many lines on their way as it may. Until then the
 * load/store unit stalls. */
void flight_tell(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t);

/* flight_lines.c: the node of an access, which is made when it first needs one; a request for sectors of its line i
 * that leaves at t and answers to the node or, where there is one, to a line of L1. */
struct access;
uint32_t flight_access_node(struct access *a);
void flight_ask_line(struct access *a, uint32_t i, uint8_t sectors, enum mem_kind kind, uint32_t lanes, uint32_t t,
                     struct l1_line *fill);

/* --- warps that wait for what is not known --- */
/* The warp's next instruction, which cannot issue before `from`, needs something that is not known. */
void flight_sleep(struct sm *sm, uint32_t slot, uint32_t from, enum slot_reason reason);
/* Fences and waits for groups that issue at t. False: nothing is open, so their time is known. */
bool flight_sleep_fence(struct sm *sm, uint32_t slot, uint32_t t);
bool flight_sleep_exit(struct sm *sm, uint32_t slot,
                       uint32_t t); /* the last instruction: until all results are there */
bool flight_sleep_group(struct sm *sm, uint32_t slot, int32_t allowed, uint32_t t);

/* A request is over (request_done_fn); ctx is the first of all SMs. */
void flight_done(void *ctx, uint32_t sm, uint32_t token, sim_time_ps at);
/* The warps that wait for this request, by slot. */
uint64_t flight_waiters(const struct sm *sm, uint32_t token);

#endif
