/* ptx/forms/forms_video.c: dp4a dp2a, and SIMD video instructions on bytes and halves. Source of the semantics:
 * NVIDIA, PTX ISA 9.0, sections 9.7.1.23 and 9.7.17. Byte k of a is combined with byte k of b. Only the forms
 * without a selector or a mask are here. */
#include "ptx/forms/forms_lane.h"
#include "ptx/forms/forms_video.h"

HANDLER(video)
{
    const lane_u32 *x = row_of(w, p->src[0]), *y = row_of(w, p->src[1]), *z = row_of(w, p->src[2]);
    u32 t[PTX_LANES];

    for (int l = 0; l < PTX_LANES; l++)
        t[l] = video_pieces(x[l], y[l], z[l], p->imm, VIDEO_ALL);
    blend_row(row_of(w, p->dst), t, sizeof t[0], mask);
}

#define BYTE(T, x, k) ((s32)(T##8)((x) >> 8 * (k)))
#define HALF(T, x, k) ((s32)(T##16)((x) >> 16 * (k)))

/* clang-format off */
#define DOT4(A, B) OP3(dp4a_##A##B, u32, u32, u32, u32, c + (u32)(BYTE(A, a, 0) * BYTE(B, b, 0) + BYTE(A, a, 1) * BYTE(B, b, 1) + \
    BYTE(A, a, 2) * BYTE(B, b, 2) + BYTE(A, a, 3) * BYTE(B, b, 3)))
#define DOT2(A, B, half, k) OP3(dp2a_##half##A##B, u32, u32, u32, u32, c + (u32)HALF(A, a, 0) * (u32)BYTE(B, b, k) + \
    (u32)HALF(A, a, 1) * (u32)BYTE(B, b, (k) + 1))
DOT4(s, s) DOT4(s, u) DOT4(u, s) DOT4(u, u)
DOT2(s, s, lo, 0) DOT2(s, u, lo, 0) DOT2(u, s, lo, 0) DOT2(u, u, lo, 0)
DOT2(s, s, hi, 2) DOT2(s, u, hi, 2) DOT2(u, s, hi, 2) DOT2(u, u, hi, 2)
#define D(text, id) F3("dp4a." text, dp4a_##id) F3("dp2a.lo." text, dp2a_lo##id) F3("dp2a.hi." text, dp2a_hi##id)
#define V1(text, flags) {.name = text, .dst_bits = 32, .src_bits = {32, 32, 32}, .imm = flags, .full = video, .part = video},
#define V2(op, types, flags) V1(op types, flags) V1(op ".sat" types, (flags) | V_SATURATE) V1(op ".add" types, (flags) | V_SUM)
#define V3(op, d, flags) V2(op, d ".u32.u32", flags) V2(op, d ".u32.s32", (flags) | V_SIGNED_B) V2(op, d ".s32.u32", (flags) | V_SIGNED_A) \
    V2(op, d ".s32.s32", (flags) | V_SIGNED_A | V_SIGNED_B)
#define V4(op, flags) V3(op, ".u32", flags) V3(op, ".s32", (flags) | V_SIGNED_D)
#define V5(op, kind) V4(op "4", kind) V4(op "2", (kind) | V_HALVES)
#define SET1(op, cmp, types, flags) V1(op "." cmp types, flags) V1(op "." cmp ".add" types, (flags) | V_SUM)
#define SET2(op, cmp, flags) SET1(op, cmp, ".u32.u32", flags) SET1(op, cmp, ".u32.s32", (flags) | V_SIGNED_B) \
    SET1(op, cmp, ".s32.u32", (flags) | V_SIGNED_A) SET1(op, cmp, ".s32.s32", (flags) | V_SIGNED_A | V_SIGNED_B)
#define SET3(cmp, how) SET2("vset4", cmp, V_SET | (how) << V_COMPARE) SET2("vset2", cmp, V_SET | V_HALVES | (how) << V_COMPARE)
static const struct ptx_form rows[] = {
    SET3("eq", V_EQ) SET3("ne", V_NE) SET3("lt", V_LT) SET3("le", V_LE) SET3("gt", V_GT) SET3("ge", V_GE)
    D("s32.s32", ss) D("s32.u32", su) D("u32.s32", us) D("u32.u32", uu)
    V5("vadd", V_ADD) V5("vsub", V_SUB) V5("vavrg", V_AVRG) V5("vabsdiff", V_ABSDIFF) V5("vmin", V_MIN) V5("vmax", V_MAX)
};
TABLE(video, rows)
