/* ptx/forms/forms_carry.c: addition and multiplication with carry. ptx_lanes.carry has one flag for each lane.
 * After a subtraction the flag is the carry-out of a + ~b + 1, which is the inverse of the borrow. Source of the
 * semantics: NVIDIA, PTX ISA 9.0, section 9.7.2. */
#include "ptx/forms/forms_lane.h"

#define LOW(W, T)  ((T)((W)a * (W)b))
#define HIGH(W, T) ((T)((W)a * (W)b >> sizeof(T) * 8))

/* clang-format off */
/* d = first + second + in. `in` is the carry flag if `reads`, else `start`. */
#define CHAIN(id, T, C, count, first, second, reads, sets, start) \
    HANDLER(id) \
    { \
        SOURCE(T, x, 0); SOURCE(T, y, 1); \
        const lane_u##C *z = row_of(w, p->src[(count) - 1]); \
        u##C t[PTX_LANES] __attribute__((aligned(64))); \
        u32 in = (reads) ? w->carry : (start) ? UINT32_MAX : 0, out = 0; \
        for (int l = 0; l < PTX_LANES; l++) { \
            const T a = x[l], b = y[l]; \
            const u##C c = z[l]; \
            u##C one = (first), sum = (u##C)(one + (u##C)(second)), all = (u##C)(sum + (in >> l & 1)); \
            (void)a, (void)b, (void)c; \
            t[l] = all; \
            out |= (u32)((sum < one) | (all < sum)) << l; \
        } \
        if (sets) \
            w->carry = (w->carry & ~mask) | (out & mask); \
        blend_row(row_of(w, p->dst), t, sizeof t[0], mask); \
    }
#define ADDITIONS(n) \
    CHAIN(add_cc_##n, u##n, n, 2, a, b, 0, 1, 0) CHAIN(addc_##n, u##n, n, 2, a, b, 1, 0, 0) \
    CHAIN(addc_cc_##n, u##n, n, 2, a, b, 1, 1, 0) \
    CHAIN(sub_cc_##n, u##n, n, 2, a, ~b, 0, 1, 1) CHAIN(subc_##n, u##n, n, 2, a, ~b, 1, 0, 0) \
    CHAIN(subc_cc_##n, u##n, n, 2, a, ~b, 1, 1, 0)
#define PRODUCTS(id, T, W, n, what) \
    CHAIN(id##_cc_##T, T, n, 3, (u##n)what(W, T), c, 0, 1, 0) CHAIN(id##c_##T, T, n, 3, (u##n)what(W, T), c, 1, 0, 0) \
    CHAIN(id##c_cc_##T, T, n, 3, (u##n)what(W, T), c, 1, 1, 0)
ADDITIONS(32) ADDITIONS(64)
PRODUCTS(lo, u32, u64, 32, LOW) PRODUCTS(hi, u32, u64, 32, HIGH) PRODUCTS(hi, s32, s64, 32, HIGH)
PRODUCTS(lo, u64, u128, 64, LOW) PRODUCTS(hi, u64, u128, 64, HIGH) PRODUCTS(hi, s64, s128, 64, HIGH)

#define ROW(text, id, n, third, sets, reads) {.name = text, .dst_bits = n, .src_bits = {n, n, third}, .sets_carry = sets, \
    .reads_carry = reads, .full = id, .part = id},
#define SUMS(T, n) ROW("add.cc." #T, add_cc_##n, n, 0, 1, 0) ROW("addc." #T, addc_##n, n, 0, 0, 1) \
    ROW("addc.cc." #T, addc_cc_##n, n, 0, 1, 1) ROW("sub.cc." #T, sub_cc_##n, n, 0, 1, 0) ROW("subc." #T, subc_##n, n, 0, 0, 1) \
    ROW("subc.cc." #T, subc_cc_##n, n, 0, 1, 1)
#define MADS(part, T, H, n) ROW("mad." #part ".cc." #T, part##_cc_##H, n, n, 1, 0) ROW("madc." #part "." #T, part##c_##H, n, n, 0, 1) \
    ROW("madc." #part ".cc." #T, part##c_cc_##H, n, n, 1, 1)
static const struct ptx_form rows[] = {
    SUMS(u32, 32) SUMS(s32, 32) SUMS(u64, 64) SUMS(s64, 64)
    MADS(lo, u32, u32, 32) MADS(lo, s32, u32, 32) MADS(hi, u32, u32, 32) MADS(hi, s32, s32, 32)
    MADS(lo, u64, u64, 64) MADS(lo, s64, u64, 64) MADS(hi, u64, u64, 64) MADS(hi, s64, s64, 64)
};
TABLE(carry, rows)
