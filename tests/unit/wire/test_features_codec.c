/* Features as bytes: they come back as they were, and damaged bytes do no harm. */
#include "tests/harness/check.h"

#include "base/hash.h"
#include "base/rng.h"
#include "wire/features_codec.h"

enum { COUNT = 3 };

static struct features *example(void)
{
    static const struct bbv_entry entries[] = {{0, 5}, {7, 1}, {2, 9}};
    static const struct bbv_type types[] = {{8, 0, 2}, {1, 2, 3}};
    static const struct bbv bbvs[] = {{0, 2}};
    static const struct wave waves[] = {{4, 100, 7, 0.25}, {4, 90, 8, 0}};
    struct err e;
    struct features *f = features_new(&e);

    assert_non_null(f);
    f->known = 2;
    f->instructions = calloc(COUNT, sizeof *f->instructions);
    f->instructions[0] = UINT64_MAX;
    f->instructions[1] = 3;
    f->metrics[FEATURE_CTAS] = calloc(COUNT, sizeof(double));
    f->metrics[FEATURE_CTAS][1] = 1e9;
    f->metrics[FEATURE_THREADS_PER_INSTRUCTION] = calloc(COUNT, sizeof(double));
    f->metrics[FEATURE_THREADS_PER_INSTRUCTION][0] = 31.7;
    f->bbv_of = calloc(COUNT, sizeof *f->bbv_of);
    f->bbvs = (struct bbv_store){1, 2, 3, malloc(sizeof bbvs), malloc(sizeof types), malloc(sizeof entries)};
    memcpy(f->bbvs.bbvs, bbvs, sizeof bbvs);
    memcpy(f->bbvs.types, types, sizeof types);
    memcpy(f->bbvs.entries, entries, sizeof entries);
    f->wave_count = 2;
    f->waves = malloc(sizeof waves);
    memcpy(f->waves, waves, sizeof waves);
    f->wave_begin = calloc(3, sizeof *f->wave_begin);
    f->wave_begin[2] = 2;
    f->response_count = 1;
    f->responses = calloc(1, sizeof *f->responses);
    strcpy(f->responses[0].name, "h100.sqlite");
    f->responses[0].values = calloc(COUNT, sizeof(double));
    f->responses[0].values[2] = 77;
    return f;
}

static void digest_of(const struct features *f, uint8_t out[SHA256_BYTES])
{
    struct err e;
    struct sha256 *hash = sha256_new(&e);

    features_hash(f, COUNT, hash);
    sha256_final(hash, out);
    sha256_free(hash);
}

static void features_come_back_as_they_were(void **state)
{
    uint8_t before[SHA256_BYTES], after[SHA256_BYTES];
    struct features *f = example(), *g;
    struct strbuf b = STRBUF_INIT;
    struct err e;

    (void)state;
    features_encode(f, COUNT, &b);
    g = features_decode(b.text, b.length, COUNT, &e);
    if (!g)
        fail_msg("%s", e.text);
    digest_of(f, before);
    digest_of(g, after);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(g->bbvs.types[1].begin, 2);
    assert_null(features_decode(b.text, b.length, COUNT + 1, &e));
    features_free(f);
    features_free(g);
    strbuf_release(&b);
}

static void damaged_bytes_do_no_harm(void **state)
{
    struct features *f = example(), *g;
    struct strbuf b = STRBUF_INIT;
    struct rng r;
    struct err e;

    (void)state;
    features_encode(f, COUNT, &b);
    features_free(f);
    for (size_t n = 0; n < b.length; n++) {
        char *cut = malloc(n + 1); /* so that a read beyond it is seen */

        memcpy(cut, b.text, n);
        assert_null(features_decode(cut, n, COUNT, &e));
        assert_int_equal(e.code, ERR_INVALID);
        free(cut);
    }
    rng_init(&r, 1, 0, RNG_TEST);
    for (int k = 0; k < 20000; k++) {
        char *copy = malloc(b.length);

        memcpy(copy, b.text, b.length);
        for (uint64_t n = 1 + rng_below(&r, 3); n > 0; n--)
            copy[rng_below(&r, b.length)] = (char)rng_u32(&r);
        g = features_decode(copy, b.length, COUNT, &e);
        features_free(g); /* what is accepted can be walked */
        free(copy);
    }
    strbuf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_come_back_as_they_were),
        cmocka_unit_test(damaged_bytes_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
