/* simcore/trace/cta_windows.h: a CTA that is in memory only in part: a window of each warp. What makes its
 * instructions one after the other is behind two functions. */
#ifndef VIVACE_SIMCORE_TRACE_CTA_WINDOWS_H
#define VIVACE_SIMCORE_TRACE_CTA_WINDOWS_H

#include "simcore/trace/cta_store.h"

/* Instructions of a window; with addresses 2 to 18 KiB a warp. */
#define WINDOW_INSTS 64u

/* Is a CTA with this number of instructions better read in windows? A GPU holds up to 2560 CTAs of up to 8448
 * warps, so one that is not takes 1 MiB at most with its addresses, or 32 KiB a warp. */
static inline bool cta_is_long(uint64_t insts, uint32_t warps)
{
    return insts > 32768 && insts / warps > 2048;
}

struct cta_windows {
    struct cta_store store; /* first; rows and lists of warp w from w * WINDOW_INSTS on */
    /* The warp's next instruction, but for its `address`. 1: with addresses *a; 0: without; -1. */
    int (*next)(struct cta_windows *c, uint32_t warp, struct warp_inst *out, struct address_set *a, struct err *e);
    /* The next one is the warp's first. */
    void (*rewind)(struct cta_windows *c, uint32_t warp);
};

/* Warps are empty. On failure nothing is to be released. */
int cta_windows_init(struct cta_windows *c, uint32_t warps, struct err *e) MUST_CHECK;
/* `next` and `rewind` are ready to give the warp's `count` instructions: makes its first window. */
int cta_windows_begin(struct cta_windows *c, uint32_t warp, uint32_t count, struct err *e) MUST_CHECK;
void cta_windows_release(struct cta_windows *c);

#endif
