/* ptx/forms/forms_move.c: moves, packing and unpacking, selp, slct, logic of predicates, testp. Source of the
 * semantics: NVIDIA, PTX ISA 9.0, sections 9.7.9.3, 9.7.6 and 9.7.3. */
#include "ptx/forms/forms_half.h"
#include "ptx/forms/forms_lane.h"

#define BYTE(x) ((u32)((x)&0xff))

/* clang-format off */
OP1(mov_16, u16, u16, a) OP1(mov_32, u32, u32, a) OP1(mov_64, u64, u64, a) OP1(mov_128, u128, u128, a)
OP2(pack_16_8, u16, u16, u16, BYTE(a) | BYTE(b) << 8)
OP2(pack_32_16, u32, u16, u16, a | (u32)b << 16)
OP2(pack_64_32, u64, u32, u32, a | (u64)b << 32)
OP2(pack_128_64, u128, u64, u64, a | (u128)b << 64)
OP4(pack_32_8, u32, u16, u16, u16, u16, BYTE(a) | BYTE(b) << 8 | BYTE(c) << 16 | BYTE(e) << 24)
OP4(pack_64_16, u64, u16, u16, u16, u16, a | (u64)b << 16 | (u64)c << 32 | (u64)e << 48)
OP4(pack_128_32, u128, u32, u32, u32, u32, a | (u128)b << 32 | (u128)c << 64 | (u128)e << 96)

/* `bits`: width of each piece. Pieces of 8 bits use 16-bit rows. */
#define UNPACK(id, A, D, bits, pieces) \
    HANDLER(id) \
    { \
        SOURCE(A, x, 0); \
        const u16 to[4] = {p->dst, p->dst2, p->src[1], p->src[2]}; \
        D t[pieces][PTX_LANES] __attribute__((aligned(64))); \
        for (int k = 0; k < pieces; k++) \
            EACH_LANE t[k][l] = (D)(x[l] >> k * bits & (A)((D)-1 >> (sizeof(D) * 8 - bits))); \
        for (int k = 0; k < pieces; k++) \
            if (to[k] != PTX_NO_ROW) \
                blend_row(row_of(w, to[k]), t[k], sizeof(D), mask); \
    }
UNPACK(unpack_16_8, u16, u16, 8, 2) UNPACK(unpack_32_16, u32, u16, 16, 2) UNPACK(unpack_64_32, u64, u32, 32, 2)
UNPACK(unpack_128_64, u128, u64, 64, 2) UNPACK(unpack_32_8, u32, u16, 8, 4) UNPACK(unpack_64_16, u64, u16, 16, 4)
UNPACK(unpack_128_32, u128, u32, 32, 4)

#define PAIR(id, D) \
    HANDLER(id) \
    { \
        D t[2][PTX_LANES] __attribute__((aligned(64))); \
        memcpy(t[0], row_of(w, p->src[0]), sizeof t[0]); \
        memcpy(t[1], row_of(w, p->src[1]), sizeof t[1]); \
        if (p->dst != PTX_NO_ROW) \
            blend_row(row_of(w, p->dst), t[0], sizeof(D), mask); \
        if (p->dst2 != PTX_NO_ROW) \
            blend_row(row_of(w, p->dst2), t[1], sizeof(D), mask); \
    }
PAIR(pair_16, u16) PAIR(pair_32, u32) PAIR(pair_64, u64)

