/* wire/tracer.h: launch numbers of each tool, limits, quoting, and errors. tests/unit/cli/test_plan_trace.c runs
 * the scripts. */
#include "tests/harness/check.h"

#include <jansson.h>

#include "wire/tracer.h"
#include "wire/tracer_script.h"

struct made {
    struct profile profile;
    struct plan plan;
};

/* Every third launch has the same kernel name. If `graph_every` > 0, launches i with i % graph_every in 1..2
 * share a call. The second context has one launch and belongs to the same process, unless other_process. All
 * launches in `draw` are sampled. */
static void make(struct made *m, uint64_t launches, uint64_t graph_every, bool other_process, const uint64_t *draw,
                 size_t count)
{
    static const char *const mangled[] = {"_Z1aPi", "_Z1b$v", "_Z1cv"}, *const names[] = {"a(int*)", "b$()", "c()"};
    struct profile_builder *b;
    struct err e;

    b = profile_builder_new(PROFILE_NS, 1, &e);
    assert_non_null(b);
    for (uint64_t i = 0; i <= launches; i++) {
        bool last = i == launches, twin = graph_every && i % graph_every == 2;
        struct profile_row row = {.name = names[i % 3],
                                  .mangled_name = mangled[i % 3],
                                  .grid = {1, 1, 1},
                                  .block = {32, 1, 1},
                                  .process = last && other_process ? 2 : 1,
                                  .context = last ? 2 : 1,
                                  .correlation = twin ? i : i + 1,
                                  .start_ns = (int64_t)i,
                                  .value = 10};

        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, &m->profile, &e), &e);
    profile_builder_free(b);
    plan_init(&m->plan);
    strcpy(m->plan.method, "srs");
    memset(m->plan.profile_sha256, 'a', SHA256_HEX - 1);
    m->plan.unit = PROFILE_NS;
    m->plan.launches = launches + 1;
    m->plan.total = 10 * (launches + 1);
    m->plan.stratum_count = 1;
    m->plan.strata = calloc(1, sizeof *m->plan.strata);
    m->plan.strata[0] = (struct plan_stratum){.mixed_names = true,
                                              .mixed_shapes = true,
                                              .kernel_name = strdup(""),
                                              .population = launches + 1,
                                              .samples = count};
    m->plan.samples = calloc(count, sizeof *m->plan.samples);
    m->plan.sample_count = count;
    for (size_t i = 0; i < count; i++)
        m->plan.samples[i] = (struct plan_sample){.launch = draw[i], .draws = 1, .weight = 1, .value = 10};
}

static void made_release(struct made *m)
{
    plan_release(&m->plan);
    profile_release(&m->profile);
}

static char *script_of(const struct made *m, const char *tool, unsigned passes, struct tracer_job *job)
{
    const struct tracer_paths paths = {"it's; $(rm -rf /)\n", "`x`\"", "-out"};
    struct strbuf out = STRBUF_INIT;
    struct err e;

    CHECK_OK(tracer_job_init(job, tracer_find(tool, &e), &m->plan, &m->profile, 0, 0, &e), &e);
    job->passes_max = passes;
    CHECK_OK(tracer_script(job, &paths, &out, &e), &e);
    return strbuf_detach(&out);
}

/* Checks that the script for `tool` contains `part`. */
static void holds(const struct made *m, const char *tool, unsigned passes, const char *part)
{
    struct tracer_job job;
    char *script = script_of(m, tool, passes, &job);

    if (!strstr(script, part))
        fail_msg("%s: no \"%s\" in\n%s", tool, part, script);
    tracer_job_release(&job);
    free(script);
}

