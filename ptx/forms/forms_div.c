/* ptx/forms/forms_div.c: div rcp sqrt rsqrt.
 * The f32 forms compute in f64. The f64 quotient or root is rounded once to 53 bits. Rounding it to 24 bits gives
 * the same result as rounding the exact value (53 >= 2 * 24 + 2; Figueroa, "When is double rounding innocuous?",
 * 1995). The f64 value is a 24-bit number only if it is exact, so directed rounding is correct too. The
 * approximate forms return the exact result rounded once, which is within all error bounds of the manual. */
#include "ptx/forms/forms_real.h"

/* The manual defines the fast division outside its range: for 2^126 < |b| < 2^128 the reciprocal of b is 0. */
ALWAYS f32 div_fast(f32 a, f32 b)
{
    u32 m = bits32(b) & 0x7fffffff;
    f32 zero = float32(((bits32(a) ^ bits32(b)) & 0x80000000));
    bool outside = m > 0x7e800000 && m < 0x7f800000, infinite = (bits32(a) & 0x7fffffff) == 0x7f800000;

    return outside && a == a ? (infinite ? float32(NAN_F32) : zero) : (f32)((f64)a / (f64)b);
}

/* The coarse f64 forms read only the upper word and write only the upper word. */
ALWAYS f64 upper(f64 x)
{
    return float64(bits64(x) & 0xffffffff00000000);
}
ALWAYS f64 flushed64(f64 x)
{
    u64 u = bits64(x);

    return float64(u & 0x7ff0000000000000 ? u : u & 0x8000000000000000);
}
#define COARSE(expr, x) upper(flushed64(finished64(expr, x, 0, 0)))
#define ROOT(x)         __builtin_sqrt(x)

/* clang-format off */
#define ROUND(R, v, ftz) \
    OP2(div_##v, f32, f32, f32, finished(directed((f64)entering(a, ftz) / (f64)entering(b, ftz), R), ftz, 0)) \
    OP1(rcp_##v, f32, f32, finished(directed(1 / (f64)entering(a, ftz), R), ftz, 0)) \
    OP1(sqrt_##v, f32, f32, finished(directed(ROOT((f64)entering(a, ftz)), R), ftz, 0))
ROUND(RN, rn, 0) ROUND(RN, rnz, 1) ROUND(RZ, rz, 0) ROUND(RZ, rzz, 1) ROUND(RM, rm, 0) ROUND(RM, rmz, 1) ROUND(RP, rp, 0) ROUND(RP, rpz, 1)
OP2(div_fast_k, f32, f32, f32, finished(div_fast(a, b), 0, 0)) OP2(div_fast_z, f32, f32, f32, finished(div_fast(flushed(a), flushed(b)), 1, 0))
OP1(rsqrt_k, f32, f32, finished((f32)(1 / ROOT((f64)a)), 0, 0)) OP1(rsqrt_z, f32, f32, finished((f32)(1 / ROOT((f64)flushed(a))), 1, 0))
OP2(div_f64, f64, f64, f64, finished64(a / b, a, b, 0)) OP1(rcp_f64, f64, f64, finished64(1 / a, a, 0, 0))
OP1(sqrt_f64, f64, f64, finished64(ROOT(a), a, 0, 0)) OP1(rsqrt_f64, f64, f64, finished64(1 / ROOT(a), a, 0, 0))
OP1(rcp_coarse, f64, f64, COARSE(1 / flushed64(upper(a)), a)) OP1(rsqrt_coarse, f64, f64, COARSE(1 / ROOT(flushed64(upper(a))), a))

#define NAMES(F, op, id) F(op ".rn.f32", id##_rn) F(op ".rn.ftz.f32", id##_rnz) F(op ".rz.f32", id##_rz) F(op ".rz.ftz.f32", id##_rzz) \
    F(op ".rm.f32", id##_rm) F(op ".rm.ftz.f32", id##_rmz) F(op ".rp.f32", id##_rp) F(op ".rp.ftz.f32", id##_rpz)
static const struct ptx_form rows[] = {
    NAMES(F2, "div", div) NAMES(F1, "rcp", rcp) NAMES(F1, "sqrt", sqrt)
    F2("div.full.f32", div_rn) F2("div.full.ftz.f32", div_rnz) F2("div.approx.f32", div_fast_k) F2("div.approx.ftz.f32", div_fast_z)
    F1("rcp.approx.f32", rcp_rn) F1("rcp.approx.ftz.f32", rcp_rnz) F1("sqrt.approx.f32", sqrt_rn) F1("sqrt.approx.ftz.f32", sqrt_rnz)
    F1("rsqrt.approx.f32", rsqrt_k) F1("rsqrt.approx.ftz.f32", rsqrt_z) F2("div.rn.f64", div_f64) F1("rcp.rn.f64", rcp_f64)
    F1("sqrt.rn.f64", sqrt_f64) F1("rsqrt.approx.f64", rsqrt_f64) F1("rcp.approx.ftz.f64", rcp_coarse) F1("rsqrt.approx.ftz.f64", rsqrt_coarse)
    /* PTX 1.0 to 1.3: without a modifier f32 means .approx.ftz, f64 means .rn, and f64 rsqrt means .approx */
    F2("div.f32", div_fast_z) F2("div.ftz.f32", div_fast_z) F1("rcp.f32", rcp_rnz) F1("sqrt.f32", sqrt_rnz) F1("rsqrt.f32", rsqrt_z)
    F2("div.f64", div_f64) F1("rcp.f64", rcp_f64) F1("sqrt.f64", sqrt_f64) F1("rsqrt.f64", rsqrt_f64)
};
TABLE(div, rows)
