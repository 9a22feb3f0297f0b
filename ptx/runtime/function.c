/* ptx/runtime/function.c: queries and attributes of kernels. */
#include <limits.h>
#include <string.h>

#include "ptx/lower/lower.h"
#include "ptx/runtime/runtime.h"
#include "ptx/warp/options.h"

uint32_t shim_registers(struct shim_kernel *k, const struct ptx_code *code)
{
    struct ptx_machine_table table = {.arch = shim.gpu->compute_capability};
    struct ptx_lowered *lowered = NULL;
    struct err e;

    if (k->registers)
        return k->registers;
    k->registers = ptx_lower(&table, code, &lowered, &e) == 0 ? lowered->registers : 255;
    ptx_lowered_free(lowered);
    ptx_machine_table_release(&table);
    return k->registers;
}

cudaError_t shim_occupancy(const struct shim_kernel *k, const struct ptx_code *code, uint32_t threads,
                           size_t shared, int *blocks)
{
    struct kernel_info info = {.name = k->name,
                               .grid = {1, 1, 1},
                               .block = {threads, 1, 1},
                               .registers = shim_registers((struct shim_kernel *)k, code),
                               .shared_bytes = (uint32_t)(code->shared_bytes + shared)};

    if (threads == 0 || threads > 1024 || shared > UINT32_MAX / 2)
        return cudaErrorInvalidValue;
    *blocks = (int)(shim.gpu->ops->wave_ctas(shim.gpu, &info) / shim.gpu->sms);
    return cudaSuccess;
}

/* Takes the lock. Returns the kernel and its code. */
static struct shim_kernel *enter(const void *f, const struct ptx_code **code, cudaError_t *r)
{
    struct shim_kernel *k;

    *r = shim_enter();
    k = *r == cudaSuccess ? shim_kernel_find(f, r) : NULL;
    *code = k ? shim_kernel_code(k, r) : NULL;
    return *code ? k : NULL;
}

/* Registers are given to a warp in units of 256, and a launch is checked with its warps rounded up to a multiple of
 * four. Source: cuda_occupancy.h of CUDA 13.0. */
static uint32_t threads_max(const struct ptx_code *code, uint32_t registers)
{
    const uint32_t *most = code->function->maxntid;
    uint32_t each = (registers + 7) / 8 * 256, warps = shim.gpu->registers / each / 4 * 4;
    uint32_t threads = warps < 32 ? warps * 32 : 1024;

    if (most[0])
        threads = most[0] * (most[1] ? most[1] : 1) * (most[2] ? most[2] : 1);
    return threads > 1024 ? 1024 : threads;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *f)
{
    const struct ptx_code *code;
    cudaError_t r;
    struct shim_kernel *k = enter(f, &code, &r);

    if (k && !a)
        r = cudaErrorInvalidValue;
    if (k && a) {
        uint32_t registers = shim_registers(k, code);

        *a = (struct cudaFuncAttributes){
            .sharedSizeBytes = code->shared_bytes,
            .localSizeBytes = code->local_bytes,
            .maxThreadsPerBlock = (int)threads_max(code, registers),
            .numRegs = (int)registers,
            .ptxVersion = (int)k->module->arch,
            .binaryVersion = (int)shim.gpu->compute_capability,
            .maxDynamicSharedSizeBytes =
                (int)(k->dynamic_shared_max ? k->dynamic_shared_max : (48u << 10) - code->shared_bytes),
            .preferredShmemCarveout = k->carveout};
    }
    return shim_leave(r);
}

cudaError_t cudaFuncSetAttribute(const void *f, enum cudaFuncAttribute a, int value)
{
    const struct ptx_code *code;
    cudaError_t r;
    struct shim_kernel *k = enter(f, &code, &r);

    if (!k)
        return shim_leave(r);
    if (a == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (uint64_t)value + code->shared_bytes > shim.gpu->shared_cta_bytes)
            r = cudaErrorInvalidValue;
        else
            k->dynamic_shared_max = (uint32_t)value;
    } else if (a == cudaFuncAttributePreferredSharedMemoryCarveout) {
        k->carveout = value; /* stored only: the timing model chooses its own carveout */
    }
    return shim_leave(r);
}

static cudaError_t hint(const void *f)
{
    const struct ptx_code *code;
    cudaError_t r;

    (void)enter(f, &code, &r);
    return shim_leave(r);
}

cudaError_t cudaFuncSetCacheConfig(const void *f, int config)
{
    (void)config;
    return hint(f);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *f, int config)
{
    (void)config;
    return hint(f);
}

