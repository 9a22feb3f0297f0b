/* Matrix instructions: mma, wmma, ldmatrix and similar ones.
 *
 * Floats: products are exact in double. They are added to C in double, in order of k. The sum is rounded once,
 * to nearest. A GPU adds in a fixed-point frame of limited width and truncates, in ways that differ between
 * generations, so results agree only within a tolerance. f64: a chain of fused multiply-adds. Integers are
 * exact. */
#include "ptx/ops/exec_matrix.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "ptx/warp/warp.h"

enum { COLUMNS = 8, K_MAX = 128 };

/* sum += one row of A times eight columns of B. */
static void add_row(double sum[COLUMNS], const double *a, double b[][COLUMNS], uint32_t k)
{
    double s[COLUMNS];

    memcpy(s, sum, sizeof s);
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t e = 0; e < COLUMNS; e++)
            s[e] += a[i] * b[i][e];
    memcpy(sum, s, sizeof s);
}

/* c (m x n) += a (m x k) b. The columns of b are contiguous. */
static void multiply(const struct ptx_matrix *x, const double *a, const double *b, double *c)
{
    double turned[K_MAX][COLUMNS]; /* eight columns, transposed */

    for (uint32_t j = 0; j < x->n; j += COLUMNS) {
        for (uint32_t k = 0; k < x->k; k++)
            for (uint32_t e = 0; e < COLUMNS; e++)
                turned[k][e] = b[(j + e) * x->k + k];
        for (uint32_t i = 0; i < x->m; i++)
            add_row(&c[(size_t)i * x->n + j], &a[(size_t)i * x->k], turned, x->k);
    }
}

/* A separate function, so that the compiler does not move its code across a change of the rounding mode. */
static __attribute__((noinline)) void chain_f64(const struct ptx_matrix *x, const double *a, const double *b,
                                                double *c)
{
    for (uint32_t at = 0; at < (uint32_t)x->m * x->n; at++)
        for (uint32_t k = 0; k < x->k; k++)
            c[at] = fma(a[at / x->n * x->k + k], b[at % x->n * x->k + k], c[at]);
}

static void multiply_f64(const struct ptx_matrix *x, const double *a, const double *b, double *c)
{
    static const int modes[] = {[PTX_MATRIX_NEAREST] = FE_TONEAREST,
                                [PTX_MATRIX_TO_ZERO] = FE_TOWARDZERO,
                                [PTX_MATRIX_DOWN] = FE_DOWNWARD,
                                [PTX_MATRIX_UP] = FE_UPWARD};
    int before = fegetround();

    fesetround(modes[x->rounding]);
    chain_f64(x, a, b, c);
    fesetround(before);
}

/* Counts the bits that are set in both values (and), or in exactly one of them (xor). */
static void multiply_bits(const struct ptx_warp *w, const struct ptx_matrix *x, double *c)
{
    uint8_t a[16 * 32], b[8 * 32];
    uint32_t bytes = x->k / 8u;

    matrix_gather_bytes(w, x, PTX_MATRIX_A, a);
    matrix_gather_bytes(w, x, PTX_MATRIX_B, b);
    for (uint32_t at = 0; at < (uint32_t)x->m * x->n; at++)
        for (uint32_t k = 0; k < bytes; k++) {
            uint32_t p = a[at / x->n * bytes + k], q = b[at % x->n * bytes + k];

            c[at] += __builtin_popcount(x->and_bits ? p & q : p ^ q);
        }
}

static void product(const struct ptx_warp *w, const struct ptx_matrix *x, uint32_t mask)
{
    double a[MATRIX_VALUES], b[MATRIX_VALUES], c[32 * 8], stored[MATRIX_VALUES];
    uint8_t type = x->type[PTX_MATRIX_A];

    if (x->quads) {
        matrix_quads(w, x, mask);
        return;
    }
    matrix_gather_sums(w, x, c);
    if (type == PTX_B1) {
        multiply_bits(w, x, c);
    } else {
        matrix_gather(w, x, PTX_MATRIX_A, x->sparse ? stored : a);
        matrix_gather(w, x, PTX_MATRIX_B, b);
        if (x->sparse)
            matrix_expand(w, x, stored, a);
        (type == PTX_F64 ? multiply_f64 : multiply)(x, a, b, c);
    }
    matrix_scatter_sums(w, x, c, mask);
}

int ptx_matrix_run(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];

    if (a->what == PTX_MATRIX_WGMMA)
        return ptx_wgmma_run(w, op, mask);
    if (a->what != PTX_MATRIX_MMA)
        return matrix_move(w, op, a, mask);
    product(w, &w->code->matrices[op->args.imm], mask);
    return 0;
}
