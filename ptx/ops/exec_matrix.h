/* ptx/ops/exec_matrix.h: shared by the matrix instructions: exec_matrix.c (products), exec_matrix_values.c
 * (values in registers), exec_matrix_move.c (fragments to and from memory and lanes). */
#ifndef VIVACE_PTX_OPS_EXEC_MATRIX_H
#define VIVACE_PTX_OPS_EXEC_MATRIX_H

#include "ptx/warp/exec_address.h"

/* Maximum number of values in a part: 16 rows of 128 (s4, sparse). Single-bit matrices are not counted. */
enum { MATRIX_VALUES = 16 * 128 };

/* Executes op for the lanes of the mask, which must be all live lanes. Reads the registers of all lanes. -1: a
 * fault. */
int ptx_matrix_run(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);

/* --- exec_matrix_values.c: converts values to doubles, which represent all of these types exactly --- */
/* A: m rows of k values (sparse: k / 2). B: n columns of k values; each column is contiguous. */
void matrix_gather(const struct ptx_warp *w, const struct ptx_matrix *x, int part, double *out);
/* As matrix_gather(), as bytes, for single-bit matrices. Returns their number. */
uint32_t matrix_gather_bytes(const struct ptx_warp *w, const struct ptx_matrix *x, int part, uint8_t *out);
/* Converts `n` contiguous values of a type to or from doubles: f16 bf16 tf32 fp8 f32 f64, integers of 4 to 32
 * bits. */
void matrix_values(double *out, const uint8_t *in, uint32_t n, uint8_t type);
/* The bits of a value of C or D, rounded once. s32 wraps, or saturates if `saturate`. */
uint64_t matrix_bits(double value, uint8_t type, bool saturate);
/* C: m x n values, row by row. The next function writes D to its registers, in the lanes of the mask. */
void matrix_gather_sums(const struct ptx_warp *w, const struct ptx_matrix *x, double *out);
void matrix_scatter_sums(const struct ptx_warp *w, const struct ptx_matrix *x, const double *sums, uint32_t mask);
/* Expands a sparse A to its dense m x k rows. */
void matrix_expand(const struct ptx_warp *w, const struct ptx_matrix *x, const double *stored, double *dense);

/* --- exec_wgmma.c --- */
int ptx_wgmma_run(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);

/* --- exec_matrix_quads.c --- */
void matrix_quads(const struct ptx_warp *w, const struct ptx_matrix *x, uint32_t mask);

/* --- exec_matrix_move.c --- */
int matrix_move(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t mask);

#endif
