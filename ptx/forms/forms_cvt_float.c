/* ptx/forms/forms_cvt_float.c: cvt between floats: f64 f32 f16 bf16 tf32, pairs of fp8, and conversions that pack
 * two values. Source of the semantics: NVIDIA, PTX ISA 9.0, section 9.7.9.21; fp8: Micikevicius et al., "FP8
 * formats for deep learning", 2022. */
#include "ptx/forms/forms_real.h"

#define FINITE16(h)          ((u16)(((h)&0x7fff) == 0x7c00 ? ((h)&0x8000) | 0x7bff : (h)))
#define FINITE_BF(h)         ((u16)(((h)&0x7fff) == 0x7f80 ? ((h)&0x8000) | 0x7f7f : (h)))
#define PAIR(hi, lo)         ((u32)(hi) << 16 | (lo))
#define TF32_CANONICAL(u, r) (nan32(u) ? NAN_F32 : (r))

/* Negative numbers become +0. NaN is unchanged. */
ALWAYS f32 relu(f32 x)
{
    return x <= 0 || bits32(x) == 0x80000000 ? 0 : x;
}
ALWAYS f32 round_f32(f32 x, int mode, bool ftz, bool sat)
{
    return finished((f32)to_integer((f64)entering(x, ftz), mode), ftz, sat);
}
ALWAYS u16 round_f16(u16 h, int mode)
{
    return f32_to_f16((f32)to_integer((f64)f16_to_f32(h), mode));
}
ALWAYS f64 round_f64(f64 x, int mode)
{
    return finished64(to_integer(x, mode), x, 0, 0);
}

/* Converts f32 to 8 bits. `shift`: 23 - mantissa bits. `least`: bits of the smallest normal number. `magic`: a
 * float whose unit in the last place is the smallest subnormal. Values beyond the range become the largest
 * number. */
ALWAYS u32 to_fp8(f32 v, u32 bias, u32 shift, u32 least, f32 magic, u32 largest)
{
    u32 u = bits32(v), x = u & 0x7fffffff;
    u32 normal = (x - ((127 - bias) << 23) + ((1u << (shift - 1)) - 1) + (x >> shift & 1)) >> shift;
    u32 tiny = bits32(float32(x < least ? x : 0) + magic) - bits32(magic);
    u32 r = x < least ? tiny : x >= 0x47800000 || normal > largest ? largest : normal; /* 0x47800000: 2^16 */

    return nan32(u) ? 0x7f : r | (u >> 24 & 0x80);
}
ALWAYS u32 to_e4m3(f32 v)
{
    return to_fp8(v, 7, 20, 0x3c800000, 16384.0f, 0x7e);
}
ALWAYS u32 to_e5m2(f32 v)
{
    return to_fp8(v, 15, 21, 0x38800000, 128.0f, 0x7b);
}
ALWAYS u16 from_e4m3(u32 x)
{
    u16 h = f32_to_f16(f16_to_f32((u16)((x & 0x7f) << 7)) * 256.0f);

    return (x & 0x7f) == 0x7f ? NAN_F16 : (u16)(h | (x & 0x80) << 8);
}
ALWAYS u16 from_e5m2(u32 x)
{
    return (x & 0x7f) > 0x7c ? NAN_F16 : (u16)((x & 0xff) << 8);
}
#define RELU16(h) ((u16)(((h)&0x7fff) > 0x7c00 ? (h) : (h)&0x8000 ? 0 : (h)))

/* tf32: a mantissa of 10 bits, stored as an f32. */
ALWAYS u32 finite_tf32(u32 u)
{
    return (u & 0x7fffffff) == 0x7f800000 ? (u & 0x80000000) | 0x7f7fe000 : u;
}
ALWAYS u32 tf32_away(u32 u)
{
    return TF32_CANONICAL(u, (u + 0x1000) & ~0x1fffu);
}
ALWAYS u32 tf32_even(u32 u)
{
    return TF32_CANONICAL(u, (u + 0xfff + (u >> 13 & 1)) & ~0x1fffu);
}
ALWAYS u32 tf32_zero(u32 u)
{
    return TF32_CANONICAL(u, u & ~0x1fffu);
}
#define RELU_BITS(u) (bits32(relu(float32(u))))

ALWAYS u32 packed(s32 v, s32 low, s32 high)
{
    return (u32)(v < low ? low : v > high ? high : v);
}

