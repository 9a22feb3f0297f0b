/* ptx/driver/module.c: modules, their contents, and attributes of a function. */
#include "ptx/driver/driver.h"

/* --- modules --- */

/* Options for a just-in-time compiler are ignored, because there is no such compiler. */
CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, int *options, void **values)
{
    (void)count, (void)options, (void)values;
    return driver_result(cudaLibraryLoadData(m, image, NULL, NULL, 0, NULL, NULL, 0));
}

CUresult cuModuleLoadData(CUmodule *m, const void *image)
{
    return cuModuleLoadDataEx(m, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *m, const void *image)
{
    return cuModuleLoadDataEx(m, image, 0, NULL, NULL);
}

CUresult cuModuleLoad(CUmodule *m, const char *path)
{
    return driver_result(cudaLibraryLoadFromFile(m, path, NULL, NULL, 0, NULL, NULL, 0));
}

CUresult cuModuleUnload(CUmodule m)
{
    return driver_result(cudaLibraryUnload(m));
}

CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name)
{
    cudaKernel_t kernel = NULL;
    cudaError_t r = f ? cudaLibraryGetKernel(&kernel, m, name) : cudaErrorInvalidValue;

    if (r == cudaSuccess)
        *f = kernel;
    return driver_result(r);
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule m)
{
    return driver_result(cudaLibraryGetKernelCount(count, m));
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule m, const char *name)
{
    void *at = NULL;
    cudaError_t r = cudaLibraryGetGlobal(&at, bytes, m, name);

    if (r == cudaSuccess && address)
        *address = (CUdeviceptr)(uintptr_t)at;
    return driver_result(r);
}

CUresult cuModuleGetLoadingMode(int *mode)
{
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = 1; /* eager: a module is loaded completely at once */
    return CUDA_SUCCESS;
}

/* --- libraries: another name for modules --- */

CUresult cuLibraryLoadData(CUmodule *l, const void *image, void *jit_options, void **jit_values, unsigned jit_count,
                           void *options, void **values, unsigned count)
{
    return driver_result(cudaLibraryLoadData(l, image, jit_options, jit_values, jit_count, options, values, count));
}

CUresult cuLibraryLoadFromFile(CUmodule *l, const char *path, void *jit_options, void **jit_values,
                               unsigned jit_count, void *options, void **values, unsigned count)
{
    return driver_result(
        cudaLibraryLoadFromFile(l, path, jit_options, jit_values, jit_count, options, values, count));
}

CUresult cuLibraryUnload(CUmodule l)
{
    return cuModuleUnload(l);
}

CUresult cuLibraryGetKernel(CUfunction *kernel, CUmodule l, const char *name)
{
    return cuModuleGetFunction(kernel, l, name);
}

CUresult cuLibraryGetModule(CUmodule *m, CUmodule l)
{
    if (!m || !l)
        return CUDA_ERROR_INVALID_VALUE;
    *m = l;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule l, const char *name)
{
    return cuModuleGetGlobal_v2(address, bytes, l, name);
}

CUresult cuKernelGetFunction(CUfunction *f, CUfunction kernel)
{
    if (!f || !kernel)
        return CUDA_ERROR_INVALID_VALUE;
    *f = kernel;
    return CUDA_SUCCESS;
}

/* --- functions --- */

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction f)
{
    struct cudaFuncAttributes a;
    cudaError_t r = value ? cudaFuncGetAttributes(&a, f) : cudaErrorInvalidValue;

    if (r != cudaSuccess)
        return driver_result(r);
    switch (attribute) {
    case 0: *value = a.maxThreadsPerBlock; break;
    case 1: *value = (int)a.sharedSizeBytes; break;
    case 2: *value = (int)a.constSizeBytes; break;
    case 3: *value = (int)a.localSizeBytes; break;
    case 4: *value = a.numRegs; break;
    case 5: *value = a.ptxVersion; break;
    case 6: *value = a.binaryVersion; break;
    case 7: *value = a.cacheModeCA; break;
    case 8: *value = a.maxDynamicSharedSizeBytes; break;
    case 9: *value = a.preferredShmemCarveout; break;
    case 10: *value = a.clusterDimMustBeSet; break;
    case 11: *value = a.requiredClusterWidth; break;
    case 12: *value = a.requiredClusterHeight; break;
    case 13: *value = a.requiredClusterDepth; break;
    case 14: *value = a.nonPortableClusterSizeAllowed; break;
    case 15: *value = a.clusterSchedulingPolicyPreference; break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction f, int attribute, int value)
{
    return driver_result(cudaFuncSetAttribute(f, (enum cudaFuncAttribute)attribute, value));
}

CUresult cuKernelGetAttribute(int *value, int attribute, CUfunction kernel, CUdevice device)
{
    return device == 0 ? cuFuncGetAttribute(value, attribute, kernel) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuKernelSetAttribute(int attribute, int value, CUfunction kernel, CUdevice device)
{
    return device == 0 ? cuFuncSetAttribute(kernel, attribute, value) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuFuncSetCacheConfig(CUfunction f, int config)
{
    return driver_result(cudaFuncSetCacheConfig(f, config));
}

CUresult cuFuncSetSharedMemConfig(CUfunction f, int config)
{
    return driver_result(cudaFuncSetSharedMemConfig(f, config));
}

CUresult cuFuncGetName(const char **name, CUfunction f)
{
    return driver_result(cudaFuncGetName(name, f));
}

CUresult cuKernelGetName(const char **name, CUfunction kernel)
{
    return cuFuncGetName(name, kernel);
}

CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *bytes)
{
    return driver_result(cudaFuncGetParamInfo(f, index, offset, bytes));
}

CUresult cuFuncLoad(CUfunction f)
{
    return f ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncIsLoaded(int *state, CUfunction f)
{
    if (!state || !f)
        return CUDA_ERROR_INVALID_VALUE;
    *state = 1;
    return CUDA_SUCCESS;
}

/* --- occupancy --- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int threads, size_t shared,
                                                              unsigned flags)
{
    return driver_result(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads, shared, flags));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int threads, size_t shared)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads, shared, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction f, int blocks, int threads)
{
    return driver_result(cudaOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, threads));
}

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction f, const struct driver_launch *l)
{
    cudaLaunchConfig_t c = l ? driver_config(l) : (cudaLaunchConfig_t){.numAttrs = 0};

    return driver_result(cudaOccupancyMaxActiveClusters(clusters, f, l ? &c : NULL));
}

CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction f, const struct driver_launch *l)
{
    cudaLaunchConfig_t c = l ? driver_config(l) : (cudaLaunchConfig_t){.numAttrs = 0};

    return driver_result(cudaOccupancyMaxPotentialClusterSize(size, f, l ? &c : NULL));
}
