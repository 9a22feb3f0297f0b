/* ptx/forms/forms_lane.h: shared by forms_*.c: rows, loops over lanes, and the macros that make a handler from
 * one expression.
 *
 * The files that include this header are compiled once for each kind of CPU. PTX_CPU is the name of the kind.
 * Only their table, PTX_TABLE(part), has external linkage.
 *
 * OP2(id, D, A, B, expr) defines the handlers id_full and id_part from an expression in a and b (c and e with
 * OP3, OP4). D, A, B are the types of the rows. Expressions avoid branches, so that compilers vectorize the loop.
 * F2("add.u32", id) is a row of the table. */
#ifndef VIVACE_PTX_FORMS_FORMS_LANE_H
#define VIVACE_PTX_FORMS_FORMS_LANE_H

#include <string.h>

#include "ptx/forms/forms.h"

#ifndef PTX_CPU
#define PTX_CPU plain
#endif
#define PTX_GLUE2(a, b) a##_##b
#define PTX_GLUE(a, b)  PTX_GLUE2(a, b)
#define PTX_TABLE(part) PTX_GLUE(ptx_forms_##part, PTX_CPU)

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* the compiler cannot vectorize some loops */
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (int l = 0; l < PTX_LANES; l++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int l = 0; l < PTX_LANES; l++)
#endif

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef float f32;
typedef double f64;
__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;
/* The same types for access to rows. An instruction may read a row as any type. */
typedef s16 __attribute__((may_alias)) lane_s16;
typedef s32 __attribute__((may_alias)) lane_s32;
typedef s64 __attribute__((may_alias)) lane_s64;
typedef u16 __attribute__((may_alias)) lane_u16;
typedef u32 __attribute__((may_alias)) lane_u32;
typedef u64 __attribute__((may_alias)) lane_u64;
typedef f32 __attribute__((may_alias)) lane_f32;
typedef f64 __attribute__((may_alias)) lane_f64;
typedef u128 __attribute__((may_alias)) lane_u128;

#define ALWAYS static inline __attribute__((always_inline, unused))

ALWAYS void *row_of(const struct ptx_lanes *w, u16 r)
{
    return __builtin_assume_aligned(w->rows + (size_t)r * PTX_ROW_BYTES, PTX_ROW_BYTES);
}

/* A predicate operand after its negation. */
ALWAYS u32 pred_of(const struct ptx_lanes *w, const struct ptx_form_args *p, int i)
{
    u32 m = w->preds[p->src[i]];

    return p->negate >> i & 1 ? ~m : m;
}

ALWAYS void set_pred(struct ptx_lanes *w, u16 place, u32 value, u32 mask)
{
    if (place != PTX_NO_ROW)
        w->preds[place] = (w->preds[place] & ~mask) | (value & mask);
}

/* clang-format off */
#define BITS8(X, n) (X)1 << (n), (X)1 << (n + 1), (X)1 << (n + 2), (X)1 << (n + 3), \
    (X)1 << (n + 4), (X)1 << (n + 5), (X)1 << (n + 6), (X)1 << (n + 7)
/* clang-format on */
static const u32 lane_bit[PTX_LANES]
    __attribute__((aligned(64), unused)) = {BITS8(u32, 0), BITS8(u32, 8), BITS8(u32, 16), BITS8(u32, 24)};
static const u64 lane_bit64[PTX_LANES]
    __attribute__((aligned(64), unused)) = {BITS8(u64, 0), BITS8(u64, 8), BITS8(u64, 16), BITS8(u64, 24)};
static const u16 lane_bit16[PTX_LANES]
    __attribute__((aligned(64), unused)) = {BITS8(u16, 0), BITS8(u16, 8), BITS8(u16, 0), BITS8(u16, 8)};

/* d = mask ? t : f for each lane. d may be t or f. */
ALWAYS void choose16(lane_u16 *d, const lane_u16 *t, const lane_u16 *f, u32 mask)
{
    u16 half[PTX_LANES];

    for (int l = 0; l < PTX_LANES; l++)
        half[l] = (u16)(l < 16 ? mask : mask >> 16);
    EACH_LANE
    d[l] = half[l] & lane_bit16[l] ? t[l] : f[l];
}

