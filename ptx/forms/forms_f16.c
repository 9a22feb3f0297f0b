/* ptx/forms/forms_f16.c: f16, f16x2, bf16, bf16x2: add sub mul fma min max neg abs.
 * Every result is rounded once. Sums and products of f16 are computed in f32 and then rounded to f16. This gives
 * the same result as one rounding of the exact value (24 >= 2 * 11 + 2, and none of them is subnormal in f32).
 * Wider intermediate results use f64 with rounding to odd. Source of the semantics: NVIDIA, PTX ISA 9.0, section
 * 9.7.4. */
#include "ptx/forms/forms_real.h"

/* Suffixes. Z: subnormals are flushed to zero. S: the result is clamped to [0, 1]. R: relu. */
ALWAYS u16 relu_half(u16 h)
{
    return (h & 0x7fff) > 0x7c00 ? h : h & 0x8000 ? 0 : h;
}
ALWAYS u16 relu_bf(u16 h)
{
    return (h & 0x7fff) > 0x7f80 ? h : h & 0x8000 ? 0 : h;
}
ALWAYS u16 sat_half(u16 h)
{
    return (h & 0x7fff) > 0x7c00 || h & 0x8000 ? 0 : h > 0x3c00 ? 0x3c00 : h;
}
#define SAME(h)             ((u16)(h))
#define SUM(a, b)           ((a) + (b))
#define DIFFERENCE(a, b)    ((a) - (b))
#define PRODUCT(a, b)       ((a) * (b))
#define BF_SUM(a, b)        odd_f32(odd_sum((f64)(a), (f64)(b)))
#define BF_DIFFERENCE(a, b) odd_f32(odd_sum((f64)(a), -(f64)(b)))
#define BF_PRODUCT(a, b)    odd_f32((f64)(a) * (f64)(b))
#define FUSED(a, b, c)      odd_f32(odd_sum((f64)(a) * (f64)(b), (f64)(c)))

ALWAYS s16 order16(u16 u)
{
    return (s16)(u ^ (u16)((s16)u >> 15 & 0x7fff));
}
/* The minimum (most: maximum) of two. If one is a NaN (above `inf`), the result is the number; with `strict` it
 * is the NaN. */
ALWAYS u16 least16(u16 a, u16 b, u16 inf, bool most, bool strict)
{
    bool an = (a & 0x7fff) > inf, bn = (b & 0x7fff) > inf;
    bool first = most ? order16(a) > order16(b) : order16(a) < order16(b);
    u16 r = an ? b : bn ? a : first ? a : b;

    return (strict && (an || bn)) || (an && bn) ? NAN_F16 : r;
}
ALWAYS u16 least16_magnitude(u16 a, u16 b, u16 inf, bool most, bool strict)
{
    u16 r = least16(a & 0x7fff, b & 0x7fff, inf, most, strict);

    return r > inf ? r : (u16)(r | ((a ^ b) & 0x8000));
}

#define LOW(x)  ((u16)(x))
#define HIGH(x) ((u16)((x) >> 16))

