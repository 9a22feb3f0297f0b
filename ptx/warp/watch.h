/* ptx/warp/watch.h: for tools of this folder that look into warps while they run: what each op reads, and what
 * it has written.
 *
 * An observer (exec.h) is notified of executed ops and addresses; a watch sees registers, and costs more. */
#ifndef VIVACE_PTX_WARP_WATCH_H
#define VIVACE_PTX_WARP_WATCH_H

#include "ptx/warp/exec_internal.h"

/* An op of one warp, with the registers of the activation it belongs to. */
struct ptx_seen {
    const struct ptx_warp *warp;
    const struct ptx_code *code;
    const uint8_t *rows;
    const uint32_t *preds;
    uint32_t op, mask; /* mask: lanes that do it, guard applied */
};

struct ptx_watch {
    void *ctx;
    /* Any of these may be NULL. A CTA begins or has ended. */
    void (*cta)(void *ctx, const struct ptx_cta *c, bool begins);
    /* The op is about to be executed; mask may be 0. -1: the run ends, *e of the CTA says why. */
    int (*before)(void *ctx, const struct ptx_seen *s);
    /* Its results are there. Lanes that have waited for others (shuffles, votes) are distinguished, each fragment
     * when it goes on. Not after calls, branches, barriers and what ends lanes; not with mask 0. */
    int (*after)(void *ctx, const struct ptx_seen *s);
    const struct ptx_watch *next; /* reported behind this one; NULL: no more */
};

/* --- watch.c --- */
int ptx_watch_before(struct ptx_warp *w, uint32_t op, uint32_t mask);
/* The current fragment's. */
int ptx_watch_after(struct ptx_warp *w, uint32_t op, uint32_t mask);
/* Of a fragment that goes on: its activation's registers. */
int ptx_watch_after_wait(struct ptx_warp *w, uint32_t activation, uint32_t op, uint32_t mask);
void ptx_watch_cta(const struct ptx_cta *c, bool begins);

#endif
