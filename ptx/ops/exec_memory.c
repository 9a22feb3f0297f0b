/* Loads and stores. Three cases are tested in this order: contiguous lanes (one copy), all lanes at one address
 * (one value), any other pattern (lane by lane). If several lanes store to one address, the value of the highest
 * lane remains. */
#include <string.h>

#include "ptx/warp/exec_address.h"
#include "ptx/forms/forms_lane.h"
#include "ptx/forms/forms_lanes.h"

/* --- moving values between memory and rows, lane by lane --- */

/* Moves a value of type T between each lane's address and its element of a row of D. `skip`: bytes from the
 * address to this element of a vector. Sign and zero extension use C's conversion from T to D. */
#define FOR_LANES(mask, body)                                                                                      \
    if ((mask) == UINT32_MAX) {                                                                                    \
        for (uint32_t l = 0; l < PTX_LANES; l++) {                                                                 \
            body;                                                                                                  \
        }                                                                                                          \
    } else {                                                                                                       \
        for (uint32_t left_ = (mask); left_; left_ &= left_ - 1) {                                                 \
            uint32_t l = ptx_first_lane(left_);                                                                    \
            body;                                                                                                  \
        }                                                                                                          \
    }
#define MOVERS(T, D, name)                                                                                         \
    static void load_##name(uint8_t *row, const struct ptx_reach *r, uint32_t skip)                                \
    {                                                                                                              \
        FOR_LANES(r->mask, T t; D d; memcpy(&t, ptx_host(r, l) + skip, sizeof t); d = (D)t;                        \
                  memcpy(row + l * sizeof d, &d, sizeof d))                                                        \
    }                                                                                                              \
    static void store_##name(uint8_t *row, const struct ptx_reach *r, uint32_t skip)                               \
    {                                                                                                              \
        FOR_LANES(r->mask, T t; D d; memcpy(&d, row + l * sizeof d, sizeof d); t = (T)d;                           \
                  memcpy(ptx_host(r, l) + skip, &t, sizeof t))                                                     \
    }                                                                                                              \
    static void spread_##name(uint8_t *row, const void *value, uint32_t mask)                                      \
    {                                                                                                              \
        T t;                                                                                                       \
        D d;                                                                                                       \
        memcpy(&t, value, sizeof t);                                                                               \
        d = (D)t;                                                                                                  \
        FOR_LANES(mask, memcpy(row + l * sizeof d, &d, sizeof d))                                                  \
    }                                                                                                              \
    static void narrow_##name(void *value, const uint8_t *row, uint32_t l)                                         \
    {                                                                                                              \
        T t;                                                                                                       \
        D d;                                                                                                       \
        memcpy(&d, row + l * sizeof d, sizeof d);                                                                  \
        t = (T)d;                                                                                                  \
        memcpy(value, &t, sizeof t);                                                                               \
    }
MOVERS(uint8_t, uint16_t, u8_16)
MOVERS(uint8_t, uint32_t, u8_32)
MOVERS(uint8_t, uint64_t, u8_64)
MOVERS(int8_t, uint16_t, s8_16)
MOVERS(int8_t, uint32_t, s8_32)
MOVERS(int8_t, uint64_t, s8_64)
MOVERS(uint16_t, uint16_t, u16_16)
MOVERS(uint16_t, uint32_t, u16_32)
MOVERS(uint16_t, uint64_t, u16_64)
MOVERS(int16_t, uint32_t, s16_32)
MOVERS(int16_t, uint64_t, s16_64)
MOVERS(uint32_t, uint32_t, u32_32)
MOVERS(uint32_t, uint64_t, u32_64)
MOVERS(int32_t, uint64_t, s32_64)
MOVERS(uint64_t, uint64_t, u64_64)
MOVERS(u128, u128, u128_128)

