/* A program like CUDA's samples: several launches of two kernels, a constant, events, checks, PASSED. nvcc
 * compiles it with CUDA's headers, clang with runtime.h. With an argument it writes out of bounds. */
#include <stdio.h>
#include <stdlib.h>

#ifdef __NVCC__
#define threadIdx_x threadIdx.x
#define blockIdx_x  blockIdx.x
#define blockDim_x  blockDim.x
#else
#include "tests/unit/ptx/runtime/programs/runtime.h"
#endif

#define CHECK(call)                                                                                                \
    do {                                                                                                           \
        cudaError_t r_ = (call);                                                                                   \
        if (r_ != cudaSuccess) {                                                                                   \
            printf("%s: %s\n", #call, cudaGetErrorString(r_));                                                     \
            exit(1);                                                                                               \
        }                                                                                                          \
    } while (0)

__constant__ float factors[4];

__global__ void scale_and_add(float *y, const float *x, float a, int n)
{
    int i = blockIdx_x * blockDim_x + threadIdx_x;

    if (i < n)
        y[i] += a * x[i] * factors[i % 4];
}

__global__ void block_sums(float *sums, const float *y, int n)
{
    __shared__ float part[128];
    int i = blockIdx_x * blockDim_x + threadIdx_x;

    part[threadIdx_x] = i < n ? y[i] : 0;
    __syncthreads();
    for (int half = blockDim_x / 2; half > 0; half /= 2) {
        if (threadIdx_x < half)
            part[threadIdx_x] += part[threadIdx_x + half];
        __syncthreads();
    }
    if (threadIdx_x == 0)
        sums[blockIdx_x] = part[0];
}

enum { N = 1000, BLOCK = 128, BLOCKS = (N + BLOCK - 1) / BLOCK, STEPS = 5 };

static int wrong(const float *sums)
{
    double got = 0, want = 0;

    for (int i = 0; i < BLOCKS; i++)
        got += sums[i];
    for (int i = 0; i < N; i++)
        for (int k = 1; k <= STEPS; k++)
            want += k * (i % 10) * (1 + i % 4);
    printf("sum %.0f, want %.0f\n", got, want); /* whole numbers below 2^24: exact */
    return got != want;
}

int main(int argc, char **argv)
{
    float x[N], part[BLOCKS], f[4] = {1, 2, 3, 4}, ms, *dx, *dy, *ds;
    cudaEvent_t begin, end;

    for (int i = 0; i < N; i++)
        x[i] = i % 10;
    CHECK(cudaMalloc((void **)&dx, sizeof x));
    CHECK(cudaMalloc((void **)&dy, sizeof x));
    CHECK(cudaMalloc((void **)&ds, sizeof part));
    CHECK(cudaMemcpyToSymbol(factors, f, sizeof f, 0, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dy, 0, sizeof x));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin, 0));
    for (int k = 1; k <= STEPS; k++)
        scale_and_add<<<BLOCKS, BLOCK>>>(argc > 1 ? dy + (1 << 20) : dy, dx, k, N);
    block_sums<<<BLOCKS, BLOCK>>>(ds, dy, N);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end, 0));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    CHECK(cudaMemcpy(part, ds, sizeof part, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    (void)argv;
    puts(wrong(part) || !(ms > 0) ? "FAILED" : "PASSED"); /* ds is not freed, so that --check reports it */
    return 0;
}
