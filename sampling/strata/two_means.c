/* The exact cut of sorted values into two clusters: maximise L^2 / n_L + R^2 / n_R (sums and sizes of the parts),
 * which is a constant minus the sum that 2-means minimises. In one dimension an optimum is a cut between neighbours
 * (Fisher, JASA 53, 1958), so all are tried. Assumes: sums below 2^64. */
#include "sampling/strata/two_means.h"

#include <stdbool.h>

typedef unsigned __int128 u128;

/* A cut's merit is d^2 / w with d = |left sum * n - sum * left n| and w = left n * right n: the reduction of the
 * sum of squares by the cut, times n. d < 2^96, w < 2^64. */
struct merit {
    u128 d;
    uint64_t w;
};

/* d^2 * w in 256 bits, as four 64-bit digits. */
static void two_means_product(const struct merit *a, uint64_t w, uint64_t out[4])
{
    uint64_t d[2] = {(uint64_t)a->d, (uint64_t)(a->d >> 64)}, square[4] = {0};
    u128 carry = 0;

    for (int i = 0; i < 2; i++) {
        carry = 0;
        for (int j = 0; j < 2; j++) {
            carry += (u128)d[i] * d[j] + square[i + j];
            square[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
        square[i + 2] = (uint64_t)carry;
    }
    carry = 0;
    for (int i = 0; i < 4; i++) { /* d < 2^96 and w < 2^64, so nothing is carried out at the end */
        carry += (u128)square[i] * w;
        out[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static bool two_means_better(const struct merit *a, const struct merit *b)
{
    long double x = (long double)a->d * (long double)a->d * (long double)b->w;
    long double y = (long double)b->d * (long double)b->d * (long double)a->w;
    uint64_t exact_x[4], exact_y[4];

    if (x > y * (1 + 1e-15L))
        return true;
    if (x < y * (1 - 1e-15L))
        return false;
    two_means_product(a, b->w, exact_x);
    two_means_product(b, a->w, exact_y);
    for (int i = 3; i >= 0; i--)
        if (exact_x[i] != exact_y[i])
            return exact_x[i] > exact_y[i];
    return false;
}

size_t two_means(const struct groups *g, size_t begin, size_t end)
{
    uint64_t n = runs_rows(g, begin, end), sum = 0, left_n = 0, left_sum = 0;
    struct merit best = {0, 1};
    size_t cut = begin;

    for (size_t r = begin; r < end; r++)
        sum += g->runs[r].value * runs_rows(g, r, r + 1);
    for (size_t r = begin; r + 1 < end; r++) {
        u128 a, b;
        struct merit m;

        left_n += runs_rows(g, r, r + 1);
        left_sum += g->runs[r].value * runs_rows(g, r, r + 1);
        a = (u128)left_sum * n;
        b = (u128)sum * left_n;
        m = (struct merit){a > b ? a - b : b - a, left_n * (n - left_n)};
        if (cut == begin || two_means_better(&m, &best)) {
            best = m;
            cut = r + 1;
        }
    }
    return cut;
}