static void ids_are_counted_as_each_tool_counts(void **state)
{
    static const uint64_t draw[] = {0, 1, 2, 7, 9, 10, 40};
    struct made m;

    (void)state;
    make(&m, 50, 0, true, draw, 7);
    holds(&m, "accel-sim", 16, "\npass 1 41 7 '1-3 8 10-11 41' \"$@\"\n");
    holds(&m, "accel-sim-old", 16,
          "\npass 1 1 3 3 3 '' \"$@\"\npass 2 8 8 8 1 '' \"$@\"\npass 3 10 11 11 2 '' \"$@\"\npass 4 41 41 41 1 '' "
          "\"$@\"\n");
    holds(&m, "accel-sim-old", 3,
          "\npass 1 1 3 3 3 '' \"$@\"\npass 2 8 11 11 3 ' 8 10 11 ' \"$@\"\npass 3 41 41 41 1 '' \"$@\"\n");
    holds(&m, "accel-sim-old", 1, "\npass 1 1 41 41 7 ' 1 2 3 8 10 11 41 ' \"$@\"\n");
    holds(&m, "macsim", 16, "\n51 7 0 1 2 7 9 10 40\n");
    /* a: 0 3 6 9 ...; b: 1 4 7 10 ... 40; c: 2 */
    holds(&m, "ncu", 16, "\npass 1 \"$context\"'::_Z1aPi:^(1|4)$' 0 2 \"$@\"\n");
    holds(&m, "ncu", 16, "\npass 2 \"$context\"'::_Z1b$v:^(1|3|4|14)$' 0 4 \"$@\"\n");
    holds(&m, "ncu", 16, "\npass 3 \"$context\"'::_Z1cv:^(1)$' 0 1 \"$@\"\n");
    free(m.profile.kernels[0].mangled_name);
    m.profile.kernels[0].mangled_name = strdup("_Z1a:b");
    holds(&m, "ncu", 2, "\npass 1 \"$context:::\" 0 11 \"$@\"\npass 2 \"$context:::\" 40 1 \"$@\"\n");
    made_release(&m);
}

static void graphs_have_no_numbers_with_tracers(void **state)
{
    static const uint64_t draw[] = {0, 1, 3, 12, 15}; /* 1 and 12 are graph replays: 1 2, 11 12, ... */
    struct made m;
    struct tracer_job job;
    struct strbuf notes = STRBUF_INIT;
    char *script;

    (void)state;
    make(&m, 30, 10, true, draw, 5);
    script = script_of(&m, "accel-sim", 16, &job);
    assert_non_null(strstr(script, "\npass 1 12 3 '1-2 12' \"$@\"\n"));
    assert_int_equal(job.replayed, 2);
    assert_int_equal(job.calls, 24);
    tracer_notes(&job, &notes);
    assert_non_null(strstr(notes.text, "2 samples are replays of CUDA graphs"));
    assert_non_null(strstr(notes.text, "6 launches of this context are replays"));
    strbuf_release(&notes);
    free(script);
    tracer_job_release(&job);
    script = script_of(&m, "ncu", 16, &job);
    assert_int_equal(job.replayed, 0);
    assert_int_equal(job.pick_count, 5);
    assert_int_equal(job.tied, 2);
    free(script);
    tracer_job_release(&job);
    made_release(&m);
}

static void one_variable_holds_128_kib(void **state)
{
    enum { N = 60000, DRAWN = N / 2 };
    uint64_t *draw = calloc(DRAWN, sizeof *draw), next = 1, found = 0;
    struct tracer_job job;
    struct made m;
    char *script;
    size_t passes = 0;

    (void)state;
    for (size_t i = 0; i < DRAWN; i++)
        draw[i] = 2 * i;
    make(&m, N, 0, true, draw, DRAWN);
    script = script_of(&m, "accel-sim", 16, &job);
    for (char *line = strstr(script, "\npass "), *end; line; line = strstr(end, "\npass ")) {
        char *range = strchr(line, '\'') + 1;

        end = strchr(range, '\'');
        assert_true((size_t)(end - range) + strlen("DYNAMIC_KERNEL_RANGE=") + 1 <= 131072);
        passes++;
        for (char *p = range; p < end; next += 2, found++) {
            assert_int_equal(strtoull(p, &p, 10), next);
            p += *p == ' ';
        }
    }
    assert_int_equal(found, DRAWN);
    assert_int_equal(passes, job.passes);
    assert_true(passes >= 2 && passes <= 3);
    free(script);
    tracer_job_release(&job);
    script = script_of(&m, "ncu", 16, &job); /* one argument has no space for more */
    for (char *line = strstr(script, "\npass "), *end; line; line = strstr(end, "\npass ")) {
        end = strchr(line + 1, '\n');
        assert_true(end - line < 131072);
    }
    free(script);
    tracer_job_release(&job);
    made_release(&m);
    free(draw);
}

static void everything_foreign_is_quoted(void **state)
{
    static const uint64_t draw[] = {3};
    struct made m;

    (void)state;
    make(&m, 9, 0, true, draw, 1);
    strcpy(m.plan.method, "x\ntouch /pwned\n#");
    holds(&m, "accel-sim", 16, "PLAN='it'\\''s; $(rm -rf /)\n'\n");
    holds(&m, "accel-sim", 16, "PROFILE='`x`\"'\n");
    holds(&m, "accel-sim", 16, "# Plan: x?touch /pwned?#, 1 of 10");
    made_release(&m);
}

