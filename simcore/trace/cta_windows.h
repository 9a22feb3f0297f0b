/* simcore/trace/cta_windows.h: a CTA of which only a window per warp is in memory. Two callbacks produce its
 * instructions in order. */
#ifndef VIVACE_SIMCORE_TRACE_CTA_WINDOWS_H
#define VIVACE_SIMCORE_TRACE_CTA_WINDOWS_H

#include "simcore/trace/cta_store.h"

/* Instructions in a window. With addresses a window takes 2 to 18 KiB. */
#define WINDOW_INSTS 64u

/* Whether a CTA with this number of instructions should be read in windows. A GPU holds up to 2560 CTAs with up to
 * 8448 warps. A CTA that is not long takes at most 1 MiB with its addresses, or 32 KiB per warp. */
static inline bool cta_is_long(uint64_t insts, uint32_t warps)
{
    return insts > 32768 && insts / warps > 2048;
}

struct cta_windows {
    struct cta_store store; /* first; rows and lists of warp w from w * WINDOW_INSTS on */
    /* Returns the warp's next instruction without its `address`. 1: with addresses *a; 0: without; -1: error. */
    int (*next)(struct cta_windows *c, uint32_t warp, struct warp_inst *out, struct address_set *a, struct err *e);
    /* Resets the warp to its first instruction. */
    void (*rewind)(struct cta_windows *c, uint32_t warp);
};

/* All warps are empty afterwards. On failure nothing needs to be released. */
int cta_windows_init(struct cta_windows *c, uint32_t warps, struct err *e) MUST_CHECK;
/* Makes the first window of a warp with `count` instructions, using `next` and `rewind`. */
int cta_windows_begin(struct cta_windows *c, uint32_t warp, uint32_t count, struct err *e) MUST_CHECK;
void cta_windows_release(struct cta_windows *c);

#endif
