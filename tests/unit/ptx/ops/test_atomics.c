/* Atomics and asynchronous copies of one warp, compared with the lanes' effects one after the other. */
#include "tests/unit/ptx/ops/warp_memory.h"

/* --- atomics --- */

static void atomic(enum ptx_space space, enum ptx_type type, uint8_t what, uint32_t bits, uint64_t address)
{
    set_access(space, type, 1, bits);
    t.access.what = what;
    t.op.args.dst = 32;
    t.op.args.src[0] = 8;
    t.op.args.src[1] = 16;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(0, 64, l, address);
}

static uint64_t word(uint32_t bytes)
{
    uint64_t v = 0;

    memcpy(&v, device_bytes(t.c.memory, t.x, 8), bytes);
    return v;
}

static void set_word(uint64_t v)
{
    memcpy(device_bytes(t.c.memory, t.x, 8), &v, 8);
}

/* Runs the atomic with operands b + l * step and c in lane l. Checks the memory and the old value that lane 31
 * got. */
static void check_atomic(enum ptx_type type, uint8_t what, uint64_t old, uint64_t b, uint64_t step, uint64_t c,
                         uint64_t left, uint64_t last_old)
{
    uint32_t bits = ptx_type_bits(type);

    set_word(old);
    atomic(PTX_SPACE_GLOBAL, type, what, bits, t.x);
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        put(8, bits, l, b + l * step);
        put(16, bits, l, c);
    }
    assert_true(ptx_atomic_known(what, type));
    CHECK_OK(ptx_do_atomic(&t.w, &t.op, UINT32_MAX), &t.e);
    if (word(bits / 8) != left || get(32, bits, 31) != last_old)
        fail_msg("atomic %u on %s: %llx left, %llx before lane 31; want %llx, %llx", what, ptx_type_name(type),
                 (unsigned long long)word(bits / 8), (unsigned long long)get(32, bits, 31),
                 (unsigned long long)left, (unsigned long long)last_old);
}

static void atomics_do_what_the_manual_says(void **state)
{
    (void)state;
    check_atomic(PTX_U32, PTX_ATOM_ADD, 5, 1, 0, 0, 37, 36);
    check_atomic(PTX_S32, PTX_ATOM_ADD, 0x7fffffff, 1, 0, 0, 0x8000001f, 0x8000001e);
    check_atomic(PTX_U64, PTX_ATOM_ADD, 0xffffffff, 1, 1, 0, 0xffffffffull + 528, 0xffffffffull + 496);
    check_atomic(PTX_S32, PTX_ATOM_MIN, 10, 3, (uint64_t)-1, 0, (uint32_t)-28, (uint32_t)-27);
    check_atomic(PTX_U32, PTX_ATOM_MIN, 10, 3, (uint64_t)-1, 0, 0, 0);
    check_atomic(PTX_S64, PTX_ATOM_MAX, (uint64_t)-100, (uint64_t)-40, 1, 0, (uint64_t)-9, (uint64_t)-10);
    check_atomic(PTX_U64, PTX_ATOM_MAX, 7, 3, 0, 0, 7, 7);
    check_atomic(PTX_U32, PTX_ATOM_INC, 3, 9, 0, 0, 5, 4);  /* 3..9, then 0..: 32 steps of a counter to 9 */
    check_atomic(PTX_U32, PTX_ATOM_DEC, 3, 9, 0, 0, 1, 2);  /* 3 2 1 0 9 ... */
    check_atomic(PTX_U32, PTX_ATOM_DEC, 50, 9, 0, 0, 8, 9); /* above b: set to b */
    check_atomic(PTX_B32, PTX_ATOM_OR, 0, 1, 1, 0, 63, 31);
    check_atomic(PTX_B32, PTX_ATOM_XOR, 0, 1, 0, 0, 0, 1);
    check_atomic(PTX_B64, PTX_ATOM_AND, UINT64_MAX, 0xff00ff00ff00ull, 0, 0, 0xff00ff00ff00ull, 0xff00ff00ff00ull);
    check_atomic(PTX_B64, PTX_ATOM_EXCH, 1, 100, 1, 0, 131, 130);
    check_atomic(PTX_B32, PTX_ATOM_CAS, 7, 0, 1, 99, 99, 99); /* lane 7 finds the value that it compares with */
    check_atomic(PTX_B16, PTX_ATOM_CAS, 7, 0, 1, 99, 99, 99);
    check_atomic(PTX_F32, PTX_ATOM_ADD, 0x3f800000, 0x3f000000, 0, 0, 0x41880000, 0x41840000); /* 1 + 32/2 = 17 */
    check_atomic(PTX_F32, PTX_ATOM_ADD, 0x7f800000, 0xff800000, 0, 0, 0x7fffffff, 0x7fffffff); /* inf - inf */
    check_atomic(PTX_F64, PTX_ATOM_ADD, 0, 0x3ff0000000000000, 0, 0, 0x4040000000000000, 0x403f000000000000);
    check_atomic(PTX_F16, PTX_ATOM_ADD, 0, 0x3c00, 0, 0, 0x5000, 0x4fc0);       /* 32 and 31 */
    check_atomic(PTX_BF16, PTX_ATOM_ADD, 0x4380, 0x3f80, 0, 0, 0x4380, 0x4380); /* 256 + 1: ties to even */
    check_atomic(PTX_F16X2, PTX_ATOM_ADD, 0, 0x3c004000, 0, 0, 0x50005400, 0x4fc053c0);
    /* the result is the number, not the NaN */
    check_atomic(PTX_F16, PTX_ATOM_MIN, 0x7e00, 0x8000, 0, 0, 0x8000, 0x8000);
    check_atomic(PTX_F16, PTX_ATOM_MAX, 0x8000, 0x0000, 0, 0, 0x0000, 0x0000); /* -0 < +0 */
    check_atomic(PTX_BF16X2, PTX_ATOM_MAX, 0x3f80bf80, 0x40000000, 0, 0, 0x40000000, 0x40000000);
    assert_false(ptx_atomic_known(PTX_ATOM_MIN, PTX_F32));
}

