/* ptx/code/shared.h: which functions a kernel can come to, and where .shared variables lie in its CTAs. */
#ifndef VIVACE_PTX_CODE_SHARED_H
#define VIVACE_PTX_CODE_SHARED_H

#include "ptx/parse/module.h"

/* What the system keeps at the begin of each CTA's shared memory (1 KiB from compute capability 8.0 on: CUDA C++
 * Programming Guide 13.0, technical specifications). Here it is there for kernels that name it
 * (%reserved_smem_offset_*): the library of cooperative groups keeps the barriers of large tiles in its second
 * half. */
enum { PTX_RESERVED_BYTES = 1024 };

struct ptx_shared {
    uint32_t *offset;  /* of each variable of the module from the begin of shared memory; PTX_NONE: not in use */
    uint32_t reserved; /* bytes of the system's part, of `bytes` */
    uint32_t bytes;    /* static; dynamic memory begins at `dynamic` */
    uint32_t dynamic;  /* where unsized variables begin, all at one place: `bytes` rounded up to their alignment */
};

/* Variables that the function, or one that it can call, names: in order of the module, each at its alignment.
 * Callees are those that instructions name; where something is called through a register, those in initial values
 * of variables, too. ERR_UNSUPPORTED: more than the window of shared memory holds. */
int ptx_shared_layout(const struct ptx_module *m, uint32_t function, struct ptx_shared *out, struct err *e);
void ptx_shared_release(struct ptx_shared *s);

#endif
