/* Products of a warpgroup (wgmma). Each of its four warps computes 16 of the 64 rows independently, at once.
 * Sums are computed as for mma (exec_matrix.c). Source of registers, descriptors and layouts in shared memory:
 * NVIDIA, PTX ISA 9.0, section 9.7.15.5. */
#include <string.h>

#include "ptx/ops/exec_matrix.h"

enum { ROWS = 16, K_BYTES = 32, VALUES = 32, GROUP_WARPS = 4 }; /* per warp; VALUES: maximum in a row of A */

/* --- a matrix in shared memory --- */

struct layout {
    uint32_t start, leading, stride; /* bytes */
    uint32_t swizzle;                /* width of the swizzle pattern in bytes: 16 (none), 32, 64, 128 */
    uint32_t bytes;                  /* size of a value */
    bool turned;                     /* transposed: the rows (not k) are contiguous */
};

static int read_descriptor(struct ptx_warp *w, uint16_t row, uint32_t mask, struct layout *out)
{
    static const uint32_t swizzles[] = {16, 128, 64, 32};
    uint64_t d;

    memcpy(&d, ptx_row(w, row) + (size_t)ptx_first_lane(mask) * 8, sizeof d);
    if (d >> 49 & 7) {
        (void)ptx_fault(w, mask, "not supported: a matrix descriptor with a base offset (0x%llx)",
                        (unsigned long long)d);
        return -1;
    }
    out->start = (uint32_t)(d & 0x3fff) * 16;
    out->leading = (uint32_t)(d >> 16 & 0x3fff) * 16;
    out->stride = (uint32_t)(d >> 32 & 0x3fff) * 16;
    out->swizzle = swizzles[d >> 62];
    return 0;
}

/* Offset of value k of row i (B: column i). A core matrix is 8 rows of 16 bytes. A swizzle pattern permutes
 * 16-byte pieces: the piece's index is xored with the index of its 128-byte row. */
static uint32_t place(const struct layout *l, uint32_t i, uint32_t k)
{
    uint32_t along = l->swizzle / l->bytes, kb = k * l->bytes, at;

    if (!l->turned && l->swizzle == 16)
        at = i % 8 * 16 + i / 8 * l->stride + kb / 16 * l->leading + kb % 16;
    else if (!l->turned)
        at = i % 8 * l->swizzle + i / 8 * l->stride + kb;
    else if (l->swizzle == 16)
        at = i % along * l->bytes + i / along * l->stride + k % 8 * 16 + k / 8 * l->leading;
    else
        at = i % along * l->bytes + i / along * l->leading + k % 8 * l->swizzle + k / 8 * l->stride;
    at += l->start;
    return at ^ ((at >> 7 & (l->swizzle / 16 - 1)) << 4);
}

/* Reads K_BYTES of row i into contiguous memory. */
static int read_row(struct ptx_warp *w, const struct layout *l, uint32_t i, uint32_t mask, uint8_t *out)
{
    for (uint32_t k = 0; k < K_BYTES / l->bytes; k++) {
        uint32_t at = place(l, i, k);

        if (at > w->cta->shared_bytes || l->bytes > w->cta->shared_bytes - at)
            return ptx_fault(w, mask, "reads %u bytes at shared address 0x%x, but there are %u bytes of it",
                             l->bytes, at, w->cta->shared_bytes);
        memcpy(out + (size_t)k * l->bytes, w->cta->shared + at, l->bytes);
    }
    return 0;
}

/* --- registers --- */

/* Registers of A: lane 4 g + t has bytes 4 t to 4 t + 3 of row g or g + 8, in one half of the row. */
static void rows_of_registers(const struct ptx_warp *w, const struct ptx_wgmma *x, uint8_t out[ROWS][K_BYTES])
{
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t l = 0; l < PTX_LANES; l++)
            memcpy(&out[l / 4 + r % 2 * 8][l % 4 * 4 + r / 2 * 16], ptx_row(w, x->a_registers[r]) + (size_t)l * 4,
                   4);
}

