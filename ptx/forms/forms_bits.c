/* ptx/forms/forms_bits.c: logic, shifts, bit fields, bit counts, byte permutation, lop3. Source of the semantics:
 * NVIDIA, PTX ISA 9.0, sections 9.7.1.13 to 9.7.1.22 and 9.7.8. */
#include "ptx/forms/forms_lane.h"

/* A shift by the width or more returns 0, or copies of the sign bit for an arithmetic right shift. */
#define SHL(n, x, by) ((by) > (n)-1 ? 0 : (u##n)((x) << ((by) & ((n)-1))))
#define SHR(n, x, by) ((by) > (n)-1 ? 0 : (u##n)((x) >> ((by) & ((n)-1))))
#define SAR(n, x, by) ((s##n)((x) >> ((by) > (n)-1 ? (n)-1 : (by))))

#define FIELDS(n)                                                                                                  \
    ALWAYS u##n ones##n(u32 count)                                                                                 \
    {                                                                                                              \
        return count > (n)-1 ? (u##n) - 1 : (u##n)(((u##n)1 << (count & ((n)-1))) - 1);                            \
    }                                                                                                              \
    /* Field of `len` bits at `pos`. Bits beyond the top and bits above the field are `fill`. */                   \
    ALWAYS u##n field##n(u##n x, u32 pos, u32 len, u##n fill)                                                      \
    {                                                                                                              \
        u##n moved = pos > (n)-1 ? fill : (u##n)(x >> (pos & ((n)-1)) | (fill & ~(ones##n((n)-pos))));             \
        u##n keep = ones##n(len);                                                                                  \
        return (moved & keep) | (fill & ~keep);                                                                    \
    }                                                                                                              \
    ALWAYS u##n bfe_u##n(u##n x, u32 pos, u32 len)                                                                 \
    {                                                                                                              \
        return field##n(x, pos & 255, len & 255, 0);                                                               \
    }                                                                                                              \
    /* The sign is bit min(pos + len - 1, top). A field of 0 bits is 0. */                                         \
    ALWAYS u##n bfe_s##n(u##n x, u32 pos, u32 len)                                                                 \
    {                                                                                                              \
        u32 p = pos & 255, k = len & 255, at = p + k - 1 > (n)-1 ? (n)-1 : p + k - 1;                              \
        return k ? field##n(x, p, k, (u##n)(0 - (x >> at & 1))) : 0;                                               \
    }                                                                                                              \
    ALWAYS u##n bfi_##n(u##n f, u##n base, u32 pos, u32 len)                                                       \
    {                                                                                                              \
        u##n keep = SHL(n, ones##n(len & 255), (pos & 255));                                                       \
        return (SHL(n, f, (pos & 255)) & keep) | (base & ~keep);                                                   \
    }
FIELDS(32)
FIELDS(64)

ALWAYS u32 reverse32(u32 x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
ALWAYS u64 reverse64(u64 x)
{
    return (u64)reverse32((u32)x) << 32 | reverse32((u32)(x >> 32));
}
ALWAYS u32 leading64(u64 x)
{
    return x ? (u32)__builtin_clzll(x) : 64;
}
/* Position of the highest bit that differs from the sign (unsigned: of the highest set bit). Returns all ones if
 * there is none. */
ALWAYS u32 find64(u64 x)
{
    return x ? 63 - leading64(x) : UINT32_MAX;
}
#define UNSIGNED_BITS(x)   ((u64)(x))
#define SIGNED_BITS(x)     ((u64)((x) < 0 ? ~(x) : (x)))
#define SHIFT_AMOUNT(n, r) ((r) == UINT32_MAX ? (r) : (n)-1 - (r))

/* The offset-th set bit, counted from base upwards (offset > 0) or downwards (offset < 0). Offset 0: base, if
 * that bit is set. */
ALWAYS u32 find_nth(u32 mask, u32 base, s32 offset)
{
    s32 at = (s32)base, step = offset < 0 ? -1 : 1, count = 0;
    s64 wanted = offset < 0 ? -(s64)offset : offset;

    if (base > 31)
        return UINT32_MAX;
    if (!offset)
        return mask >> base & 1 ? base : UINT32_MAX;
    for (; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && ++count == wanted)
            return (u32)at;
    return UINT32_MAX;
}

ALWAYS u32 bit_mask(u32 pos, u32 len)
{
    return SHL(32, ones32(len), pos);
}
ALWAYS u32 sign_extend(u32 x, u32 width)
{
    u32 keep = ones32(width);

    return !width ? 0 : (x & keep) | (x >> ((width > 32 ? 32 : width) - 1) & 1 ? ~keep : 0);
}
#define CLAMP32(x) ((x) > 32 ? 32 : (x))

/* shf shifts the pair {b, a}: bits that leave one half enter the other half. */
#define FUNNEL_L(a, b, by) ((u32)(((u64)(b) << 32 | (a)) << (by) >> 32))
#define FUNNEL_R(a, b, by) ((u32)(((u64)(b) << 32 | (a)) >> (by)))

/* Selects byte k of the eight bytes of {b, a}. If bit 3 of the selector is set, the result is eight copies of
 * that byte's sign bit. */
ALWAYS u32 permuted(u64 pair, u32 selector)
{
    u32 byte = (u32)(pair >> (selector & 7) * 8) & 0xff;

    return selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
ALWAYS u32 permute(u32 a, u32 b, u32 s0, u32 s1, u32 s2, u32 s3)
{
    u64 pair = (u64)b << 32 | a;

    return permuted(pair, s0) | permuted(pair, s1) << 8 | permuted(pair, s2) << 16 | permuted(pair, s3) << 24;
}
#define AT_MAX(k, x) ((x) < (k) ? (k) : (x))
#define AT_MIN(k, x) ((x) > (k) ? (k) : (x))

/* clang-format off */
OP2(and_16, u16, u16, u16, a & b) OP2(and_32, u32, u32, u32, a & b) OP2(and_64, u64, u64, u64, a & b)
OP2(or_16, u16, u16, u16, a | b) OP2(or_32, u32, u32, u32, a | b) OP2(or_64, u64, u64, u64, a | b)
OP2(xor_16, u16, u16, u16, a ^ b) OP2(xor_32, u32, u32, u32, a ^ b) OP2(xor_64, u64, u64, u64, a ^ b)
OP1(not_16, u16, u16, ~a) OP1(not_32, u32, u32, ~a) OP1(not_64, u64, u64, ~a)
OP1(cnot_16, u16, u16, !a) OP1(cnot_32, u32, u32, !a) OP1(cnot_64, u64, u64, !a)
OP2(shl_16, u16, u16, u32, SHL(16, a, b)) OP2(shl_32, u32, u32, u32, SHL(32, a, b)) OP2(shl_64, u64, u64, u32, SHL(64, a, b))
OP2(shr_16, u16, u16, u32, SHR(16, a, b)) OP2(shr_32, u32, u32, u32, SHR(32, a, b)) OP2(shr_64, u64, u64, u32, SHR(64, a, b))
OP2(sar_16, s16, s16, u32, SAR(16, a, b)) OP2(sar_32, s32, s32, u32, SAR(32, a, b)) OP2(sar_64, s64, s64, u32, SAR(64, a, b))
OP3(bfe_u_32, u32, u32, u32, u32, bfe_u32(a, b, c)) OP3(bfe_s_32, u32, u32, u32, u32, bfe_s32(a, b, c))
OP3(bfe_u_64, u64, u64, u32, u32, bfe_u64(a, b, c)) OP3(bfe_s_64, u64, u64, u32, u32, bfe_s64(a, b, c))
OP4(bfi__32, u32, u32, u32, u32, u32, bfi_32(a, b, c, e)) OP4(bfi__64, u64, u64, u64, u32, u32, bfi_64(a, b, c, e))
OP1(brev_32, u32, u32, reverse32(a)) OP1(brev_64, u64, u64, reverse64(a))
OP1(popc_32, u32, u32, __builtin_popcount(a)) OP1(popc_64, u32, u64, __builtin_popcountll(a))
OP1(clz_32, u32, u32, leading64(a) - 32) OP1(clz_64, u32, u64, leading64(a))
OP1(bfind_u32, u32, u32, find64(UNSIGNED_BITS(a))) OP1(bfind_s32, u32, s32, find64(SIGNED_BITS(a)))
OP1(bfind_u64, u32, u64, find64(UNSIGNED_BITS(a))) OP1(bfind_s64, u32, s64, find64(SIGNED_BITS(a)))
OP1(bfamt_u32, u32, u32, SHIFT_AMOUNT(32, find64(UNSIGNED_BITS(a)))) OP1(bfamt_s32, u32, s32, SHIFT_AMOUNT(32, find64(SIGNED_BITS(a))))
OP1(bfamt_u64, u32, u64, SHIFT_AMOUNT(64, find64(UNSIGNED_BITS(a)))) OP1(bfamt_s64, u32, s64, SHIFT_AMOUNT(64, find64(SIGNED_BITS(a))))
OP3(fns_32, u32, u32, u32, s32, find_nth(a, b, c))
OP2(bmsk_clamp, u32, u32, u32, bit_mask(a, b)) OP2(bmsk_wrap, u32, u32, u32, bit_mask(a & 31, b & 31))
OP2(szext_clamp_u, u32, u32, u32, a & ones32(b)) OP2(szext_wrap_u, u32, u32, u32, a & ones32(b & 31))
OP2(szext_clamp_s, u32, u32, u32, sign_extend(a, b)) OP2(szext_wrap_s, u32, u32, u32, sign_extend(a, b & 31))
OP3(shf_l_clamp, u32, u32, u32, u32, FUNNEL_L(a, b, CLAMP32(c))) OP3(shf_l_wrap, u32, u32, u32, u32, FUNNEL_L(a, b, c & 31))
OP3(shf_r_clamp, u32, u32, u32, u32, FUNNEL_R(a, b, CLAMP32(c))) OP3(shf_r_wrap, u32, u32, u32, u32, FUNNEL_R(a, b, c & 31))
OP3(prmt_index, u32, u32, u32, u32, permute(a, b, c, c >> 4, c >> 8, c >> 12))
OP3(prmt_f4e, u32, u32, u32, u32, FUNNEL_R(a, b, (c & 3) * 8))
OP3(prmt_b4e, u32, u32, u32, u32, permute(a, b, c & 3, ((c & 3) + 7) & 7, ((c & 3) + 6) & 7, ((c & 3) + 5) & 7))
OP3(prmt_rc8, u32, u32, u32, u32, (a >> (c & 3) * 8 & 0xff) * 0x01010101u + 0 * b)
OP3(prmt_ecl, u32, u32, u32, u32, permute(a, b, AT_MAX(c & 3, 0u), AT_MAX(c & 3, 1u), AT_MAX(c & 3, 2u), 3))
OP3(prmt_ecr, u32, u32, u32, u32, permute(a, b, 0, AT_MIN(c & 3, 1u), AT_MIN(c & 3, 2u), AT_MIN(c & 3, 3u)))
OP3(prmt_rc16, u32, u32, u32, u32, (a >> (c & 1) * 16 & 0xffff) * 0x00010001u + 0 * b)
    /* clang-format on */

    /* lop3: bit i of the table is the result for a = bit 2 of i, b = bit 1, c = bit 0. The code selects by c,
     * then b, then a. */
    ALWAYS void lop3_row(u32 *t, const struct ptx_lanes *w, const struct ptx_form_args *p)
{
    const lane_u32 *x = row_of(w, p->src[0]), *y = row_of(w, p->src[1]), *z = row_of(w, p->src[2]);
    u32 m[8];

    for (int i = 0; i < 8; i++)
        m[i] = p->imm >> i & 1 ? UINT32_MAX : 0;
    for (int i = 0; i < 8; i += 2)
        m[i + 1] ^= m[i];
    EACH_LANE
    {
        u32 c0 = m[0] ^ (m[1] & z[l]), c1 = m[2] ^ (m[3] & z[l]), c2 = m[4] ^ (m[5] & z[l]),
            c3 = m[6] ^ (m[7] & z[l]), b0 = c0 ^ ((c0 ^ c1) & y[l]), b1 = c2 ^ ((c2 ^ c3) & y[l]);

        t[l] = b0 ^ ((b0 ^ b1) & x[l]);
    }
}
HANDLER(lop3_full)
{
    u32 t[PTX_LANES] __attribute__((aligned(64)));

    (void)mask;
    lop3_row(t, w, p);
    memcpy(row_of(w, p->dst), t, sizeof t);
}
HANDLER(lop3_part)
{
    u32 t[PTX_LANES] __attribute__((aligned(64)));

    lop3_row(t, w, p);
    blend_row(row_of(w, p->dst), t, sizeof t[0], mask);
}

/* clang-format off */
#define THREE(op, id) F2(op ".b16", id##_16) F2(op ".b32", id##_32) F2(op ".b64", id##_64)
#define THREE1(op, id) F1(op ".b16", id##_16) F1(op ".b32", id##_32) F1(op ".b64", id##_64)
#define SHIFTS(n) F2("shl.b" #n, shl_##n) F2("shr.b" #n, shr_##n) F2("shr.u" #n, shr_##n) F2("shr.s" #n, sar_##n)
#define FIND(t) F1("bfind." #t, bfind_##t) F1("bfind.shiftamt." #t, bfamt_##t)
static const struct ptx_form rows[] = {
    THREE("and", and) THREE("or", or) THREE("xor", xor) THREE1("not", not) THREE1("cnot", cnot)
    SHIFTS(16) SHIFTS(32) SHIFTS(64) FIND(u32) FIND(s32) FIND(u64) FIND(s64)
    F3("bfe.u32", bfe_u_32) F3("bfe.s32", bfe_s_32) F3("bfe.u64", bfe_u_64) F3("bfe.s64", bfe_s_64)
    F4("bfi.b32", bfi__32) F4("bfi.b64", bfi__64) F1("brev.b32", brev_32) F1("brev.b64", brev_64)
    F1("popc.b32", popc_32) F1("popc.b64", popc_64) F1("clz.b32", clz_32) F1("clz.b64", clz_64)
    F3("fns.b32", fns_32) F2("bmsk.clamp.b32", bmsk_clamp) F2("bmsk.wrap.b32", bmsk_wrap)
    F2("szext.clamp.u32", szext_clamp_u) F2("szext.wrap.u32", szext_wrap_u)
    F2("szext.clamp.s32", szext_clamp_s) F2("szext.wrap.s32", szext_wrap_s)
    F3("shf.l.clamp.b32", shf_l_clamp) F3("shf.l.wrap.b32", shf_l_wrap)
    F3("shf.r.clamp.b32", shf_r_clamp) F3("shf.r.wrap.b32", shf_r_wrap)
    F3("prmt.b32", prmt_index) F3("prmt.f4e.b32", prmt_f4e) F3("prmt.b4e.b32", prmt_b4e) F3("prmt.rc8.b32", prmt_rc8)
    F3("prmt.ecl.b32", prmt_ecl) F3("prmt.ecr.b32", prmt_ecr) F3("prmt.rc16.b32", prmt_rc16)
    {.name = "lop3.b32", .dst_bits = 32, .src_bits = {32, 32, 32}, .has_imm = true, .full = lop3_full, .part = lop3_part},
};
TABLE(bits, rows)
