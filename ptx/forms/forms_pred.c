/* ptx/forms/forms_pred.c: comparisons (setp, set) of one value per lane. Source of the semantics: NVIDIA, PTX ISA
 * 9.0, section 9.7.6.
 *
 * args.imm of setp and set: the low bits are the boolean operator, the higher bits select the value that set
 * writes for true. */
#include "ptx/forms/forms_half.h"
#include "ptx/forms/forms_lane.h"

enum { JOIN_NONE, JOIN_AND, JOIN_OR, JOIN_XOR, JOIN_BITS = 3 };
enum { TRUE_ONES = 0 << 2, TRUE_F32 = 1 << 2, TRUE_F16 = 2 << 2, TRUE_BF16 = 3 << 2 };

ALWAYS u32 joined(u32 m, u32 c, u32 imm)
{
    switch (imm & JOIN_BITS) {
    case JOIN_AND: return m & c;
    case JOIN_OR: return m | c;
    case JOIN_XOR: return m ^ c;
    default: return m;
    }
}

/* p gets the comparison and q its negation, each combined with c. It is inline for speed: gcc 12 would call a
 * separate function without clearing the upper halves of the vector registers. The next SSE instruction, wherever
 * it is, would then cost about a thousand cycles. */
ALWAYS void finish_setp(struct ptx_lanes *w, const struct ptx_form_args *p, u32 mask, u32 m)
{
    u32 c = p->imm & JOIN_BITS ? pred_of(w, p, 2) : 0;

    set_pred(w, p->dst, joined(m, c, p->imm), mask);
    set_pred(w, p->dst2, joined(~m, c, p->imm), mask);
}

static void finish_set32(struct ptx_lanes *w, const struct ptx_form_args *p, u32 mask, u32 m)
{
    u32 c = p->imm & JOIN_BITS ? pred_of(w, p, 2) : 0, yes = p->imm & TRUE_F32 ? 0x3f800000 : UINT32_MAX;
    u32 t[PTX_LANES];

    m = joined(m, c, p->imm);
    EACH_LANE
    t[l] = m & lane_bit[l] ? yes : 0;
    blend_row(row_of(w, p->dst), t, sizeof t[0], mask);
}

static void finish_set16(struct ptx_lanes *w, const struct ptx_form_args *p, u32 mask, u32 m)
{
    u32 c = p->imm & JOIN_BITS ? pred_of(w, p, 2) : 0, kind = p->imm & ~JOIN_BITS;
    u16 yes = kind == TRUE_F16 ? 0x3c00 : kind == TRUE_BF16 ? 0x3f80 : UINT16_MAX, t[PTX_LANES];

    m = joined(m, c, p->imm);
    for (int l = 0; l < PTX_LANES; l++)
        t[l] = m >> l & 1 ? yes : 0;
    blend_row(row_of(w, p->dst), t, sizeof t[0], mask);
}

