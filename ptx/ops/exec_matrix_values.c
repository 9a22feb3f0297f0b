/* Converts values of matrix fragments between registers and doubles. Layouts: actions.h; NVIDIA, PTX ISA 9.0,
 * sections 9.7.14.5 (mma) and 9.7.14.6 (sparse). */
#include <string.h>

#include "ptx/ops/exec_matrix.h"
#include "ptx/forms/forms_half.h"

/* --- numbers --- */

/* e4m3 and e5m2 (Micikevicius et al., "FP8 formats for deep learning", 2022). */
static f64 of_e4m3(u8 v)
{
    u16 h = (u16)((v & 0x7f) << 7 | (v & 0x80) << 8); /* as f16, whose exponent bias is 15 instead of 7 */

    return (v & 0x7f) == 0x7f ? (f64)float32(NAN_F32) : (f64)(f16_to_f32(h) * 256.0f);
}

static f64 of_nibble(u8 v, bool is_signed)
{
    return is_signed ? (f64)((v & 15) ^ 8) - 8 : (f64)(v & 15);
}

#define EACH_VALUE(T, expr)                                                                                        \
    for (u32 i = 0; i < n; i++) {                                                                                  \
        T v;                                                                                                       \
        memcpy(&v, in + (size_t)i * sizeof v, sizeof v);                                                           \
        out[i] = (expr);                                                                                           \
    }                                                                                                              \
    break

void matrix_values(double *out, const uint8_t *in, uint32_t n, uint8_t type)
{
    switch (type) {
    case PTX_F16: EACH_VALUE(u16, (f64)f16_to_f32(v));
    case PTX_BF16: EACH_VALUE(u16, (f64)bf16_to_f32(v));
    case PTX_TF32: EACH_VALUE(u32, (f64)float32(v & ~0x1fffu)); /* the low 13 bits of an f32 are ignored */
    case PTX_E4M3: EACH_VALUE(u8, of_e4m3(v));
    case PTX_E5M2: EACH_VALUE(u8, (f64)f16_to_f32((u16)(v << 8)));
    case PTX_F32: EACH_VALUE(f32, (f64)v);
    case PTX_F64: EACH_VALUE(f64, v);
    case PTX_S8: EACH_VALUE(s8, (f64)v);
    case PTX_U8: EACH_VALUE(u8, (f64)v);
    case PTX_S32: EACH_VALUE(s32, (f64)v);
    default: /* s4, u4: the first value is the low half of a byte */
        for (u32 i = 0; i < n; i++)
            out[i] = of_nibble((u8)(in[i / 2] >> i % 2 * 4), type == PTX_S4);
    }
}

uint64_t matrix_bits(double value, uint8_t type, bool saturate)
{
    f32 narrow = (f32)value;

    switch (type) {
    case PTX_F64: return value != value ? 0xfff8000000000000u : bits64(value);
    case PTX_F32: return narrow != narrow ? NAN_F32 : bits32(narrow);
    case PTX_F16: return f32_to_f16(odd_f32(value));
    default: /* s32: an integer below 2^53 */
        if (saturate && value != (f64)(s32)(s64)value)
            return value < 0 ? 0x80000000u : 0x7fffffffu;
        return (u32)(s64)value;
    }
}

/* --- A and B --- */

uint32_t matrix_gather_bytes(const struct ptx_warp *w, const struct ptx_matrix *x, int part, uint8_t *out)
{
    uint32_t bits = ptx_type_bits(x->type[part]), unit = bits == 64 ? 32 : 16;
    uint32_t blocks = (part == PTX_MATRIX_A ? x->m : x->n) / 8u;
    uint32_t k = x->sparse && part == PTX_MATRIX_A ? x->k / 2u : x->k, stretches = k * bits / 8 / unit;

    for (uint32_t s = 0; s < stretches; s++)
        for (uint32_t b = 0; b < blocks; b++)
            for (uint32_t g = 0; g < 8; g++)
                memcpy(out + ((size_t)(b * 8 + g) * stretches + s) * unit,
                       ptx_row(w, x->rows[part][s * blocks + b]) + (size_t)g * unit, unit);
    return blocks * 8 * stretches * unit;
}

void matrix_gather(const struct ptx_warp *w, const struct ptx_matrix *x, int part, double *out)
{
    uint8_t bytes[MATRIX_VALUES * 2];
    uint32_t count = matrix_gather_bytes(w, x, part, bytes);

    matrix_values(out, bytes, count * 8 / ptx_type_bits(x->type[part]), x->type[part]);
}

/* --- C and D --- */

