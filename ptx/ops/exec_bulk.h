/* ptx/ops/exec_bulk.h: what copies of whole blocks share: those of bytes (exec_bulk.c) and those of boxes of
 * tensors (exec_tensor.c). */
#ifndef VIVACE_PTX_OPS_EXEC_BULK_H
#define VIVACE_PTX_OPS_EXEC_BULK_H

#include "ptx/warp/exec_address.h"

/* `bytes` at a lane's address, or at the same address in CTA `cta` of the cluster (PTX_NONE: as it says); NULL:
 * reported. *at_shared (or NULL): where in shared memory; PTX_NONE: elsewhere. */
uint8_t *ptx_bulk_reach(struct ptx_warp *w, const struct ptx_access *a, uint32_t lane, uint32_t cta, uint32_t bytes,
                        uint32_t align, enum ptx_use use, uint32_t *at_shared);
/* Which CTAs of the cluster a lane's copy goes to, a bit each: args.src[1]. */
uint32_t ptx_bulk_ctas(const struct ptx_warp *w, const struct ptx_op *op, uint32_t lane);

#endif
