/* ptx/ops/exec_bulk.h: shared by copies of bytes (exec_bulk.c) and copies of tensor boxes (exec_tensor.c). */
#ifndef VIVACE_PTX_OPS_EXEC_BULK_H
#define VIVACE_PTX_OPS_EXEC_BULK_H

#include "ptx/warp/exec_address.h"

/* Host pointer to `bytes` at a lane's address, or at the same address in CTA `cta` of the cluster (PTX_NONE:
 * given by the address). NULL: a fault, reported. *at_shared (may be NULL): offset in shared memory, or PTX_NONE
 * for other memory. */
uint8_t *ptx_bulk_reach(struct ptx_warp *w, const struct ptx_access *a, uint32_t lane, uint32_t cta, uint32_t bytes,
                        uint32_t align, enum ptx_use use, uint32_t *at_shared);
/* Bit mask of the cluster's CTAs that receive a lane's copy: args.src[1]. */
uint32_t ptx_bulk_ctas(const struct ptx_warp *w, const struct ptx_op *op, uint32_t lane);

#endif
