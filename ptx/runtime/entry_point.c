/* ptx/runtime/entry_point.c: returns addresses of driver functions to programs that request them from the
 * runtime. */
#include <dlfcn.h>

#include "ptx/runtime/runtime.h"

enum { FOUND = 0, NOT_FOUND = 1 }; /* cudaDriverEntryPointQueryResult */

typedef int where_is(const char *name, void **function, int version, uint64_t flags, int *found);

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags, int *found)
{
    cudaError_t r = shim_enter();
    where_is *ask = NULL;
    void *driver;
    int got = NOT_FOUND;

    if (r == cudaSuccess && (!name || !function))
        r = cudaErrorInvalidValue;
    if (r != cudaSuccess)
        return shim_leave(r);
    *function = NULL;
    driver = dlopen("libcuda.so.1", RTLD_LAZY); /* never closed, so the addresses stay valid */
    if (driver)
        *(void **)&ask = dlsym(driver, "cuGetProcAddress_v2");
    if (!ask)
        return shim_leave(shim_not_supported("cudaGetDriverEntryPoint", "libcuda.so.1 is missing"));
    (void)ask(name, function, (int)version, flags, &got);
    if (found)
        *found = *function ? FOUND : NOT_FOUND;
    return shim_leave(cudaSuccess);
}
ALSO_PTSZ(cudaGetDriverEntryPointByVersion);

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, int *found)
{
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, found);
}
ALSO_PTSZ(cudaGetDriverEntryPoint);
