/* Common functions of the programs in this folder: device buffers, comparison with a simple reference, a report. */
#ifndef VIVACE_TESTS_UNIT_SHIM_PROGRAMS_CHECK_H
#define VIVACE_TESTS_UNIT_SHIM_PROGRAMS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/device.h"
#ifndef __NVCC__
#include "tests/unit/ptx/runtime/programs/runtime.h"

/* clang 14 assumes that its own __syncthreads() does not change static shared variables, and moves loads across
 * it. */
#define __syncthreads() asm volatile("bar.sync 0;" ::: "memory")
#endif

#define CHECK(call)                                                                                                \
    do {                                                                                                           \
        cudaError_t r_ = (call);                                                                                   \
        if (r_ != cudaSuccess) {                                                                                   \
            printf("%s: %s\n", #call, cudaGetErrorString(r_));                                                     \
            exit(1);                                                                                               \
        }                                                                                                          \
    } while (0)

static int failures;

/* Allocates device memory with a copy of `n` values; NULL: zeros. */
template <typename T> static T *on_device(const T *from, size_t n)
{
    T *p;

    CHECK(cudaMalloc((void **)&p, n * sizeof(T)));
    CHECK(cudaMemset(p, 0, n * sizeof(T)));
    if (from)
        CHECK(cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

/* Copies `n` values from the device and frees them there. The caller frees the copy. */
template <typename T> static T *from_device(T *p, size_t n)
{
    T *to = (T *)malloc(n * sizeof(T));

    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(to, p, n * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    return to;
}

/* Compares `n` values. The tolerance is relative, and absolute for values below 1. */
template <typename T> static void same(const char *what, const T *got, const T *want, size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++) {
        double size = fabs((double)want[i]) > 1 ? fabs((double)want[i]) : 1;

        if (fabs((double)got[i] - (double)want[i]) <= tolerance * size)
            continue;
        printf("%s: value %zu is %.9g, not %.9g\n", what, i, (double)got[i], (double)want[i]);
        failures++;
        return;
    }
}

/* Compares device values with the reference. Frees both. */
template <typename T> static void expect(const char *what, T *device, T *want, size_t n, double tolerance)
{
    T *got = from_device(device, n);

    same(what, got, want, n, tolerance);
    free(got);
    free(want);
}

/* Deterministic pseudo-random numbers: the upper bits of a linear congruential generator (Knuth's MMIX). */
static unsigned long long noise_state = 1;
static unsigned noise(unsigned below)
{
    noise_state = noise_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(noise_state >> 33) % below;
}
template <typename T> static T *noise_values(size_t n, unsigned below, int from, double scale)
{
    T *v = (T *)malloc(n * sizeof(T));

    for (size_t i = 0; i < n; i++)
        v[i] = (T)(((int)noise(below) + from) * scale);
    return v;
}

static int report(void)
{
    puts(failures ? "FAILED" : "PASSED");
    return failures != 0;
}

#endif
