/* vivace methods: several files, hold-outs, and the list; means are compared with values computed by hand. */
#include "cli/cli.h"
#include "sampling/math/means.h"
#include "sampling/plan/plan.h"
#include "tests/unit/cli/printed.h"

enum { LAUNCHES = 240 };
static char folder[64], first[96], second[96], stranger[96];

/* A profile of two kernels. Their durations are `scale` times those on the first GPU, and one kernel has `extra`
 * more launches. */
static void write_profile(const char *path, int scale, int extra, const char *name)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs("Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),"
          "Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n",
          f);
    for (int i = 0; i < LAUNCHES + extra; i++)
        fprintf(f, "%d,%d,%d,1,1,1,64,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,\"%s\"\n", 100000 * i + 5,
                scale * (i % 2 ? 20000 + 37 * (i * 7 % 60) : 900 + 11 * (i * 5 % 40)), i + 1,
                i % 2 || i >= LAUNCHES ? name : "copy()");
    assert_int_equal(fclose(f), 0);
}

static int write_inputs(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-methods-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(first, sizeof first, "%s/first.csv", folder);
    snprintf(second, sizeof second, "%s/second.csv", folder);
    snprintf(stranger, sizeof stranger, "%s/stranger.csv", folder);
    write_profile(first, 1, 0, "gemm(float*)");
    write_profile(second, 3, 5, "gemm(float*)");
    write_profile(stranger, 1, 0, "conv(float*)");
    return 0;
}

static int remove_inputs(void **state)
{
    (void)state;
    return remove(first) || remove(second) || remove(stranger) || remove(folder);
}

static double number_of(json_t *o, const char *name)
{
    return json_number_value(json_object_get(o, name));
}

