/* Integer matrices for tests of matrix instructions: their elements as bits of each type, and the product with
 * plain loops. */
#ifndef VIVACE_TESTS_UNIT_PTX_MATRIX_H
#define VIVACE_TESTS_UNIT_PTX_MATRIX_H

#include "base/rng.h"
#include "tests/unit/ptx/engine.h"

/* --- numbers of each type as bits --- */

struct format {
    const char *name;
    uint32_t bits, exponent, mantissa; /* exponent 0: an integer */
    bool is_signed;
};
static const struct format formats[] = {
    {"f16", 16, 5, 10, true},  {"bf16", 16, 8, 7, true}, {"tf32", 32, 8, 23, true}, {"f32", 32, 8, 23, true},
    {"f64", 64, 11, 52, true}, {"e4m3", 8, 4, 3, true},  {"e5m2", 8, 5, 2, true},   {"s8", 8, 0, 0, true},
    {"u8", 8, 0, 0, false},    {"s4", 4, 0, 0, true},    {"u4", 4, 0, 0, false},    {"b1", 1, 0, 0, false},
    {"s32", 32, 0, 0, true}};

static inline const struct format *format_of(const char *name)
{
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (strcmp(formats[k].name, name) == 0)
            return &formats[k];
    fail_msg("no type %s", name);
    return NULL;
}

/* Encodes an integer that the format represents exactly. */
static inline uint64_t encode(const struct format *f, int64_t v)
{
    uint64_t magnitude = (uint64_t)(v < 0 ? -v : v), sign = v < 0, exponent = 0, bias;

    if (!f->exponent)
        return (uint64_t)v & (f->bits == 64 ? UINT64_MAX : (1ull << f->bits) - 1);
    if (!magnitude)
        return sign << (f->bits - 1);
    while (magnitude >> exponent > 1)
        exponent++;
    assert_true(exponent <= f->mantissa || !(magnitude & ((1ull << (exponent - f->mantissa)) - 1)));
    bias = (1ull << (f->exponent - 1)) - 1;
    magnitude =
        exponent <= f->mantissa ? magnitude << (f->mantissa - exponent) : magnitude >> (exponent - f->mantissa);
    return sign << (f->bits - 1) | (exponent + bias) << f->mantissa | (magnitude & ((1ull << f->mantissa) - 1));
}

static inline void put_bits(uint8_t *to, uint32_t index, uint32_t bits, uint64_t v)
{
    for (uint32_t b = 0; b < bits; b++) {
        uint32_t at = index * bits + b;

        to[at / 8] = (uint8_t)((to[at / 8] & ~(1u << at % 8)) | (v >> b & 1) << at % 8);
    }
}

static inline uint64_t get_bits(const uint8_t *from, uint32_t index, uint32_t bits)
{
    uint64_t v = 0;

    for (uint32_t b = 0; b < bits; b++)
        v |= (uint64_t)(from[(index * bits + b) / 8] >> (index * bits + b) % 8 & 1) << b;
    return v;
}

/* --- a product, its matrices as whole numbers --- */

enum { LANE_BYTES = 256, LANE_STRIDE = 272, PART_BYTES = 64, SIDE = 256 };

struct product {
    const char *d, *a, *b, *c;
    uint32_t m, n, k;
    const char *before, *after; /* parts of the name around the types: ".row.col", "" or ".satfinite" */
    int64_t large;              /* magnitude of C */
};
struct numbers {
    int64_t a[32 * SIDE], b[SIDE * 32], c[32 * 32], d[32 * 32];
};

static inline int64_t draw(struct rng *g, const struct format *f, int64_t large)
{
    int64_t most = f->bits == 1 ? 1 : f->bits == 4 && f->is_signed ? 7 : f->bits <= 4 ? 15 : large;
    int64_t v = (int64_t)(rng_u64(g) % (uint64_t)(2 * most + 1)) - most;

    return f->is_signed ? v : v < 0 ? -v : v;
}

static inline void multiply(const struct product *p, struct numbers *x)
{
    bool bits = strcmp(p->a, "b1") == 0, both = strstr(p->after, ".and") != NULL;

    for (uint32_t i = 0; i < p->m; i++)
        for (uint32_t j = 0; j < p->n; j++) {
            int64_t sum = x->c[i * p->n + j];

            for (uint32_t k = 0; k < p->k; k++) {
                int64_t u = x->a[i * p->k + k], v = x->b[k * p->n + j];

                sum += !bits ? u * v : both ? u & v : u ^ v;
            }
            if (strstr(p->before, "satfinite") && strcmp(p->d, "s32") == 0)
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            x->d[i * p->n + j] = sum;
        }
}

static inline void fill(const struct product *p, struct numbers *x, uint64_t seed)
{
    struct rng g;

    rng_init(&g, seed, 1, RNG_TEST);
    for (uint32_t i = 0; i < p->m * p->k; i++)
        x->a[i] = draw(&g, format_of(p->a), 8);
    for (uint32_t i = 0; i < p->k * p->n; i++)
        x->b[i] = draw(&g, format_of(p->b), 8);
    for (uint32_t i = 0; i < p->m * p->n; i++)
        x->c[i] = draw(&g, format_of(p->c), p->large);
}

/* --- text of kernels --- */

static inline void add_list(struct strbuf *s, const char *name, uint32_t count)
{
    strbuf_adds(s, "{");
    for (uint32_t r = 0; r < count; r++)
        strbuf_addf(s, "%s%%%s%u", r ? ", " : "", name, r);
    strbuf_adds(s, "}");
}

static inline const char *register_type(const char *type)
{
    return strcmp(type, "f32") == 0 ? "f32" : strcmp(type, "f64") == 0 ? "f64" : "b32";
}

#endif