cudaError_t cudaFuncGetName(const char **name, const void *f)
{
    const struct ptx_code *code;
    cudaError_t r;
    struct shim_kernel *k = enter(f, &code, &r);

    if (k && !name)
        r = cudaErrorInvalidValue;
    if (k && name)
        *name = k->name;
    return shim_leave(r);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *f, int threads,
                                                                   size_t shared, unsigned flags)
{
    const struct ptx_code *code;
    cudaError_t r;
    struct shim_kernel *k = enter(f, &code, &r);

    (void)flags;
    if (k && (!blocks || threads <= 0))
        r = cudaErrorInvalidValue;
    else if (k)
        r = shim_occupancy(k, code, (uint32_t)threads, shared, blocks);
    return shim_leave(r);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads, shared, 0);
}

/* The dynamic shared memory that each of `blocks` CTAs on one SM can use. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *f, int blocks, int threads)
{
    const struct ptx_code *code;
    cudaError_t r;
    struct shim_kernel *k = enter(f, &code, &r);
    int64_t each;

    if (k && (!bytes || blocks <= 0 || threads <= 0))
        r = cudaErrorInvalidValue;
    if (k && r == cudaSuccess) {
        each = (int64_t)(shim.gpu->shared_bytes / (uint32_t)blocks) - shim.gpu->shared_system_bytes -
               code->shared_bytes;
        if (each > (int64_t)shim.gpu->shared_cta_bytes - code->shared_bytes)
            each = (int64_t)shim.gpu->shared_cta_bytes - code->shared_bytes;
        *bytes = each > 0 ? (size_t)each : 0;
    }
    return shim_leave(r);
}

/* --- clusters --- */

static unsigned ctas_of(const cudaLaunchConfig_t *c, const struct ptx_function *f)
{
    unsigned ctas = 1;

    for (int k = 0; f->cluster[0] && k < 3; k++)
        ctas *= f->cluster[k] ? f->cluster[k] : 1;
    for (unsigned i = 0; c->attrs && i < c->numAttrs; i++)
        if (c->attrs[i].id == ATTRIBUTE_CLUSTER)
            ctas = c->attrs[i].val.cluster.x * c->attrs[i].val.cluster.y * c->attrs[i].val.cluster.z;
    return ctas;
}

/* *ctas: of the kernel that the device holds at one time. The groups of SMs within which a cluster must lie are not
 * part of a design, so the number of clusters is an upper bound. */
static cudaError_t ctas_at_once(const void *f, const cudaLaunchConfig_t *c, const struct ptx_code **code, int *ctas)
{
    cudaError_t r;
    struct shim_kernel *k = enter(f, code, &r);
    uint64_t threads = c ? (uint64_t)c->blockDim.x * c->blockDim.y * c->blockDim.z : 0;

    if (k && (!threads || threads > 1024))
        r = cudaErrorInvalidValue;
    else if (k && shim.gpu->compute_capability < 90)
        r = cudaErrorNotSupported;
    else if (k)
        r = shim_occupancy(k, *code, (uint32_t)threads, c->dynamicSmemBytes, ctas);
    if (r == cudaSuccess)
        *ctas *= (int)shim.gpu->sms;
    return r;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *f, const cudaLaunchConfig_t *c)
{
    const struct ptx_code *code;
    int ctas = 0;
    cudaError_t r = ctas_at_once(f, c, &code, &ctas);
    unsigned each = r == cudaSuccess ? ctas_of(c, code->function) : 0;

    if (r == cudaSuccess && (!clusters || !each || each > PTX_CLUSTER_MAX))
        r = clusters ? cudaErrorInvalidClusterSize : cudaErrorInvalidValue;
    if (r == cudaSuccess)
        *clusters = ctas / (int)each;
    return shim_leave(r);
}

/* Clusters of 8 CTAs are possible on every GPU that has clusters (CUDA C++ Programming Guide, Thread Block
 * Clusters). */
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *f, const cudaLaunchConfig_t *c)
{
    const struct ptx_code *code;
    int ctas = 0;
    cudaError_t r = ctas_at_once(f, c, &code, &ctas);

    if (r == cudaSuccess && !size)
        r = cudaErrorInvalidValue;
    for (int n = 8; r == cudaSuccess && n; n /= 2)
        if (n <= ctas || n == 1) {
            *size = n;
            break;
        }
    return shim_leave(r);
}
