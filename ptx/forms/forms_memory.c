/* ptx/forms/forms_memory.c: patterns of a warp's addresses, loads and stores of words, tests of rows. */
#include "ptx/forms/forms_lane.h"
#include "ptx/forms/forms_lanes.h"

static void add_64(uint64_t at[PTX_LANES], const void *row, uint64_t offset)
{
    const lane_u64 *from = __builtin_assume_aligned(row, PTX_ROW_BYTES);

    EACH_LANE
    at[l] = from[l] + offset;
}

static void add_32(uint64_t at[PTX_LANES], const void *row, uint32_t offset)
{
    const lane_u32 *from = __builtin_assume_aligned(row, PTX_ROW_BYTES);

    EACH_LANE
    at[l] = from[l] + offset;
}

static void scan(const uint64_t at[PTX_LANES], struct ptx_scan *out)
{
    uint64_t low = at[0], high = at[0], bits = 0, differs = 0, off = 0, first = at[0], stride = at[1] - at[0];

    EACH_LANE
    {
        u64 x = at[l];

        low = x < low ? x : low;
        high = x > high ? x : high;
        bits |= x;
        differs |= x ^ first;
        off |= x ^ (first + (u64)l * stride);
    }
    *out = (struct ptx_scan){low, high, bits, differs == 0, off == 0, stride};
}

static bool strided(const uint64_t at[PTX_LANES], uint32_t mask, uint64_t base, uint64_t stride)
{
    u64 off = 0;

    if (mask == UINT32_MAX) {
        EACH_LANE
        off |= at[l] ^ (base + (u64)l * stride);
    } else {
        EACH_LANE
        off |= lane_bit[l] & mask ? at[l] ^ (base + (u64)l * stride) : 0;
    }
    return off == 0;
}

static bool apart(const uint64_t at[PTX_LANES], uint64_t base, const uint64_t distance[PTX_LANES])
{
    u64 off = 0;

    EACH_LANE
    off |= at[l] ^ (base + distance[l]);
    return off == 0;
}

#define ALL_SET(T)                                                                                                 \
    ALWAYS u32 all_set_##T(const void *row, T ones)                                                                \
    {                                                                                                              \
        const lane_##T *x = __builtin_assume_aligned(row, PTX_ROW_BYTES);                                          \
        u8 t[PTX_LANES] __attribute__((aligned(64)));                                                              \
                                                                                                                   \
        EACH_LANE                                                                                                  \
        t[l] = (x[l] & ones) == ones ? 0xff : 0;                                                                   \
        return mask_of_bytes(t);                                                                                   \
    }
ALL_SET(u16)
ALL_SET(u32)
ALL_SET(u64)

static u32 all_set(const void *row, u32 bits, u64 ones)
{
    return bits == 16   ? all_set_u16(row, (u16)ones)
           : bits == 32 ? all_set_u32(row, (u32)ones)
                        : all_set_u64(row, ones);
}

/* --- words --- */

typedef u32 quad __attribute__((vector_size(16), may_alias));
typedef u32 loose_quad __attribute__((vector_size(16), aligned(4), may_alias));

/* Transposes four lanes of four words: the words of one lane become one lane of four rows, and the reverse. */
ALWAYS void turn(quad x[4])
{
    quad a = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5), b = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5);
    quad c = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7), d = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);

    x[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    x[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    x[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    x[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

static void load(void *const rows[4], uintptr_t host, const uint64_t at[PTX_LANES], uint32_t words)
{
    if (words == 1) {
        lane_u32 *to = __builtin_assume_aligned(rows[0], PTX_ROW_BYTES);

        EACH_LANE
        to[l] = *(const lane_u32 *)(host + at[l]);
    } else if (words == 2) {
        lane_u32 *low = rows[0], *high = rows[1];

        EACH_LANE
        {
            const lane_u32 *from = (const lane_u32 *)(host + at[l]);

            low[l] = from[0];
            high[l] = from[1];
        }
    } else {
        for (int l = 0; l < PTX_LANES; l += 4) {
            quad x[4];

            for (int k = 0; k < 4; k++)
                x[k] = *(const loose_quad *)(host + at[l + k]);
            turn(x);
            for (int k = 0; k < 4; k++)
                ((quad *)rows[k])[l / 4] = x[k];
        }
    }
}

static void store(void *const rows[4], uintptr_t host, const uint64_t at[PTX_LANES], uint32_t words)
{
    if (words < 4) {
        for (int l = 0; l < PTX_LANES; l++)
            for (u32 k = 0; k < words; k++)
                ((lane_u32 *)(host + at[l]))[k] = ((const lane_u32 *)rows[k])[l];
        return;
    }
    for (int l = 0; l < PTX_LANES; l += 4) {
        quad x[4];

        for (int k = 0; k < 4; k++)
            x[k] = ((const quad *)rows[k])[l / 4];
        turn(x);
        for (int k = 0; k < 4; k++)
            *(loose_quad *)(host + at[l + k]) = x[k];
    }
}

const struct ptx_lane_ops PTX_TABLE(memory) = {add_64, add_32, scan, strided, apart, all_set, load, store};