/* f32 sums flush subnormals to zero in global memory only. */
static void f32_sums_flush_in_global_memory_only(void **state)
{
    (void)state;
    check_atomic(PTX_F32, PTX_ATOM_ADD, 0x80000001, 0x80000003, 0, 0, 0x80000000, 0x80000000);
    memset(t.shared, 0, 8);
    atomic(PTX_SPACE_SHARED, PTX_F32, PTX_ATOM_ADD, 32, 4);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(8, 32, l, 3);
    CHECK_OK(ptx_do_atomic(&t.w, &t.op, 0xf), &t.e);
    assert_int_equal(t.shared[4], 12);
    atomic(PTX_SPACE_LOCAL, PTX_F32, PTX_ATOM_ADD, 32, 4);
    CHECK_FAILS(ptx_do_atomic(&t.w, &t.op, 0xf), &t.e, ERR_SIMULATION, "not on local memory");
}

/* --- asynchronous --- */

static void asynchronous(uint8_t what, uint32_t imm)
{
    set_access(PTX_SPACE_SHARED, PTX_B64, 1, 64);
    t.access.what = what;
    t.op.args.imm = imm;
}

static int copy_16(uint32_t imm, bool sizes)
{
    asynchronous(PTX_CP_ASYNC, imm);
    t.access.vector = 16;
    t.access.values[0] = 8;
    t.op.args.src[0] = sizes ? 16 : PTX_NO_ROW;
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        put(0, 64, l, 1024 + 16 * l);
        put(8, 64, l, t.x + 16 * l);
        put(16, 32, l, l % 17);
    }
    return ptx_do_async(&t.w, &t.op, UINT32_MAX);
}

static void copies_fill_up_with_zeros(void **state)
{
    (void)state;
    memset(t.shared, 0xee, sizeof t.shared);
    CHECK_OK(copy_16(16, true), &t.e);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(t.shared[1024 + 16 * l + i], i < l % 17 ? (uint8_t)((16 * (l + 1) + i) * 7) : 0);
    put(8, 64, 20, t.x + 4096);
    CHECK_FAILS(ptx_do_async(&t.w, &t.op, 1 << 20), &t.e, ERR_SIMULATION, "byte 4112 of x");
}