/* Index of value e of lane l, in the 8 x 8 block at row i and column j of blocks. */
static uint32_t place(const struct ptx_matrix *x, uint32_t i, uint32_t j, uint32_t l, uint32_t e)
{
    return (i * 8 + l / 4) * x->n + j * 8 + l % 4 * 2 + e;
}

void matrix_gather_sums(const struct ptx_warp *w, const struct ptx_matrix *x, double *out)
{
    uint8_t type = x->type[PTX_MATRIX_C];
    uint32_t packed = type == PTX_F16 ? 2 : 1, down = x->m / 8u; /* packed: values in a register */
    f64 v[2 * PTX_LANES];

    for (uint32_t b = 0; b < down * (x->n / 8u); b++)
        for (uint32_t e = 0; e < 2; e += packed) {
            matrix_values(v, ptx_row(w, x->rows[PTX_MATRIX_C][packed == 2 ? b : 2 * b + e]), packed * PTX_LANES,
                          type);
            for (uint32_t n = 0; n < packed * PTX_LANES; n++)
                out[place(x, b % down, b / down, n / packed, e + n % packed)] = v[n];
        }
}

void matrix_scatter_sums(const struct ptx_warp *w, const struct ptx_matrix *x, const double *sums, uint32_t mask)
{
    uint8_t type = x->type[PTX_MATRIX_D];
    uint32_t packed = type == PTX_F16 ? 2 : 1, down = x->m / 8u, bytes = type == PTX_F64 ? 8 : 4 / packed;

    for (uint32_t b = 0; b < down * (x->n / 8u); b++)
        for (uint32_t e = 0; e < 2; e++) {
            uint16_t row = x->rows[PTX_MATRIX_D][packed == 2 ? b : 2 * b + e];

            if (row == PTX_NO_ROW)
                continue;
            for (uint32_t left = mask; left; left &= left - 1) {
                uint32_t l = ptx_first_lane(left);
                u64 bits = matrix_bits(sums[place(x, b % down, b / down, l, e)], type, x->saturate);

                memcpy(ptx_row(w, row) + ((size_t)l * packed + (packed == 2 ? e : 0)) * bytes, &bits, bytes);
            }
        }
}

/* --- sparse A --- */

static u32 metadata_word(const struct ptx_warp *w, const struct ptx_matrix *x, uint32_t lane)
{
    u32 word;

    memcpy(&word, ptx_row(w, x->metadata) + (size_t)lane * 4, 4);
    return word;
}

/* The metadata of a row, up to 64 bits. Halves and tf32: a lane of the quad has 16 bits of row g and 16 bits of
 * row g + 8. Bytes and nibbles: a lane has 32 bits of one of the two rows. */
static u64 metadata_of(const struct ptx_warp *w, const struct ptx_matrix *x, uint32_t row, uint32_t bits)
{
    uint32_t quad = row % 8 * 4, down = row / 8,
             first = bits == 64   ? 0
                     : bits == 32 ? x->selector % 2u * 2
                                  : x->selector;
    bool small = ptx_type_bits(x->type[PTX_MATRIX_A]) <= 8;
    u64 all = 0;

    if (small) {
        for (uint32_t h = 0; h < bits / 32; h++)
            all |= (u64)metadata_word(w, x, quad + first + 2 * h + down) << 32 * h;
        return all;
    }
    for (uint32_t h = 0; h < bits / 16; h++)
        all |= (u64)(metadata_word(w, x, quad + first + h) >> 16 * down & 0xffff) << 16 * h;
    return all;
}

/* A sparse row stores two of four values, with a 2-bit index for each. Nibbles: two of four pairs. tf32: one of
 * two; its first two bits are an index in units of half a value. */
void matrix_expand(const struct ptx_warp *w, const struct ptx_matrix *x, const double *stored, double *dense)
{
    uint8_t type = x->type[PTX_MATRIX_A];
    uint32_t width = ptx_type_bits(type) == 4 ? 2 : 1, half = x->k / 2u, bits = half / width * 2;

    memset(dense, 0, (size_t)x->m * x->k * sizeof *dense);
    if (type == PTX_TF32)
        bits = 2u * x->k;
    for (uint32_t r = 0; r < x->m; r++) {
        u64 which = metadata_of(w, x, r, bits);

        for (uint32_t s = 0; s < half; s++) {
            uint32_t group = s / (2 * width), in = s % (2 * width), slot = (uint32_t)(which >> s / width * 2) & 3;
            uint32_t at = group * 4 * width + slot * width + in % width;

            if (type == PTX_TF32)
                at = 2 * s + ((uint32_t)(which >> (4 * s + 1)) & 1);
            dense[(size_t)r * x->k + at] += stored[(size_t)r * half + s];
        }
    }
}
