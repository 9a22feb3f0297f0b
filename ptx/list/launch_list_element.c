/* Types of buffer values, and the initial values of a buffer. A random number depends only on seed and index. It
 * is computed by operations that are exact or rounded once in IEEE 754, so that every machine computes the same
 * number. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "ptx/forms/forms_half.h"
#include "ptx/list/launch_list.h"

static const struct {
    const char *name;
    uint32_t bytes;
} types[] = {
#define X(name, text, bytes) {text, bytes},
    ELEMENT_TYPES(X)
#undef X
};

const char *element_name(enum element_type t)
{
    return types[t].name;
}

uint32_t element_bytes(enum element_type t)
{
    return types[t].bytes;
}

enum element_type element_of(const char *name)
{
    for (int i = 0; i < ELEMENT_TYPE_COUNT; i++)
        if (strcmp(types[i].name, name) == 0)
            return (enum element_type)i;
    return ELEMENT_TYPE_COUNT;
}

bool element_is_float(enum element_type t)
{
    return t == ELEMENT_F16 || t == ELEMENT_BF16 || t == ELEMENT_F32 || t == ELEMENT_F64;
}

double element_read(enum element_type t, const void *from)
{
    uint64_t u = 0;

    memcpy(&u, from, types[t].bytes);
    switch (t) {
    case ELEMENT_S8: return (s8)u;
    case ELEMENT_S16: return (s16)u;
    case ELEMENT_S32: return (s32)u;
    case ELEMENT_S64: return (f64)(s64)u;
    case ELEMENT_F16: return (f64)f16_to_f32((u16)u);
    case ELEMENT_BF16: return (f64)bf16_to_f32((u16)u);
    case ELEMENT_F32: return (f64)float32((u32)u);
    case ELEMENT_F64: return float64(u);
    default: return (f64)u;
    }
}

/* The nearest integer with `bits` bits. */
static uint64_t saturated(double v, uint32_t bits, bool is_signed)
{
    double most = ldexp(1, (int)(is_signed ? bits - 1 : bits)), least = is_signed ? -most : 0;

    v = rint(v);
    if (!(v > least)) /* NaN, too */
        return is_signed && v == v ? (uint64_t)1 << (bits - 1) : 0;
    if (v >= most)
        return bits == 64 && !is_signed ? UINT64_MAX : ((uint64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
    return v < 0 ? (uint64_t)(s64)v : (uint64_t)v;
}

void element_write(enum element_type t, void *to, double value)
{
    uint64_t u;

    switch (t) {
    case ELEMENT_F16: u = f32_to_f16(odd_f32(value)); break;
    case ELEMENT_BF16: u = f32_to_bf16(odd_f32(value)); break;
    case ELEMENT_F32: u = bits32((f32)value); break;
    case ELEMENT_F64: u = bits64(value); break;
    default:
        u = saturated(value, types[t].bytes * 8,
                      t == ELEMENT_S8 || t == ELEMENT_S16 || t == ELEMENT_S32 || t == ELEMENT_S64);
    }
    memcpy(to, &u, types[t].bytes);
}

/* --- random numbers --- */

/* Number `index` of SplitMix64 that was seeded with `seed` (Steele, Lea, Flood: "Fast splittable pseudorandom
 * number generators", 2014). */
static uint64_t random_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* ln x for x in (0, 1]: x = m 2^k with m around 1, ln m = 2 artanh((m-1)/(m+1)) by its series. */
static double own_log(double x)
{
    int k;
    double m = frexp(x, &k), t, s = 0;

    if (m < 0.70710678118654752) {
        m *= 2;
        k--;
    }
    t = (m - 1) / (m + 1);
    for (int i = 23; i >= 1; i -= 2)
        s = s * t * t + 1.0 / i;
    return 2 * t * s + k * 0.69314718055994531;
}

/* cos(2 pi u) for u in [0, 1): the quadrant is separated exactly; the rest uses the Taylor series. */
static double own_cos(double u)
{
    double quarter = rint(4 * u), x = (4 * u - quarter) * 1.5707963267948966, c = 0, s = 0;

    for (int i = 20; i >= 0; i -= 2) {
        c = 1 - c * x * x / ((i + 1) * (i + 2));
        s = 1 - s * x * x / ((i + 2) * (i + 3));
    }
    switch ((int)quarter % 4) {
    case 0: return c;
    case 1: return -s * x;
    case 2: return -c;
    default: return s * x;
    }
}

/* Source: Box and Muller, "A note on the generation of random normal deviates", 1958. */
static double normal(uint64_t seed, uint64_t index)
{
    double u = (f64)((random_bits(seed, 2 * index) >> 11) + 1) * 0x1p-53;
    double v = (f64)(random_bits(seed, 2 * index + 1) >> 11) * 0x1p-53;

    return sqrt(-2 * own_log(u)) * own_cos(v);
}

static void uniform(const struct list_buffer *b, uint64_t i, void *to)
{
    uint64_t r = random_bits(b->seed, i), u;

    if (element_is_float(b->type)) {
        double share = b->type == ELEMENT_F64 ? (f64)(r >> 11) * 0x1p-53 : (f64)(r >> 40) * 0x1p-24;

        element_write(b->type, to, b->a + (b->b - b->a) * share);
        return;
    }
    u = (uint64_t)b->low + (uint64_t)((u128)r * ((uint64_t)b->high - (uint64_t)b->low) >> 64);
    memcpy(to, &u, types[b->type].bytes);
}

/* --- files --- */

static int from_file(const struct list_buffer *b, uint8_t *out, struct err *e)
{
    uint64_t bytes = b->count * types[b->type].bytes, have = 0;
    FILE *f = fopen(b->file, "rb");

    if (!f)
        return err_set_errno(e, errno, "%s", b->file);
    if (fseeko(f, (off_t)b->offset, SEEK_SET) == 0)
        have = fread(out, 1, bytes, f);
    fclose(f);
    if (have != bytes)
        return err_set(e, ERR_INVALID, "%s: buffer %s needs %llu bytes at byte %llu, and the file has %llu there",
                       b->file, b->name, (unsigned long long)bytes, (unsigned long long)b->offset,
                       (unsigned long long)have);
    return 0;
}

int launch_list_fill(const struct list_buffer *b, void *out, struct err *e)
{
    uint32_t bytes = types[b->type].bytes;
    uint8_t *to = out;

    if (b->init == INIT_FILE)
        return from_file(b, to, e);
    if (b->init == INIT_VALUES)
        memcpy(to, b->values, b->count * bytes);
    if (b->init == INIT_ZERO)
        memset(to, 0, b->count * bytes);
    for (uint64_t i = 0; i < b->count; i++, to += bytes) {
        if (b->init == INIT_STEP && element_is_float(b->type)) {
            element_write(b->type, to, b->a + b->b * (f64)i);
        } else if (b->init == INIT_STEP) {
            uint64_t u = (uint64_t)b->low + (uint64_t)b->high * i;

            memcpy(to, &u, bytes);
        } else if (b->init == INIT_UNIFORM) {
            uniform(b, i, to);
        } else if (b->init == INIT_NORMAL) {
            element_write(b->type, to, b->a + b->b * normal(b->seed, i));
        } else {
            break;
        }
    }
    return 0;
}

/* Maps floats to integers of the same order. Neighbouring floats differ by 1. Both zeros map to 0. */
static int64_t float_order(enum element_type t, const void *at)
{
    uint32_t bits = element_bytes(t) * 8;
    uint64_t u = 0, magnitude;

    memcpy(&u, at, bits / 8);
    magnitude = u & ((1ull << (bits - 1)) - 1);
    return u >> (bits - 1) & 1 ? -(int64_t)magnitude : (int64_t)magnitude;
}

uint64_t element_ulps(enum element_type t, const void *a, const void *b)
{
    int64_t x = float_order(t, a), y = float_order(t, b);

    if (isnan(element_read(t, a)) || isnan(element_read(t, b)))
        return UINT64_MAX;
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}
