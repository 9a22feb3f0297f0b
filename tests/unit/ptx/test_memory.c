/* Loads, stores, atomics and asynchronous copies of one warp, against what each lane should do by itself. */
#include <stdbool.h>
#include <stdint.h>

#include "simcore/ptx/exec_internal.h"
#include "tests/harness/check.h"

enum { ROWS = 64, SHARED = 4096, LOCAL = 256 };

/* A warp by itself: rows, one access, memory of every kind. */
static struct {
    struct ptx_warp w;
    struct ptx_cta c;
    struct ptx_code code;
    struct ptx_access access;
    struct ptx_op op;
    struct ptx_exec_options options;
    struct ptx_exec_stats stats;
    struct ptx_observer observer;
    struct err e;
    uint32_t fault_lanes;
    _Alignas(64) uint8_t rows[ROWS * PTX_ROW_BYTES];
    _Alignas(128) uint8_t shared[SHARED];
    uint8_t local[LOCAL * PTX_LANES], params[64];
    uint32_t preds[4];
    uint64_t x; /* an allocation of 4096 bytes, byte i is i * 7 */
    unsigned seen;
    uint32_t seen_space, seen_mask;
} t;

int ptx_fault(struct ptx_warp *w, uint32_t lanes, const char *format, ...)
{
    va_list ap;
    char text[400];

    (void)w;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    t.fault_lanes = lanes;
    return err_set(&t.e, ERR_SIMULATION, "%s", text);
}

/* The two others of faults.c that strict mode needs; the book of strict mode is not open here. */
int ptx_undefined(struct ptx_warp *w, uint32_t lanes, const char *format, ...)
{
    return ptx_fault(w, lanes, "%s", format);
}

void ptx_place_text(const struct ptx_warp *w, const struct ptx_code *code, uint32_t op, char *out, size_t room)
{
    (void)w;
    (void)code;
    snprintf(out, room, "op %u", op);
}

static void seen(void *ctx, uint32_t warp, const struct ptx_touched *a)
{
    (void)ctx;
    (void)warp;
    t.seen++;
    t.seen_space = a->space;
    t.seen_mask = a->mask;
}

static int begin(void **state)
{
    struct err e;
    (void)state;

    memset(&t, 0, sizeof t);
    t.c = (struct ptx_cta){.shared = t.shared,
                           .shared_bytes = SHARED,
                           .params = t.params,
                           .param_bytes = sizeof t.params,
                           .memory = device_memory_new(1 << 20, &e),
                           .options = &t.options,
                           .observer = &t.observer,
                           .stats = &t.stats,
                           .e = &t.e};
    t.observer.memory = seen;
    t.code = (struct ptx_code){.accesses = &t.access, .access_count = 1};
    t.w = (struct ptx_warp){.lanes = {.rows = t.rows, .preds = t.preds},
                            .code = &t.code,
                            .cta = &t.c,
                            .local = t.local,
                            .local_bytes = LOCAL,
                            .live = UINT32_MAX};
    if (!t.c.memory || device_alloc(t.c.memory, 4096, 0, "x", &t.x, &e) != 0)
        return -1;
    for (int i = 0; i < 4096; i++)
        ((uint8_t *)device_bytes(t.c.memory, t.x, 4096))[i] = (uint8_t)(i * 7);
    return 0;
}

static int end(void **state)
{
    (void)state;
    ptx_async_end(&t.c);
    device_memory_free(t.c.memory);
    return 0;
}

static uint64_t get(uint16_t row, uint32_t bits, uint32_t lane)
{
    uint64_t v = 0;

    memcpy(&v, t.rows + row * PTX_ROW_BYTES + lane * (bits / 8), bits / 8);
    return v;
}

static void put(uint16_t row, uint32_t bits, uint32_t lane, uint64_t v)
{
    memcpy(t.rows + row * PTX_ROW_BYTES + lane * (bits / 8), &v, bits / 8);
}

