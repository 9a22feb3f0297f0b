/* ptx/ops/exec_crowd.h: what shfl, vote, match, redux and elect do to the lanes that have come together. */
#ifndef VIVACE_PTX_OPS_EXEC_CROWD_H
#define VIVACE_PTX_OPS_EXEC_CROWD_H

#include "ptx/code/actions.h"

/* Operands of all lanes that take part, collected from the fragments they stand in. */
struct crowd {
    uint32_t lanes, preds;
    uint64_t a[PTX_LANES];
    uint32_t b[PTX_LANES], c[PTX_LANES];
    uint32_t out[PTX_LANES], out_preds; /* results */
    uint32_t missing;                   /* lanes that read from a lane that takes no part */
};

/* Fills in the results of what `access` says. */
void crowd_act(struct crowd *x, const struct ptx_access *access);

#endif
