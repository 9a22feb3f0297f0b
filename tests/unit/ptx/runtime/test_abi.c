/* ptx/runtime/abi.h compared with nvcc 13.0 (offsets measured with offsetof on its headers). */
#include "ptx/runtime/abi.h"
#include "tests/harness/check.h"

#define AT(type, member, want) assert_int_equal(offsetof(struct type, member), want)

static void sizes(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct cudaDeviceProp), 1008);
    assert_int_equal(sizeof(struct cudaFuncAttributes), 144);
    assert_int_equal(sizeof(struct cudaPointerAttributes), 88);
    assert_int_equal(sizeof(struct cudaMemcpy3DParms), 160);
    assert_int_equal(sizeof(cudaLaunchConfig_t), 56);
    assert_int_equal(sizeof(cudaLaunchAttribute), 72);
    assert_int_equal(sizeof(struct cudaKernelNodeParams), 56);
    assert_int_equal(sizeof(struct cudaMemsetParams), 40);
    assert_int_equal(sizeof(struct cudaChannelFormatDesc), 20);
    assert_int_equal(sizeof(struct cudaGraphNodeParams), 256);
    assert_int_equal(sizeof(struct cudaMemAllocNodeParams), 120);
    AT(cudaGraphNodeParams, of.copy.params, 32);
    AT(cudaGraphNodeParams, of.alloc.dptr, 128);
    assert_int_equal(sizeof(dim3), 12);
    assert_int_equal(sizeof(cudaError_t), 4);
}

static void members(void **state)
{
    (void)state;
    AT(cudaDeviceProp, totalGlobalMem, 288);
    AT(cudaDeviceProp, maxThreadsPerBlock, 320);
    AT(cudaDeviceProp, totalConstMem, 352);
    AT(cudaDeviceProp, multiProcessorCount, 384);
    AT(cudaDeviceProp, maxTexture3D, 440);
    AT(cudaDeviceProp, maxSurface1D, 496);
    AT(cudaDeviceProp, concurrentKernels, 560);
    AT(cudaDeviceProp, l2CacheSize, 596);
    AT(cudaDeviceProp, sharedMemPerMultiprocessor, 624);
    AT(cudaDeviceProp, cooperativeLaunch, 668);
    AT(cudaDeviceProp, sharedMemPerBlockOptin, 672);
    AT(cudaDeviceProp, reservedSharedMemPerBlock, 696);
    AT(cudaDeviceProp, clusterLaunch, 748);
    AT(cudaDeviceProp, reserved, 784);
    AT(cudaFuncAttributes, numRegs, 28);
    AT(cudaFuncAttributes, maxDynamicSharedSizeBytes, 44);
    AT(cudaMemcpy3DParms, dstArray, 64);
    AT(cudaMemcpy3DParms, extent, 128);
    AT(cudaMemcpy3DParms, kind, 152);
    AT(cudaKernelNodeParams, sharedMemBytes, 32);
    AT(cudaMemsetParams, width, 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(members)};

    return cmocka_run_group_tests_name("abi", tests, NULL, NULL);
}