/* clang-format off */
/* A comparison: its mask and its handlers. LOAD converts the contents of the rows to values. */
#define COMPARE(id, A, LOAD, expr) \
    ALWAYS u32 compare_##id(const struct ptx_lanes *w, const struct ptx_form_args *p) \
    { \
        SOURCE(A, x, 0); SOURCE(A, y, 1); \
        u8 t[PTX_LANES] __attribute__((aligned(64))); \
        EACH_LANE { \
            const __typeof__(LOAD((A)0)) a = LOAD(x[l]), b = LOAD(y[l]); \
            t[l] = (expr) ? 0xff : 0; \
        } \
        return mask_of_bytes(t); \
    } \
    HANDLER(setp_##id) { finish_setp(w, p, mask, compare_##id(w, p)); } \
    HANDLER(set_##id) { finish_set32(w, p, mask, compare_##id(w, p)); } \
    HANDLER(set16_##id) { finish_set16(w, p, mask, compare_##id(w, p)); } \
    enum { width_##id = sizeof(A) * 8 };
#define AS_IS(v) (v)
#define FLUSHED(v) flushed(v)

#define EQUALITY(X, T) X(eq, T, a == b) X(ne, T, a != b)
#define ORDER(X, T) X(lt, T, a < b) X(le, T, a <= b) X(gt, T, a > b) X(ge, T, a >= b)
#define ORDERED(X, T) X(eq, T, a == b) X(ne, T, (a < b) | (a > b)) ORDER(X, T)
#define UNORDERED(X, T) X(equ, T, !((a < b) | (a > b))) X(neu, T, a != b) X(ltu, T, !(a >= b)) X(leu, T, !(a > b)) \
    X(gtu, T, !(a <= b)) X(geu, T, !(a < b)) X(num, T, (a == a) & (b == b)) X(nan, T, (a != a) | (b != b))
#define FLOATS(X, T) ORDERED(X, T) UNORDERED(X, T)

#define INTEGER_CASE(cmp, T, expr) COMPARE(cmp##_##T, T, AS_IS, expr)
EQUALITY(INTEGER_CASE, u16) EQUALITY(INTEGER_CASE, u32) EQUALITY(INTEGER_CASE, u64)
ORDER(INTEGER_CASE, u16) ORDER(INTEGER_CASE, u32) ORDER(INTEGER_CASE, u64)
ORDER(INTEGER_CASE, s16) ORDER(INTEGER_CASE, s32) ORDER(INTEGER_CASE, s64)
FLOATS(INTEGER_CASE, f32) FLOATS(INTEGER_CASE, f64)
#define FTZ_CASE(cmp, T, expr) COMPARE(cmp##_ftz, f32, FLUSHED, expr)
FLOATS(FTZ_CASE, )
#define HALF_CASE(cmp, T, expr) COMPARE(cmp##_##T, u16, T##_to_f32, expr)
FLOATS(HALF_CASE, f16) FLOATS(HALF_CASE, f16ftz) FLOATS(HALF_CASE, bf16)

#define SETP1(text, id, joins, n) {.name = text, .dst_bits = 1, .dst2_bits = 1, .imm = joins, \
    .src_bits = {width_##id, width_##id, n}, .full = setp_##id, .part = setp_##id},
#define SETP(cmp, rest, id) SETP1("setp." cmp rest, id, JOIN_NONE, 0) SETP1("setp." cmp ".and" rest, id, JOIN_AND, 1) \
    SETP1("setp." cmp ".or" rest, id, JOIN_OR, 1) SETP1("setp." cmp ".xor" rest, id, JOIN_XOR, 1)
#define SET1(text, id, h, bits, joins, n) {.name = text, .dst_bits = bits, .imm = joins, \
    .src_bits = {width_##id, width_##id, n}, .full = h##_##id, .part = h##_##id},
#define SET(cmp, mid, type, rest, id, h, bits, yes) SET1("set." cmp mid "." type rest, id, h, bits, (yes) | JOIN_NONE, 0) \
    SET1("set." cmp ".and" mid "." type rest, id, h, bits, (yes) | JOIN_AND, 1) \
    SET1("set." cmp ".or" mid "." type rest, id, h, bits, (yes) | JOIN_OR, 1) \
    SET1("set." cmp ".xor" mid "." type rest, id, h, bits, (yes) | JOIN_XOR, 1)
#define SETS(cmp, mid, rest, id) SET(cmp, mid, "u32", rest, id, set, 32, TRUE_ONES) \
    SET(cmp, mid, "s32", rest, id, set, 32, TRUE_ONES) SET(cmp, mid, "f32", rest, id, set, 32, TRUE_F32)
#define SETS16(cmp, mid, rest, id, own, yes) SETS(cmp, mid, rest, id) SET(cmp, mid, own, rest, id, set16, 16, yes) \
    SET(cmp, mid, "u16", rest, id, set16, 16, TRUE_ONES) SET(cmp, mid, "s16", rest, id, set16, 16, TRUE_ONES)
#define TO_BF16(cmp, type, id) SET(cmp, "", "bf16", type, id, set16, 16, TRUE_BF16)
#define BOTH(cmp, type, id) SETP(cmp, type, id) SETS(cmp, "", type, id) SET(cmp, "", "f16", type, id, set16, 16, TRUE_F16) TO_BF16(cmp, type, id)

#define EQUAL_NAMES(n) BOTH("eq", ".b" #n, eq_u##n) BOTH("ne", ".b" #n, ne_u##n) BOTH("eq", ".u" #n, eq_u##n) \
    BOTH("ne", ".u" #n, ne_u##n) BOTH("eq", ".s" #n, eq_u##n) BOTH("ne", ".s" #n, ne_u##n)
#define ORDER_NAMES(t) BOTH("lt", "." #t, lt_##t) BOTH("le", "." #t, le_##t) BOTH("gt", "." #t, gt_##t) BOTH("ge", "." #t, ge_##t)
#define UNSIGNED_NAMES(t) ORDER_NAMES(t) BOTH("lo", "." #t, lt_##t) BOTH("ls", "." #t, le_##t) BOTH("hi", "." #t, gt_##t) \
    BOTH("hs", "." #t, ge_##t)
#define FLOAT_NAME(cmp, T, expr) BOTH(#cmp, "." #T, cmp##_##T)
#define FTZ_NAME(cmp, T, expr) SETP(#cmp, ".ftz.f32", cmp##_ftz) SETS(#cmp, ".ftz", ".f32", cmp##_ftz) \
    SET(#cmp, ".ftz", "f16", ".f32", cmp##_ftz, set16, 16, TRUE_F16)
#define F16_NAME(cmp, T, expr) SETP(#cmp, ".f16", cmp##_f16) SETP(#cmp, ".ftz.f16", cmp##_f16ftz) \
    SETS16(#cmp, "", ".f16", cmp##_f16, "f16", TRUE_F16) TO_BF16(#cmp, ".f16", cmp##_f16) SETS16(#cmp, ".ftz", ".f16", cmp##_f16ftz, "f16", TRUE_F16)
#define BF16_NAME(cmp, T, expr) SETP(#cmp, ".bf16", cmp##_bf16) SETS16(#cmp, "", ".bf16", cmp##_bf16, "bf16", TRUE_BF16)

static const struct ptx_form rows[] = {
    EQUAL_NAMES(16) EQUAL_NAMES(32) EQUAL_NAMES(64) UNSIGNED_NAMES(u16) UNSIGNED_NAMES(u32) UNSIGNED_NAMES(u64)
    ORDER_NAMES(s16) ORDER_NAMES(s32) ORDER_NAMES(s64) FLOATS(FLOAT_NAME, f32) FLOATS(FLOAT_NAME, f64) FLOATS(FTZ_NAME, )
    FLOATS(F16_NAME, ) FLOATS(BF16_NAME, )
};
TABLE(pred, rows)
