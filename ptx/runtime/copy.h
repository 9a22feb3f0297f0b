/* ptx/runtime/copy.h: creates work items for copies of linear and pitched memory and of arrays. Internal to
 * ptx/runtime. */
#ifndef VIVACE_PTX_RUNTIME_COPY_H
#define VIVACE_PTX_RUNTIME_COPY_H

#include "ptx/runtime/runtime.h"

struct copy_request {
    struct plane to, from;
    size_t width, height, depth; /* bytes, rows, slices */
    enum cudaMemcpyKind kind;
};
/* Checks source and destination and fills *out. The lock is held. */
cudaError_t shim_make_copy_work(const struct copy_request *q, struct work *out);
cudaError_t shim_make_memset_work(const struct cudaMemsetParams *p, struct work *out);
cudaError_t shim_make_copy3d_work(const struct cudaMemcpy3DParms *p, struct work *out);
/* A complete API call. `waits`: the host waits for the copy. */
cudaError_t shim_copy(const struct copy_request *q, cudaStream_t s, bool waits);

#endif
