/* ptx/warp/watch.h: lets tools inspect warps while they run: the values that each op reads and writes.
 *
 * An observer (exec.h) receives executed ops and addresses. A watch can also read registers, and costs more time.
 */
#ifndef VIVACE_PTX_WARP_WATCH_H
#define VIVACE_PTX_WARP_WATCH_H

#include "ptx/warp/exec_internal.h"

/* An op of one warp, with the registers of its activation. */
struct ptx_seen {
    const struct ptx_warp *warp;
    const struct ptx_code *code;
    const uint8_t *rows;
    const uint32_t *preds;
    uint32_t op, mask; /* mask: lanes that execute it, after the guard */
};

struct ptx_watch {
    void *ctx;
    /* Any of these may be NULL. cta(): a CTA begins or has ended. */
    void (*cta)(void *ctx, const struct ptx_cta *c, bool begins);
    /* The op will be executed next; mask may be 0. -1: the run ends; *e of the CTA is the reason. */
    int (*before)(void *ctx, const struct ptx_seen *s);
    /* The op's results are in the registers. Lanes that waited for others (shuffles, votes) are reported per
     * fragment, when it continues. Not called after calls, branches, barriers and ops that end lanes, and not
     * with mask 0. */
    int (*after)(void *ctx, const struct ptx_seen *s);
    const struct ptx_watch *next; /* called after this one; NULL: no more */
};

/* --- watch.c --- */
int ptx_watch_before(struct ptx_warp *w, uint32_t op, uint32_t mask);
/* For the current fragment. */
int ptx_watch_after(struct ptx_warp *w, uint32_t op, uint32_t mask);
/* For a fragment that continues after a wait; uses its activation's registers. */
int ptx_watch_after_wait(struct ptx_warp *w, uint32_t activation, uint32_t op, uint32_t mask);
void ptx_watch_cta(const struct ptx_cta *c, bool begins);

#endif
