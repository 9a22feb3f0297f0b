/* ptx/runtime/library.c: modules that a program loads while it runs. They stay loaded until it ends, so pointers
 * into them stay valid. */
#include <stdlib.h>

#include "base/whole_file.h"
#include "ptx/runtime/runtime.h"

enum { FILE_MAX = 1 << 30 };

cudaError_t cudaLibraryLoadData(cudaLibrary_t *l, const void *code, void *jit_options, void **jit_values,
                                unsigned jit_count, void *options, void **values, unsigned count)
{
    cudaError_t r = shim_enter();

    (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    if (r == cudaSuccess)
        r = l && code ? shim_module_add(code, l) : cudaErrorInvalidValue;
    return shim_leave(r);
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *l, const char *path, void *jit_options, void **jit_values,
                                    unsigned jit_count, void *options, void **values, unsigned count)
{
    cudaError_t r = shim_enter();
    char *bytes = NULL;
    struct err e;
    size_t n;

    (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    if (r == cudaSuccess && (!l || !path))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess && whole_file_read(path, FILE_MAX, &bytes, &n, &e) != 0)
        r = e.code == ERR_NO_MEMORY ? cudaErrorMemoryAllocation : cudaErrorFileNotFound;
    if (r == cudaSuccess && n < sizeof(uint32_t))
        r = cudaErrorInvalidKernelImage;
    if (r == cudaSuccess)
        r = shim_module_add(bytes, l);
    free(bytes);
    return shim_leave(r);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t l)
{
    cudaError_t r = shim_enter();

    return shim_leave(r == cudaSuccess && !l ? cudaErrorInvalidResourceHandle : r);
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t l, const char *name)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && (!kernel || !l || !name))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess)
        *kernel = shim_module_kernel(l, name, &r);
    return shim_leave(r);
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t l)
{
    cudaError_t r = shim_enter();

    if (r == cudaSuccess && (!count || !l))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess) {
        const struct ptx_module *m = ptx_program_module(shim.program, l->number);

        *count = 0;
        for (uint32_t k = 0; k < m->function_count; k++)
            *count += m->functions[k].entry;
    }
    return shim_leave(r);
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t l, const char *name)
{
    cudaError_t r = shim_enter();
    uint64_t at, size;
    struct err e;

    if (r == cudaSuccess && (!l || !name))
        r = cudaErrorInvalidValue;
    if (r == cudaSuccess && ptx_program_symbol(shim.program, l->number, name, &at, &size, &e) != 0)
        r = cudaErrorSymbolNotFound;
    if (r == cudaSuccess && address)
        *address = (void *)(uintptr_t)at;
    if (r == cudaSuccess && bytes)
        *bytes = size;
    return shim_leave(r);
}

/* The offset and size of a parameter in the parameter block. */
cudaError_t cudaFuncGetParamInfo(const void *f, size_t index, size_t *offset, size_t *bytes)
{
    cudaError_t r = shim_enter();
    struct shim_kernel *k = r == cudaSuccess ? shim_kernel_find(f, &r) : NULL;
    const struct ptx_code *code = k ? shim_kernel_code(k, &r) : NULL;

    if (code && (index >= code->function->param_count || !offset))
        r = cudaErrorInvalidValue;
    if (code && r == cudaSuccess) {
        *offset = code->function->params[index].offset;
        if (bytes)
            *bytes = code->function->params[index].bytes;
    }
    return shim_leave(r);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute a, int value, int device)
{
    return device == 0 ? cudaFuncSetAttribute(kernel, a, value) : cudaErrorInvalidDevice;
}