/* Register layout of the sums. For every eight columns, a lane has two adjacent values of row g, then two of row
 * g + 8. Two f16 values share a register; f32 values use two registers. */
static uint32_t sum_place(const struct ptx_wgmma *x, uint32_t row, uint32_t column, uint32_t *lane, uint32_t *at)
{
    bool packed = x->d == PTX_F16;
    uint32_t pair = column / 8 * 2 + row / 8;

    *lane = row % 8 * 4 + column % 8 / 2;
    *at = packed ? column % 2 * 2 : 0;
    return packed ? pair : pair * 2 + column % 2;
}

static double read_sum(const struct ptx_warp *w, const struct ptx_wgmma *x, uint32_t row, uint32_t column)
{
    uint32_t lane, at, r = sum_place(x, row, column, &lane, &at);
    double value = 0;

    if (x->sums[r] != PTX_NO_ROW)
        matrix_values(&value, ptx_row(w, x->sums[r]) + (size_t)lane * 4 + at, 1, x->d);
    return value;
}

static void write_sum(const struct ptx_warp *w, const struct ptx_wgmma *x, uint32_t row, uint32_t column,
                      double value)
{
    uint32_t lane, at, r = sum_place(x, row, column, &lane, &at);
    uint64_t bits = matrix_bits(value, x->d, x->saturate);

    if (x->sums[r] != PTX_NO_ROW)
        memcpy(ptx_row(w, x->sums[r]) + (size_t)lane * 4 + at, &bits, x->d == PTX_F16 ? 2 : 4); /* little-endian */
}

/* --- the product --- */

static int read_a(struct ptx_warp *w, const struct ptx_wgmma *x, uint32_t mask, double out[ROWS][VALUES])
{
    struct layout l = {.swizzle = 16, .bytes = ptx_type_bits(x->a) / 8, .turned = x->a_turned};
    uint8_t rows[ROWS][K_BYTES];

    if (x->a_place == PTX_NO_ROW)
        rows_of_registers(w, x, rows);
    else if (read_descriptor(w, x->a_place, mask, &l) != 0)
        return -1;
    for (uint32_t i = 0; i < ROWS; i++) {
        if (x->a_place != PTX_NO_ROW && read_row(w, &l, w->id % GROUP_WARPS * ROWS + i, mask, rows[i]) != 0)
            return -1;
        matrix_values(out[i], rows[i], x->k, x->a);
        for (uint32_t k = 0; k < x->k; k++)
            out[i][k] *= x->scale_a;
    }
    return 0;
}

int ptx_wgmma_run(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_wgmma *x = &w->code->wgmmas[op->args.imm];
    struct layout l = {.swizzle = 16, .bytes = ptx_type_bits(x->b) / 8, .turned = x->b_turned};
    bool adds = (w->lanes.preds[op->args.src[0]] >> ptx_first_lane(mask) & 1) != (op->args.negate & 1);
    double a[ROWS][VALUES], b[VALUES];
    uint8_t bytes[K_BYTES];

    if (mask != UINT32_MAX)
        return ptx_fault(w, mask, "wgmma must be executed by all lanes of its warps");
    if (read_a(w, x, mask, a) != 0 || read_descriptor(w, op->args.src[1], mask, &l) != 0)
        return -1;
    for (uint32_t j = 0; j < x->n; j++) {
        if (read_row(w, &l, j, mask, bytes) != 0)
            return -1;
        matrix_values(b, bytes, x->k, x->b);
        for (uint32_t i = 0; i < ROWS; i++) {
            double sum = adds ? read_sum(w, x, i, j) : 0;

            for (uint32_t k = 0; k < x->k; k++)
                sum += a[i][k] * (b[k] * x->scale_b);
            write_sum(w, x, i, j, sum);
        }
    }
    return 0;
}