/* In strict mode the bytes arrive when a thread waits for them, not before. */
static void strict_copies_come_with_the_wait(void **state)
{
    (void)state;
    t.options.strict = true;
    CHECK_OK(copy_16(0, false), &t.e);
    asynchronous(PTX_CP_ASYNC_COMMIT, 0);
    CHECK_OK(ptx_do_async(&t.w, &t.op, UINT32_MAX), &t.e);
    CHECK_OK(copy_16(16, false), &t.e);
    asynchronous(PTX_CP_ASYNC_COMMIT, 0);
    CHECK_OK(ptx_do_async(&t.w, &t.op, UINT32_MAX), &t.e);
    assert_int_equal(t.shared[1024 + 5], 0);
    asynchronous(PTX_CP_ASYNC_WAIT, 1);
    CHECK_OK(ptx_do_async(&t.w, &t.op, UINT32_MAX), &t.e);
    assert_int_equal(t.shared[1024 + 5], 35);
    asynchronous(PTX_CP_ASYNC_WAIT, 0);
    CHECK_OK(ptx_do_async(&t.w, &t.op, 1), &t.e); /* only lane 0 */
    assert_int_equal(t.shared[1024 + 5], (uint8_t)(21 * 7));
    assert_int_equal(t.shared[1024 + 21], (uint8_t)(21 * 7)); /* lane 1: still from the first copy */
    asynchronous(PTX_CP_ASYNC_WAIT_ALL, 0);
    CHECK_OK(ptx_do_async(&t.w, &t.op, UINT32_MAX), &t.e);
    assert_int_equal(t.shared[1024 + 21], (uint8_t)(37 * 7));
}

static bool tested(uint8_t what, uint16_t row)
{
    asynchronous(what, 0);
    t.op.args.src[0] = row;
    t.op.args.dst = 2;
    CHECK_OK(ptx_do_async(&t.w, &t.op, 1), &t.e);
    return t.preds[2] & 1;
}

/* A barrier for 8 arrivals: two phases. */
static void barriers_in_memory_count_phases(void **state)
{
    (void)state;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(0, 64, l, 64); /* all use the same address */
    put(8, 32, 0, 8);
    asynchronous(PTX_MBARRIER_INIT, 0);
    t.op.args.src[0] = 8;
    CHECK_OK(ptx_do_async(&t.w, &t.op, 1), &t.e);
    put(16, 32, 0, 0);
    put(24, 32, 0, 1);
    assert_false(tested(PTX_MBARRIER_TEST_PARITY, 16));
    assert_true(tested(PTX_MBARRIER_TEST_PARITY, 24)); /* the phase before the first one counts as complete */
    asynchronous(PTX_MBARRIER_ARRIVE, 0);
    t.op.args.dst = 32;
    CHECK_OK(ptx_do_async(&t.w, &t.op, 0x7f), &t.e);
    assert_false(tested(PTX_MBARRIER_TEST, 32));
    asynchronous(PTX_MBARRIER_PENDING_COUNT, 0);
    t.op.args.src[0] = 32;
    t.op.args.dst = 40;
    CHECK_OK(ptx_do_async(&t.w, &t.op, 0x7f), &t.e);
    assert_int_equal(get(40, 32, 6), 2); /* before the seventh arrival */
    asynchronous(PTX_MBARRIER_ARRIVE, 0);
    CHECK_OK(ptx_do_async(&t.w, &t.op, 0x100), &t.e);
    assert_true(tested(PTX_MBARRIER_TEST, 32));
    assert_true(tested(PTX_MBARRIER_TEST_PARITY, 16));
    assert_false(tested(PTX_MBARRIER_TEST_PARITY, 24));
    put(8, 32, 0, 100); /* phase 1 also counts bytes */
    asynchronous(PTX_MBARRIER_ARRIVE_TX, 0);
    t.op.args.src[0] = 8;
    CHECK_OK(ptx_do_async(&t.w, &t.op, 1), &t.e);
    asynchronous(PTX_MBARRIER_ARRIVE, 0);
    CHECK_OK(ptx_do_async(&t.w, &t.op, 0xfe), &t.e);
    assert_false(tested(PTX_MBARRIER_TEST_PARITY, 24));
    asynchronous(PTX_MBARRIER_COMPLETE_TX, 0);
    t.op.args.src[0] = 8;
    CHECK_OK(ptx_do_async(&t.w, &t.op, 1), &t.e);
    assert_true(tested(PTX_MBARRIER_TEST_PARITY, 24));
    put(8, 32, 0, 9);
    asynchronous(PTX_MBARRIER_ARRIVE, 0);
    t.op.args.src[0] = 8;
    CHECK_FAILS(ptx_do_async(&t.w, &t.op, 1), &t.e, ERR_SIMULATION,
                "9 threads arrive at an mbarrier that waits for 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(atomics_do_what_the_manual_says), TEST(f32_sums_flush_in_global_memory_only),
        TEST(copies_fill_up_with_zeros),       TEST(strict_copies_come_with_the_wait),
        TEST(barriers_in_memory_count_phases),
    };
    return cmocka_run_group_tests_name("atomics and copies of a warp", tests, NULL, NULL);
}
