/* mma.m8n8k4 of f16: four independent products. Two quads of lanes compute each product q: lanes 4 q to 4 q + 3
 * and lanes 16 + 4 q to 19 + 4 q. Layouts: NVIDIA, PTX ISA 9.0, section 9.7.14.5.1. */
#include <string.h>

#include "ptx/ops/exec_matrix.h"
#include "ptx/forms/forms_half.h"

static f64 half_at(const struct ptx_warp *w, const struct ptx_matrix *x, int part, uint32_t lane, uint32_t i)
{
    u16 h;

    memcpy(&h, ptx_row(w, x->rows[part][i / 2]) + (size_t)lane * 4 + (size_t)(i % 2 * 2), sizeof h);
    return (f64)f16_to_f32(h);
}

/* Row and column of value i of C or D. */
static uint32_t place(uint32_t lane, uint32_t i, uint8_t type)
{
    uint32_t upper = lane >= 16 ? 4 : 0;

    if (type == PTX_F16)
        return (lane % 4 + upper) * 8 + i;
    return ((lane & 1) + (i & 2) + upper) * 8 + (i & 4) + (lane & 2) + (i & 1);
}

static f64 sum_at(const struct ptx_warp *w, const struct ptx_matrix *x, uint32_t lane, uint32_t i)
{
    f32 c;

    if (x->type[PTX_MATRIX_C] == PTX_F16)
        return half_at(w, x, PTX_MATRIX_C, lane, i);
    memcpy(&c, ptx_row(w, x->rows[PTX_MATRIX_C][i]) + (size_t)lane * 4, sizeof c);
    return (f64)c;
}

static void put_sum(const struct ptx_warp *w, const struct ptx_matrix *x, uint32_t lane, uint32_t i, f64 value)
{
    uint8_t type = x->type[PTX_MATRIX_D];
    uint32_t bytes = type == PTX_F16 ? 2 : 4;
    uint16_t row = x->rows[PTX_MATRIX_D][type == PTX_F16 ? i / 2 : i];
    u64 bits = matrix_bits(value, type, false);

    if (row != PTX_NO_ROW)
        memcpy(ptx_row(w, row) + (size_t)lane * 4 + (bytes == 2 ? i % 2 * 2 : 0), &bits, bytes);
}

void matrix_quads(const struct ptx_warp *w, const struct ptx_matrix *x, uint32_t mask)
{
    f64 a[4][8][4], b[4][4][8], c[4][64];

    for (uint32_t l = 0; l < PTX_LANES; l++) {
        uint32_t q = l % 16 / 4, own = l % 4 + (l >= 16 ? 4 : 0), four = l >= 16 ? 4 : 0;

        for (uint32_t i = 0; i < 4; i++) {
            a[q][x->a_column ? i + four : own][x->a_column ? l % 4 : i] = half_at(w, x, PTX_MATRIX_A, l, i);
            b[q][x->b_row ? l % 4 : i][x->b_row ? i + four : own] = half_at(w, x, PTX_MATRIX_B, l, i);
        }
        for (uint32_t i = 0; i < 8; i++)
            c[q][place(l, i, x->type[PTX_MATRIX_C])] = sum_at(w, x, l, i);
    }
    for (uint32_t q = 0; q < 4; q++)
        for (uint32_t at = 0; at < 64; at++)
            for (uint32_t k = 0; k < 4; k++)
                c[q][at] += a[q][at / 8][k] * b[q][k][at % 8];
    for (; mask; mask &= mask - 1) {
        uint32_t l = ptx_first_lane(mask);

        for (uint32_t i = 0; i < 8; i++)
            put_sum(w, x, l, i, c[l % 16 / 4][place(l, i, x->type[PTX_MATRIX_D])]);
    }
}