ALWAYS void choose32(lane_u32 *d, const lane_u32 *t, const lane_u32 *f, u32 mask)
{
    EACH_LANE
    d[l] = mask & lane_bit[l] ? t[l] : f[l];
}

ALWAYS void choose64(lane_u64 *d, const lane_u64 *t, const lane_u64 *f, u32 mask)
{
    EACH_LANE
    d[l] = mask & lane_bit64[l] ? t[l] : f[l];
}

ALWAYS void choose128(lane_u128 *d, const lane_u128 *t, const lane_u128 *f, u32 mask)
{
    for (int l = 0; l < PTX_LANES; l++)
        d[l] = mask >> l & 1 ? t[l] : f[l];
}

/* Writes a computed row in the lanes of the mask. `bytes`: size of one lane's value. */
ALWAYS void blend_row(void *d, const void *t, size_t bytes, u32 mask)
{
    if (bytes == 2)
        choose16(d, t, d, mask);
    else if (bytes == 4)
        choose32(d, t, d, mask);
    else if (bytes == 8)
        choose64(d, t, d, mask);
    else
        choose128(d, t, d, mask);
}

/* Converts one byte per lane (0 or 0xff) to one bit per lane. */
#ifdef __SSE2__
#include <emmintrin.h>
ALWAYS u32 mask_of_bytes(const u8 *b)
{
    return (u32)_mm_movemask_epi8(_mm_load_si128((const __m128i *)b)) |
           (u32)_mm_movemask_epi8(_mm_load_si128((const __m128i *)(b + 16))) << 16;
}
#else
ALWAYS u32 mask_of_bytes(const u8 *b)
{
    u32 m = 0;

    for (int l = 0; l < PTX_LANES; l++)
        m |= (u32)(b[l] & 1) << l;
    return m;
}
#endif

/* Reinterprets the bits of a value as another type. */
ALWAYS u32 bits32(f32 x)
{
    u32 u;

    memcpy(&u, &x, 4);
    return u;
}
ALWAYS f32 float32(u32 u)
{
    f32 x;

    memcpy(&x, &u, 4);
    return x;
}
ALWAYS u64 bits64(f64 x)
{
    u64 u;

    memcpy(&u, &x, 8);
    return u;
}
ALWAYS f64 float64(u64 u)
{
    f64 x;

    memcpy(&x, &u, 8);
    return x;
}

/* clang-format off */
#define HANDLER(id) static void id(struct ptx_lanes *w, const struct ptx_form_args *p, u32 mask)
#define PARAMETERS_USED (void)w, (void)p, (void)mask
#define SOURCE(A, x, i) const lane_##A *x = row_of(w, p->src[i])

/* Defines both handlers with one loop body. `T` is a row that the loop may write directly. Rows of different
 * widths may overlap, so their result is computed in a temporary. */
