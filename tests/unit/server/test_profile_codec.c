/* server/domain/import/profile_codec.c, profile_file.c: stored profiles read back equal, and damage is detected. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "server/domain/import/profile_codec.h"
#include "server/domain/import/profile_file.h"

/* Two devices, three kernels, and extreme values in the first rows. */
static void make(struct profile *p, size_t rows, int has_times)
{
    static const uint64_t extreme[] = {0, 1, 127, 128, UINT32_MAX, (uint64_t)1 << 53, UINT64_MAX >> 2};
    struct profile_builder *b;
    struct rng rng;
    struct err e;

    rng_init(&rng, 7, 0, RNG_TEST);
    b = profile_builder_new(PROFILE_NS, has_times, &e);
    assert_non_null(b);
    for (size_t i = 0; i < rows; i++) {
        struct profile_row row = {.name = i % 3 ? "gemm<float>" : "copy\"\\,{}",
                                  .mangled_name = i % 3 ? "_Z4gemmIfE" : NULL,
                                  .grid = {1 + (uint32_t)(i % 2), 1, 1},
                                  .block = {128, 1, 1},
                                  .registers = 32,
                                  .device = (int32_t)(i % 2),
                                  .process = 1,
                                  .context = i % 2,
                                  .stream = 7 + i % 5,
                                  .correlation = i,
                                  .start_ns = has_times ? (int64_t)i * 1000 : 0,
                                  .value = i < 7 && rows > 7 ? extreme[i] : rng_below(&rng, 100000)};

        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    profile_init(p);
    CHECK_OK(profile_builder_finish(b, p, &e), &e);
    profile_builder_free(b);
}

/* Layers and steps, no phases. */
static void add_domains(struct profile *p)
{
    static const char *const layers[] = {"", "decoder/layers.0", "decoder/layers.1"}, *const steps[] = {"", "7"};
    struct err e;

    p->domains = domains_new(&e);
    assert_non_null(p->domains);
    for (int k = 0; k < DOMAIN_COLUMNS; k++) {
        struct domain_column *c = &p->domains->columns[k];
        const char *const *names = k == DOMAIN_LAYER ? layers : steps;

        if (k == DOMAIN_PHASE)
            continue;
        c->count = k == DOMAIN_LAYER ? 3 : 2;
        c->names = calloc(c->count, sizeof *c->names);
        c->of = calloc(p->count, sizeof *c->of);
        for (size_t i = 0; i < c->count; i++)
            c->names[i] = strdup(names[i]);
        for (size_t i = 0; i < p->count; i++)
            c->of[i] = (uint32_t)(i / 3 % c->count);
    }
}

static void same_domains(const struct profile *back, const struct profile *p)
{
    assert_int_equal(!back->domains, !p->domains);
    for (int k = 0; p->domains && k < DOMAIN_COLUMNS; k++) {
        const struct domain_column *a = &p->domains->columns[k], *b = &back->domains->columns[k];

        assert_int_equal(a->count, b->count);
        assert_int_equal(!a->of, !b->of);
        for (size_t i = 0; i < a->count; i++)
            assert_string_equal(a->names[i], b->names[i]);
        if (a->of)
            assert_memory_equal(a->of, b->of, p->count * sizeof *a->of);
    }
}

/* An empty profile with the same counts, ready for chunk_read(). */
static void shell_of(const struct profile *p, struct profile *out)
{
    profile_init(out);
    out->kernel_count = p->kernel_count;
    out->count = p->count;
    out->kernel = calloc(p->count, sizeof *out->kernel);
    out->value = calloc(p->count, sizeof *out->value);
    out->stream = calloc(p->count, sizeof *out->stream);
    out->start_ns = p->start_ns ? calloc(p->count, sizeof *out->start_ns) : NULL;
}

static void round_trip(size_t rows, int has_times, int has_domains)
{
    struct strbuf tables = STRBUF_INIT;
    struct profile p, back;
    struct err e;

    make(&p, rows, has_times);
    if (has_domains)
        add_domains(&p);
    shell_of(&p, &back);
    tables_write(&p, &tables);
    CHECK_OK(tables_read((unsigned char *)tables.text, tables.length, &back, &e), &e);
    assert_int_equal(back.context_count, p.context_count);
    assert_int_equal(back.stream_count, p.stream_count);
    for (size_t i = 0; i < p.stream_count; i++) {
        assert_int_equal(back.streams[i].context, p.streams[i].context);
        assert_true(back.streams[i].stream == p.streams[i].stream);
    }
    for (size_t i = 0; i < p.context_count; i++) {
        assert_int_equal(back.contexts[i].device, p.contexts[i].device);
        assert_int_equal(back.contexts[i].first, p.contexts[i].first);
    }
    for (size_t first = 0; first < p.count; first += CHUNK_ROWS) {
        struct strbuf b = STRBUF_INIT;
        size_t n = p.count - first < CHUNK_ROWS ? p.count - first : CHUNK_ROWS;

        CHECK_OK(chunk_write(&p, first, &b, &e), &e);
        CHECK_OK(chunk_read((unsigned char *)b.text, b.length, &back, first, n, &e), &e);
        strbuf_release(&b);
    }
    assert_memory_equal(back.kernel, p.kernel, p.count * sizeof *p.kernel);
    assert_memory_equal(back.value, p.value, p.count * sizeof *p.value);
    assert_memory_equal(back.stream, p.stream, p.count * sizeof *p.stream);
    same_domains(&back, &p);
    if (has_times)
        assert_memory_equal(back.start_ns, p.start_ns, p.count * sizeof *p.start_ns);
    strbuf_release(&tables);
    back.kernel_count = 0; /* it has no kernel table */
    profile_release(&back);
    profile_release(&p);
}

static void what_goes_in_comes_out(void **state)
{
    (void)state;
    round_trip(1, 0, 0);
    round_trip(1000, 1, 0);
    round_trip(1000, 1, 1);
    round_trip(CHUNK_ROWS, 0, 0);
    round_trip(CHUNK_ROWS + 1, 1, 1);
}

static void damage_is_noticed(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct profile p, back;
    struct err e;
    int refused = 0;

    (void)state;
    make(&p, 500, 1);
    shell_of(&p, &back);
    back.stream_count = p.stream_count;
    CHECK_OK(chunk_write(&p, 0, &b, &e), &e);
    for (size_t n = 0; n < b.length; n++) /* truncated at every byte */
        assert_true(chunk_read((unsigned char *)b.text, n, &back, 0, 500, &e) < 0);
    for (size_t i = 0; i < b.length; i++) { /* any byte changed: an error, or other numbers within their limits */
        b.text[i] ^= 0x41;
        if (chunk_read((unsigned char *)b.text, b.length, &back, 0, 500, &e) < 0)
            refused++;
        else
            for (size_t r = 0; r < 500; r++)
                assert_true(back.kernel[r] < p.kernel_count && back.stream[r] < p.stream_count);
        b.text[i] ^= 0x41;
    }
    assert_true(refused > 5);
    CHECK_FAILS(chunk_read((unsigned char *)b.text, b.length, &back, 0, 499, &e), &e, ERR_INTERNAL, "damaged");
    CHECK_FAILS(chunk_read((unsigned char *)b.text, b.length, &back, 1, 500, &e), &e, ERR_INTERNAL, "unknown kind");
    back.kernel_count = 1;
    CHECK_FAILS(chunk_read((unsigned char *)b.text, b.length, &back, 0, 500, &e), &e, ERR_INTERNAL, "damaged");
    back.kernel_count = 0;
    strbuf_release(&b);
    profile_release(&back);
    profile_release(&p);
}

/* A table with one byte changed. */
struct damage {
    const char *what;
    size_t at;
    unsigned char byte;
};

/* Tables of a profile with five launches: each damaged one is refused, and so is each that is cut short (`cuts`).
 */
static void check_damaged_tables(const unsigned char *good, size_t size, const struct damage *cases, size_t count,
                                 bool cuts)
{
    struct profile p;
    struct err e;

    for (size_t i = 0; i < count; i++) {
        unsigned char bad[64];

        assert_true(size <= sizeof bad);
        memcpy(bad, good, size);
        bad[cases[i].at] = cases[i].byte;
        profile_init(&p);
        p.count = 5;
        if (tables_read(bad, size, &p, &e) == 0)
            fail_msg("%s: accepted", cases[i].what);
        profile_release(&p);
    }
    for (size_t n = 0; cuts && n < size; n++) {
        profile_init(&p);
        p.count = 5;
        assert_true(tables_read(good, n, &p, &e) < 0);
        profile_release(&p);
    }
}

static void tables_are_checked(void **state)
{
    /* version 1; one context: device 0, process 1, context 0, first 0, count 5; one stream of context 0, number 7
     */
    static const unsigned char good[] = {1, 1, 0, 1, 0, 0, 5, 1, 0, 7};
    static const struct damage cases[] = {
        {"another version", 0, 4},
        {"names that are not there", 0, 3},
        {"ties that are not there", 0, 2},
        {"no context", 1, 0},
        {"more contexts than bytes", 1, 100},
        {"begins late", 5, 1},
        {"too few launches", 6, 4},
        {"too many launches", 6, 6},
        {"no stream", 7, 0},
        {"stream of another context", 8, 1},
    };
    struct profile p;
    struct err e;

    (void)state;
    profile_init(&p);
    p.count = 5;
    CHECK_OK(tables_read(good, sizeof good, &p, &e), &e);
    profile_release(&p);
    check_damaged_tables(good, sizeof good, cases, sizeof cases / sizeof *cases, true);
}

static void ties_are_checked(void **state)
{
    /* as above, version 2; two ties: 1 launch later, 2 launches of a CUDA graph; 1 launch later, 1 launch without
     * an id */
    static const unsigned char good[] = {2, 1, 0, 1, 0, 0, 5, 1, 0, 7, 2, 1, 2, 1, 1, 1, 0};
    static const struct damage cases[] = {
        {"no ties", 10, 0},
        {"more ties than bytes", 10, 100},
        {"begins behind the end", 11, 6},
        {"no launch in a tie", 12, 0},
        {"too many launches", 12, 5},
        {"neither graph nor not", 13, 2},
        {"ends behind the end", 15, 3},
    };
    struct strbuf again = STRBUF_INIT;
    struct profile p;
    struct err e;

    (void)state;
    profile_init(&p);
    p.count = 5;
    CHECK_OK(tables_read(good, sizeof good, &p, &e), &e);
    assert_int_equal(p.tie_count, 2);
    assert_true(p.ties[0].first == 1 && p.ties[0].count == 2 && p.ties[0].graph);
    assert_true(p.ties[1].first == 4 && p.ties[1].count == 1 && !p.ties[1].graph && p.ties[1].graphs_before == 2);
    tables_write(&p, &again);
    assert_int_equal(again.length, sizeof good);
    assert_memory_equal(again.text, good, sizeof good);
    strbuf_release(&again);
    profile_release(&p);
    check_damaged_tables(good, sizeof good, cases, sizeof cases / sizeof *cases, false);
}

static void names_are_checked(void **state)
{
    /* as above, version 3; no ties; layers "", "ab"; no phases; no steps */
    static const unsigned char good[] = {3, 1, 0, 1, 0, 0, 5, 1, 0, 7, 0, 2, 0, 2, 'a', 'b', 0, 0};
    static const struct damage cases[] = {
        {"ties that are not there", 10, 1}, {"one name alone", 11, 1},
        {"more names than bytes", 11, 100}, {"a first name that is not empty", 12, 1},
        {"longer than the bytes", 13, 100}, {"more after the end", 16, 2},
    };
    struct profile p;
    struct err e;

    (void)state;
    profile_init(&p);
    p.count = 5;
    CHECK_OK(tables_read(good, sizeof good, &p, &e), &e);
    assert_string_equal(p.domains->columns[DOMAIN_LAYER].names[1], "ab");
    profile_release(&p);
    check_damaged_tables(good, sizeof good, cases, sizeof cases / sizeof *cases, true);
}

/* A tie that spans two contexts has no order in either of them. */
static void ties_stay_in_their_context(void **state)
{
    static const unsigned char across[] = {2, 2, 0, 1, 0, 0, 3, 0, 1, 1, 3, 2, 1, 0, 7, 1, 2, 2, 1};
    struct profile p;
    struct err e;

    (void)state;
    profile_init(&p);
    p.count = 5;
    CHECK_FAILS(tables_read(across, sizeof across, &p, &e), &e, ERR_INTERNAL, "damaged");
    profile_release(&p);
}

static void scratch_files(void **state)
{
    char path[] = "/tmp/vivace-test-XXXXXX";
    struct profile_file *f;
    struct kernel_facts k;
    struct strbuf chunk = STRBUF_INIT;
    uint64_t calls = 0, total = 0;
    struct profile p;
    struct err e;
    int fd = mkstemp(path), chunks = 0, ret;

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    make(&p, CHUNK_ROWS + 10, 1);
    CHECK_OK(profile_file_write(path, &p, "{\"a\":1}", &e), &e);
    CHECK_OK(profile_file_open(path, &f, &e), &e);
    assert_string_equal(profile_file_report(f), "{\"a\":1}");
    assert_int_equal(profile_file_facts(f)->launches, CHUNK_ROWS + 10);
    assert_int_equal(profile_file_facts(f)->total, profile_total(&p));
    assert_int_equal(profile_file_facts(f)->devices, 2);
    while ((ret = profile_file_kernel(f, &k, &e)) > 0) {
        calls += k.calls;
        total += k.total;
        assert_true(k.min <= k.max && k.mean >= (double)k.min && k.mean <= (double)k.max);
        kernel_facts_release(&k);
    }
    CHECK_OK(ret, &e);
    assert_int_equal(calls, p.count);
    assert_true(total == profile_total(&p));
    while ((ret = profile_file_chunk(f, &chunk, &e)) > 0)
        chunks++;
    CHECK_OK(ret, &e);
    assert_int_equal(chunks, 2);
    profile_file_close(f);

    assert_int_equal(truncate(path, 200), 0);
    assert_true(profile_file_open(path, &f, &e) < 0);
    assert_int_equal(truncate(path, 0), 0);
    CHECK_FAILS(profile_file_open(path, &f, &e), &e, ERR_INVALID, "not a profile");
    unlink(path);
    strbuf_release(&chunk);
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out), cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(tables_are_checked),     cmocka_unit_test(ties_are_checked),
        cmocka_unit_test(names_are_checked),      cmocka_unit_test(ties_stay_in_their_context),
        cmocka_unit_test(scratch_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
