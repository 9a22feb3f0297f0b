/* ptx/forms/forms_cvt.c: cvt between integers and between integers and floats. Source of the semantics: NVIDIA,
 * PTX ISA 9.0, section 9.7.9.21. 8-bit values use 16-bit rows and are sign-extended. */
#include "ptx/forms/forms_real.h"

/* --- between integers --- */

ALWAYS u64 clamped(u64 v, bool is_signed, s64 low, u64 high)
{
    if (is_signed && (s64)v < 0)
        return (s64)v < low ? (u64)low : v;
    return v > high ? high : v;
}

/* --- floats to integers: rounded, then clamped to the range --- */

/* Converts to integers of up to 32 bits. `nan`: the result for a NaN. */
ALWAYS u32 integer32(f64 d, int mode, f64 low, f64 high, u32 nan)
{
    f64 r = to_integer(d, mode);

    r = r < low ? low : r > high ? high : r;
    return d == d ? (u32)bits64(r + 6755399441055744.0) : nan; /* + 1.5 * 2^52: the low bits are the integer */
}
ALWAYS u64 integer_u64(f64 d, int mode)
{
    f64 r = to_integer(d, mode);

    return d != d ? (u64)1 << 63 : r <= 0 ? 0 : r >= 18446744073709551616.0 ? UINT64_MAX : (u64)r;
}
ALWAYS u64 integer_s64(f64 d, int mode)
{
    f64 r = to_integer(d, mode);

    return d != d || r < -9223372036854775808.0 ? (u64)1 << 63
           : r >= 9223372036854775808.0         ? INT64_MAX
                                                : (u64)(s64)r;
}

/* --- integers to floats --- */

/* Integers of up to 32 bits: the conversion is exact. */
ALWAYS f64 real_u32(u32 v)
{
    return float64(0x4330000000000000 | v) - 4503599627370496.0; /* 2^52 + v */
}
/* Rounds 64 bits to 53 bits, to odd. A later rounding to f32 or less then gives the same result as a single
 * rounding. */
ALWAYS f64 real_magnitude(u64 m)
{
    bool wide = m >> 53 != 0;
    u64 kept = wide ? m >> 11 | ((m & 0x7ff) != 0) : m;

    return (f64)(s64)kept * (wide ? 2048.0 : 1.0);
}
ALWAYS f64 real_u64(u64 v)
{
    return real_magnitude(v);
}
ALWAYS f64 real_s64(s64 v)
{
    return v < 0 ? -real_magnitude(0 - (u64)v) : real_magnitude((u64)v);
}
/* Converts 64 bits to f64 in rounding mode `mode`. */
ALWAYS f64 whole(u64 m, bool negative, int mode)
{
    f64 r = (f64)m;
    bool above = (u128)r > m, below = (u128)r < m;
    int away = mode == RZ ? 0 : (mode == RM) == negative ? 1 : 0;

    if (mode != RN)
        r = away && below ? float64(bits64(r) + 1) : !away && above ? float64(bits64(r) - 1) : r;
    return negative ? -r : r;
}
ALWAYS f64 whole_s64(s64 v, int mode)
{
    return v < 0 ? whole(0 - (u64)v, true, mode) : whole((u64)v, false, mode);
}

