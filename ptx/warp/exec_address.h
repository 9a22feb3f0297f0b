/* ptx/warp/exec_address.h: the addresses of a warp's memory operation. Generic addresses are resolved to a
 * space, and every address is checked. */
#ifndef VIVACE_PTX_WARP_EXEC_ADDRESS_H
#define VIVACE_PTX_WARP_EXEC_ADDRESS_H

#include "ptx/warp/exec_internal.h"

enum ptx_pattern {
    PTX_AT_SAME,     /* all lanes of the mask have one address */
    PTX_AT_ROW,      /* all 32 lanes have contiguous addresses in lane order */
    PTX_AT_SCATTERED /* any other pattern */
};

/* The operation on the memory. */
enum ptx_use {
    PTX_READS,
    PTX_WRITES,
    PTX_CHANGES,   /* an atomic */
    PTX_COPIES,    /* the source of an asynchronous copy */
    PTX_COPIES_TO, /* the destination of an asynchronous copy */
    PTX_USES_BARRIER
};

/* Lanes that access one space. */
struct ptx_reach {
    uint64_t at[PTX_LANES]; /* addresses in the space; lanes outside the mask repeat the address of a lane inside */
    uint32_t mask;
    uint32_t bytes; /* per lane */
    uint8_t space;  /* enum ptx_space, never generic */
    uint8_t pattern;
    const struct ptx_cta *cta; /* the CTA whose shared memory it is, if `space` is shared; usually the warp's own */
    uintptr_t host;            /* host pointer minus address; unused for local memory, see exec_local.c */
};

/* Reads the addresses of an access of `bytes` per lane from the registers, including those of lanes outside the
 * mask. */
void ptx_addresses(const struct ptx_warp *w, const struct ptx_access *a, uint32_t mask, uint64_t at[PTX_LANES]);
/* Removes the lanes from *left that access one space. Checks their addresses (inside an allocation or window,
 * aligned to `align`) and reports them to the observer. Call it until *left is 0. */
int ptx_reach(struct ptx_warp *w, uint8_t space, const uint64_t at[PTX_LANES], uint32_t *left, uint32_t bytes,
              uint32_t align, enum ptx_use use, struct ptx_reach *r);

/* An address in the shared memory of `cta`, in the format of traces. In another CTA than the warp's it includes
 * the rank. */
uint64_t ptx_ranked(const struct ptx_warp *w, const struct ptx_cta *cta, uint64_t at);

/* Host pointer to a lane's bytes; not for local memory. */
static inline uint8_t *ptx_host(const struct ptx_reach *r, uint32_t lane)
{
    return (uint8_t *)(r->host + r->at[lane]);
}

static inline uint8_t *ptx_row(const struct ptx_warp *w, uint16_t row)
{
    return __builtin_assume_aligned(w->lanes.rows + (size_t)row * PTX_ROW_BYTES, PTX_ROW_BYTES);
}

static inline uint32_t ptx_first_lane(uint32_t mask) /* mask must not be 0 */
{
    return (uint32_t)__builtin_ctz(mask);
}

#endif
