/* ptx/tools/ptxas.h: registers per thread as `ptxas -v` reports them (nvcc: -Xptxas -v). */
#ifndef VIVACE_PTX_TOOLS_PTXAS_H
#define VIVACE_PTX_TOOLS_PTXAS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ptxas_kernel {
    char *name; /* mangled, as in the PTX */
    uint32_t registers;
};
struct ptxas_report {
    struct ptxas_kernel *kernels;
    size_t count, capacity;
};

/* Reads a compiler's output and ignores all lines except "Compiling entry function 'k' for 'sm_80'" and "Used 40
 * registers". The last report of a kernel counts. ERR_INVALID: the file names no kernel. */
int ptxas_report_read(const char *path, struct ptxas_report *out, struct err *e);
void ptxas_report_release(struct ptxas_report *r);
uint32_t ptxas_registers(const struct ptxas_report *r, const char *kernel); /* 0: not reported */

#endif
