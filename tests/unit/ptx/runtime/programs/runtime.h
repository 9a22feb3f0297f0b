/* The parts of CUDA's headers that these programs need, for clang without CUDA. */
#ifndef VIVACE_TESTS_UNIT_SHIM_PROGRAMS_RUNTIME_H
#define VIVACE_TESTS_UNIT_SHIM_PROGRAMS_RUNTIME_H

#include <stddef.h>

#define __constant__ __attribute__((constant))
#define __device__   __attribute__((device))
#define __global__   __attribute__((global))
#define __host__     __attribute__((host))
#define __shared__   __attribute__((shared))

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
    {
    }
};
typedef int cudaError_t;
typedef struct stream *cudaStream_t;
typedef struct event *cudaEvent_t;
enum { cudaSuccess = 0, cudaErrorIllegalAddress = 700 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);
cudaError_t cudaMalloc(void **p, size_t n);
cudaError_t cudaFree(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *p, int value, size_t n);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t r);
cudaError_t cudaEventCreate(cudaEvent_t *e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b);
}

#define threadIdx_x __nvvm_read_ptx_sreg_tid_x()
#define blockIdx_x  __nvvm_read_ptx_sreg_ctaid_x()
#define blockDim_x  __nvvm_read_ptx_sreg_ntid_x()

#endif
