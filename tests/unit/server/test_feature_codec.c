/* Features as stored in the database: they read back equal, and damage is refused. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "server/domain/import/feature_codec.h"

enum { LAUNCHES = 7, KNOWN = 5 };

static double *numbers(struct rng *r, size_t n)
{
    double *x = calloc(n, sizeof *x);

    for (size_t i = 0; i < n; i++)
        x[i] = rng_unit(r) * 1e6;
    return x;
}

static void add_vectors(struct features *f)
{
    static const struct bbv bbvs[] = {{0, 2}, {2, 3}};
    static const struct bbv_type types[] = {{90, 0, 2}, {10, 2, 3}, {4, 3, 4}};
    static const struct bbv_entry entries[] = {{0, 3}, {1, 4}, {0, 1}, {7, UINT64_MAX}};

    f->bbvs =
        (struct bbv_store){2, 3, 4, calloc(2, sizeof *bbvs), calloc(3, sizeof *types), calloc(4, sizeof *entries)};
    memcpy(f->bbvs.bbvs, bbvs, sizeof bbvs);
    memcpy(f->bbvs.types, types, sizeof types);
    memcpy(f->bbvs.entries, entries, sizeof entries);
    f->bbv_of = calloc(KNOWN, sizeof *f->bbv_of);
    f->bbv_of[3] = 1;
}

static void add_waves(struct features *f)
{
    f->wave_count = 6;
    f->waves = calloc(6, sizeof *f->waves);
    f->wave_begin = calloc(KNOWN + 1, sizeof *f->wave_begin);
    for (size_t i = 0; i < 6; i++)
        f->waves[i] = (struct wave){(uint32_t)i + 1, 1000 * i, 17 * i, 0.1 * (double)i};
    for (size_t i = 0; i <= KNOWN; i++)
        f->wave_begin[i] = i < 2 ? 0 : i + 1;
}

/* Features with all parts. */
static struct features *everything(void)
{
    struct features *f = calloc(1, sizeof *f);
    struct rng r;

    rng_init(&r, 3, 0, RNG_TEST);
    f->known = KNOWN;
    f->instructions = calloc(KNOWN, sizeof *f->instructions);
    for (size_t i = 0; i < KNOWN; i++)
        f->instructions[i] = rng_u64(&r);
    for (int m = 0; m < FEATURE_COUNT; m++)
        f->metrics[m] = numbers(&r, KNOWN);
    f->cta_cov = numbers(&r, KNOWN);
    add_vectors(f);
    add_waves(f);
    f->response_count = 2;
    f->responses = calloc(2, sizeof *f->responses);
    strcpy(f->responses[0].name, "dram_bytes");
    memset(f->responses[1].name, 'x', sizeof f->responses[1].name - 1);
    f->responses[0].values = numbers(&r, LAUNCHES);
    f->responses[1].values = numbers(&r, LAUNCHES);
    return f;
}

static void hash_of(const struct features *f, uint8_t digest[SHA256_BYTES])
{
    struct err e;
    struct sha256 *h = sha256_new(&e);

    features_hash(f, LAUNCHES, h);
    sha256_final(h, digest);
    sha256_free(h);
}

static void what_is_written_is_read(void **state)
{
    struct profile p = {.count = LAUNCHES, .features = everything()}, q = {.count = LAUNCHES};
    uint8_t a[SHA256_BYTES], b[SHA256_BYTES];
    struct strbuf bytes = STRBUF_INIT;
    struct err e;

    (void)state;
    CHECK_OK(features_write(&p, &bytes, &e), &e);
    CHECK_OK(features_read((const unsigned char *)bytes.text, bytes.length, &q, &e), &e);
    hash_of(p.features, a);
    hash_of(q.features, b);
    assert_memory_equal(a, b, sizeof a);
    assert_int_equal(q.features->waves[5].ctas, 6);
    strbuf_clear(&bytes); /* only some parts: instructions of all launches */
    features_free(p.features);
    p.features = calloc(1, sizeof *p.features);
    p.features->known = LAUNCHES;
    p.features->instructions = calloc(LAUNCHES, sizeof *p.features->instructions);
    CHECK_OK(features_write(&p, &bytes, &e), &e);
    CHECK_OK(features_read((const unsigned char *)bytes.text, bytes.length, &q, &e), &e);
    assert_int_equal(q.features->known, LAUNCHES);
    assert_non_null(q.features->instructions);
    assert_null(q.features->metrics[0]);
    assert_null(q.features->bbv_of);
    features_free(p.features);
    p.features = NULL;
    strbuf_clear(&bytes);
    CHECK_OK(features_write(&p, &bytes, &e), &e);
    assert_int_equal(bytes.length, 0); /* a profile of durations has no features */
    features_free(q.features);
    strbuf_release(&bytes);
}

/* Truncated or changed bytes are refused or give valid features. */
static void damage_is_refused(void **state)
{
    struct profile p = {.count = LAUNCHES, .features = everything()}, q = {.count = LAUNCHES};
    struct strbuf bytes = STRBUF_INIT;
    unsigned refused = 0;
    struct err e;

    (void)state;
    CHECK_OK(features_write(&p, &bytes, &e), &e);
    for (size_t n = 0; n < bytes.length; n++)
        CHECK_FAILS(features_read((const unsigned char *)bytes.text, n, &q, &e), &e, ERR_INTERNAL, "features");
    for (size_t i = 0; i < bytes.length; i++) {
        uint8_t digest[SHA256_BYTES];

        bytes.text[i] ^= 0x55;
        if (features_read((const unsigned char *)bytes.text, bytes.length, &q, &e) < 0)
            refused++;
        else
            hash_of(q.features, digest); /* reads all of it */
        bytes.text[i] ^= 0x55;
    }
    assert_true(refused > 0);
    q.count = KNOWN - 1; /* fewer launches than features */
    CHECK_FAILS(features_read((const unsigned char *)bytes.text, bytes.length, &q, &e), &e, ERR_INTERNAL,
                "damaged");
    features_free(p.features);
    features_free(q.features);
    strbuf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(damage_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