/* clang-format off */
OP1(f64_f32, f64, f32, a) OP1(f64_f32z, f64, f32, flushed(a)) ONE1(f64_f16, f64, u16, finished(f16_to_f32(a), 0, 0))
ONE1(f64_bf16, f64, u16, finished(bf16_to_f32(a), 0, 0)) ONE1(f64_f64s, f64, f64, saturated64(a)) ONE1(f64_f32s, f64, f32, saturated64((f64)a))
ONE1(f64_f32zs, f64, f32, saturated64((f64)flushed(a))) ONE1(f64_f16s, f64, u16, saturated64((f64)f16_to_f32(a)))
OP1(f32_f16, f32, u16, finished(f16_to_f32(a), 0, 0)) ONE1(f32_f16s, f32, u16, finished(f16_to_f32(a), 0, 1))
OP1(f32_bf16, f32, u16, finished(bf16_to_f32(a), 0, 0)) ONE1(f32_bf16s, f32, u16, finished(bf16_to_f32(a), 0, 1))
ONE1(f16_f16, u16, u16, f32_to_f16(f16_to_f32(a))) ONE1(f16_f16s, u16, u16, f32_to_f16(saturated(f16_to_f32(a))))
ONE1(f64_f64, f64, f64, finished64(a, a, 0, 0))
OP1(f32_f32, f32, f32, finished(a, 0, 0)) OP1(f32_f32z, f32, f32, finished(a, 1, 0)) OP1(f32_f32s, f32, f32, finished(a, 0, 1))
OP1(f32_f32zs, f32, f32, finished(a, 1, 1))