#define SELP(n) \
    HANDLER(selp_##n##_full) \
    { \
        (void)mask; \
        choose##n(row_of(w, p->dst), row_of(w, p->src[0]), row_of(w, p->src[1]), pred_of(w, p, 2)); \
    } \
    HANDLER(selp_##n##_part) \
    { \
        u##n t[PTX_LANES] __attribute__((aligned(64))); \
        choose##n((lane_u##n *)t, row_of(w, p->src[0]), row_of(w, p->src[1]), pred_of(w, p, 2)); \
        blend_row(row_of(w, p->dst), t, sizeof t[0], mask); \
    }
SELP(16) SELP(32) SELP(64)

/* slct: a if c >= 0, else b. -0 counts as >= 0 and NaN does not. .ftz flushes negative subnormals to zero. */
#define SLCT(n) OP3(slct_##n##_s, u##n, u##n, u##n, s32, c >= 0 ? a : b) OP3(slct_##n##_f, u##n, u##n, u##n, f32, c >= 0 ? a : b) \
    OP3(slct_##n##_z, u##n, u##n, u##n, f32, flushed(c) >= 0 ? a : b)
SLCT(16) SLCT(32) SLCT(64)

#define PREDICATES(id, expr) \
    HANDLER(id) \
    { \
        const u32 a = pred_of(w, p, 0), b = pred_of(w, p, 1); \
        set_pred(w, p->dst, expr, mask); \
    }
PREDICATES(pred_and, a & b) PREDICATES(pred_or, a | b) PREDICATES(pred_xor, a ^ b)
HANDLER(pred_not) { set_pred(w, p->dst, ~pred_of(w, p, 0), mask); }
HANDLER(pred_mov) { set_pred(w, p->dst, pred_of(w, p, 0), mask); }

#define TESTP(id, A, expr) \
    HANDLER(id) \
    { \
        SOURCE(A, x, 0); \
        u8 t[PTX_LANES] __attribute__((aligned(64))); \
        EACH_LANE { const A a = x[l]; t[l] = (expr) ? 0xff : 0; } \
        set_pred(w, p->dst, mask_of_bytes(t), mask); \
    } \

#define TESTS(n, inf, least) \
    TESTP(finite_##n, u##n, (a & (u##n)-1 >> 1) < (inf)) TESTP(infinite_##n, u##n, (a & (u##n)-1 >> 1) == (inf)) \
    TESTP(number_##n, u##n, (a & (u##n)-1 >> 1) <= (inf)) TESTP(nan_##n, u##n, (a & (u##n)-1 >> 1) > (inf)) \
    TESTP(normal_##n, u##n, (a & (u##n)-1 >> 1) < (inf) && (a & (u##n)-1 >> 1) >= (least)) \
    TESTP(subnormal_##n, u##n, (a & (u##n)-1 >> 1) < (least) && (a & (u##n)-1 >> 1) > 0)
TESTS(32, 0x7f800000u, 0x00800000u) TESTS(64, 0x7ff0000000000000u, 0x0010000000000000u)

#define MOVES(n) F1("mov.b" #n, mov_##n) F1("mov.u" #n, mov_##n) F1("mov.s" #n, mov_##n)
#define SELECT(t, n) {.name = "selp." t, .dst_bits = n, .src_bits = {n, n, 1}, .full = selp_##n##_full, .part = selp_##n##_part}, \
    F3("slct." t ".s32", slct_##n##_s) F3("slct." t ".f32", slct_##n##_f) F3("slct.ftz." t ".f32", slct_##n##_z)
#define SELECTS(n) SELECT("b" #n, n) SELECT("u" #n, n) SELECT("s" #n, n)
#define P(text, id, s0, s1) {.name = text, .dst_bits = 1, .src_bits = {s0, s1}, .full = id, .part = id},
#define U(w, n) {.name = "unpack.b" #w ".b" #n, .dst_bits = (n) < 16 ? 16 : (n), .dst2_bits = (n) < 16 ? 16 : (n), \
    .src_bits = {w}, .full = unpack_##w##_##n, .part = unpack_##w##_##n},
#define V(n) {.name = "pair.b" #n, .dst_bits = n, .dst2_bits = n, .src_bits = {n, n}, .full = pair_##n, .part = pair_##n},
#define T(kind) P("testp." #kind ".f32", kind##_32, 32, 0) P("testp." #kind ".f64", kind##_64, 64, 0)
static const struct ptx_form rows[] = {
    MOVES(16) MOVES(32) MOVES(64) F1("mov.b128", mov_128) F1("mov.f16", mov_16) F1("mov.bf16", mov_16) F1("mov.f16x2", mov_32)
    F1("mov.bf16x2", mov_32) F1("mov.f32", mov_32) F1("mov.f64", mov_64)
    SELECTS(16) SELECTS(32) SELECTS(64) SELECT("f32", 32) SELECT("f64", 64)
    F2("pack.b16.b8", pack_16_8) F2("pack.b32.b16", pack_32_16) F2("pack.b64.b32", pack_64_32) F2("pack.b128.b64", pack_128_64)
    F4("pack.b32.b8", pack_32_8) F4("pack.b64.b16", pack_64_16) F4("pack.b128.b32", pack_128_32)
    U(16, 8) U(32, 16) U(64, 32) U(128, 64) U(32, 8) U(64, 16) U(128, 32) V(16) V(32) V(64)
    P("and.pred", pred_and, 1, 1) P("or.pred", pred_or, 1, 1) P("xor.pred", pred_xor, 1, 1) P("not.pred", pred_not, 1, 0)
    P("mov.pred", pred_mov, 1, 0) T(finite) T(infinite) T(number) P("testp.notanumber.f32", nan_32, 32, 0)
    P("testp.notanumber.f64", nan_64, 64, 0) T(normal) T(subnormal)
};
TABLE(move, rows)
