/* ptx/warp/strict.h: strict mode's book about memory: bytes that nobody has written, and accesses to shared
 * memory of two warps with no barrier between them.
 *
 * Order between warps is kept in vectors of clocks (Mattern, "Virtual time and global states of distributed
 * systems", 1989): a warp's clock goes on when it arrives at a barrier; a warp that waits there takes over what
 * those who have arrived knew. Atomics, volatile accesses and barriers in memory (mbarrier) order all of their
 * kind, which is more than they promise: no false alarms from locks and flags. Lanes of one warp are taken to be in
 * order. */
#ifndef VIVACE_PTX_WARP_STRICT_H
#define VIVACE_PTX_WARP_STRICT_H

#include "ptx/warp/exec_address.h"

/* Of a CTA; NULL with *e. */
struct ptx_strict *ptx_strict_new(const struct ptx_cta *c, struct err *e);
void ptx_strict_free(struct ptx_strict *s);
void ptx_strict_begin(struct ptx_cta *c);
/* Its CTA goes on from a checkpoint: what was written before is not known, so everything counts as written. */
void ptx_strict_resumed(struct ptx_cta *c);
/* Lanes are about to use memory; -1: a fault. */
int ptx_strict_access(struct ptx_warp *w, const struct ptx_reach *r, enum ptx_use use);
/* Lanes of another CTA of the cluster use its shared memory: what they write is written; whether they are ordered
 * is not looked at. */
void ptx_strict_from_outside(const struct ptx_reach *r, enum ptx_use use);
/* A copy of a thread of this warp has arrived in shared memory; `begun` is the op that began it. */
int ptx_strict_arrived(struct ptx_warp *w, uint32_t lane, uint32_t begun, uint32_t to, uint32_t bytes);
/* Barrier `number`: lanes of the warp arrive; the warp, which has waited, goes on; it is ready for its next use. */
void ptx_strict_at_barrier(struct ptx_warp *w, uint32_t number);
void ptx_strict_past_barrier(struct ptx_warp *w, uint32_t number);
void ptx_strict_barrier_over(struct ptx_cta *c, uint32_t number);

#endif
