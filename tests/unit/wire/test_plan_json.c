/* The plan file: a written plan reads back equal, and other documents are refused. */
#include <fcntl.h>
#include <sys/stat.h>
#include "tests/unit/sampling/with_features.h"

#include "base/rng.h"
#include "wire/plan_json.h"

static void make_profile(enum profile_unit unit, struct profile *out)
{
    struct profile_row row = {.name = ""};
    struct profile_builder *b;
    struct rng r;
    struct err e;

    rng_init(&r, 5, 0, RNG_TEST);
    b = profile_builder_new(unit, 0, &e);
    for (int i = 0; i < 900; i++) {
        bool known = i % 7 != 0; /* a profile may lack shapes */

        row.correlation = (uint64_t)i;
        memcpy(row.grid, known ? (const uint32_t[3]){i % 3 ? 4 : 8, 2, 1} : (const uint32_t[3]){0},
               sizeof row.grid);
        memcpy(row.block, known ? (const uint32_t[3]){128, 1, 1} : (const uint32_t[3]){0}, sizeof row.block);
        row.name = known ? "gemm<float, \"x\">(<script>)" : "add";
        row.value = i % 100 ? 1000 + rng_below(&r, 50) * (uint64_t)(1 + i % 3) : 0;
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

static char *text_of(const struct plan *p, bool indented)
{
    struct err e;
    char *path = strdup("/tmp/vivace-test-plan-XXXXXX"), *text;
    FILE *f = fdopen(mkstemp(path), "w+");
    long n;

    assert_non_null(f);
    CHECK_OK(plan_to_json(p, indented, jw_to_file, f, &e), &e);
    n = ftell(f);
    rewind(f);
    text = calloc((size_t)n + 1, 1);
    assert_int_equal(fread(text, 1, (size_t)n, f), n);
    fclose(f);
    unlink(path);
    free(path);
    return text;
}

static void assert_same(const struct plan *a, const struct plan *b)
{
    assert_string_equal(a->method, b->method);
    assert_memory_equal(&a->params, &b->params, sizeof a->params);
    assert_string_equal(a->profile_sha256, b->profile_sha256);
    assert_int_equal(a->unit, b->unit);
    assert_int_equal(a->with_replacement, b->with_replacement);
    assert_int_equal(a->launches, b->launches);
    assert_int_equal(a->zero_launches, b->zero_launches);
    assert_int_equal(a->total, b->total);
    CHECK_NEAR(a->promised_error, b->promised_error, 0);
    CHECK_NEAR(a->speedup, b->speedup, 0);
    assert_true(a->planned_df == b->planned_df);
    assert_int_equal(a->stratum_count, b->stratum_count);
    assert_int_equal(a->sample_count, b->sample_count);
    for (size_t h = 0; h < a->stratum_count; h++) {
        struct plan_stratum x = a->strata[h], y = b->strata[h];

        assert_string_equal(x.kernel_name, y.kernel_name);
        assert_memory_equal(x.grid, y.grid, sizeof x.grid);
        assert_memory_equal(x.block, y.block, sizeof x.block);
        assert_true(x.kernel == y.kernel && x.population == y.population && x.samples == y.samples);
        assert_true(x.mean == y.mean && x.sd == y.sd && x.total == y.total && x.low == y.low && x.high == y.high);
        assert_true(x.take_all == y.take_all && x.mixed_names == y.mixed_names && x.mixed_shapes == y.mixed_shapes);
    }
    for (size_t i = 0; i < a->sample_count; i++) {
        struct plan_sample x = a->samples[i], y = b->samples[i];

        assert_true(x.launch == y.launch && x.stratum == y.stratum && x.draws == y.draws && x.weight == y.weight &&
                    x.value == y.value);
    }
}

static void every_method_survives_the_way_there_and_back(void **state)
{
    struct err e;

    (void)state;
    for (int unit = PROFILE_NS; unit < PROFILE_UNITS; unit++) {
        struct profile profile;

        make_profile(unit, &profile);
        with_every_feature(&profile);
        for (size_t m = 0; methods[m]; m++) {
            struct plan_params params = {.least_samples = 2,
                                         .error = 0.01,
                                         .confidence = 0.95,
                                         .seed = UINT64_MAX - m,
                                         .noise_floor = 0.005};
            struct plan p, q;
            char *plain, *indented;

            if (unit != PROFILE_WARP_INSTRUCTIONS && strcmp(methods[m]->name, "pilot") == 0)
                continue;
            CHECK_OK(plan_make(methods[m]->name, &profile, &params, &p, &e), &e);
            plain = text_of(&p, false);
            indented = text_of(&p, true);
            assert_non_null(strstr(plain, unit == PROFILE_NS ? "\"mean_ns\":1" : "\"mean_ns\":null"));
            assert_null(strstr(plain, "<script>"));
            CHECK_OK(plan_from_text(plain, strlen(plain), &q, &e), &e);
            assert_same(&p, &q);
            plan_release(&q);
            CHECK_OK(plan_from_text(indented, strlen(indented), &q, &e), &e);
            assert_same(&p, &q);
            plan_release(&q);
            free(plain);
            free(indented);
            plan_release(&p);
        }
        profile_release(&profile);
    }
}

/* Replaces the first occurrence of `from` by `to`. */
static char *changed(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    char *out = calloc(strlen(text) + strlen(to) + 1, 1);

    assert_non_null(at);
    memcpy(out, text, (size_t)(at - text));
    strcat(out, to);
    strcat(out, at + strlen(from));
    return out;
}

static void what_is_no_plan_is_refused(void **state)
{
    static const struct {
        const char *from, *to;
        enum err_code code;
        const char *part;
    } cases[] = {
        {"vivace-plan", "vivace-plot", ERR_UNSUPPORTED, "not a plan"},
        {"\"version\":2", "\"version\":4", ERR_UNSUPPORTED,
         "version 4 of the plan format is not known; this program reads versions 1 to 3"},
        {"\"version\":2", "\"version\":3", ERR_INVALID, "`by`"},
        {"\"version\":2", "\"version\":0", ERR_UNSUPPORTED, "version 0"},
        {"\"version\":2", "\"version\":1", ERR_INVALID, "`launches`"},
        {"\"unit\":\"ns\"", "\"unit\":\"s\"", ERR_INVALID, "`unit`"},
        {"\"seed\":7", "\"seed\":8", ERR_INVALID, "checksum"},
        {"\"seed\":7", "\"sead\":7", ERR_INVALID, "sead"},
        {"\"classifier\":\"bayes\"", "\"classifier\":\"oracle\"", ERR_INVALID, "no classifier `oracle`"},
        {"\"classifier\":\"bayes\"", "\"classifier\":\"mlp\"", ERR_INVALID, "checksum"},
        {"\"error\":0.01", "\"error\":0", ERR_INVALID, "error must be"},
        {"\"error\":0.01", "\"error\":\"0.01\"", ERR_INVALID, "`error`"},
        {"\"weight\":", "\"weight\":1", ERR_INVALID, "weights sum"},
        {"\"stratum\":0", "\"stratum\":99", ERR_INVALID, "there is no stratum 99"},
        {"\"launch\":", "\"launch\":9999", ERR_INVALID, "there is no launch 9999"},
        {"\"population\":", "\"population\":1", ERR_INVALID, "population"},
        {"\"mixed_names\":false", "\"mixed_names\":true", ERR_INVALID, "checksum"},
        {"\"strata\":[{", "\"strata\":[3,{", ERR_INVALID, "stratum 0"},
        {"\"launches\":900", "\"launches\":901", ERR_INVALID, "of 892"},
    };
    struct plan_params params = {
        .least_samples = 2, .error = 0.01, .confidence = 0.95, .seed = 7, .noise_floor = 0.005};
    struct profile profile;
    struct plan p, q;
    struct err e;
    char *text;

    (void)state;
    make_profile(PROFILE_NS, &profile);
    CHECK_OK(plan_make("vivace", &profile, &params, &p, &e), &e);
    text = text_of(&p, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *bad = changed(text, cases[i].from, cases[i].to);

        CHECK_FAILS(plan_from_text(bad, strlen(bad), &q, &e), &e, cases[i].code, cases[i].part);
        if (strstr(cases[i].part, "sead"))
            assert_string_equal(e.hint, "Did you mean `seed`?");
        free(bad);
    }
    for (size_t n = 0; n < strlen(text); n += 97) /* truncated at many places */
        assert_int_equal(plan_from_text(text, n, &q, &e), -1);
    CHECK_FAILS(plan_from_text("[]", 2, &q, &e), &e, ERR_INVALID, "object");
    CHECK_FAILS(plan_from_text("{\"a\":1}", 7, &q, &e), &e, ERR_UNSUPPORTED, "not a plan");
    free(text);
    plan_release(&p);
    profile_release(&profile);
}

/* Reads files of version 1: the plan is equal. It is written with the member names of version 2. */
static void version_1_is_read(void **state)
{
    static const char *const files[] = {"vivace-ns", "srswr-warp_instructions", "srs-cycles", "sieve"};
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct plan old, now;
        char path[128], *text;

        snprintf(path, sizeof path, "tests/fuzz/corpus/plan/%s.json", files[i]);
        CHECK_OK(plan_read_path(path, &old, &e), &e);
        assert_true(old.launches > 0 && old.sample_count > 1 && old.samples[old.sample_count - 1].launch > 0);
        text = text_of(&old, false);
        assert_non_null(strstr(text, "\"version\":2"));
        assert_non_null(strstr(text, "\"launch\":"));
        assert_null(strstr(text, "invocation"));
        CHECK_OK(plan_from_text(text, strlen(text), &now, &e), &e);
        assert_same(&old, &now);
        free(text);
        plan_release(&now);
        plan_release(&old);
    }
}

/* A regular file that replaces /dev/null would be noticed much later. */
static void a_pipe_or_device_is_written_to_and_not_replaced(void **state)
{
    struct plan_params params = {.least_samples = 2, .error = 0.05, .confidence = 0.95, .seed = 1};
    char path[] = "/tmp/vivace-test-plan-XXXXXX", first[2] = "";
    struct profile profile;
    struct stat there;
    struct plan p;
    struct err e;
    int fd;

    (void)state;
    make_profile(PROFILE_NS, &profile);
    CHECK_OK(plan_make("root", &profile, &params, &p, &e), &e);
    close(mkstemp(path));
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    fd = open(path, O_RDWR | O_NONBLOCK); /* so that writing does not wait for a reader */
    assert_true(fd >= 0);
    CHECK_OK(plan_write_path(&p, path, &e), &e);
    assert_int_equal(read(fd, first, 1), 1);
    assert_int_equal(first[0], '{');
    assert_int_equal(stat(path, &there), 0);
    assert_true(S_ISFIFO(there.st_mode));
    close(fd);
    unlink(path);
    plan_release(&p);
    profile_release(&profile);
}

static void a_file_appears_whole_or_not_at_all(void **state)
{
    struct plan_params params = {.least_samples = 2, .error = 0.05, .confidence = 0.95, .seed = 1};
    char path[] = "/tmp/vivace-test-plan-XXXXXX";
    struct profile profile;
    struct plan p, q;
    struct err e;

    (void)state;
    make_profile(PROFILE_NS, &profile);
    CHECK_OK(plan_make("root", &profile, &params, &p, &e), &e);
    close(mkstemp(path));
    CHECK_OK(plan_write_path(&p, path, &e), &e);
    CHECK_OK(plan_read_path(path, &q, &e), &e);
    assert_same(&p, &q);
    plan_release(&q);
    unlink(path);
    CHECK_FAILS(plan_write_path(&p, "/nowhere/plan.json", &e), &e, ERR_NOT_FOUND, "/nowhere/plan.json");
    CHECK_FAILS(plan_write_path(&p, "/tmp", &e), &e, ERR_INVALID, "folder");
    CHECK_FAILS(plan_read_path("/nowhere/plan.json", &q, &e), &e, ERR_NOT_FOUND, "/nowhere/plan.json");
    plan_release(&p);
    profile_release(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_survives_the_way_there_and_back),
        cmocka_unit_test(what_is_no_plan_is_refused),
        cmocka_unit_test(version_1_is_read),
        cmocka_unit_test(a_file_appears_whole_or_not_at_all),
        cmocka_unit_test(a_pipe_or_device_is_written_to_and_not_replaced),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