/* clang-format off */
/* Defines an operation on halves as an inline function, with handlers for one half and for two. */
#define HALF1(id, expr) \
    ALWAYS u16 id##_one(u16 a) { return (u16)(expr); } \
    OP1(id, u16, u16, id##_one(a)) OP1(id##_x2, u32, u32, id##_one(LOW(a)) | (u32)id##_one(HIGH(a)) << 16)
#define HALF2(id, expr) \
    ALWAYS u16 id##_one(u16 a, u16 b) { return (u16)(expr); } \
    OP2(id, u16, u16, u16, id##_one(a, b)) \
    OP2(id##_x2, u32, u32, u32, id##_one(LOW(a), LOW(b)) | (u32)id##_one(HIGH(a), HIGH(b)) << 16)
#define HALF3(id, expr) \
    ALWAYS u16 id##_one(u16 a, u16 b, u16 c) { return (u16)(expr); } \
    OP3(id, u16, u16, u16, u16, id##_one(a, b, c)) \
    OP3(id##_x2, u32, u32, u32, u32, id##_one(LOW(a), LOW(b), LOW(c)) | (u32)id##_one(HIGH(a), HIGH(b), HIGH(c)) << 16)

#define BINARIES(v, FROM, TO, LAST) \
    HALF2(add_##v, LAST(TO(SUM(FROM(a), FROM(b))))) HALF2(sub_##v, LAST(TO(DIFFERENCE(FROM(a), FROM(b))))) \
    HALF2(mul_##v, LAST(TO(PRODUCT(FROM(a), FROM(b)))))
#define ZERO(h) flushed_half(h)
#define ZERO_SAT(h) sat_half(flushed_half(h))
#define ZERO_RELU(h) relu_half(flushed_half(h))
BINARIES(k, f16_to_f32, f32_to_f16, SAME) BINARIES(z, f16ftz_to_f32, f32_to_f16, ZERO)
BINARIES(s, f16_to_f32, f32_to_f16, sat_half) BINARIES(zs, f16ftz_to_f32, f32_to_f16, ZERO_SAT)
HALF2(add_b, f32_to_bf16(BF_SUM(bf16_to_f32(a), bf16_to_f32(b)))) HALF2(sub_b, f32_to_bf16(BF_DIFFERENCE(bf16_to_f32(a), bf16_to_f32(b))))
HALF2(mul_b, f32_to_bf16(BF_PRODUCT(bf16_to_f32(a), bf16_to_f32(b))))
#define FMA(v, FROM, TO, LAST) HALF3(fma_##v, LAST(TO(FUSED(FROM(a), FROM(b), FROM(c)))))
FMA(k, f16_to_f32, f32_to_f16, SAME) FMA(z, f16ftz_to_f32, f32_to_f16, ZERO) FMA(s, f16_to_f32, f32_to_f16, sat_half)
FMA(zs, f16ftz_to_f32, f32_to_f16, ZERO_SAT) FMA(r, f16_to_f32, f32_to_f16, relu_half) FMA(zr, f16ftz_to_f32, f32_to_f16, ZERO_RELU)
FMA(b, bf16_to_f32, f32_to_bf16, SAME) FMA(br, bf16_to_f32, f32_to_bf16, relu_bf)
HALF1(neg_k, a ^ 0x8000) HALF1(neg_z, flushed_half(a) ^ 0x8000) HALF1(abs_k, a & 0x7fff) HALF1(abs_z, flushed_half(a) & 0x7fff)
#define LEAST(op, most, v, inf, IN) \
    HALF2(op##_##v, least16(IN(a), IN(b), inf, most, 0)) HALF2(op##_##v##n, least16(IN(a), IN(b), inf, most, 1)) \
    HALF2(op##_##v##x, least16_magnitude(IN(a), IN(b), inf, most, 0)) HALF2(op##_##v##nx, least16_magnitude(IN(a), IN(b), inf, most, 1))
LEAST(min, 0, k, 0x7c00, SAME) LEAST(max, 1, k, 0x7c00, SAME) LEAST(min, 0, z, 0x7c00, ZERO) LEAST(max, 1, z, 0x7c00, ZERO)
LEAST(min, 0, b, 0x7f80, SAME) LEAST(max, 1, b, 0x7f80, SAME)

#define X(F, op, mods, id) F(op mods ".f16", id) F(op mods ".f16x2", id##_x2)
#define B(F, op, mods, id) F(op mods ".bf16", id) F(op mods ".bf16x2", id##_x2)
#define BINARY(op, id, rn) X(F2, op, rn, id##_k) X(F2, op, rn ".ftz", id##_z) X(F2, op, rn ".sat", id##_s) X(F2, op, rn ".ftz.sat", id##_zs) \
    B(F2, op, rn, id##_b)
#define NAMES_MIN(op, M, v, ftz, id) M(F2, op, ftz, id##_##v) M(F2, op, ftz ".NaN", id##_##v##n) M(F2, op, ftz ".xorsign.abs", id##_##v##x) \
    M(F2, op, ftz ".NaN.xorsign.abs", id##_##v##nx)
static const struct ptx_form rows[] = {
    BINARY("add", add, "") BINARY("add", add, ".rn") BINARY("sub", sub, "") BINARY("sub", sub, ".rn") BINARY("mul", mul, "") BINARY("mul", mul, ".rn")
    X(F3, "fma", ".rn", fma_k) X(F3, "fma", ".rn.ftz", fma_z) X(F3, "fma", ".rn.sat", fma_s) X(F3, "fma", ".rn.ftz.sat", fma_zs)
    X(F3, "fma", ".rn.relu", fma_r) X(F3, "fma", ".rn.ftz.relu", fma_zr) B(F3, "fma", ".rn", fma_b) B(F3, "fma", ".rn.relu", fma_br)
    X(F1, "neg", "", neg_k) X(F1, "neg", ".ftz", neg_z) B(F1, "neg", "", neg_k) X(F1, "abs", "", abs_k) X(F1, "abs", ".ftz", abs_z)
    B(F1, "abs", "", abs_k) NAMES_MIN("min", X, k, "", min) NAMES_MIN("min", X, z, ".ftz", min) NAMES_MIN("min", B, b, "", min)
    NAMES_MIN("max", X, k, "", max) NAMES_MIN("max", X, z, ".ftz", max) NAMES_MIN("max", B, b, "", max)
};
TABLE(f16, rows)
