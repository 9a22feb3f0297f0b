/* simcore/ptx/shared.h: which functions a kernel can come to, and where .shared variables lie in its CTAs. */
#ifndef VIVACE_SIMCORE_PTX_SHARED_H
#define VIVACE_SIMCORE_PTX_SHARED_H

#include "simcore/ptx/module.h"

struct ptx_shared {
    uint32_t *offset; /* of each variable of the module from the begin of shared memory; PTX_NONE: not in use */
    uint32_t bytes;   /* static; dynamic memory begins at `dynamic` */
    uint32_t dynamic; /* where unsized variables begin, all at one place: `bytes` rounded up to their alignment */
};

/* Variables that the function, or one that it can call, names: in order of the module, each at its alignment.
 * Callees are those that instructions name; where something is called through a register, those in initial values
 * of variables, too. ERR_UNSUPPORTED: more than the window of shared memory holds. */
int ptx_shared_layout(const struct ptx_module *m, uint32_t function, struct ptx_shared *out, struct err *e);
void ptx_shared_release(struct ptx_shared *s);

#endif