static void what_cannot_be_are_separate_is_refused(void **state)
{
    static const uint64_t draw[] = {3, 11};
    struct tracer_job job;
    struct made m;
    struct err e;

    (void)state;
    assert_null(tracer_find("gdb", &e));
    assert_non_null(strstr(e.hint, "macsim"));
    make(&m, 9, 0, false, draw, 1);
    CHECK_OK(tracer_check_plan(&m.plan, &m.profile, &e), &e);
    CHECK_FAILS(tracer_job_init(&job, tracer_find("macsim", &e), &m.plan, &m.profile, 0, 0, &e), &e, ERR_INVALID,
                "one process");
    CHECK_FAILS(tracer_job_init(&job, tracer_find("accel-sim", &e), &m.plan, &m.profile, 1, 0, &e), &e, ERR_INVALID,
                "drew no launch of context 1");
    CHECK_OK(tracer_job_init(&job, tracer_find("accel-sim", &e), &m.plan, &m.profile, 0, 0, &e), &e);
    tracer_job_release(&job);
    holds(&m, "accel-sim", 16, "\"$range\" 0 \"$@\"\n"); /* ending it would end the other context too */
    m.profile.value[3]++;
    CHECK_FAILS(tracer_check_plan(&m.plan, &m.profile, &e), &e, ERR_INVALID, "does not belong to this profile");
    made_release(&m);

    make(&m, 30, 10, true, &draw[1], 1); /* only a graph replay */
    CHECK_FAILS(tracer_job_init(&job, tracer_find("accel-sim", &e), &m.plan, &m.profile, 0, 0, &e), &e, ERR_INVALID,
                "replays of CUDA graphs");
    made_release(&m);
}

static void lists_and_json_name_every_sample(void **state)
{
    static const uint64_t draw[] = {11, 3, 30};
    struct strbuf out = STRBUF_INIT;
    struct tracer_job job;
    struct made m;
    struct err e;
    json_t *json;
    char *script;

    (void)state;
    make(&m, 30, 10, true, draw, 3);
    CHECK_OK(tracer_list(&m.plan, &m.profile, -1, 0, TRACER_LIST_CSV, &out, &e), &e);
    assert_non_null(strstr(out.text, "\r\n3,0,1,3,0,0,1,1,0,call,a(int*),_Z1aPi,1x1x1,32x1x1\r\n"
                                     "11,0,1,11,0,0,1,1,0,graph,c(),_Z1cv,1x1x1,32x1x1\r\n"
                                     "30,0,1,0,1,0,2,2,0,call,a(int*),_Z1aPi,1x1x1,32x1x1\r\n"));
    strbuf_clear(&out);
    CHECK_OK(tracer_list(&m.plan, &m.profile, 1, 0, TRACER_LIST_TEXT, &out, &e), &e);
    assert_non_null(strstr(out.text, "\n30\t0\t1\t0\t1\t0\tcall\t1x1x1\t32x1x1\t_Z1aPi\n"));
    assert_null(strstr(out.text, "\n3\t"));
    strbuf_clear(&out);
    CHECK_OK(tracer_list(&m.plan, &m.profile, -1, 0, TRACER_LIST_JSON, &out, &e), &e);
    json = json_loads(out.text, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(json, "samples")), 3);
    assert_int_equal(json_array_size(json_object_get(json, "contexts")), 2);
    json_decref(json);
    strbuf_clear(&out);
    script = script_of(&m, "accel-sim", 16, &job);
    CHECK_OK(tracer_job_json(&job, script, &out, &e), &e);
    json = json_loads(out.text, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(json, "script")), script);
    assert_int_equal(json_integer_value(json_object_get(json, "samples_elsewhere")), 1);
    assert_int_equal(json_integer_value(json_object_get(json, "samples_replayed")), 1);
    assert_int_equal(json_array_size(json_object_get(json, "notes")), 3);
    json_decref(json);
    free(script);
    tracer_job_release(&job);
    strbuf_release(&out);
    made_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_counted_as_each_tool_counts),
        cmocka_unit_test(graphs_have_no_numbers_with_tracers),
        cmocka_unit_test(one_variable_holds_128_kib),
        cmocka_unit_test(everything_foreign_is_quoted),
        cmocka_unit_test(what_cannot_be_are_separate_is_refused),
        cmocka_unit_test(lists_and_json_name_every_sample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
