/* Loads and stores of one warp, compared with each lane alone. */
#include "tests/unit/ptx/ops/warp_memory.h"

/* The value of memory at byte `at` of x, extended as the type requires, in a register of this size. */
static uint64_t expected(enum ptx_type type, uint32_t value_bits, uint32_t at)
{
    uint32_t bits = ptx_type_bits(type);
    uint64_t v = 0, keep = value_bits == 64 ? UINT64_MAX : (1ull << value_bits) - 1;
    bool is_signed = type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;

    for (uint32_t i = 0; i < bits / 8; i++)
        v |= (uint64_t)(uint8_t)((at + i) * 7) << (8 * i);
    if (is_signed && bits < 64 && v >> (bits - 1) & 1)
        v |= UINT64_MAX << bits;
    return v & keep;
}

/* --- loads --- */

/* Every type into every register that it fits, in all three ways, for whole warps and parts. */
static void loads_extend_as_the_type_says(void **state)
{
    static const enum ptx_type types[] = {PTX_U8,  PTX_S8,  PTX_B8,  PTX_U16, PTX_S16, PTX_F16, PTX_U32,
                                          PTX_S32, PTX_F32, PTX_U64, PTX_S64, PTX_F64, PTX_B64};
    static const uint32_t masks[] = {UINT32_MAX, 0x0ff0a001, 0x80000000};
    (void)state;

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (uint32_t bits = 16; bits <= 64; bits *= 2)
            for (uint32_t way = 0; way < 3; way++)
                for (size_t m = 0; m < 3; m++) {
                    uint32_t bytes = ptx_type_bits(types[i]) / 8, at[PTX_LANES];

                    if (bytes * 8 > bits)
                        continue;
                    set_access(PTX_SPACE_GLOBAL, types[i], 1, bits);
                    t.access.offset = 16;
                    memset(t.rows + 8 * PTX_ROW_BYTES, 0xee, 4 * PTX_ROW_BYTES);
                    for (uint32_t l = 0; l < PTX_LANES; l++) {
                        at[l] = bytes * (way == 0 ? l : way == 1 ? 5 : (l * 13) % 101);
                        put(0, 64, l, masks[m] >> l & 1 ? t.x + at[l] : 0xdead);
                    }
                    CHECK_OK(ptx_do_load(&t.w, &t.op, masks[m]), &t.e);
                    for (uint32_t l = 0; l < PTX_LANES; l++) {
                        uint64_t want = masks[m] >> l & 1 ? expected(types[i], bits, at[l] + 16)
                                                          : 0xeeeeeeeeeeeeeeeeull >> (64 - bits);

                        if (get(8, bits, l) != want)
                            fail_msg("%s into %u bits, way %u, lane %u: %llx, want %llx", ptx_type_name(types[i]),
                                     bits, way, l, (unsigned long long)get(8, bits, l), (unsigned long long)want);
                    }
                }
}

