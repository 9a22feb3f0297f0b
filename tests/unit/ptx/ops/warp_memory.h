/* A single warp with memory of every space, for tests of memory instructions. Replaces ptx/warp/faults.c: a fault
 * is stored in t. */
#ifndef VIVACE_TESTS_UNIT_PTX_WARP_MEMORY_H
#define VIVACE_TESTS_UNIT_PTX_WARP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx/warp/exec_internal.h"
#include "tests/harness/check.h"

enum { ROWS = 64, SHARED = 4096, LOCAL = 256 };

/* The warp: rows, one memory access, memory of every space. */
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

/* The two other functions of faults.c, for strict mode, which is off here. */
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

static inline void seen(void *ctx, uint32_t warp, const struct ptx_touched *a)
{
    (void)ctx;
    (void)warp;
    t.seen++;
    t.seen_space = a->space;
    t.seen_mask = a->mask;
}

static inline int begin(void **state)
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

static inline int end(void **state)
{
    (void)state;
    ptx_async_end(&t.c);
    device_memory_free(t.c.memory);
    return 0;
}

static inline uint64_t get(uint16_t row, uint32_t bits, uint32_t lane)
{
    uint64_t v = 0;

    memcpy(&v, t.rows + row * PTX_ROW_BYTES + lane * (bits / 8), bits / 8);
    return v;
}

static inline void put(uint16_t row, uint32_t bits, uint32_t lane, uint64_t v)
{
    memcpy(t.rows + row * PTX_ROW_BYTES + lane * (bits / 8), &v, bits / 8);
}

/* Row 0 has the addresses. Values start at row 8, 8 rows apart. */
static inline void set_access(enum ptx_space space, enum ptx_type type, uint32_t vector, uint32_t value_bits)
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

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

#endif
