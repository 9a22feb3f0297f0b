/* ptx/forms/forms_mixed.c: f32 arithmetic of newer GPUs: two values per lane (f32x2), one half and one f32 with
 * every rounding mode, min and max of three values. Source of the semantics: NVIDIA, PTX ISA 9.0, sections 9.7.3
 * (f32x2, min, max) and 9.7.5 (mixed precision: the half is widened, which is exact, and the result is rounded
 * once). */
#include "ptx/forms/forms_real.h"

ALWAYS u64 two_f32(f32 low, f32 high)
{
    return bits32(low) | (u64)bits32(high) << 32;
}
#define LOW32(x)  float32((u32)(x))
#define HIGH32(x) float32((u32)((x) >> 32))

/* The steps in order: .ftz; then min or max (a NaN operand is ignored, or returned if `strict`). With .abs the
 * magnitudes are compared. */
ALWAYS u32 least_of_three(u32 a, u32 b, u32 c, bool most, bool strict)
{
    return least32(least32(a, b, most, strict), c, most, strict);
}
#define Z(x, ftz) ((ftz) ? flushed_bits(x) : (x))
#define M(x, ftz) (Z(x, ftz) & 0x7fffffff)

/* clang-format off */
#define ONE_HALF(op, h, z, R) finished(op##_f32(entering(h(a), z), entering(h(b), z), R), z, 0)
#define SUM_HALF(h, sign, z, R) finished(add_f32(entering(h(a), z), sign entering(h(b), z), R), z, 0)
#define FMA_HALF(h, z, R) finished(fma_f32(entering(h(a), z), entering(h(b), z), entering(h(c), z), R), z, 0)
#define TWO(r, R, v, z) \
    ONE2(add_two_##r##v, u64, u64, u64, two_f32(SUM_HALF(LOW32, +, z, R), SUM_HALF(HIGH32, +, z, R))) \
    ONE2(sub_two_##r##v, u64, u64, u64, two_f32(SUM_HALF(LOW32, -, z, R), SUM_HALF(HIGH32, -, z, R))) \
    ONE2(mul_two_##r##v, u64, u64, u64, two_f32(ONE_HALF(mul, LOW32, z, R), ONE_HALF(mul, HIGH32, z, R))) \
    ONE3(fma_two_##r##v, u64, u64, u64, u64, two_f32(FMA_HALF(LOW32, z, R), FMA_HALF(HIGH32, z, R)))
#define TWOS(r, R) TWO(r, R, k, 0) TWO(r, R, z, 1)
TWOS(rn, RN) TWOS(rz, RZ) TWOS(rm, RM) TWOS(rp, RP)

#define MIXED(T, r, R, v, sat) \
    ONE2(add_##T##_##r##v, f32, u16, f32, finished(add_f32(T##_to_f32(a), b, R), 0, sat)) \
    ONE2(sub_##T##_##r##v, f32, u16, f32, finished(add_f32(T##_to_f32(a), -b, R), 0, sat)) \
    ONE3(fma_##T##_##r##v, f32, u16, u16, f32, finished(fma_f32(T##_to_f32(a), T##_to_f32(b), c, R), 0, sat))
#define MIXEDS(r, R) MIXED(f16, r, R, k, 0) MIXED(f16, r, R, s, 1) MIXED(bf16, r, R, k, 0) MIXED(bf16, r, R, s, 1)
MIXEDS(rn, RN) MIXEDS(rz, RZ) MIXEDS(rm, RM) MIXEDS(rp, RP)

#define THREE(op, most, v, z) \
    ONE3(op##_##v, u32, u32, u32, u32, least_of_three(Z(a, z), Z(b, z), Z(c, z), most, 0)) \
    ONE3(op##_##v##n, u32, u32, u32, u32, least_of_three(Z(a, z), Z(b, z), Z(c, z), most, 1)) \
    ONE3(op##_##v##m, u32, u32, u32, u32, least_of_three(M(a, z), M(b, z), M(c, z), most, 0)) \
    ONE3(op##_##v##nm, u32, u32, u32, u32, least_of_three(M(a, z), M(b, z), M(c, z), most, 1))
THREE(min, 0, k, 0) THREE(min, 0, z, 1) THREE(max, 1, k, 0) THREE(max, 1, z, 1)

#define TWO_NAMES(op, G, id, mods, r) G(op mods ".f32x2", id##_two_##r##k) G(op mods ".ftz.f32x2", id##_two_##r##z)
#define TWO_ALL(mods, r) TWO_NAMES("add", G2, add, mods, r) TWO_NAMES("sub", G2, sub, mods, r) TWO_NAMES("mul", G2, mul, mods, r)
#define MIXED_NAMES(op, G, id, mods, r) G(op mods ".f32.f16", id##_f16_##r##k) G(op mods ".sat.f32.f16", id##_f16_##r##s) \
    G(op mods ".f32.bf16", id##_bf16_##r##k) G(op mods ".sat.f32.bf16", id##_bf16_##r##s)
#define MIXED_ALL(mods, r) MIXED_NAMES("add", G2, add, mods, r) MIXED_NAMES("sub", G2, sub, mods, r)
#define ROUNDED(r) TWO_ALL("." #r, r) TWO_NAMES("fma", G3, fma, "." #r, r) MIXED_ALL("." #r, r) MIXED_NAMES("fma", G3, fma, "." #r, r)
/* The source spells these min and max. ptx_form_name() distinguishes them by the number of operands. */
#define THREE_NAMES(op) G3(#op "3.f32", op##_k) G3(#op "3.NaN.f32", op##_kn) G3(#op "3.abs.f32", op##_km) G3(#op "3.NaN.abs.f32", op##_knm) \
    G3(#op "3.ftz.f32", op##_z) G3(#op "3.ftz.NaN.f32", op##_zn) G3(#op "3.ftz.abs.f32", op##_zm) G3(#op "3.ftz.NaN.abs.f32", op##_znm)
static const struct ptx_form rows[] = {
    TWO_ALL("", rn) MIXED_ALL("", rn) ROUNDED(rn) ROUNDED(rz) ROUNDED(rm) ROUNDED(rp) THREE_NAMES(min) THREE_NAMES(max)
};
TABLE(mixed, rows)