struct movers {
    void (*load)(uint8_t *row, const struct ptx_reach *r, uint32_t skip);
    void (*store)(uint8_t *row, const struct ptx_reach *r, uint32_t skip);
    void (*spread)(uint8_t *row, const void *value, uint32_t mask); /* copies one value to all lanes */
    void (*narrow)(void *value, const uint8_t *row, uint32_t lane); /* one lane's value to its bytes in memory */
};

/* Index: [signed][log2 of bytes in memory][log2 of bytes in a row]. */
static const struct movers *movers_of(enum ptx_type type, uint32_t value_bits)
{
/* clang-format off */
#define M(name) {load_##name, store_##name, spread_##name, narrow_##name}
    static const struct movers table[2][5][5] = {
        {{[1] = M(u8_16), M(u8_32), M(u8_64)}, {[1] = M(u16_16), M(u16_32), M(u16_64)}, {[2] = M(u32_32), M(u32_64)},
         {[3] = M(u64_64)}, {[4] = M(u128_128)}},
        {{[1] = M(s8_16), M(s8_32), M(s8_64)}, {[1] = M(u16_16), M(s16_32), M(s16_64)}, {[2] = M(u32_32), M(s32_64)},
         {[3] = M(u64_64)}}};
#undef M
    /* clang-format on */
    bool is_signed = type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
    uint32_t memory = ptx_type_bits(type) / 8, row = value_bits / 8;
    const struct movers *m;

    if (memory == 0 || memory > 16 || row == 0 || row > 16)
        return NULL;
    m = &table[is_signed][__builtin_ctz(memory)][__builtin_ctz(row)];
    return m->load ? m : NULL;
}

/* --- local memory, interleaved by words of all lanes --- */

static void load_local(struct ptx_warp *w, uint8_t *row, const struct movers *m, const struct ptx_reach *r,
                       uint32_t skip, uint32_t bytes, uint32_t value_bits)
{
    uint8_t value[16];

    if (bytes == 4 && value_bits == 32 && r->pattern == PTX_AT_SAME && r->mask == UINT32_MAX) {
        memcpy(row, w->local + (size_t)(r->at[0] + skip) * PTX_LANES, (size_t)4 * PTX_LANES);
        return;
    }
    for (uint32_t left = r->mask; left; left &= left - 1) {
        uint32_t l = ptx_first_lane(left);

        ptx_local_read(w, l, (uint32_t)r->at[l] + skip, value, bytes);
        m->spread(row, value, 1u << l);
    }
}

static void store_local(struct ptx_warp *w, const uint8_t *row, const struct movers *m, const struct ptx_reach *r,
                        uint32_t skip, uint32_t bytes, uint32_t value_bits)
{
    uint8_t value[16];

    if (bytes == 4 && value_bits == 32 && r->pattern == PTX_AT_SAME && r->mask == UINT32_MAX) {
        memcpy(w->local + (size_t)(r->at[0] + skip) * PTX_LANES, row, (size_t)4 * PTX_LANES);
        return;
    }
    for (uint32_t left = r->mask; left; left &= left - 1) {
        uint32_t l = ptx_first_lane(left);

        m->narrow(value, row, l);
        ptx_local_write(w, l, (uint32_t)r->at[l] + skip, value, bytes);
    }
}

/* --- the two actions --- */

static int unfit(struct ptx_warp *w, const struct ptx_access *a)
{
    return ptx_fault(w, 0, "a value of type %s in registers of %u bits is not supported",
                     ptx_type_name((enum ptx_type)a->type), a->value_bits);
}

/* The usual case: all lanes move 1, 2 or 4 adjacent 32-bit words, and no destination is `_`. */
static bool word_rows(const struct ptx_warp *w, const struct ptx_access *a, const struct ptx_reach *r,
                      void *rows[4])
{
    if (r->mask != UINT32_MAX || a->value_bits != 32 || r->bytes != 4u * a->vector || a->vector > 4 ||
        r->space == PTX_SPACE_LOCAL)
        return false;
    for (uint32_t k = 0; k < a->vector; k++) {
        if (a->values[k] == PTX_NO_ROW)
            return false;
        rows[k] = ptx_row(w, a->values[k]);
    }
    return true;
}

