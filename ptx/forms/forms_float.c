/* ptx/forms/forms_float.c: f32 and f64 add sub mul fma min max abs neg copysign. f32 results are rounded once.
 * Round to nearest uses the CPU's instruction. The other modes compute in f64 with rounding to odd, then round in
 * the wanted direction. f64 with directed rounding is in forms_round.c. */
#include "ptx/forms/forms_real.h"

ALWAYS u32 least_magnitude(u32 a, u32 b, bool most, bool strict)
{
    u32 r = least32(a & 0x7fffffff, b & 0x7fffffff, most, strict);

    return nan32(r) ? r : r | ((a ^ b) & 0x80000000);
}
ALWAYS u64 least64(u64 a, u64 b, bool most)
{
    bool first = most ? order64(a) > order64(b) : order64(a) < order64(b);
    u64 r = first ? a : b;

    return nan64(a) ? (nan64(b) ? a | QUIET64 : b) : nan64(b) ? a : r;
}
#define Z(x, ftz) ((ftz) ? flushed_bits(x) : (x))

/* clang-format off */
#define F32_ROUND(R, r) F32_VARIANT(R, r##__, 0, 0) F32_VARIANT(R, r##_z, 1, 0) F32_VARIANT(R, r##_s, 0, 1) F32_VARIANT(R, r##_zs, 1, 1)
#define F32_VARIANT(R, v, ftz, sat) \
    OP2(add_##v, f32, f32, f32, finished(add_f32(entering(a, ftz), entering(b, ftz), R), ftz, sat)) \
    OP2(sub_##v, f32, f32, f32, finished(add_f32(entering(a, ftz), -entering(b, ftz), R), ftz, sat)) \
    OP2(mul_##v, f32, f32, f32, finished(mul_f32(entering(a, ftz), entering(b, ftz), R), ftz, sat)) \
    OP3(fma_##v, f32, f32, f32, f32, finished(fma_f32(entering(a, ftz), entering(b, ftz), entering(c, ftz), R), ftz, sat))
F32_ROUND(RN, rn) F32_ROUND(RZ, rz) F32_ROUND(RM, rm) F32_ROUND(RP, rp)

#define LEAST(op, most, v, ftz) \
    OP2(op##_##v, u32, u32, u32, least32(Z(a, ftz), Z(b, ftz), most, 0)) OP2(op##_##v##n, u32, u32, u32, least32(Z(a, ftz), Z(b, ftz), most, 1)) \
    OP2(op##_##v##x, u32, u32, u32, least_magnitude(Z(a, ftz), Z(b, ftz), most, 0)) \
    OP2(op##_##v##nx, u32, u32, u32, least_magnitude(Z(a, ftz), Z(b, ftz), most, 1))
LEAST(min, 0, k, 0) LEAST(max, 1, k, 0) LEAST(min, 0, z, 1) LEAST(max, 1, z, 1)
OP2(min_f64, u64, u64, u64, least64(a, b, 0)) OP2(max_f64, u64, u64, u64, least64(a, b, 1))
OP1(abs_k, u32, u32, a & 0x7fffffff) OP1(abs_z, u32, u32, flushed_bits(a) & 0x7fffffff) OP1(abs_f64, u64, u64, a & INT64_MAX)
OP1(neg_k, u32, u32, a ^ 0x80000000) OP1(neg_z, u32, u32, flushed_bits(a) ^ 0x80000000) OP1(neg_f64, u64, u64, a ^ (u64)1 << 63)
OP2(copysign_f32, u32, u32, u32, (a & 0x80000000) | (b & 0x7fffffff)) OP2(copysign_f64, u64, u64, u64, (a & (u64)1 << 63) | (b & INT64_MAX))
OP2(add_f64, f64, f64, f64, finished64(a + b, a, b, 0)) OP2(sub_f64, f64, f64, f64, finished64(a - b, a, b, 0))
OP2(mul_f64, f64, f64, f64, finished64(a * b, a, b, 0)) OP3(fma_f64, f64, f64, f64, f64, finished64(__builtin_fma(a, b, c), a, b, c))

#define NAMED(F, op, id, round, v) F(op round ".f32", id##_##v##__) F(op round ".ftz.f32", id##_##v##_z) \
    F(op round ".sat.f32", id##_##v##_s) F(op round ".ftz.sat.f32", id##_##v##_zs)
#define ROUNDED(F, op, id) NAMED(F, op, id, ".rn", rn) NAMED(F, op, id, ".rz", rz) NAMED(F, op, id, ".rm", rm) NAMED(F, op, id, ".rp", rp)
#define NAMES_MIN(op, v, ftz) F2(#op ftz ".f32", op##_##v) F2(#op ftz ".NaN.f32", op##_##v##n) \
    F2(#op ftz ".xorsign.abs.f32", op##_##v##x) F2(#op ftz ".NaN.xorsign.abs.f32", op##_##v##nx)
static const struct ptx_form rows[] = {
    NAMED(F2, "add", add, "", rn) NAMED(F2, "sub", sub, "", rn) NAMED(F2, "mul", mul, "", rn) NAMED(F3, "mad", fma, "", rn)
    ROUNDED(F2, "add", add) ROUNDED(F2, "sub", sub) ROUNDED(F2, "mul", mul) ROUNDED(F3, "fma", fma) ROUNDED(F3, "mad", fma)
    NAMES_MIN(min, k, "") NAMES_MIN(min, z, ".ftz") NAMES_MIN(max, k, "") NAMES_MIN(max, z, ".ftz")
    F2("min.f64", min_f64) F2("max.f64", max_f64) F1("abs.f32", abs_k) F1("abs.ftz.f32", abs_z) F1("abs.f64", abs_f64)
    F1("neg.f32", neg_k) F1("neg.ftz.f32", neg_z) F1("neg.f64", neg_f64) F2("copysign.f32", copysign_f32) F2("copysign.f64", copysign_f64)
    F2("add.f64", add_f64) F2("add.rn.f64", add_f64) F2("sub.f64", sub_f64) F2("sub.rn.f64", sub_f64) F2("mul.f64", mul_f64)
    F2("mul.rn.f64", mul_f64) F3("fma.rn.f64", fma_f64) F3("mad.rn.f64", fma_f64) F3("mad.f64", fma_f64)
};
TABLE(float, rows)
