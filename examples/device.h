/* What the kernels of the examples take from CUDA. nvcc brings it along; clang without CUDA has it under other
 * names. */
#ifndef VIVACE_EXAMPLES_DEVICE_H
#define VIVACE_EXAMPLES_DEVICE_H

#define ALL_LANES 0xffffffffu

#ifdef __NVCC__
#define THREAD(axis)          ((int)threadIdx.axis)
#define THREADS(axis)         ((int)blockDim.axis)
#define BLOCK(axis)           ((int)blockIdx.axis)
#define BLOCKS(axis)          ((int)gridDim.axis)
#define EXP2(x)               exp2f(x)
#define RSQRT(x)              rsqrtf(x)
#define SHUFFLE_XOR(x, lanes) __shfl_xor_sync(ALL_LANES, x, lanes)
#define SHUFFLE_UP(x, lanes)  __shfl_up_sync(ALL_LANES, x, lanes)
#define SHUFFLE(x, lane)      __shfl_sync(ALL_LANES, x, lane)
#define BALLOT(condition)     __ballot_sync(ALL_LANES, condition)
#else
#define __global__                     __attribute__((global))
#define __device__                     __attribute__((device))
#define __shared__                     __attribute__((shared))
#define __constant__                   __attribute__((constant))
#define __launch_bounds__(threads)     __attribute__((launch_bounds(threads)))
#define THREAD(axis)                   __nvvm_read_ptx_sreg_tid_##axis()
#define THREADS(axis)                  __nvvm_read_ptx_sreg_ntid_##axis()
#define BLOCK(axis)                    __nvvm_read_ptx_sreg_ctaid_##axis()
#define BLOCKS(axis)                   __nvvm_read_ptx_sreg_nctaid_##axis()
#define EXP2(x)                        __nvvm_ex2_approx_f(x)
#define RSQRT(x)                       __nvvm_rsqrt_approx_f(x)
#define SHUFFLE_XOR(x, lanes)          shuffle_xor(x, lanes)
#define SHUFFLE_UP(x, lanes)           __nvvm_shfl_sync_up_i32(ALL_LANES, x, lanes, 0)
#define SHUFFLE(x, lane)               __nvvm_shfl_sync_idx_i32(ALL_LANES, x, lane, 31)
#define BALLOT(condition)              ((unsigned)__nvvm_vote_ballot_sync(ALL_LANES, condition))
#define atomicAdd(at, by)              __nvvm_atom_add_gen_i(at, by)
#define atomicCAS(at, expected, value) __nvvm_atom_cas_gen_i(at, expected, value)
typedef float float4 __attribute__((ext_vector_type(4)));
static inline __device__ float shuffle_xor(float x, int lanes)
{
    return __nvvm_shfl_sync_bfly_f32(ALL_LANES, x, lanes, 31);
}
static inline __device__ int shuffle_xor(int x, int lanes)
{
    return __nvvm_shfl_sync_bfly_i32(ALL_LANES, x, lanes, 31);
}
#endif

/* Every lane gets the sum, or the largest value, of the warp. */
static inline __device__ float warp_sum(float x)
{
    for (int lanes = 16; lanes > 0; lanes /= 2)
        x += SHUFFLE_XOR(x, lanes);
    return x;
}
static inline __device__ float warp_max(float x)
{
    for (int lanes = 16; lanes > 0; lanes /= 2)
        x = __builtin_fmaxf(x, SHUFFLE_XOR(x, lanes));
    return x;
}

#endif
