/* ptx/warp/exec_address.h: where a memory operation of a warp goes: addresses of its lanes, generic ones
 * resolved to a space, every one checked. */
#ifndef VIVACE_PTX_WARP_EXEC_ADDRESS_H
#define VIVACE_PTX_WARP_EXEC_ADDRESS_H

#include "ptx/warp/exec_internal.h"

enum ptx_pattern {
    PTX_AT_SAME,     /* all lanes of the mask at one address */
    PTX_AT_ROW,      /* all 32 lanes, each right behind the one before */
    PTX_AT_SCATTERED /* anything else */
};

/* What is done there. */
enum ptx_use {
    PTX_READS,
    PTX_WRITES,
    PTX_CHANGES,   /* an atomic */
    PTX_COPIES,    /* reads, for an asynchronous copy */
    PTX_COPIES_TO, /* where that goes */
    PTX_USES_BARRIER
};

/* Lanes that go to one space. */
struct ptx_reach {
    uint64_t at[PTX_LANES]; /* in the space; lanes outside the mask repeat an address of one inside */
    uint32_t mask;
    uint32_t bytes; /* a lane */
    uint8_t space;  /* enum ptx_space, never generic */
    uint8_t pattern;
    const struct ptx_cta *cta; /* whose shared memory, if space says that; mostly that of the warp */
    uintptr_t
        host; /* what is added to an address for the host's pointer; local memory: nothing, see exec_local.c */
};

/* The addresses of an access of `bytes` a lane, as they stand in the registers: of lanes outside the mask, too. */
void ptx_addresses(const struct ptx_warp *w, const struct ptx_access *a, uint32_t mask, uint64_t at[PTX_LANES]);
/* Takes those lanes of *left that go to one space, checks them (inside an allocation or window, aligned to `align`)
 * and reports the observer. To be called until *left is 0. */
int ptx_reach(struct ptx_warp *w, uint8_t space, const uint64_t at[PTX_LANES], uint32_t *left, uint32_t bytes,
              uint32_t align, enum ptx_use use, struct ptx_reach *r);

/* An address in the shared memory of `cta`, as traces have it: that of another CTA than the warp's with its rank.
 */
uint64_t ptx_ranked(const struct ptx_warp *w, const struct ptx_cta *cta, uint64_t at);

/* The host's bytes of a lane; not for local memory. */
static inline uint8_t *ptx_host(const struct ptx_reach *r, uint32_t lane)
{
    return (uint8_t *)(r->host + r->at[lane]);
}

static inline uint8_t *ptx_row(const struct ptx_warp *w, uint16_t row)
{
    return __builtin_assume_aligned(w->lanes.rows + (size_t)row * PTX_ROW_BYTES, PTX_ROW_BYTES);
}

static inline uint32_t ptx_first_lane(uint32_t mask) /* not of 0 */
{
    return (uint32_t)__builtin_ctz(mask);
}

#endif