#define NARROW(R, r) \
    OP1(r##_f32_f64, f32, f64, finished(directed(a, R), 0, 0)) ONE1(r##_f32z_f64, f32, f64, finished(directed(a, R), 1, 0)) \
    ONE1(r##_f32s_f64, f32, f64, finished(directed(a, R), 0, 1)) ONE1(r##_f32zs_f64, f32, f64, finished(directed(a, R), 1, 1)) \
    ONE1(r##_f16_f32z, u16, f32, directed_f16((f64)flushed(a), R)) ONE1(r##_f16s_f32z, u16, f32, directed_f16((f64)saturated(flushed(a)), R)) \
    ONE1(r##_f16s_f32, u16, f32, directed_f16((f64)saturated(a), R)) ONE1(r##_f16_f64, u16, f64, directed_f16(a, R)) \
    ONE1(r##_f16s_f64, u16, f64, directed_f16(saturated64(a), R)) ONE1(r##_bf16_f64, u16, f64, directed_bf16(a, R)) \
    ONE1(r##_bf16_f16, u16, u16, directed_bf16((f64)f16_to_f32(a), R)) ONE1(r##_f16_bf16, u16, u16, directed_f16((f64)bf16_to_f32(a), R))
NARROW(RZ, rz) NARROW(RM, rm) NARROW(RP, rp)
ONE1(rm_f16_f32, u16, f32, directed_f16((f64)a, RM)) ONE1(rp_f16_f32, u16, f32, directed_f16((f64)a, RP))
ONE1(rm_bf16_f32, u16, f32, directed_bf16((f64)a, RM)) ONE1(rp_bf16_f32, u16, f32, directed_bf16((f64)a, RP))
OP1(rn_f32_f64, f32, f64, finished((f32)a, 0, 0)) ONE1(rn_f32z_f64, f32, f64, finished((f32)a, 1, 0)) ONE1(rn_f32s_f64, f32, f64, finished((f32)a, 0, 1))
ONE1(rn_f32zs_f64, f32, f64, finished((f32)a, 1, 1)) ONE1(rn_f16_f32z, u16, f32, f32_to_f16(flushed(a)))
ONE1(rn_f16s_f32, u16, f32, f32_to_f16(saturated(a))) ONE1(rn_f16s_f32z, u16, f32, f32_to_f16(saturated(flushed(a)))) ONE1(rn_f16_f64, u16, f64, f32_to_f16(odd_f32(a)))
ONE1(rn_f16s_f64, u16, f64, f32_to_f16(odd_f32(saturated64(a)))) ONE1(rn_bf16_f64, u16, f64, f32_to_bf16(odd_f32(a)))
ONE1(rn_bf16_f16, u16, u16, f32_to_bf16(f16_to_f32(a))) ONE1(rn_f16_bf16, u16, u16, f32_to_f16(bf16_to_f32(a)))

/* Converts f32 to one half or two, with relu and satfinite. a becomes the upper half and b the lower half. */
#define HALVES(r, T, to, FINITE) \
    OP1(r##_##T, u16, f32, to(a)) ONE1(r##_##T##_r, u16, f32, to(relu(a))) ONE1(r##_##T##_f, u16, f32, FINITE(to(a))) \
    ONE1(r##_##T##_rf, u16, f32, FINITE(to(relu(a)))) OP2(r##_##T##x2, u32, f32, f32, PAIR(to(a), to(b))) \
    ONE2(r##_##T##x2_r, u32, f32, f32, PAIR(to(relu(a)), to(relu(b)))) ONE2(r##_##T##x2_f, u32, f32, f32, PAIR(FINITE(to(a)), FINITE(to(b)))) \
    ONE2(r##_##T##x2_rf, u32, f32, f32, PAIR(FINITE(to(relu(a))), FINITE(to(relu(b)))))
#define ZERO16(x) directed_f16((f64)(x), RZ)
#define ZERO_BF(x) directed_bf16((f64)(x), RZ)
HALVES(rn, f16, f32_to_f16, FINITE16) HALVES(rz, f16, ZERO16, FINITE16) HALVES(rn, bf16, f32_to_bf16, FINITE_BF) HALVES(rz, bf16, ZERO_BF, FINITE_BF)

#define INTEGRAL(R, r) \
    OP1(r##_f32, f32, f32, round_f32(a, R, 0, 0)) ONE1(r##_f32z, f32, f32, round_f32(a, R, 1, 0)) ONE1(r##_f32s, f32, f32, round_f32(a, R, 0, 1)) \
    ONE1(r##_f32zs, f32, f32, round_f32(a, R, 1, 1)) OP1(r##_f64, f64, f64, round_f64(a, R)) ONE1(r##_f64s, f64, f64, saturated64(to_integer(a, R))) \
    ONE1(r##_f16i, u16, u16, round_f16(a, R)) ONE1(r##_f16is, u16, u16, f32_to_f16(saturated(f16_to_f32(round_f16(a, R)))))
INTEGRAL(RN, rni) INTEGRAL(RZ, rzi) INTEGRAL(RM, rmi) INTEGRAL(RP, rpi)

#define FP8(T) \
    ONE2(T##_f32, u16, f32, f32, to_##T(a) << 8 | to_##T(b)) ONE2(T##_f32r, u16, f32, f32, to_##T(relu(a)) << 8 | to_##T(relu(b))) \
    ONE1(T##_f16, u16, u32, to_##T(f16_to_f32((u16)(a >> 16))) << 8 | to_##T(f16_to_f32((u16)a))) \
    ONE1(T##_f16r, u16, u32, to_##T(relu(f16_to_f32((u16)(a >> 16)))) << 8 | to_##T(relu(f16_to_f32((u16)a)))) \
    ONE1(f16_##T, u32, u16, PAIR(from_##T(a >> 8), from_##T(a))) \
    ONE1(f16_##T##r, u32, u16, PAIR(RELU16(from_##T(a >> 8)), RELU16(from_##T(a))))
FP8(e4m3) FP8(e5m2)
#define TF32(r, f) ONE1(r##_tf32, u32, u32, f(a)) ONE1(r##_tf32r, u32, u32, f(RELU_BITS(a))) ONE1(r##_tf32f, u32, u32, finite_tf32(f(a))) \
    ONE1(r##_tf32rf, u32, u32, finite_tf32(f(RELU_BITS(a))))
TF32(rna, tf32_away) TF32(rn, tf32_even) TF32(rz, tf32_zero)

ONE2(pack_s16, u32, s32, s32, packed(a, INT16_MIN, INT16_MAX) << 16 | (packed(b, INT16_MIN, INT16_MAX) & 0xffff))
ONE2(pack_u16, u32, s32, s32, packed(a, 0, UINT16_MAX) << 16 | packed(b, 0, UINT16_MAX))
#define PACK(T, bits, low, high) ONE3(pack_##T, u32, s32, s32, u32, c << 2 * bits | (packed(a, low, high) & ((1u << bits) - 1)) << bits | \
    (packed(b, low, high) & ((1u << bits) - 1)))
PACK(s8, 8, INT8_MIN, INT8_MAX) PACK(u8, 8, 0, UINT8_MAX) PACK(s4, 4, -8, 7) PACK(u4, 4, 0, 15) PACK(s2, 2, -2, 1) PACK(u2, 2, 0, 3)

#define N(r) F1("cvt." #r ".f32.f64", r##_f32_f64) G1("cvt." #r ".ftz.f32.f64", r##_f32z_f64) G1("cvt." #r ".sat.f32.f64", r##_f32s_f64) \
    G1("cvt." #r ".ftz.sat.f32.f64", r##_f32zs_f64) G1("cvt." #r ".ftz.f16.f32", r##_f16_f32z) \
    G1("cvt." #r ".ftz.sat.f16.f32", r##_f16s_f32z) F1("cvt." #r ".f32.bf16", f32_bf16) G1("cvt." #r ".f64.bf16", f64_bf16) \
    G1("cvt." #r ".sat.f16.f32", r##_f16s_f32) G1("cvt." #r ".f16.f64", r##_f16_f64) G1("cvt." #r ".sat.f16.f64", r##_f16s_f64) \
    G1("cvt." #r ".bf16.f64", r##_bf16_f64) G1("cvt." #r ".bf16.f16", r##_bf16_f16) G1("cvt." #r ".f16.bf16", r##_f16_bf16)
#define H(r, T) F1("cvt." #r "." #T ".f32", r##_##T) G1("cvt." #r ".relu." #T ".f32", r##_##T##_r) G1("cvt." #r ".satfinite." #T ".f32", r##_##T##_f) \
    G1("cvt." #r ".relu.satfinite." #T ".f32", r##_##T##_rf) G1("cvt." #r ".satfinite.relu." #T ".f32", r##_##T##_rf) \
    F2("cvt." #r "." #T "x2.f32", r##_##T##x2) G2("cvt." #r ".relu." #T "x2.f32", r##_##T##x2_r) G2("cvt." #r ".satfinite." #T "x2.f32", r##_##T##x2_f) \
    G2("cvt." #r ".relu.satfinite." #T "x2.f32", r##_##T##x2_rf) G2("cvt." #r ".satfinite.relu." #T "x2.f32", r##_##T##x2_rf)
#define I(r) F1("cvt." #r ".f32.f32", r##_f32) G1("cvt." #r ".ftz.f32.f32", r##_f32z) G1("cvt." #r ".sat.f32.f32", r##_f32s) \
    G1("cvt." #r ".ftz.sat.f32.f32", r##_f32zs) F1("cvt." #r ".f64.f64", r##_f64) G1("cvt." #r ".sat.f64.f64", r##_f64s) G1("cvt." #r ".f16.f16", r##_f16i) \
    G1("cvt." #r ".sat.f16.f16", r##_f16is)
#define E(T) G2("cvt.rn.satfinite." #T "x2.f32", T##_f32) G2("cvt.rn.satfinite.relu." #T "x2.f32", T##_f32r) G1("cvt.rn.satfinite." #T "x2.f16x2", T##_f16) \
    G1("cvt.rn.satfinite.relu." #T "x2.f16x2", T##_f16r) G1("cvt.rn.f16x2." #T "x2", f16_##T) G1("cvt.rn.relu.f16x2." #T "x2", f16_##T##r)
#define T(r) G1("cvt." #r ".tf32.f32", r##_tf32) G1("cvt." #r ".satfinite.tf32.f32", r##_tf32f) G1("cvt." #r ".relu.tf32.f32", r##_tf32r) \
    G1("cvt." #r ".relu.satfinite.tf32.f32", r##_tf32rf) G1("cvt." #r ".satfinite.relu.tf32.f32", r##_tf32rf)
static const struct ptx_form rows[] = {
    F1("cvt.f64.f32", f64_f32) F1("cvt.ftz.f64.f32", f64_f32z) G1("cvt.sat.f64.f32", f64_f32s) G1("cvt.ftz.sat.f64.f32", f64_f32zs)
    G1("cvt.f64.f16", f64_f16) G1("cvt.sat.f64.f16", f64_f16s) G1("cvt.f64.bf16", f64_bf16) G1("cvt.sat.f64.f64", f64_f64s)
    F1("cvt.f32.f16", f32_f16) F1("cvt.ftz.f32.f16", f32_f16) G1("cvt.sat.f32.f16", f32_f16s) G1("cvt.ftz.sat.f32.f16", f32_f16s)
    F1("cvt.f32.bf16", f32_bf16) G1("cvt.sat.f32.bf16", f32_bf16s) F1("cvt.f32.f32", f32_f32) F1("cvt.ftz.f32.f32", f32_f32z)
    F1("cvt.sat.f32.f32", f32_f32s) F1("cvt.ftz.sat.f32.f32", f32_f32zs)
    N(rn) N(rz) N(rm) N(rp) G1("cvt.rm.f16.f32", rm_f16_f32) G1("cvt.rp.f16.f32", rp_f16_f32)
    H(rn, f16) H(rz, f16) H(rn, bf16) H(rz, bf16) I(rni) I(rzi) I(rmi) I(rpi) E(e4m3) E(e5m2) T(rna) T(rn) T(rz)
    G2("cvt.pack.sat.s16.s32", pack_s16) G2("cvt.pack.sat.u16.s32", pack_u16) G3("cvt.pack.sat.s8.s32.b32", pack_s8)
    G3("cvt.pack.sat.u8.s32.b32", pack_u8) G3("cvt.pack.sat.s4.s32.b32", pack_s4) G3("cvt.pack.sat.u4.s32.b32", pack_u4)
    G3("cvt.pack.sat.s2.s32.b32", pack_s2) G3("cvt.pack.sat.u2.s32.b32", pack_u2) G1("cvt.f16.f16", f16_f16) G1("cvt.sat.f16.f16", f16_f16s)
    G1("cvt.f64.f64", f64_f64) G1("cvt.rm.bf16.f32", rm_bf16_f32) G1("cvt.rp.bf16.f32", rp_bf16_f32)
};
TABLE(cvt_float, rows)
