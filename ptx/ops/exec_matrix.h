/* ptx/ops/exec_matrix.h: what the files of matrix instructions share: exec_matrix.c products,
 * exec_matrix_values.c their numbers in registers, exec_matrix_move.c fragments to and from memory and lanes. */
#ifndef VIVACE_PTX_OPS_EXEC_MATRIX_H
#define VIVACE_PTX_OPS_EXEC_MATRIX_H

#include "ptx/warp/exec_address.h"

/* Values of a part at most: 16 rows of 128 (s4, sparse), 8 columns of 256 bits are not among them. */
enum { MATRIX_VALUES = 16 * 128 };

/* Does it for the lanes of the mask, which are all that live; reads the registers of all. -1: a fault. */
int ptx_matrix_run(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);

/* --- exec_matrix_values.c: values as doubles, which hold all of these types, and sums of their products --- */
/* A: m rows of k (sparse: of k / 2) values; B: n columns of k values, each column side by side. */
void matrix_gather(const struct ptx_warp *w, const struct ptx_matrix *x, int part, double *out);
/* The same as bytes: for bits. Answers how many there are. */
uint32_t matrix_gather_bytes(const struct ptx_warp *w, const struct ptx_matrix *x, int part, uint8_t *out);
/* `n` values of a type out of, or into, memory side by side: f16 bf16 tf32 fp8 f32 f64, integers of 4 to 32 bits.
 */
void matrix_values(double *out, const uint8_t *in, uint32_t n, uint8_t type);
/* A value of C or D as bits, rounded once; s32: wraps, or stops at its ends (saturate). */
uint64_t matrix_bits(double value, uint8_t type, bool saturate);
/* C: m x n values row by row; D back into its registers, in the lanes of the mask. */
void matrix_gather_sums(const struct ptx_warp *w, const struct ptx_matrix *x, double *out);
void matrix_scatter_sums(const struct ptx_warp *w, const struct ptx_matrix *x, const double *sums, uint32_t mask);
/* The dense m x k rows of a sparse A. */
void matrix_expand(const struct ptx_warp *w, const struct ptx_matrix *x, const double *stored, double *dense);

/* --- exec_wgmma.c --- */
int ptx_wgmma_run(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);

/* --- exec_matrix_quads.c --- */
void matrix_quads(const struct ptx_warp *w, const struct ptx_matrix *x, uint32_t mask);

/* --- exec_matrix_move.c --- */
int matrix_move(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t mask);

#endif
