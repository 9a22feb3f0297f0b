/* ptx/forms/forms_int.c: integer arithmetic without a change of width: add sub mul mad min max abs neg div rem
 * sad. Source of the semantics: NVIDIA, PTX ISA 9.0, section 9.7.1. Overflow wraps. The manual leaves division by
 * zero undefined; DIVISION below defines it. */
#include "ptx/forms/forms_lane.h"

/* Division by zero: the quotient is all ones and the remainder is the dividend, which is the result of the code
 * that ptxas emits. INT_MIN / -1 wraps to INT_MIN. */
#define DIVISION(bits)                                                                                             \
    ALWAYS u##bits div_u##bits(u##bits a, u##bits b)                                                               \
    {                                                                                                              \
        return b ? (u##bits)(a / b) : (u##bits) - 1;                                                               \
    }                                                                                                              \
    ALWAYS u##bits rem_u##bits(u##bits a, u##bits b)                                                               \
    {                                                                                                              \
        return b ? (u##bits)(a % b) : a;                                                                           \
    }                                                                                                              \
    ALWAYS s##bits div_s##bits(s##bits a, s##bits b)                                                               \
    {                                                                                                              \
        return !b ? (s##bits) - 1 : b == -1 ? (s##bits)(0 - (u##bits)a) : (s##bits)(a / b);                        \
    }                                                                                                              \
    ALWAYS s##bits rem_s##bits(s##bits a, s##bits b)                                                               \
    {                                                                                                              \
        return !b ? a : b == -1 ? 0 : (s##bits)(a % b);                                                            \
    }
DIVISION(16)
DIVISION(32)
DIVISION(64)

ALWAYS s32 clamp_s32(s64 x)
{
    return (s32)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}

/* 16-bit operands are widened before the multiplication, because int would overflow. */
#define MUL_LO(a, b)    (1u * (a) * (b))
#define MUL_HI(W, bits) (((W)a * (W)b) >> (bits))
#define PAIR16(T, f, a, b)                                                                                         \
    ((u32)(u16)f((T)(u16)(a), (T)(u16)(b)) | (u32)(u16)f((T)((a) >> 16), (T)((b) >> 16)) << 16)
#define MIN(a, b)      ((a) < (b) ? (a) : (b))
#define MAX(a, b)      ((a) > (b) ? (a) : (b))
#define RELU(x)        MAX(x, 0)
#define ADD(a, b)      ((a) + (b))
#define MIN_RELU(a, b) RELU(MIN(a, b))
#define MAX_RELU(a, b) RELU(MAX(a, b))

/* clang-format off */
#define PER_WIDTH(n, W) \
    OP2(add_##n, u##n, u##n, u##n, a + b) \
    OP2(sub_##n, u##n, u##n, u##n, a - b) \
    OP2(mul_##n, u##n, u##n, u##n, MUL_LO(a, b)) \
    OP3(mad_##n, u##n, u##n, u##n, u##n, MUL_LO(a, b) + c) \
    OP2(mulhi_u##n, u##n, u##n, u##n, MUL_HI(u##W, n)) \
    OP2(mulhi_s##n, s##n, s##n, s##n, MUL_HI(s##W, n)) \
    OP3(madhi_u##n, u##n, u##n, u##n, u##n, (u##n)MUL_HI(u##W, n) + c) \
    OP3(madhi_s##n, s##n, s##n, s##n, s##n, (u##n)MUL_HI(s##W, n) + (u##n)c) \
    OP2(div_u##n, u##n, u##n, u##n, div_u##n(a, b)) \
    OP2(div_s##n, s##n, s##n, s##n, div_s##n(a, b)) \
    OP2(rem_u##n, u##n, u##n, u##n, rem_u##n(a, b)) \
    OP2(rem_s##n, s##n, s##n, s##n, rem_s##n(a, b)) \
    OP2(min_u##n, u##n, u##n, u##n, MIN(a, b)) \
    OP2(min_s##n, s##n, s##n, s##n, MIN(a, b)) \
    OP2(max_u##n, u##n, u##n, u##n, MAX(a, b)) \
    OP2(max_s##n, s##n, s##n, s##n, MAX(a, b)) \
    OP1(abs_##n, u##n, s##n, a < 0 ? (u##n)(0 - (u##n)a) : (u##n)a) \
    OP1(neg_##n, u##n, u##n, 0 - a) \
    OP3(sad_u##n, u##n, u##n, u##n, u##n, c + (a < b ? b - a : a - b)) \
    OP3(sad_s##n, u##n, s##n, s##n, u##n, c + (a < b ? (u##n)b - (u##n)a : (u##n)a - (u##n)b))
PER_WIDTH(16, 32)
PER_WIDTH(32, 64)
PER_WIDTH(64, 128)
#define WIDE(n, W) \
    OP2(mulw_u##n, u##W, u##n, u##n, (u##W)a * (u##W)b) \
    OP2(mulw_s##n, s##W, s##n, s##n, (s##W)a * (s##W)b) \
    OP3(madw_u##n, u##W, u##n, u##n, u##W, (u##W)a * (u##W)b + c) \
    OP3(madw_s##n, u##W, s##n, s##n, u##W, (u##W)((s##W)a * (s##W)b) + c)
WIDE(16, 32)
WIDE(32, 64)

OP2(addsat_s32, s32, s32, s32, clamp_s32((s64)a + b))
OP2(subsat_s32, s32, s32, s32, clamp_s32((s64)a - b))
OP3(madhisat_s32, s32, s32, s32, s32, clamp_s32(((s64)a * b >> 32) + c))
OP2(minrelu_s32, s32, s32, s32, MIN_RELU(a, b))
OP2(maxrelu_s32, s32, s32, s32, MAX_RELU(a, b))
OP2(add_16x2, u32, u32, u32, PAIR16(u16, ADD, a, b))
OP2(min_u16x2, u32, u32, u32, PAIR16(u16, MIN, a, b))
OP2(max_u16x2, u32, u32, u32, PAIR16(u16, MAX, a, b))
OP2(min_s16x2, u32, u32, u32, PAIR16(s16, MIN, a, b))
OP2(max_s16x2, u32, u32, u32, PAIR16(s16, MAX, a, b))
OP2(minrelu_s16x2, u32, u32, u32, PAIR16(s16, MIN_RELU, a, b))
OP2(maxrelu_s16x2, u32, u32, u32, PAIR16(s16, MAX_RELU, a, b))

/* mul24: the low 24 bits of each operand, sign-extended for signed types. The product has 48 bits: .lo is the low
 * 32, .hi is bits 16 to 47. */
#define U24(x) ((u64)((x) & 0xffffff))
#define S24(x) ((s64)((s32)((u32)(x) << 8) >> 8))
OP2(mul24lo_u32, u32, u32, u32, U24(a) * U24(b))
OP2(mul24hi_u32, u32, u32, u32, U24(a) * U24(b) >> 16)
OP2(mul24lo_s32, u32, u32, u32, S24(a) * S24(b))
OP2(mul24hi_s32, u32, u32, u32, S24(a) * S24(b) >> 16)
OP3(mad24lo_u32, u32, u32, u32, u32, (u32)(U24(a) * U24(b)) + c)
OP3(mad24hi_u32, u32, u32, u32, u32, (u32)(U24(a) * U24(b) >> 16) + c)
OP3(mad24lo_s32, u32, u32, u32, u32, (u32)(S24(a) * S24(b)) + c)
OP3(mad24hi_s32, u32, u32, u32, u32, (u32)(S24(a) * S24(b) >> 16) + c)
OP3(mad24hisat_s32, s32, s32, s32, s32, clamp_s32((s64)(s32)(S24(a) * S24(b) >> 16) + c))

#define BOTH(op, infix, id, n) F2(op infix ".u" #n, id##_##n) F2(op infix ".s" #n, id##_##n)
#define SIGNED(op, id, n) F2(op ".u" #n, id##_u##n) F2(op ".s" #n, id##_s##n)
#define SIGNED3(op, id, n) F3(op ".u" #n, id##_u##n) F3(op ".s" #n, id##_s##n)
#define NAMES(n) \
    BOTH("add", "", add, n) BOTH("sub", "", sub, n) BOTH("mul", ".lo", mul, n) \
    F3("mad.lo.u" #n, mad_##n) F3("mad.lo.s" #n, mad_##n) SIGNED("mul.hi", mulhi, n) SIGNED3("mad.hi", madhi, n) \
    SIGNED("div", div, n) SIGNED("rem", rem, n) SIGNED("min", min, n) SIGNED("max", max, n) F1("abs.s" #n, abs_##n) \
    F1("neg.s" #n, neg_##n) SIGNED3("sad", sad, n)
static const struct ptx_form rows[] = {
    NAMES(16) NAMES(32) NAMES(64)
    SIGNED("mul.wide", mulw, 16) SIGNED("mul.wide", mulw, 32) SIGNED3("mad.wide", madw, 16) SIGNED3("mad.wide", madw, 32)
    F2("add.sat.s32", addsat_s32) F2("sub.sat.s32", subsat_s32) F3("mad.hi.sat.s32", madhisat_s32)
    F2("min.relu.s32", minrelu_s32) F2("max.relu.s32", maxrelu_s32)
    F2("add.u16x2", add_16x2) F2("add.s16x2", add_16x2) F2("min.u16x2", min_u16x2) F2("max.u16x2", max_u16x2)
    F2("min.s16x2", min_s16x2) F2("max.s16x2", max_s16x2)
    F2("min.relu.s16x2", minrelu_s16x2) F2("max.relu.s16x2", maxrelu_s16x2)
    SIGNED("mul24.lo", mul24lo, 32) SIGNED("mul24.hi", mul24hi, 32)
    SIGNED3("mad24.lo", mad24lo, 32) SIGNED3("mad24.hi", mad24hi, 32) F3("mad24.hi.sat.s32", mad24hisat_s32)
};
TABLE(int, rows)
