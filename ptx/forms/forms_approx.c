/* ptx/forms/forms_approx.c: ex2 lg2 sin cos tanh as power series in f64, rounded once. The coefficients are those
 * of the Taylor series; errors are below 2^-45. This code does not call libm, so that all machines compute the
 * same bits. */
#include "ptx/forms/forms_real.h"

#define ROUND_MAGIC 6755399441055744.0 /* 1.5 * 2^52: adding it rounds; the low bits are the integer */

/* 2^x: x = n + f, |f| <= 1/2; sum of (f ln 2)^k / k!. x is within +-1000. */
ALWAYS f64 power_of_2(f64 x)
{
    static const f64 c[] = {1.0,
                            0.6931471805599453,
                            0.24022650695910072,
                            0.05550410866482158,
                            0.009618129107628477,
                            0.0013333558146428443,
                            0.0001540353039338161,
                            1.5252733804059841e-05,
                            1.321548679014431e-06,
                            1.01780860092397e-07,
                            7.054911620801123e-09,
                            4.4455382718708116e-10,
                            2.5678435993488206e-11,
                            1.3691488853904128e-12};
    f64 shifted = x + ROUND_MAGIC, f = x - (shifted - ROUND_MAGIC), r = c[13];

    for (int k = 12; k >= 0; k--)
        r = r * f + c[k];
    return r * float64((bits64(shifted) + 1023) << 52);
}
ALWAYS f64 ex2(f64 x)
{
    f64 within = x < -1000 ? -1000 : x > 1000 ? 1000 : x;

    return x == x ? power_of_2(x == x ? within : 0) : x;
}

/* log2 of x: x = 2^e m, m in [1/sqrt 2, sqrt 2); 2/ln 2 * atanh((m - 1) / (m + 1)). x is an f32 that is normal as
 * an f64. */
ALWAYS f64 lg2(f64 x)
{
    static const f64 c[] = {2.8853900817779268,  0.9617966939259756,  0.5770780163555853,  0.4121985831111324,
                            0.3205988979753252,  0.2623081892525388,  0.22195308321368667, 0.19235933878519512,
                            0.16972882833987804, 0.15186263588304877, 0.1373995277037108,  0.12545174268599682,
                            0.11541560327111708};
    u64 u = bits64(x);
    f64 m = float64((u & 0x000fffffffffffff) | 0x3ff0000000000000);
    f64 e = (f64)((s32)(u >> 52 & 0x7ff) - 1023), s, s2, r = c[12];
    bool upper = m > 1.4142135623730951;

    m = upper ? m * 0.5 : m;
    e = upper ? e + 1 : e;
    s = (m - 1) / (m + 1);
    s2 = s * s;
    for (int k = 11; k >= 0; k--)
        r = r * s2 + c[k];
    r = e + s * r;
    r = u == 0x7ff0000000000000 ? x : r;
    r = x == 0 ? -__builtin_inf() : r;
    return x >= 0 ? r : __builtin_nan("");
}

/* tanh: (1 - E) / (1 + E), E = e^(-2|x|). Near 0: the Taylor series of tanh. */
ALWAYS f64 tanh_of(f64 x)
{
    f64 m = float64(bits64(x) & INT64_MAX), e, far, near, m2 = m * m;

    m = m < 40 ? m : 40;
    e = power_of_2(m * -2.8853900817779268);
    far = (1 - e) / (1 + e);
    near = m * (1 + m2 * (-0.3333333333333333 +
                          m2 * (0.13333333333333333 + m2 * (-0.053968253968253971 + m2 * 0.021869488536155203))));
    far = m < 0.015625 ? near : far;
    return x == x ? float64(bits64(far) | (bits64(x) & 0x8000000000000000)) : x;
}

/* Reduces angles of 2^19 and more: x * 2/pi modulo 4 in 128 bits, from 256 bits of 2/pi (Payne and Hanek, 1983).
 * Returns the quadrant. *r: the remainder, in [-pi/4, pi/4]. */
static u32 reduce_far(f32 x, f64 *r)
{
    static const u64 two_over_pi[] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                      0xfe5163abdebbc561};
    u32 u = bits32(x), mantissa = (u & 0x007fffff) | 0x00800000, quarter;
    int from = (int)(u >> 23 & 0xff) - 150 - 2; /* the bits above count whole turns */
    u128 window = 0;
    s128 rest;

    for (int i = 0; i < 4; i++) {
        int left = 64 * (1 - i) + from; /* left shift of this word in the window */

        window |= left >= 128 || left <= -64 ? 0
                  : left >= 0                ? (u128)two_over_pi[i] << left
                                             : (u128)(two_over_pi[i] >> -left);
    }
    window *= mantissa;
    quarter = (u32)((window + ((u128)1 << 125)) >> 126);
    rest = (s128)(window - ((u128)quarter << 126));
    *r = (f64)rest * 0x1p-126 * 1.5707963267948966;
    if (u >> 31) {
        *r = -*r;
        quarter = 0 - quarter;
    }
    return quarter & 3;
}

/* sin of the angle plus `ahead` quadrants. For |x| < 2^19, pi/2 is subtracted in three parts. The first two have
 * 33 bits each, so that the products are exact. */
