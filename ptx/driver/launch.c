/* ptx/driver/launch.c: launches, with arguments as separate addresses or as one block of bytes. */
#include "ptx/driver/driver.h"

enum { PARAMS_MAX = 1024 };
/* Names of the entries of `extra`, which contains pairs of a name and a value up to END. */
enum { EXTRA_END, EXTRA_BUFFER, EXTRA_BYTES };

/* Sets the address of each parameter in the block. -1: the block is missing or too short. */
static int unpack(CUfunction f, void **extra, void *args[PARAMS_MAX])
{
    uint8_t *buffer = NULL;
    size_t *room = NULL, offset, bytes, i = 0;

    for (; (uintptr_t)extra[0] != EXTRA_END; extra += 2) {
        if ((uintptr_t)extra[0] == EXTRA_BUFFER)
            buffer = extra[1];
        else if ((uintptr_t)extra[0] == EXTRA_BYTES)
            room = extra[1];
        else
            return -1;
    }
    if (!buffer || !room)
        return -1;
    while (i < PARAMS_MAX && cudaFuncGetParamInfo(f, i, &offset, &bytes) == cudaSuccess) {
        if (offset > *room || bytes > *room - offset)
            return -1;
        args[i++] = buffer + offset;
    }
    (void)cudaGetLastError(); /* clears the error of the query after the last parameter */
    return 0;
}

cudaLaunchConfig_t driver_config(const struct driver_launch *l)
{
    return (cudaLaunchConfig_t){.gridDim = {l->grid[0], l->grid[1], l->grid[2]},
                                .blockDim = {l->block[0], l->block[1], l->block[2]},
                                .dynamicSmemBytes = l->shared_bytes,
                                .stream = l->stream,
                                .attrs = l->attributes,
                                .numAttrs = l->attribute_count};
}

CUresult cuLaunchKernelEx(const struct driver_launch *l, CUfunction f, void **args, void **extra)
{
    void *unpacked[PARAMS_MAX];
    cudaLaunchConfig_t c;

    if (!l || !f)
        return l ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    if (args && extra)
        return CUDA_ERROR_INVALID_VALUE;
    if (extra) {
        if (unpack(f, extra, unpacked) != 0)
            return CUDA_ERROR_INVALID_VALUE;
        args = unpacked;
    }
    c = driver_config(l);
    return driver_result(cudaLaunchKernelExC(&c, f, args));
}

CUresult cuLaunchKernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **args,
                        void **extra)
{
    const struct driver_launch l = {.grid = {grid_x, grid_y, grid_z},
                                    .block = {block_x, block_y, block_z},
                                    .shared_bytes = shared_bytes,
                                    .stream = stream};

    return cuLaunchKernelEx(&l, f, args, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                   CUstream stream, void **args)
{
    return driver_result(cudaLaunchCooperativeKernel(
        f, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z}, args, shared_bytes, stream));
}

CUresult cuLaunchHostFunc(CUstream stream, cudaHostFn_t f, void *data)
{
    return driver_result(cudaLaunchHostFunc(stream, f, data));
}

/* The same functions for per-thread default streams. */
ALSO(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel);
ALSO(cuLaunchHostFunc_ptsz, cuLaunchHostFunc);
ALSO(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);
ALSO(cuLaunchKernel_ptsz, cuLaunchKernel);
