/* ptx/warp/strict.h: strict mode's checks of memory: reads of bytes that were never written, and accesses of two
 * warps to shared memory without a barrier between them.
 *
 * The order between warps is recorded in vector clocks (Mattern, "Virtual time and global states of distributed
 * systems", 1989). A warp's clock advances when it arrives at a barrier. A warp that waits at the barrier merges
 * the clocks of all warps that have arrived. Atomics, volatile accesses and barriers in memory (mbarrier) are
 * treated as ordered with all operations of their kind. This is more than they guarantee, but it avoids false
 * alarms from locks and flags. Lanes of one warp are assumed to be in order. */
#ifndef VIVACE_PTX_WARP_STRICT_H
#define VIVACE_PTX_WARP_STRICT_H

#include "ptx/warp/exec_address.h"

/* Creates the state of a CTA. NULL: *e is set. */
struct ptx_strict *ptx_strict_new(const struct ptx_cta *c, struct err *e);
void ptx_strict_free(struct ptx_strict *s);
void ptx_strict_begin(struct ptx_cta *c);
/* The CTA continues from a checkpoint. Earlier writes are unknown, so all bytes count as written. */
void ptx_strict_resumed(struct ptx_cta *c);
/* Checks an access of lanes before it happens. -1: a fault. */
int ptx_strict_access(struct ptx_warp *w, const struct ptx_reach *r, enum ptx_use use);
/* Lanes of another CTA of the cluster access the shared memory. Their writes are recorded. Their order is not
 * checked. */
void ptx_strict_from_outside(const struct ptx_reach *r, enum ptx_use use);
/* A copy by a thread of this warp has arrived in shared memory. `begun`: the op that began it. */
int ptx_strict_arrived(struct ptx_warp *w, uint32_t lane, uint32_t begun, uint32_t to, uint32_t bytes);
/* Events at barrier `number`: lanes of the warp arrive; the warp has waited and continues; the barrier is ready
 * for its next use. */
void ptx_strict_at_barrier(struct ptx_warp *w, uint32_t number);
void ptx_strict_past_barrier(struct ptx_warp *w, uint32_t number);
void ptx_strict_barrier_over(struct ptx_cta *c, uint32_t number);

#endif
