/* ptx/runtime/launch.c: the functions that launch a kernel. */
#include "ptx/runtime/runtime.h"

enum { CALLS_MAX = 16, ATTRIBUTE_COOPERATIVE = 2 };

/* The arguments between <<< and >>>. They are stored until the kernel's host function fetches them. */
struct call {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};
static _Thread_local struct call calls[CALLS_MAX];
static _Thread_local unsigned call_count;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    if (call_count == CALLS_MAX)
        return 1; /* the program then skips the launch */
    calls[call_count++] = (struct call){grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    const struct call *c;

    if (call_count == 0)
        return cudaErrorMissingConfiguration;
    c = &calls[--call_count];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess)
        *kernel = shim_kernel_find(host, &r);
    if (r != cudaSuccess)
        *kernel = host; /* programs ignore this error and launch; the launch then reports it */
    return shim_leave(r);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    return kernel ? __cudaGetKernel(kernel, host) : cudaErrorInvalidValue;
}

static cudaError_t launch(const void *f, const struct kernel_request *q, cudaStream_t stream)
{
    cudaError_t r = shim_enter();
    struct work w;

    if (r == cudaSuccess)
        r = shim_make_kernel_work(f, q, &w);
    shim.not_run += r == cudaErrorNoKernelImageForDevice || r == cudaErrorInvalidPtx ||
                    r == cudaErrorNotSupported || r == cudaErrorCdpNotSupported;
    if (r == cudaSuccess)
        r = shim_submit(&w, stream);
    return shim_leave(r);
}

cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    return launch(f, &(struct kernel_request){.grid = grid, .block = block, .shared = shared, .args = args},
                  stream);
}
ALSO_PTSZ(cudaLaunchKernel);

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}
ALSO_PTSZ(__cudaLaunchKernel);

cudaError_t cudaLaunchCooperativeKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream)
{
    const struct kernel_request q = {
        .grid = grid, .block = block, .shared = shared, .args = args, .cooperative = true};

    return launch(f, &q, stream);
}
ALSO_PTSZ(cudaLaunchCooperativeKernel);

/* Attributes that change the launch are applied. Hints are ignored. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *f, void **args)
{
    struct kernel_request q = {.args = args};

    if (!c)
        return cudaErrorInvalidValue;
    q.grid = c->gridDim;
    q.block = c->blockDim;
    q.shared = c->dynamicSmemBytes;
    for (unsigned i = 0; c->attrs && i < c->numAttrs; i++) {
        if (c->attrs[i].id == ATTRIBUTE_COOPERATIVE)
            q.cooperative = c->attrs[i].val.cooperative != 0;
        if (c->attrs[i].id == ATTRIBUTE_CLUSTER)
            q.cluster = c->attrs[i].val.cluster;
    }
    return launch(f, &q, c->stream);
}
ALSO_PTSZ(cudaLaunchKernelExC);

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t f, void *data)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && !f)
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        r = shim_submit(&(struct work){.kind = WORK_HOST, .host = f, .host_data = data}, stream);
    return shim_leave(r);
}
ALSO_PTSZ(cudaLaunchHostFunc);