/* Addresses are in row 0, values from row 8 on, 8 rows apart. */
static void set_access(enum ptx_space space, enum ptx_type type, uint32_t vector, uint32_t value_bits)
{
    t.access = (struct ptx_access){.space = (uint8_t)space,
                                   .type = (uint8_t)type,
                                   .vector = (uint8_t)vector,
                                   .base_bits = 64,
                                   .value_bits = (uint8_t)value_bits,
                                   .base = 0,
                                   .value_count = (uint16_t)vector};
    for (uint32_t k = 0; k < vector; k++)
        t.access.values[k] = (uint16_t)(8 + 8 * k);
    t.op.args.src[0] = t.op.args.src[1] = t.op.args.dst = PTX_NO_ROW;
}

/* What memory holds at byte `at` of x, extended as the type says, in a register of these bits. */
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

/* Every type into every register it fits, in all three ways, whole warps and parts. */
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

/* A row may be its own address: the addresses are read first. */
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

/* Lanes of one instruction that look into four spaces. */
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
    assert_int_equal(t.seen, 4); /* the observer: once a space */
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

/* Shared addresses in 32-bit registers wrap in 32 bits. */
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
    for (uint32_t way = 0; way < 3; way++) { /* one offset, offsets of their own, bytes */
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
    t.w.frame = 100; /* no base: from the activation's frame on */
    set_access(PTX_SPACE_LOCAL, PTX_U32, 1, 32);
    t.access.base = PTX_NO_ROW;
    t.access.offset = 8;
    put(8, 32, 9, 4711);
    CHECK_OK(ptx_do_store(&t.w, &t.op, UINT32_MAX), &t.e);
    memcpy(&t.fault_lanes, t.local + (108 / 4 * 32 + 9) * 4, 4); /* word by word of all lanes */
    assert_int_equal(t.fault_lanes, 4711);
}

/* --- faults --- */

static void wrong_addresses_are_told_with_what_is_near(void **state)
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
    CHECK_OK(ptx_do_load(&t.w, &t.op, ~(1u << 7)), &t.e); /* a lane that is off may point anywhere */
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
    CHECK_FAILS(ptx_do_store(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "there are 4096 bytes of it");
    assert_int_equal(t.fault_lanes, 1 << 3);
    put(0, 64, 3, SHARED - 12);
    CHECK_FAILS(ptx_do_store(&t.w, &t.op, UINT32_MAX), &t.e, ERR_SIMULATION, "not aligned to 8");
    set_access(PTX_SPACE_LOCAL, PTX_U32, 1, 32);
    put(0, 64, 3, LOCAL);
    CHECK_FAILS(ptx_do_load(&t.w, &t.op, 8), &t.e, ERR_SIMULATION, "local address 0x100");
    set_access(PTX_GENERIC, PTX_U32, 1, 32);
    put(0, 64, 3, PTX_PARAM_BASE + 8);
    CHECK_FAILS(ptx_do_store(&t.w, &t.op, 8), &t.e, ERR_SIMULATION, "can only be read");
}

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

/* Runs it with lane l's operands b + l * step and c, and checks what is left and what lane 31 saw. */
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
    check_atomic(PTX_U32, PTX_ATOM_DEC, 50, 9, 0, 0, 8, 9); /* above b: to b */
    check_atomic(PTX_B32, PTX_ATOM_OR, 0, 1, 1, 0, 63, 31);
    check_atomic(PTX_B32, PTX_ATOM_XOR, 0, 1, 0, 0, 0, 1);
    check_atomic(PTX_B64, PTX_ATOM_AND, UINT64_MAX, 0xff00ff00ff00ull, 0, 0, 0xff00ff00ff00ull, 0xff00ff00ff00ull);
    check_atomic(PTX_B64, PTX_ATOM_EXCH, 1, 100, 1, 0, 131, 130);
    check_atomic(PTX_B32, PTX_ATOM_CAS, 7, 0, 1, 99, 99, 99); /* lane 7 finds what it looks for */
    check_atomic(PTX_B16, PTX_ATOM_CAS, 7, 0, 1, 99, 99, 99);
    check_atomic(PTX_F32, PTX_ATOM_ADD, 0x3f800000, 0x3f000000, 0, 0, 0x41880000, 0x41840000); /* 1 + 32/2 = 17 */
    check_atomic(PTX_F32, PTX_ATOM_ADD, 0x7f800000, 0xff800000, 0, 0, 0x7fffffff, 0x7fffffff); /* inf - inf */
    check_atomic(PTX_F64, PTX_ATOM_ADD, 0, 0x3ff0000000000000, 0, 0, 0x4040000000000000, 0x403f000000000000);
    check_atomic(PTX_F16, PTX_ATOM_ADD, 0, 0x3c00, 0, 0, 0x5000, 0x4fc0);       /* 32 and 31 */
    check_atomic(PTX_BF16, PTX_ATOM_ADD, 0x4380, 0x3f80, 0, 0, 0x4380, 0x4380); /* 256 + 1: ties to even */
    check_atomic(PTX_F16X2, PTX_ATOM_ADD, 0, 0x3c004000, 0, 0, 0x50005400, 0x4fc053c0);
    check_atomic(PTX_F16, PTX_ATOM_MIN, 0x7e00, 0x8000, 0, 0, 0x8000, 0x8000); /* NaN loses */
    check_atomic(PTX_F16, PTX_ATOM_MAX, 0x8000, 0x0000, 0, 0, 0x0000, 0x0000); /* -0 < +0 */
    check_atomic(PTX_BF16X2, PTX_ATOM_MAX, 0x3f80bf80, 0x40000000, 0, 0, 0x40000000, 0x40000000);
    assert_false(ptx_atomic_known(PTX_ATOM_MIN, PTX_F32));
}

