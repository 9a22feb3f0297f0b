/* ptx/forms/forms_real.h: shared by the float forms: canonical results, saturation, directed rounding of f32 sums
 * and products, minimum of two, rounding to integers. Source of the semantics: NVIDIA, PTX ISA 9.0, section
 * 9.7.3. */
#ifndef VIVACE_PTX_FORMS_FORMS_REAL_H
#define VIVACE_PTX_FORMS_FORMS_REAL_H

#include "ptx/forms/forms_half.h"
#include "ptx/forms/forms_lane.h"

enum { RN, RZ, RM, RP, RNA };

/* Maps floats to integers of the same order: -0 below +0, NaN outside the range of numbers. */
ALWAYS s32 order32(u32 u)
{
    return (s32)(u ^ ((0u - (u >> 31)) & 0x7fffffff));
}
ALWAYS s64 order64(u64 u)
{
    return (s64)(u ^ ((0ull - (u >> 63)) & INT64_MAX));
}
ALWAYS bool nan32(u32 u)
{
    return (u & 0x7fffffff) > 0x7f800000;
}
ALWAYS bool nan64(u64 u)
{
    return (u & INT64_MAX) > 0x7ff0000000000000;
}

/* Clamps to [0, 1]. NaN and -0 become +0. */
ALWAYS f32 saturated(f32 x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}
ALWAYS f64 saturated64(f64 x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

/* The last step of every f32 operation: canonical NaN, flush of subnormals, saturation. */
ALWAYS f32 finished(f32 r, bool ftz, bool sat)
{
    u32 u = bits32(r);

    u = nan32(u) ? NAN_F32 : u;
    u = ftz ? flushed_bits(u) : u;
    return sat ? saturated(float32(u)) : float32(u);
}
ALWAYS f32 entering(f32 x, bool ftz)
{
    return ftz ? flushed(x) : x;
}

/* f64 returns the payload of the first NaN among the sources. A NaN that the operation creates is 0xfff8.... */
#define QUIET64 0x0008000000000000u
#define NAN_F64 0xfff8000000000000u
ALWAYS f64 finished64(f64 r, f64 a, f64 b, f64 c)
{
    u64 u = bits64(r), x = bits64(a), y = bits64(b), z = bits64(c);

    u = nan64(u) ? NAN_F64 : u;
    u = nan64(z) ? z | QUIET64 : u;
    u = nan64(y) ? y | QUIET64 : u;
    return float64(nan64(x) ? x | QUIET64 : u);
}

/* Rounds d, which is exact or rounded to odd, to f32. If rounding to nearest moved it to the wrong side, one step
 * corrects it. On the bits, +1 is a step away from zero. */
ALWAYS f32 directed(f64 d, int mode)
{
    f32 f = (f32)d;
    f64 back = (f64)f;
    u32 u = bits32(f), negative = u >> 31;

    if (mode == RZ)
        u -= (back > d && !negative) || (back < d && negative);
    else if (mode == RM)
        u = back > d ? (negative ? u + 1 : u - 1) : u;
    else if (mode == RP)
        u = back < d ? (negative ? u - 1 : u + 1) : u;
    return float32(u);
}
/* When rounding down, an exact zero sum of unlike zeros or of x - x is -0. */
ALWAYS f32 directed_sum(f64 a, f64 b, int mode)
{
    f64 sum = odd_sum(a, b);

    return mode == RM && sum == 0 && (bits64(a) | bits64(b)) ? float32(0x80000000) : directed(sum, mode);
}
ALWAYS f32 add_f32(f32 a, f32 b, int mode)
{
    return mode == RN ? a + b : directed_sum(a, b, mode);
}
ALWAYS f32 mul_f32(f32 a, f32 b, int mode)
{
    return mode == RN ? a * b : directed((f64)a * b, mode);
}
ALWAYS f32 fma_f32(f32 a, f32 b, f32 c, int mode)
{
#ifdef __FMA__
    if (mode == RN)
        return __builtin_fmaf(a, b, c);
#endif
    return mode == RN ? (f32)odd_sum((f64)a * b, c) : directed_sum((f64)a * b, c, mode);
}

/* The minimum (most: maximum) of two. If one is a NaN, the result is the number; with `strict` it is the NaN. */
ALWAYS u32 least32(u32 a, u32 b, bool most, bool strict)
{
    bool first = most ? order32(a) > order32(b) : order32(a) < order32(b);
    u32 r = nan32(a) ? b : nan32(b) ? a : first ? a : b;

    r = strict && (nan32(a) || nan32(b)) ? NAN_F32 : r;
    return nan32(r) ? NAN_F32 : r;
}

/* Rounds to f16 and bf16 in rounding mode `mode`. */
#define DIRECTED_HALF(name, to, from)                                                                              \
    ALWAYS u16 name(f64 d, int mode)                                                                               \
    {                                                                                                              \
        u16 u = to(odd_f32(d)), negative = u >> 15;                                                                \
        f64 back = (f64)from(u);                                                                                   \
        if (mode == RZ)                                                                                            \
            u = (u16)(u - ((back > d && !negative) || (back < d && negative)));                                    \
        else if (mode == RM)                                                                                       \
            u = (u16)(back > d ? (negative ? u + 1 : u - 1) : u);                                                  \
        else if (mode == RP)                                                                                       \
            u = (u16)(back < d ? (negative ? u - 1 : u + 1) : u);                                                  \
        return u;                                                                                                  \
    }
DIRECTED_HALF(directed_f16, f32_to_f16, f16_to_f32)
DIRECTED_HALF(directed_bf16, f32_to_bf16, bf16_to_f32)

/* Rounds to an integer. The sign of zero is kept. From 2^52 on all numbers are integers; below, adding 2^52
 * rounds. */
ALWAYS f64 to_integer(f64 d, int mode)
{
    u64 u = bits64(d), sign = u & 0x8000000000000000u;
    f64 m = float64(u & INT64_MAX), big = 4503599627370496.0, t = m < big ? (m + big) - big : m;
    bool up = mode == RP ? !sign : mode == RM ? sign != 0 : false;

    if (mode != RN) {
        t = t > m ? t - 1 : t;
        t = up && t < m ? t + 1 : t;
    }
    return float64(bits64(t) | sign);
}

#endif
