/* ptx/forms/forms_pair.c: two values per lane: comparisons of f16x2 and bf16x2 (setp, set); rounding of bf16;
 * logic with a predicate result (lop3). Source of the semantics: NVIDIA, PTX ISA 9.0, sections 9.7.7 (half
 * comparisons), 9.7.8.7 (lop3). */
#include "ptx/forms/forms_real.h"

enum { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_, COMPARISON = 15 };
enum { AND = 1 << 4, OR = 2 << 4, XOR = 3 << 4, JOIN = 3 << 4 };
enum { IS_F16 = 0 << 6, IS_FTZ = 1 << 6, IS_BF16 = 2 << 6, KIND = 3 << 6 };
enum { ONES = 1 << 8, ONE_F16 = 2 << 8, ONE_BF16 = 3 << 8, RESULT = 3 << 8 };

static f32 half_value(u16 h, u32 kind)
{
    return kind == IS_BF16 ? bf16_to_f32(h) : kind == IS_FTZ ? f16ftz_to_f32(h) : f16_to_f32(h);
}

static bool holds(f32 a, f32 b, u32 comparison)
{
    bool unordered = a != a || b != b;

    switch (comparison) {
    case EQ: return a == b;
    case NE: return !unordered && a != b;
    case LT: return a < b;
    case LE: return a <= b;
    case GT: return a > b;
    case GE: return a >= b;
    case EQU: return unordered || a == b;
    case NEU: return a != b;
    case LTU: return unordered || a < b;
    case LEU: return unordered || a <= b;
    case GTU: return unordered || a > b;
    case GEU: return unordered || a >= b;
    case NUM: return !unordered;
    default: return unordered;
    }
}

/* Masks of the lanes whose comparison is true, for the low and the high halves, each combined with predicate c. */
static void compare_pairs(const struct ptx_lanes *w, const struct ptx_form_args *p, u32 m[2])
{
    const lane_u32 *x = row_of(w, p->src[0]), *y = row_of(w, p->src[1]);
    u32 c = p->imm & JOIN ? pred_of(w, p, 2) : 0;

    m[0] = m[1] = 0;
    for (int l = 0; l < PTX_LANES; l++)
        for (u32 h = 0; h < 2; h++)
            m[h] |= (u32)holds(half_value((u16)(x[l] >> 16 * h), p->imm & KIND),
                               half_value((u16)(y[l] >> 16 * h), p->imm & KIND), p->imm & COMPARISON)
                    << l;
    for (u32 h = 0; h < 2; h++)
        switch (p->imm & JOIN) {
        case AND: m[h] &= c; break;
        case OR: m[h] |= c; break;
        case XOR: m[h] ^= c; break;
        default: break;
        }
}

HANDLER(setp_pair)
{
    u32 m[2];

    compare_pairs(w, p, m);
    set_pred(w, p->dst, m[0], mask);
    set_pred(w, p->dst2, m[1], mask);
}

HANDLER(set_pair)
{
    u32 m[2], t[PTX_LANES] __attribute__((aligned(64)));
    u32 kind = p->imm & RESULT, yes = kind == ONE_F16 ? 0x3c00 : kind == ONE_BF16 ? 0x3f80 : 0xffff;

    compare_pairs(w, p, m);
    for (int l = 0; l < PTX_LANES; l++)
        t[l] = (m[0] >> l & 1 ? yes : 0) | (m[1] >> l & 1 ? yes << 16 : 0);
    blend_row(row_of(w, p->dst), t, sizeof t[0], mask);
}

/* lop3 with a predicate result: the predicate is true if the result is not zero, and is combined with another
 * predicate by `and` or `or` (one form for each). The table is the low byte of imm. */