/* Subnormals are zeros in global memory only. */
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

/* In strict mode bytes are there when somebody has waited for them, not before. */
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
    CHECK_OK(ptx_do_async(&t.w, &t.op, 1), &t.e); /* lane 0 alone */
    assert_int_equal(t.shared[1024 + 5], (uint8_t)(21 * 7));
    assert_int_equal(t.shared[1024 + 21], (uint8_t)(21 * 7)); /* lane 1: still of the first copy */
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
        put(0, 64, l, 64); /* all at one place */
    put(8, 32, 0, 8);
    asynchronous(PTX_MBARRIER_INIT, 0);
    t.op.args.src[0] = 8;
    CHECK_OK(ptx_do_async(&t.w, &t.op, 1), &t.e);
    put(16, 32, 0, 0);
    put(24, 32, 0, 1);
    assert_false(tested(PTX_MBARRIER_TEST_PARITY, 16));
    assert_true(tested(PTX_MBARRIER_TEST_PARITY, 24)); /* the phase before the first counts as complete */
    asynchronous(PTX_MBARRIER_ARRIVE, 0);
    t.op.args.dst = 32;
    CHECK_OK(ptx_do_async(&t.w, &t.op, 0x7f), &t.e);
    assert_false(tested(PTX_MBARRIER_TEST, 32));
    asynchronous(PTX_MBARRIER_PENDING_COUNT, 0);
    t.op.args.src[0] = 32;
    t.op.args.dst = 40;
    CHECK_OK(ptx_do_async(&t.w, &t.op, 0x7f), &t.e);
    assert_int_equal(get(40, 32, 6), 2); /* before the seventh arrived */
    asynchronous(PTX_MBARRIER_ARRIVE, 0);
    CHECK_OK(ptx_do_async(&t.w, &t.op, 0x100), &t.e);
    assert_true(tested(PTX_MBARRIER_TEST, 32));
    assert_true(tested(PTX_MBARRIER_TEST_PARITY, 16));
    assert_false(tested(PTX_MBARRIER_TEST_PARITY, 24));
    put(8, 32, 0, 100); /* phase 1: bytes as well */
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
    CHECK_FAILS(ptx_do_async(&t.w, &t.op, 1), &t.e, ERR_SIMULATION, "9 arrive at a barrier that waits for 8");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

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
        TEST(wrong_addresses_are_told_with_what_is_near),
        TEST(windows_end_where_they_end),
        TEST(atomics_do_what_the_manual_says),
        TEST(f32_sums_flush_in_global_memory_only),
        TEST(copies_fill_up_with_zeros),
        TEST(strict_copies_come_with_the_wait),
        TEST(barriers_in_memory_count_phases),
    };
    return cmocka_run_group_tests_name("memory operations of a warp", tests, NULL, NULL);
}