/* clang-format off */
#define PAIR(D, DR, low, high, A, AR, sign) \
    OP1(cvt_##D##_##A, DR, AR, (D)(A)a) ONE1(sat_##D##_##A, DR, AR, (D)clamped((u64)(A)a, sign, low, high))
#define FROM_ALL(D, DR, low, high) \
    PAIR(D, DR, low, high, u8, u16, 0) PAIR(D, DR, low, high, s8, s16, 1) PAIR(D, DR, low, high, u16, u16, 0) \
    PAIR(D, DR, low, high, s16, s16, 1) PAIR(D, DR, low, high, u32, u32, 0) PAIR(D, DR, low, high, s32, s32, 1) \
    PAIR(D, DR, low, high, u64, u64, 0) PAIR(D, DR, low, high, s64, s64, 1)
FROM_ALL(u8, u16, 0, UINT8_MAX) FROM_ALL(s8, s16, INT8_MIN, INT8_MAX) FROM_ALL(u16, u16, 0, UINT16_MAX)
FROM_ALL(s16, s16, INT16_MIN, INT16_MAX) FROM_ALL(u32, u32, 0, UINT32_MAX) FROM_ALL(s32, s32, INT32_MIN, INT32_MAX)
FROM_ALL(u64, u64, 0, UINT64_MAX) FROM_ALL(s64, s64, INT64_MIN, INT64_MAX)

#define READ_f64(x) (x)
#define READ_f32(x) ((f64)(x))
#define READ_f32z(x) ((f64)flushed(x))
#define READ_f16(x) ((f64)f16_to_f32(x))
#define READ_bf16(x) ((f64)bf16_to_f32(x))
#define TO_INT(F, FR, M, m, n8, n16, n32) \
    ONE1(m##_u8_##F, u16, FR, integer32(READ_##F(a), M, 0, UINT8_MAX, n8)) \
    ONE1(m##_s8_##F, s16, FR, (s8)integer32(READ_##F(a), M, INT8_MIN, INT8_MAX, n8)) \
    ONE1(m##_u16_##F, u16, FR, integer32(READ_##F(a), M, 0, UINT16_MAX, n16)) \
    ONE1(m##_s16_##F, u16, FR, integer32(READ_##F(a), M, INT16_MIN, INT16_MAX, n16)) \
    OP1(m##_u32_##F, u32, FR, integer32(READ_##F(a), M, 0, UINT32_MAX, n32)) \
    OP1(m##_s32_##F, u32, FR, integer32(READ_##F(a), M, INT32_MIN, INT32_MAX, n32)) \
    ONE1(m##_u64_##F, u64, FR, integer_u64(READ_##F(a), M)) ONE1(m##_s64_##F, u64, FR, integer_s64(READ_##F(a), M))
#define TO_INTS(F, FR, n8, n16, n32) TO_INT(F, FR, RN, rni, n8, n16, n32) TO_INT(F, FR, RZ, rzi, n8, n16, n32) \
    TO_INT(F, FR, RM, rmi, n8, n16, n32) TO_INT(F, FR, RP, rpi, n8, n16, n32)
TO_INTS(f16, u16, 0, 0, 0) TO_INTS(bf16, u16, 0, 0, 0) TO_INTS(f32, f32, 0, 0, 0) TO_INTS(f32z, f32, 0, 0, 0)
TO_INTS(f64, f64, 0x80, 0x8000, 0x80000000)

#define FROM_INT(A, AR, real, exact, M, m) \
    ONE1(m##_f16s_##A, u16, AR, directed_f16(saturated64(real), M)) ONE1(m##_f64s_##A, f64, AR, saturated64(exact)) \
    ONE1(m##_f16_##A, u16, AR, directed_f16(real, M)) ONE1(m##_bf16_##A, u16, AR, directed_bf16(real, M)) \
    OP1(m##_f32_##A, f32, AR, directed(real, M)) ONE1(m##_f32s_##A, f32, AR, saturated(directed(real, M))) \
    OP1(m##_f64_##A, f64, AR, exact)
#define FROM_INTS(M, m) \
    FROM_INT(u8, u16, (f64)(s32)(u8)a, (f64)(s32)(u8)a, M, m) FROM_INT(s8, s16, (f64)(s32)(s8)a, (f64)(s32)(s8)a, M, m) \
    FROM_INT(u16, u16, (f64)(s32)a, (f64)(s32)a, M, m) FROM_INT(s16, s16, (f64)(s32)a, (f64)(s32)a, M, m) \
    FROM_INT(u32, u32, real_u32(a), real_u32(a), M, m) FROM_INT(s32, s32, (f64)a, (f64)a, M, m) \
    FROM_INT(u64, u64, real_u64(a), whole(a, 0, M), M, m) FROM_INT(s64, s64, real_s64(a), whole_s64(a, M), M, m)
FROM_INTS(RN, rn) FROM_INTS(RZ, rz) FROM_INTS(RM, rm) FROM_INTS(RP, rp)

#define NAME_II(D, A) F1("cvt." #D "." #A, cvt_##D##_##A) G1("cvt.sat." #D "." #A, sat_##D##_##A)
#define ALL(X, D) X(D, u8) X(D, s8) X(D, u16) X(D, s16) X(D, u32) X(D, s32) X(D, u64) X(D, s64)
#define NAME_FI(G, m, D, F, mods, id) G("cvt." #m mods "." #D "." F, m##_##D##_##id) G("cvt." #m mods ".sat." #D "." F, m##_##D##_##id)
#define NAMES_FI(m, F, mods, id) NAME_FI(G1, m, u8, F, mods, id) NAME_FI(G1, m, s8, F, mods, id) NAME_FI(G1, m, u16, F, mods, id) \
    NAME_FI(G1, m, s16, F, mods, id) NAME_FI(F1, m, u32, F, mods, id) NAME_FI(F1, m, s32, F, mods, id) NAME_FI(G1, m, u64, F, mods, id) \
    NAME_FI(G1, m, s64, F, mods, id)
#define NAMES_F(m) NAMES_FI(m, "f16", "", f16) NAMES_FI(m, "bf16", "", bf16) NAMES_FI(m, "f32", "", f32) NAMES_FI(m, "f32", ".ftz", f32z) \
    NAMES_FI(m, "f64", "", f64)
#define NAME_IF(m, A) G1("cvt." #m ".f16." #A, m##_f16_##A) G1("cvt." #m ".bf16." #A, m##_bf16_##A) F1("cvt." #m ".f32." #A, m##_f32_##A) \
    G1("cvt." #m ".sat.f16." #A, m##_f16s_##A) G1("cvt." #m ".sat.f64." #A, m##_f64s_##A) G1("cvt." #m ".sat.f32." #A, m##_f32s_##A) F1("cvt." #m ".f64." #A, m##_f64_##A) \
    F1("cvt." #m ".ftz.f32." #A, m##_f32_##A) G1("cvt." #m ".ftz.sat.f32." #A, m##_f32s_##A)
static const struct ptx_form rows[] = {
    ALL(NAME_II, u8) ALL(NAME_II, s8) ALL(NAME_II, u16) ALL(NAME_II, s16) ALL(NAME_II, u32) ALL(NAME_II, s32) ALL(NAME_II, u64)
    ALL(NAME_II, s64) NAMES_F(rni) NAMES_F(rzi) NAMES_F(rmi) NAMES_F(rpi) ALL(NAME_IF, rn) ALL(NAME_IF, rz) ALL(NAME_IF, rm) ALL(NAME_IF, rp)
};
TABLE(cvt, rows)
