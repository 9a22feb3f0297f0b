/* ptx/code/atomic_map.h: all atomics: operation, type, width in bits, and the functions of ops/exec_atomic.c for
 * global and for shared memory. NO_TYPE: any type of this width. */
#ifndef VIVACE_PTX_CODE_ATOMIC_MAP_H
#define VIVACE_PTX_CODE_ATOMIC_MAP_H

/* clang-format off */
#define PTX_ATOMIC_MAP(X) \
    X(ADD, F32, 32, add_global_f32, add_shared_f32) \
    X(ADD, F64, 64, add_double, add_double) \
    X(ADD, F16, 16, add_half, add_half) \
    X(ADD, BF16, 16, add_bhalf, add_bhalf) \
    X(ADD, F16X2, 32, add_halves, add_halves) \
    X(ADD, BF16X2, 32, add_bhalves, add_bhalves) \
    X(ADD, U32, 32, add_32, add_32) \
    X(ADD, S32, 32, add_32, add_32) \
    X(ADD, U64, 64, add_64, add_64) \
    X(ADD, S64, 64, add_64, add_64) \
    X(MIN, U32, 32, min_u32, min_u32) \
    X(MIN, S32, 32, min_s32, min_s32) \
    X(MIN, U64, 64, min_u64, min_u64) \
    X(MIN, S64, 64, min_s64, min_s64) \
    X(MIN, F16, 16, min_half, min_half) \
    X(MIN, BF16, 16, min_bhalf, min_bhalf) \
    X(MIN, F16X2, 32, min_halves, min_halves) \
    X(MIN, BF16X2, 32, min_bhalves, min_bhalves) \
    X(MAX, U32, 32, max_u32, max_u32) \
    X(MAX, S32, 32, max_s32, max_s32) \
    X(MAX, U64, 64, max_u64, max_u64) \
    X(MAX, S64, 64, max_s64, max_s64) \
    X(MAX, F16, 16, max_half, max_half) \
    X(MAX, BF16, 16, max_bhalf, max_bhalf) \
    X(MAX, F16X2, 32, max_halves, max_halves) \
    X(MAX, BF16X2, 32, max_bhalves, max_bhalves) \
    X(INC, NO_TYPE, 32, inc_32, inc_32) \
    X(DEC, NO_TYPE, 32, dec_32, dec_32) \
    X(AND, NO_TYPE, 32, and_32, and_32) \
    X(AND, NO_TYPE, 64, and_64, and_64) \
    X(OR, NO_TYPE, 32, or_32, or_32) \
    X(OR, NO_TYPE, 64, or_64, or_64) \
    X(XOR, NO_TYPE, 32, xor_32, xor_32) \
    X(XOR, NO_TYPE, 64, xor_64, xor_64) \
    X(EXCH, NO_TYPE, 32, exch_32, exch_32) \
    X(EXCH, NO_TYPE, 64, exch_64, exch_64) \
    X(EXCH, NO_TYPE, 128, exch_128, exch_128) \
    X(CAS, NO_TYPE, 16, cas_16, cas_16) \
    X(CAS, NO_TYPE, 32, cas_32, cas_32) \
    X(CAS, NO_TYPE, 64, cas_64, cas_64) \
    X(CAS, NO_TYPE, 128, cas_128, cas_128)
/* clang-format on */

#endif