static void vectors_load_value_by_value_and_leave_out_sinks(void **state)
{
    (void)state;
    set_access(PTX_SPACE_GLOBAL, PTX_F32, 4, 32);
    t.access.values[2] = PTX_NO_ROW;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(0, 64, l, t.x + 16 * (31 - l));
    CHECK_OK(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(get((uint16_t)(8 + 8 * k), 32, l),
                             k == 2 ? 0 : expected(PTX_F32, 32, 16 * (31 - l) + 4 * k));
    set_access(PTX_SPACE_GLOBAL, PTX_B128, 1, 128);
    CHECK_OK(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e);
    assert_memory_equal(t.rows + 8 * PTX_ROW_BYTES + 3 * 16,
                        (uint8_t *)device_bytes(t.c.memory, t.x, 4096) + 16 * 28, 16);
}

/* A destination row may be the address row: addresses are read first. */
static void the_address_may_be_overwritten_by_what_is_loaded(void **state)
{
    (void)state;
    set_access(PTX_SPACE_GLOBAL, PTX_U64, 1, 64);
    t.access.values[0] = 0;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(0, 64, l, t.x + 8 * (l ^ 1));
    CHECK_OK(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        assert_true(get(0, 64, l) == expected(PTX_U64, 64, 8 * (l ^ 1)));
}

/* The lanes of one instruction access four spaces. */
static void generic_addresses_are_split_by_window(void **state)
{
    (void)state;
    set_access(PTX_GENERIC, PTX_U32, 1, 32);
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        uint32_t value = 1000 + l;

        memcpy(t.shared + 4 * l, &value, 4);
        value += 1000;
        ptx_local_write(&t.w, l, 40, &value, 4);
        value += 1000;
        memcpy(t.params + 4 * (l % 16), &value, 4);
        put(0, 64, l,
            l % 4 == 0   ? PTX_SHARED_BASE + 4 * l
            : l % 4 == 1 ? PTX_LOCAL_BASE + 40
            : l % 4 == 2 ? PTX_PARAM_BASE + 4 * (l % 16)
                         : t.x + 4 * l);
    }
    CHECK_OK(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        assert_int_equal(get(8, 32, l), l % 4 == 0   ? 1000 + l
                                        : l % 4 == 1 ? 2000 + l
                                        : l % 4 == 2 ? 3000 + l % 16 + 16
                                                     : expected(PTX_U32, 32, 4 * l));
    assert_int_equal(t.seen, 4); /* the observer is called once per space */
    assert_int_equal(t.seen_space, PTX_SPACE_GLOBAL);
    assert_int_equal(t.seen_mask, 0x88888888);
}

/* --- stores --- */

static void stores_write_back_what_loads_read(void **state)
{
    static const enum ptx_type types[] = {PTX_U8, PTX_U16, PTX_B32, PTX_F64};
    (void)state;

    for (size_t i = 0; i < 4; i++)
        for (uint32_t way = 0; way < 2; way++) {
            uint32_t bytes = ptx_type_bits(types[i]) / 8, bits = bytes == 1 ? 16 : bytes * 8;
            uint8_t *x = device_bytes(t.c.memory, t.x, 4096);

            memset(x, 0, 4096);
            set_access(PTX_SPACE_GLOBAL, types[i], 1, bits);
            for (uint32_t l = 0; l < PTX_LANES; l++) {
                put(0, 64, l, t.x + bytes * (way == 0 ? l : 31 - l));
                put(8, bits, l, 0x1122334455667788ull * (l + 1));
            }
            CHECK_OK(ptx_do_store(&t.w, &t.op, 0xffff0fff | (way == 0 ? 0xf000 : 0)), &t.e);
            for (uint32_t l = 0; l < PTX_LANES; l++) {
                uint64_t value = 0x1122334455667788ull * (l + 1);

                if (way == 1 && l >= 12 && l < 16)
                    value = 0;
                assert_memory_equal(x + bytes * (way == 0 ? l : 31 - l), &value, bytes);
            }
            assert_int_equal(x[32 * bytes], 0);
        }
    assert_true(t.c.stores > 0);
}

static void the_highest_lane_wins(void **state)
{
    uint32_t value;
    (void)state;

    set_access(PTX_SPACE_SHARED, PTX_U32, 1, 32);
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        put(0, 64, l, 64);
        put(8, 32, l, 100 + l);
    }
    CHECK_OK(ptx_do_store(&t.w, &t.op, 0x00ffff00), &t.e);
    memcpy(&value, t.shared + 64, 4);
    assert_int_equal(value, 123);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(0, 64, l, 64 + l % 2 * 4);
    CHECK_OK(ptx_do_store(&t.w, &t.op, 0x7fffffff), &t.e);
    memcpy(&value, t.shared + 64, 4);
    assert_int_equal(value, 130);
    memcpy(&value, t.shared + 68, 4);
    assert_int_equal(value, 129);
}

/* Shared addresses in 32-bit registers wrap at 32 bits. */
static void narrow_addresses_count_in_32_bits(void **state)
{
    (void)state;
    set_access(PTX_SPACE_SHARED, PTX_U32, 1, 32);
    t.access.base_bits = 32;
    t.access.offset = 40;
    t.shared[8] = 77;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(0, 32, l, (uint32_t)-32);
    CHECK_OK(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e);
    assert_int_equal(get(8, 32, 31), 77);
}

static void local_memory_belongs_to_each_lane(void **state)
{
    (void)state;
    for (uint32_t way = 0; way < 3; way++) { /* one common offset, one offset per lane, bytes */
        uint32_t bits = way == 2 ? 16 : way == 1 ? 64 : 32;

        set_access(PTX_SPACE_LOCAL, way == 2 ? PTX_U8 : way == 1 ? PTX_U64 : PTX_U32, 1, bits);
        for (uint32_t l = 0; l < PTX_LANES; l++) {
            put(0, 64, l, way == 0 ? 12 : way == 1 ? 8 * (l % 5) : 3 + l);
            put(8, bits, l, 0x0101010101010101ull * (l + 1));
        }
        CHECK_OK(ptx_do_store(&t.w, &t.op, UINT32_MAX), &t.e);
        memset(t.rows + 8 * PTX_ROW_BYTES, 0, 4 * PTX_ROW_BYTES);
        CHECK_OK(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e);
        for (uint32_t l = 0; l < PTX_LANES; l++)
            assert_true(get(8, bits, l) == (0x0101010101010101ull * (l + 1) & (way == 2   ? 0xff
                                                                               : way == 1 ? UINT64_MAX
                                                                                          : UINT32_MAX)));
    }
    t.w.frame = 100; /* no base register: relative to the function's frame */
    set_access(PTX_SPACE_LOCAL, PTX_U32, 1, 32);
    t.access.base = PTX_NO_ROW;
    t.access.offset = 8;
    put(8, 32, 9, 4711);
    CHECK_OK(ptx_do_store(&t.w, &t.op, UINT32_MAX), &t.e);
    /* local memory is interleaved by words of all lanes */
    memcpy(&t.fault_lanes, t.local + (108 / 4 * 32 + 9) * 4, 4);
    assert_int_equal(t.fault_lanes, 4711);
}

/* --- faults --- */

static void wrong_addresses_are_reported_with_what_is_near(void **state)
{
    uint64_t y;
    (void)state;

    CHECK_OK(device_alloc(t.c.memory, 100, 0, "y", &y, &t.e), &t.e);
    set_access(PTX_SPACE_GLOBAL, PTX_U32, 1, 32);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(0, 64, l, t.x + 4 * l);
    CHECK_OK(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e);
    put(0, 64, 7, t.x + 4096);
    CHECK_FAILS(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "byte 4096 of x (4096 bytes");
    assert_int_equal(t.fault_lanes, 1 << 7);
    CHECK_OK(ptx_do_load(&t.w, &t.op, ~(1u << 7)), &t.e); /* an inactive lane may have any address */
    put(0, 64, 7, y - 8);
    CHECK_FAILS(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "8 bytes before y");
    put(0, 64, 7, y);
    CHECK_OK(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e); /* two allocations in one instruction */
    put(0, 64, 7, t.x + 2);
    CHECK_FAILS(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "not aligned to 4");
    put(0, 64, 7, 16);
    CHECK_FAILS(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "null pointer");
    put(0, 64, 7, UINT64_MAX - 3);
    CHECK_FAILS(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "0xfffffffffffffffc");
    put(0, 64, 7, y);
    CHECK_OK(device_release(t.c.memory, y, &t.e), &t.e);
    CHECK_FAILS(ptx_do_load(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "y, which has been freed");
    assert_int_equal(t.fault_lanes, 1 << 7);
}

static void windows_end_where_they_end(void **state)
{
    (void)state;
    set_access(PTX_SPACE_SHARED, PTX_U32, 2, 32);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(0, 64, l, SHARED - 8);
    CHECK_OK(ptx_do_store(&t.w, &t.op, UINT32_MAX), &t.e);
    put(0, 64, 3, SHARED);
    CHECK_FAILS(ptx_do_store(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "this memory has only 4096 bytes");
    assert_int_equal(t.fault_lanes, 1 << 3);
    put(0, 64, 3, SHARED - 12);
    CHECK_FAILS(ptx_do_store(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "not aligned to 8");
    set_access(PTX_SPACE_LOCAL, PTX_U32, 1, 32);
    put(0, 64, 3, LOCAL);
    CHECK_FAILS(ptx_do_load(&t.w, &t.op, 8), &t.e, ERR_SIMULATION, "local address 0x100");
    set_access(PTX_GENERIC, PTX_U32, 1, 32);
    put(0, 64, 3, PTX_PARAM_BASE + 8);
    CHECK_FAILS(ptx_do_store(&t.w, &t.op, 8), &t.e, ERR_SIMULATION, "read-only memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(loads_extend_as_the_type_says),
        TEST(vectors_load_value_by_value_and_leave_out_sinks),
        TEST(the_address_may_be_overwritten_by_what_is_loaded),
        TEST(generic_addresses_are_split_by_window),
        TEST(stores_write_back_what_loads_read),
        TEST(the_highest_lane_wins),
        TEST(narrow_addresses_count_in_32_bits),
        TEST(local_memory_belongs_to_each_lane),
        TEST(wrong_addresses_are_reported_with_what_is_near),
        TEST(windows_end_where_they_end),
    };
    return cmocka_run_group_tests_name("loads and stores of a warp", tests, NULL, NULL);
}