static int count_of(const char *text, const char *part)
{
    int n = 0;

    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

static void the_list_says_what_each_needs(void **state)
{
    json_t *j, *items;

    (void)state;
    assert_int_equal(RUN(cmd_methods, "methods", "--list", "--json"), 0);
    j = printed_json();
    items = json_object_get(j, "items");
    for (size_t i = 0; methods[i]; i++) {
        json_t *m = json_array_get(items, i);

        HAS(m, "name", "title", "sentence", "needs", "needs_sentence");
        assert_string_equal(json_string_value(json_object_get(m, "name")), methods[i]->name);
        assert_int_equal(json_array_size(json_object_get(m, "needs")) > 0,
                         (methods[i]->needs & ~(unsigned)NEEDS_PREFIX) != 0);
    }
    json_decref(j);
    assert_int_equal(RUN(cmd_methods, "methods", "--list", "--csv"), 0);
    assert_non_null(strstr(output, "name,title,sentence,needs_sentence\r\nvivace,Vivace,"));
    assert_int_equal(RUN(cmd_methods, "methods", "--list"), 0);
    for (size_t i = 0; methods[i]; i++) {
        char head[80];

        snprintf(head, sizeof head, "%s (%s)\n", methods[i]->name, methods[i]->title);
        assert_true((strstr(output, head) != NULL) == !methods[i]->is_code);
    }
    assert_int_equal(count_of(output, "--variant code:"), 4);
    for (const char *line = output; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 100);
}

static void several_files_have_means(void **state)
{
    json_t *j, *items, *mean, *speedup;
    double a, b;

    (void)state;
    assert_int_equal(RUN(cmd_methods, "methods", first, second, "--method", "vivace,srs", "--error", "2%",
                         "--repeats", "10", "--json"),
                     0);
    j = printed_json();
    items = json_object_get(j, "items");
    assert_int_equal(json_array_size(items), 4);
    assert_string_equal(json_string_value(json_object_get(json_array_get(items, 0), "file")), first);
    assert_string_equal(json_string_value(json_object_get(json_array_get(items, 2), "file")), second);
    a = number_of(json_array_get(items, 0), "speedup");
    b = number_of(json_array_get(items, 2), "speedup");
    mean = json_array_get(json_object_get(j, "means"), 0);
    assert_int_equal(json_integer_value(json_object_get(mean, "workloads")), 2);
    speedup = json_object_get(mean, "speedup");
    CHECK_NEAR(number_of(speedup, "harmonic"), 2 / (1 / a + 1 / b), 1e-9);
    CHECK_NEAR(number_of(speedup, "geometric"), sqrt(a * b), 1e-9);
    CHECK_NEAR(number_of(speedup, "arithmetic"), (a + b) / 2, 1e-9);
    json_decref(j);
    assert_int_equal(
        RUN(cmd_methods, "methods", first, second, "--method", "srs", "--error", "2%", "--repeats", "10", "--csv"),
        0);
    assert_non_null(strstr(output, "\r\nharmonic mean,srs,0.02,"));
    assert_int_equal(
        RUN(cmd_methods, "methods", first, second, "--method", "srs", "--error", "2%", "--repeats", "10"), 0);
    assert_non_null(strstr(output, "means over 2 files"));
}

static void a_holdout_is_scored_on_the_other_values(void **state)
{
    json_t *j, *row, *holdout;

    (void)state;
    assert_int_equal(RUN(cmd_methods, "methods", first, "--score", second, "--method", "vivace", "--error", "2%",
                         "--repeats", "50", "--json"),
                     0);
    j = printed_json();
    holdout = json_object_get(j, "holdout");
    assert_int_equal(json_integer_value(json_object_get(holdout, "matched")), LAUNCHES);
    assert_int_equal(json_integer_value(json_object_get(holdout, "unmatched_planned")), 0);
    assert_int_equal(json_integer_value(json_object_get(holdout, "unmatched_scored")), 5);
    row = json_array_get(json_object_get(j, "items"), 0);
    /* all durations are three times as long, so the errors are the same as on the profile itself */
    assert_true(json_integer_value(json_object_get(row, "inside")) >= 45);
    assert_true(json_integer_value(json_object_get(row, "covered")) >= 45);
    json_decref(j);
    assert_int_equal(RUN(cmd_methods, "methods", first, "--score", second, "--repeats", "5"), 0);
    assert_non_null(strstr(output, "matched    240 of 240 launches"));
    assert_non_null(strstr(output, "5 launches are not in the planned one"));
    /* half of the launches have no partner: they are removed from plan and truth */
    assert_int_equal(RUN(cmd_methods, "methods", first, "--score", stranger, "--method", "vivace", "--error", "2%",
                         "--repeats", "50", "--json"),
                     0);
    j = printed_json();
    assert_int_equal(json_integer_value(json_object_get(json_object_get(j, "holdout"), "matched")), LAUNCHES / 2);
    row = json_array_get(json_object_get(j, "items"), 0);
    assert_true(number_of(row, "actual_error") < 0.02);
    json_decref(j);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    assert_int_equal(RUN(cmd_methods, "methods"), 64);
    assert_non_null(strstr(errors, "missing profile"));
    assert_int_equal(RUN(cmd_methods, "methods", first, second, "--score", first), 64);
    assert_non_null(strstr(errors, "--score needs exactly one file"));
    assert_int_equal(RUN(cmd_methods, "methods", first, "--method", "vivaze"), 64);
    assert_non_null(strstr(errors, "did you mean `vivace`"));
    assert_int_equal(RUN(cmd_methods, "methods", first, "--budget", "1%", "--speedup", "100"), 64);
    assert_non_null(strstr(errors, "state the same thing"));
    assert_int_equal(RUN(cmd_methods, "methods", first, "--cost", "3"), 64);
    assert_non_null(strstr(errors, "--cost must be two numbers"));
    assert_int_equal(RUN(cmd_methods, "methods", first, "--min-samples", "0"), 64);
    assert_non_null(strstr(errors, "--min-samples"));
}

static void means_worked_by_hand(void **state)
{
    struct means m = {0}, none = {0};

    (void)state;
    means_add(&m, 1);
    means_add(&m, NAN);
    means_add(&m, 2);
    means_add(&m, 4);
    means_finish(&m);
    assert_int_equal(m.count, 3);
    CHECK_NEAR(m.harmonic, 12 / 7.0, 1e-12);
    CHECK_NEAR(m.geometric, 2, 1e-12);
    CHECK_NEAR(m.arithmetic, 7 / 3.0, 1e-12);
    means_finish(&none);
    assert_true(isnan(none.harmonic) && isnan(none.geometric) && isnan(none.arithmetic));
    m = (struct means){0};
    means_add(&m, 0); /* an exact projection */
    means_add(&m, 4);
    means_finish(&m);
    CHECK_NEAR(m.harmonic, 0, 0);
    CHECK_NEAR(m.geometric, 0, 0);
    CHECK_NEAR(m.arithmetic, 2, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_says_what_each_needs),
        cmocka_unit_test(several_files_have_means),
        cmocka_unit_test(a_holdout_is_scored_on_the_other_values),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(means_worked_by_hand),
    };

    return cmocka_run_group_tests(tests, write_inputs, remove_inputs);
}
