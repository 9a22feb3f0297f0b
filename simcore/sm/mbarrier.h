/* simcore/sm/mbarrier.h: barriers in shared memory (mbarrier): phases that end when all have arrived and all bytes
 * of copies have come. A trace says what each instruction does to one (trace/fields.h). Barriers whose begin is not
 * in the trace are not known; nobody waits at them. */
#ifndef VIVACE_SIMCORE_SM_MBARRIER_H
#define VIVACE_SIMCORE_SM_MBARRIER_H

#include "simcore/sm/sm.h"

/* Arrivals and bytes for a barrier, reported at its time. */
struct mbarrier_news {
    uint32_t address; /* with the rank of another CTA (FIELDS_RANK_SHIFT) */
    uint32_t arrivals, drops;
    int64_t bytes; /* that are still to come; those that have come are negative */
    uint16_t ctas; /* those at the same address in these CTAs of the cluster; 0: the one that the address says */
    uint16_t cta;  /* of the SM: who tells it */
    uint32_t born; /* it must be this one (struct cta) */
};

/* What warp `slot` does at t to a barrier, if the instruction says what. True: it waits, and somebody else will say
 * when it goes on; else not before *until. */
bool mbarrier_do(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in, uint32_t t,
                 uint32_t *until);
void mbarrier_tell(struct sm *sm, const struct mbarrier_news *n, uint32_t t);
/* The CTA has ended: its barriers are gone. */
void mbarrier_forget(struct sm *sm, uint32_t cta);
/* Of an instruction with fields: its lanes are counted and remembered as those that executed it. */
void fields_lanes(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                  uint32_t lanes);

#endif