#define MAKE_HANDLERS(id, D, same_width, sources, lane, expr) \
    HANDLER(id##_full) \
    { \
        sources; \
        lane_##D *d = row_of(w, p->dst); \
        (void)mask; \
        if (same_width) { \
            EACH_LANE { lane; d[l] = (D)(expr); } \
        } else { \
            D t[PTX_LANES] __attribute__((aligned(64))); \
            EACH_LANE { lane; t[l] = (D)(expr); } \
            memcpy(d, t, sizeof t); \
        } \
    } \
    HANDLER(id##_part) \
    { \
        D t[PTX_LANES] __attribute__((aligned(64))); \
        sources; \
        EACH_LANE { lane; t[l] = (D)(expr); } \
        blend_row(row_of(w, p->dst), t, sizeof(D), mask); \
    }
#define WIDTHS(id, D, A, B, C, E) \
    enum { id##_d = sizeof(D) * 8, id##_a = sizeof(A) * 8, id##_b = sizeof(B) * 8, id##_c = sizeof(C) * 8, \
           id##_e = sizeof(E) * 8 }

#define OP1(id, D, A, expr) \
    MAKE_HANDLERS(id, D, sizeof(D) == sizeof(A), SOURCE(A, x, 0), const A a = x[l], expr) WIDTHS(id, D, A, A, A, A);
#define OP2(id, D, A, B, expr) \
    MAKE_HANDLERS(id, D, sizeof(D) == sizeof(A) && sizeof(D) == sizeof(B), SOURCE(A, x, 0); SOURCE(B, y, 1), \
                  const A a = x[l]; const B b = y[l], expr) WIDTHS(id, D, A, B, B, B);
#define OP3(id, D, A, B, C, expr) \
    MAKE_HANDLERS(id, D, sizeof(D) == sizeof(A) && sizeof(D) == sizeof(B) && sizeof(D) == sizeof(C), \
                  SOURCE(A, x, 0); SOURCE(B, y, 1); SOURCE(C, z, 2), \
                  const A a = x[l]; const B b = y[l]; const C c = z[l], expr) WIDTHS(id, D, A, B, C, C);
#define OP4(id, D, A, B, C, E, expr) \
    MAKE_HANDLERS(id, D, sizeof(D) == sizeof(A) && sizeof(D) == sizeof(B) && sizeof(D) == sizeof(C) && \
                  sizeof(D) == sizeof(E), \
                  SOURCE(A, x, 0); SOURCE(B, y, 1); SOURCE(C, z, 2); SOURCE(E, v, 3), \
                  const A a = x[l]; const B b = y[l]; const C c = z[l]; const E e = v[l], expr) \
    WIDTHS(id, D, A, B, C, E);

/* One handler for full and partial masks, for long or rare forms: ONE1, ONE2, ONE3. Their table rows: G1, G2, G3. */
#define ONE_HANDLER(id, D, sources, lane, expr) \
    HANDLER(id##_any) \
    { \
        D t[PTX_LANES] __attribute__((aligned(64))); \
        sources; \
        EACH_LANE { lane; t[l] = (D)(expr); } \
        blend_row(row_of(w, p->dst), t, sizeof(D), mask); \
    }
#define ONE1(id, D, A, expr) ONE_HANDLER(id, D, SOURCE(A, x, 0), const A a = x[l], expr) WIDTHS(id, D, A, A, A, A);
#define ONE2(id, D, A, B, expr) \
    ONE_HANDLER(id, D, SOURCE(A, x, 0); SOURCE(B, y, 1), const A a = x[l]; const B b = y[l], expr) WIDTHS(id, D, A, B, B, B);
#define ONE3(id, D, A, B, C, expr) \
    ONE_HANDLER(id, D, SOURCE(A, x, 0); SOURCE(B, y, 1); SOURCE(C, z, 2), \
                const A a = x[l]; const B b = y[l]; const C c = z[l], expr) \
    WIDTHS(id, D, A, B, C, C);
#define G1(text, id) {.name = text, .dst_bits = id##_d, .src_bits = {id##_a}, .full = id##_any, .part = id##_any},
#define G2(text, id) {.name = text, .dst_bits = id##_d, .src_bits = {id##_a, id##_b}, .full = id##_any, .part = id##_any},
#define G3(text, id) {.name = text, .dst_bits = id##_d, .src_bits = {id##_a, id##_b, id##_c}, .full = id##_any, .part = id##_any},

/* Rows of the tables. */
#define F1(text, id) {.name = text, .dst_bits = id##_d, .src_bits = {id##_a}, .full = id##_full, .part = id##_part},
#define F2(text, id) {.name = text, .dst_bits = id##_d, .src_bits = {id##_a, id##_b}, .full = id##_full, \
                      .part = id##_part},
#define F3(text, id) {.name = text, .dst_bits = id##_d, .src_bits = {id##_a, id##_b, id##_c}, .full = id##_full, \
                      .part = id##_part},
#define F4(text, id) {.name = text, .dst_bits = id##_d, .src_bits = {id##_a, id##_b, id##_c, id##_e}, \
                      .full = id##_full, .part = id##_part},
#define TABLE(part, rows) \
    extern const struct ptx_form_table PTX_TABLE(part); \
    const struct ptx_form_table PTX_TABLE(part) = {rows, sizeof rows / sizeof rows[0]};
/* clang-format on */

#endif
