/* ptx/forms/forms_round.c: f64 with directed rounding, which sets the CPU's rounding mode. Compiled with
 * -frounding-math. The arithmetic is in separate functions, so that the compiler does not move it across the
 * change of mode. */
#include <fenv.h>
#include <math.h>

#include "ptx/forms/forms_real.h"

typedef void row_work(f64 *t, const lane_f64 *x, const lane_f64 *y, const lane_f64 *z);

static void with_mode(struct ptx_lanes *w, const struct ptx_form_args *p, u32 mask, int mode, row_work *work,
                      int sources)
{
    f64 t[PTX_LANES] __attribute__((aligned(64)));
    const lane_f64 *x = row_of(w, p->src[0]), *y = sources > 1 ? row_of(w, p->src[1]) : x,
                   *z = sources > 2 ? row_of(w, p->src[2]) : x;
    int before = fegetround();

    fesetround(mode);
    work(t, x, y, z);
    fesetround(before);
    for (int l = 0; l < PTX_LANES; l++)
        t[l] = finished64(t[l], x[l], y[l], z[l]);
    blend_row(row_of(w, p->dst), t, sizeof t[0], mask);
}

/* clang-format off */
#define WORK(op, expr) \
    static __attribute__((noinline)) void op##_work(f64 *t, const lane_f64 *x, const lane_f64 *y, const lane_f64 *z) \
    { \
        for (int l = 0; l < PTX_LANES; l++) { \
            const f64 a = x[l], b = y[l], c = z[l]; \
            (void)a, (void)b, (void)c; \
            t[l] = (expr); \
        } \
    }
#define MODE(op, v, mode, n) HANDLER(op##_##v) { with_mode(w, p, mask, mode, op##_work, n); }
#define MODES(op, n) MODE(op, rz, FE_TOWARDZERO, n) MODE(op, rm, FE_DOWNWARD, n) MODE(op, rp, FE_UPWARD, n)
WORK(add, a + b) WORK(sub, a - b) WORK(mul, a * b) WORK(fma, fma(a, b, c)) WORK(div, a / b) WORK(rcp, 1 / a) WORK(sqrt, sqrt(a))
MODES(add, 2) MODES(sub, 2) MODES(mul, 2) MODES(fma, 3) MODES(div, 2) MODES(rcp, 1) MODES(sqrt, 1)

#define ROW(op, id, v, b, c) {.name = op "." #v ".f64", .dst_bits = 64, .src_bits = {64, b, c}, .full = id##_##v, .part = id##_##v},
#define ROWS(op, id, b, c) ROW(op, id, rz, b, c) ROW(op, id, rm, b, c) ROW(op, id, rp, b, c)
static const struct ptx_form rows[] = {
    ROWS("add", add, 64, 0) ROWS("sub", sub, 64, 0) ROWS("mul", mul, 64, 0) ROWS("fma", fma, 64, 64) ROWS("mad", fma, 64, 64)
    ROWS("div", div, 64, 0) ROWS("rcp", rcp, 0, 0) ROWS("sqrt", sqrt, 0, 0)
};
TABLE(round, rows)
