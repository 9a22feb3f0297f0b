/* ptx/ops/exec_crowd.h: computes shfl, vote, match, redux and elect for the lanes that have converged. */
#ifndef VIVACE_PTX_OPS_EXEC_CROWD_H
#define VIVACE_PTX_OPS_EXEC_CROWD_H

#include "ptx/code/actions.h"

/* Operands of all participating lanes, collected from their fragments. */
struct crowd {
    uint32_t lanes, preds;
    uint64_t a[PTX_LANES];
    uint32_t b[PTX_LANES], c[PTX_LANES];
    uint32_t out[PTX_LANES], out_preds; /* results */
    uint32_t missing;                   /* lanes that read from a lane that does not participate */
};

/* Computes the results of the operation in `access`. */
void crowd_act(struct crowd *x, const struct ptx_access *access);

#endif