static void sine_row(f32 *t, const lane_f32 *row, bool ftz, u32 ahead)
{
    f64 r[PTX_LANES], x[PTX_LANES];
    u64 quarter[PTX_LANES];
    u32 far = 0;

    EACH_LANE
    {
        f64 q;

        x[l] = (f64)entering(row[l], ftz);
        q = x[l] * 0x1.45f306dc9c883p-1 + ROUND_MAGIC;
        quarter[l] = bits64(q);
        q -= ROUND_MAGIC;
        r[l] = ((x[l] - q * 0x1.921fb544p+0) - q * 0x1.0b4611a6p-34) - q * 0x1.3198a2e037073p-69;
    }
    EACH_LANE
    far |= x[l] >= 524288.0 || x[l] <= -524288.0;
    for (int l = 0; far && l < PTX_LANES; l++)
        if (x[l] >= 524288.0 || x[l] <= -524288.0)
            quarter[l] = reduce_far(row[l], &r[l]);
    EACH_LANE
    {
        u64 k = quarter[l] + ahead;
        f64 z = r[l] * r[l], s, c, y;

        s = r[l] * (1 + z * (-0.16666666666666666 +
                             z * (0.008333333333333333 +
                                  z * (-0.0001984126984126984 +
                                       z * (2.7557319223985893e-06 +
                                            z * (-2.505210838544172e-08 +
                                                 z * (1.6059043836821613e-10 + z * -7.647163731819816e-13)))))));
        c = 1 + z * (-0.5 + z * (0.041666666666666664 +
                                 z * (-0.001388888888888889 +
                                      z * (2.48015873015873e-05 +
                                           z * (-2.755731922398589e-07 +
                                                z * (2.08767569878681e-09 + z * (-1.1470745597729725e-11 +
                                                                                 z * 4.779477332387385e-14)))))));
        y = k & 1 ? c : s;
        y = k & 2 ? -y : y;
        y = x[l] - x[l] == 0 ? y : __builtin_nan("");
        t[l] = finished((f32)y, ftz, 0);
    }
}

/* clang-format off */
#define SINE(id, ftz, ahead) \
    HANDLER(id) \
    { \
        f32 t[PTX_LANES] __attribute__((aligned(64))); \
        sine_row(t, row_of(w, p->src[0]), ftz, ahead); \
        blend_row(row_of(w, p->dst), t, sizeof t[0], mask); \
    }
SINE(sin_k, 0, 0) SINE(sin_z, 1, 0) SINE(cos_k, 0, 1) SINE(cos_z, 1, 1)

#define HALF16(f, x) f32_to_f16(odd_f32(f((f64)f16_to_f32(x))))
#define HALFBF(f, x) f32_to_bf16(odd_f32(f((f64)bf16_to_f32(x))))
#define HALFBZ(f, x) flush_bf(f32_to_bf16(odd_f32(f((f64)flushed(bf16_to_f32(x))))))
ALWAYS u16 flush_bf(u16 h) { return h & 0x7f80 ? h : h & 0x8000; }
#define BOTH_HALVES(H, f) ((u32)H(f, (u16)a) | (u32)H(f, (u16)(a >> 16)) << 16)
OP1(ex2_k, f32, f32, finished((f32)ex2((f64)a), 0, 0)) OP1(ex2_z, f32, f32, finished((f32)ex2((f64)flushed(a)), 1, 0))
OP1(lg2_k, f32, f32, finished((f32)lg2((f64)a), 0, 0)) OP1(lg2_z, f32, f32, finished((f32)lg2((f64)flushed(a)), 1, 0))
OP1(tanh_k, f32, f32, finished((f32)tanh_of((f64)a), 0, 0))
OP1(ex2_h, u16, u16, HALF16(ex2, a)) OP1(ex2_h2, u32, u32, BOTH_HALVES(HALF16, ex2)) OP1(ex2_b, u16, u16, HALFBZ(ex2, a))
OP1(ex2_b2, u32, u32, BOTH_HALVES(HALFBZ, ex2)) OP1(tanh_h, u16, u16, HALF16(tanh_of, a)) OP1(tanh_h2, u32, u32, BOTH_HALVES(HALF16, tanh_of))
OP1(tanh_b, u16, u16, HALFBF(tanh_of, a)) OP1(tanh_b2, u32, u32, BOTH_HALVES(HALFBF, tanh_of))

#define S(text, id) {.name = text, .dst_bits = 32, .src_bits = {32}, .full = id, .part = id},
static const struct ptx_form rows[] = {
    S("sin.approx.f32", sin_k) S("sin.approx.ftz.f32", sin_z) S("cos.approx.f32", cos_k) S("cos.approx.ftz.f32", cos_z)
    F1("ex2.approx.f32", ex2_k) F1("ex2.approx.ftz.f32", ex2_z) F1("lg2.approx.f32", lg2_k) F1("lg2.approx.ftz.f32", lg2_z)
    F1("tanh.approx.f32", tanh_k) F1("ex2.approx.f16", ex2_h) F1("ex2.approx.f16x2", ex2_h2) F1("ex2.approx.ftz.bf16", ex2_b)
    F1("ex2.approx.ftz.bf16x2", ex2_b2) F1("tanh.approx.f16", tanh_h) F1("tanh.approx.f16x2", tanh_h2)
    F1("tanh.approx.bf16", tanh_b) F1("tanh.approx.bf16x2", tanh_b2)
    /* PTX 1.0 to 1.3: without a modifier the instruction means .approx.ftz */
    S("sin.f32", sin_z) S("cos.f32", cos_z) F1("ex2.f32", ex2_z) F1("lg2.f32", lg2_z)
};
TABLE(approx, rows)