static void lop3_both(struct ptx_lanes *w, const struct ptx_form_args *p, u32 mask, bool both)
{
    const lane_u32 *x = row_of(w, p->src[0]), *y = row_of(w, p->src[1]), *z = row_of(w, p->src[2]);
    u32 t[PTX_LANES] __attribute__((aligned(64))), some = 0, joined = pred_of(w, p, 3);

    for (int l = 0; l < PTX_LANES; l++) {
        t[l] = 0;
        for (u32 i = 0; i < 8; i++)
            if (p->imm >> i & 1)
                t[l] |= (i & 4 ? x[l] : ~x[l]) & (i & 2 ? y[l] : ~y[l]) & (i & 1 ? z[l] : ~z[l]);
        some |= (u32)(t[l] != 0) << l;
    }
    blend_row(row_of(w, p->dst), t, sizeof t[0], mask);
    set_pred(w, p->dst2, both ? some & joined : some | joined, mask);
}
HANDLER(lop3_and)
{
    lop3_both(w, p, mask, true);
}
HANDLER(lop3_or)
{
    lop3_both(w, p, mask, false);
}

ALWAYS u16 round_bf16(u16 h, int mode)
{
    return f32_to_bf16((f32)to_integer((f64)bf16_to_f32(h), mode));
}

/* clang-format off */
ONE1(bf16_rni, u16, u16, round_bf16(a, RN)) ONE1(bf16_rzi, u16, u16, round_bf16(a, RZ))
ONE1(bf16_rmi, u16, u16, round_bf16(a, RM)) ONE1(bf16_rpi, u16, u16, round_bf16(a, RP))

#define SETP1(text, flags, n) {.name = "setp." text, .dst_bits = 1, .dst2_bits = 1, .imm = flags, .src_bits = {32, 32, n}, \
    .full = setp_pair, .part = setp_pair},
#define SETP(cmp, type, flags) SETP1(cmp type, flags, 0) SETP1(cmp ".and" type, (flags) | AND, 1) SETP1(cmp ".or" type, (flags) | OR, 1) \
    SETP1(cmp ".xor" type, (flags) | XOR, 1)
#define SET1(text, flags, n) {.name = "set." text, .dst_bits = 32, .imm = flags, .src_bits = {32, 32, n}, .full = set_pair, .part = set_pair},
#define SET(cmp, type, flags) SET1(cmp type, flags, 0) SET1(cmp ".and" type, (flags) | AND, 1) SET1(cmp ".or" type, (flags) | OR, 1) \
    SET1(cmp ".xor" type, (flags) | XOR, 1)
#define SETS(cmp, mid, own, flags, one) SET(cmp, mid "." own "." own, (flags) | (one)) SET(cmp, mid ".u32." own, (flags) | ONES) \
    SET(cmp, mid ".s32." own, (flags) | ONES)
#define BOTH(cmp, c) SETP(cmp, ".f16x2", c | IS_F16) SETP(cmp, ".ftz.f16x2", c | IS_FTZ) SETP(cmp, ".bf16x2", c | IS_BF16) \
    SETS(cmp, "", "f16x2", c | IS_F16, ONE_F16) SETS(cmp, ".ftz", "f16x2", c | IS_FTZ, ONE_F16) SETS(cmp, "", "bf16x2", c | IS_BF16, ONE_BF16)
#define LOP3(text, id) {.name = text, .dst_bits = 32, .dst2_bits = 1, .src_bits = {32, 32, 32, 1}, .has_imm = true, .full = id, .part = id},

static const struct ptx_form rows[] = {
    BOTH("eq", EQ) BOTH("ne", NE) BOTH("lt", LT) BOTH("le", LE) BOTH("gt", GT) BOTH("ge", GE) BOTH("equ", EQU) BOTH("neu", NEU)
    BOTH("ltu", LTU) BOTH("leu", LEU) BOTH("gtu", GTU) BOTH("geu", GEU) BOTH("num", NUM) BOTH("nan", NAN_)
    LOP3("lop3.and.b32", lop3_and) LOP3("lop3.or.b32", lop3_or)
    G1("cvt.rni.bf16.bf16", bf16_rni) G1("cvt.rzi.bf16.bf16", bf16_rzi) G1("cvt.rmi.bf16.bf16", bf16_rmi) G1("cvt.rpi.bf16.bf16", bf16_rpi)
};
TABLE(pair, rows)
