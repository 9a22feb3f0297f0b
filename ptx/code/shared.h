/* ptx/code/shared.h: the functions that a kernel can call, and the offsets of .shared variables in its CTAs. */
#ifndef VIVACE_PTX_CODE_SHARED_H
#define VIVACE_PTX_CODE_SHARED_H

#include "ptx/parse/module.h"

/* The system reserves the first bytes of each CTA's shared memory (1 KiB from compute capability 8.0 on: CUDA C++
 * Programming Guide 13.0, technical specifications). Here only kernels that name this part
 * (%reserved_smem_offset_*) have it. The library of cooperative groups keeps the barriers of large tiles in its
 * second half. */
enum { PTX_RESERVED_BYTES = 1024 };

struct ptx_shared {
    uint32_t *offset;  /* of each variable of the module, in bytes of shared memory; PTX_NONE: not used */
    uint32_t reserved; /* bytes reserved for the system, included in `bytes` */
    uint32_t bytes;    /* static size; dynamic memory begins at `dynamic` */
    uint32_t dynamic;  /* offset of all unsized variables: `bytes` rounded up to their alignment */
};

/* Places each variable that the function, or a function that it can call, names: in order of the module, each at
 * its alignment. Callees are the functions that instructions name. If a call goes through a register, the functions
 * in initial values of variables count too. ERR_UNSUPPORTED: the variables exceed the shared memory window. */
int ptx_shared_layout(const struct ptx_module *m, uint32_t function, struct ptx_shared *out, struct err *e);
void ptx_shared_release(struct ptx_shared *s);

#endif
