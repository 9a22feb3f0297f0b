/* simcore/sm/mbarrier.h: barriers in shared memory (mbarrier). A phase completes when all arrivals and all bytes of
 * copies have been reported. A trace states the barrier operation of each instruction (trace/fields.h). A barrier
 * whose initialization is not in the trace is unknown, and no warp waits for it. */
#ifndef VIVACE_SIMCORE_SM_MBARRIER_H
#define VIVACE_SIMCORE_SM_MBARRIER_H

#include "simcore/sm/sm.h"

/* A report of arrivals and bytes to a barrier. */
struct mbarrier_news {
    uint32_t address; /* can include the rank of another CTA (FIELDS_RANK_SHIFT) */
    uint32_t arrivals, drops;
    int64_t bytes; /* positive: bytes that are expected; negative: bytes that have arrived */
    uint16_t ctas; /* barriers at the same address in these CTAs of the cluster; 0: the CTA in the address */
    uint16_t cta;  /* slot of the reporting CTA */
    uint32_t born; /* the report is valid only for this CTA of the slot (struct cta) */
};

/* Executes the barrier operation of warp `slot` at t, if its fields are recorded. True: the warp sleeps until it is
 * woken; else it may continue at *until. */
bool mbarrier_do(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in, uint32_t t,
                 uint32_t *until);
void mbarrier_tell(struct sm *sm, const struct mbarrier_news *n, uint32_t t);
/* The CTA has ended: removes its barriers. */
void mbarrier_forget(struct sm *sm, uint32_t cta);
/* For an instruction with fields: counts its lanes and stores them as the last active lanes. */
void fields_lanes(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                  uint32_t lanes);

#endif