static void load_reach(struct ptx_warp *w, const struct ptx_access *a, const struct movers *m,
                       const struct ptx_reach *r)
{
    uint32_t bytes = r->bytes / a->vector;
    void *rows[4];

    if (r->pattern != PTX_AT_SAME && (r->pattern != PTX_AT_ROW || a->vector > 1) && word_rows(w, a, r, rows)) {
        ptx_lane_ops()->load(rows, r->host, r->at, a->vector);
        return;
    }
    for (uint32_t k = 0; k < a->vector; k++) {
        uint8_t *row;

        if (a->values[k] == PTX_NO_ROW)
            continue;
        row = ptx_row(w, a->values[k]);
        if (r->space == PTX_SPACE_LOCAL)
            load_local(w, row, m, r, k * bytes, bytes, a->value_bits);
        else if (r->pattern == PTX_AT_SAME)
            m->spread(row, ptx_host(r, 0) + (size_t)k * bytes, r->mask);
        else if (r->pattern == PTX_AT_ROW && a->vector == 1 && a->value_bits == bytes * 8)
            memcpy(row, ptx_host(r, 0), (size_t)bytes * PTX_LANES);
        else
            m->load(row, r, k * bytes);
    }
}

int ptx_do_load(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    const struct movers *m = movers_of((enum ptx_type)a->type, a->value_bits);
    uint32_t bytes = ptx_type_bits((enum ptx_type)a->type) / 8 * a->vector;
    uint64_t at[PTX_LANES];
    struct ptx_reach r;

    if (!m)
        return unfit(w, a);
    ptx_addresses(w, a, mask, at);
    while (mask) {
        if (ptx_reach(w, a->space, at, &mask, bytes, bytes, PTX_READS, &r) != 0)
            return -1;
        load_reach(w, a, m, &r);
    }
    return 0;
}

static void store_reach(struct ptx_warp *w, const struct ptx_access *a, const struct movers *m,
                        const struct ptx_reach *r)
{
    uint32_t bytes = r->bytes / a->vector;
    void *rows[4];

    if (r->pattern != PTX_AT_SAME && (r->pattern != PTX_AT_ROW || a->vector > 1) && word_rows(w, a, r, rows)) {
        ptx_lane_ops()->store(rows, r->host, r->at, a->vector);
        return;
    }
    for (uint32_t k = 0; k < a->vector; k++) {
        uint8_t *row = ptx_row(w, a->values[k]);

        if (r->space == PTX_SPACE_LOCAL)
            store_local(w, row, m, r, k * bytes, bytes, a->value_bits);
        else if (r->pattern == PTX_AT_SAME)
            m->narrow(ptx_host(r, 0) + (size_t)k * bytes, row, 31u - (uint32_t)__builtin_clz(r->mask));
        else if (r->pattern == PTX_AT_ROW && a->vector == 1 && a->value_bits == bytes * 8)
            memcpy(ptx_host(r, 0), row, (size_t)bytes * PTX_LANES);
        else
            m->store(row, r, k * bytes);
    }
}

int ptx_do_store(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    const struct movers *m = movers_of((enum ptx_type)a->type, a->value_bits);
    uint32_t bytes = ptx_type_bits((enum ptx_type)a->type) / 8 * a->vector;
    uint64_t at[PTX_LANES];
    struct ptx_reach r;

    if (!m)
        return unfit(w, a);
    ptx_addresses(w, a, mask, at);
    w->cta->stores++;
    while (mask) {
        if (ptx_reach(w, a->space, at, &mask, bytes, bytes, PTX_WRITES, &r) != 0)
            return -1;
        if (r.space == PTX_SPACE_PARAM || r.space == PTX_SPACE_CONST)
            return ptx_fault(w, r.mask, "writes to read-only memory (%s)",
                             r.space == PTX_SPACE_PARAM ? "parameters of the kernel" : "constants");
        store_reach(w, a, m, &r);
    }
    return 0;
}
