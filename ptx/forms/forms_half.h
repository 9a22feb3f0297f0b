/* ptx/forms/forms_half.h: exact conversions between f16, bf16, f32 and f64, and conversions that round only once.
 * Arguments and results are bits. Every NaN becomes the canonical NaN where a value is rounded. Formats: IEEE
 * 754-2019 (f16); bf16 is the upper half of an f32. */
#ifndef VIVACE_PTX_FORMS_FORMS_HALF_H
#define VIVACE_PTX_FORMS_FORMS_HALF_H

#include "ptx/forms/forms_lane.h"

#define NAN_F32 0x7fffffffu
#define NAN_F16 0x7fffu

/* Subnormals become zeros of the same sign. */
ALWAYS u32 flushed_bits(u32 u)
{
    return u & 0x7f800000 ? u : u & 0x80000000;
}
ALWAYS f32 flushed(f32 x)
{
    return float32(flushed_bits(bits32(x)));
}
ALWAYS u16 flushed_half(u16 h)
{
    return h & 0x7c00 ? h : h & 0x8000;
}

ALWAYS u32 f16_to_bits(u16 h)
{
    u32 x = (u32)(h & 0x7fff) << 13, sign = (u32)(h & 0x8000) << 16;
    u32 tiny = bits32(float32(x | 0x38800000) - float32(0x38800000)); /* the mantissa as a multiple of 2^-24 */
    u32 normal = x + 0x38000000 + (x >= 0x0f800000 ? 0x38000000 : 0);

    return sign | (x < 0x00800000 ? tiny : normal);
}
ALWAYS f32 f16_to_f32(u16 h)
{
    return float32(f16_to_bits(h));
}
ALWAYS f32 f16ftz_to_f32(u16 h)
{
    return f16_to_f32(flushed_half(h));
}
ALWAYS f32 bf16_to_f32(u16 h)
{
    return float32((u32)h << 16);
}

/* Round to nearest, ties to even. */
ALWAYS u16 f32_to_f16(f32 v)
{
    u32 u = bits32(v), x = u & 0x7fffffff;
    u32 normal = (x - 0x38000000 + 0xfff + (x >> 13 & 1)) >> 13;
    u32 tiny = bits32(float32(x < 0x38800000 ? x : 0) + 0.5f) - 0x3f000000; /* ulp of 1/2 is 2^-24 */
    u32 h = x < 0x38800000 ? tiny : x >= 0x47800000 ? 0x7c00 : normal;

    return (u16)(x > 0x7f800000 ? NAN_F16 : (u >> 16 & 0x8000) | h);
}
ALWAYS u16 f32_to_bf16(f32 v)
{
    u32 u = bits32(v), r = (u + 0x7fff + (u >> 16 & 1)) >> 16;

    return (u16)((u & 0x7fffffff) > 0x7f800000 ? NAN_F16 : r);
}

/* Rounding to odd: the last bit of an inexact result is 1. A later rounding to at least two bits fewer then gives
 * the same result as a single rounding (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums",
 * 2008). */
ALWAYS f32 odd_f32(f64 d)
{
    f32 f = (f32)d;
    f64 back = (f64)f;
    u32 u = bits32(f), moved = (back > d) == (d > 0) ? u - 1 : u + 1;

    return float32((!(back == d) & (d == d) & !(u & 1)) ? moved : u);
}
/* a + b, rounded to odd. The error of the rounded sum is computed exactly (Knuth's TwoSum). */
ALWAYS f64 odd_sum(f64 a, f64 b)
{
    f64 s = a + b, bb = s - a, lost = (a - (s - bb)) + (b - bb);
    u64 u = bits64(s), moved = (lost > 0) == (s > 0) ? u + 1 : u - 1;

    return float64((((lost > 0) | (lost < 0)) & !(u & 1)) ? moved : u);
}

#endif
