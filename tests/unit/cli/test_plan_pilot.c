/* vivace plan --pilot: a program with two kernels. One has nearly all instructions, the other has most of the
 * cycles. With a plan on instructions, the second kernel causes nearly all of the projection's variance. With a
 * plan on the pilot's estimated cycles it does not, and the interval is as wide as promised. */
#include <math.h>

#include "cli/cli.h"
#include "sampling/estimate/projection.h"
#include "tests/unit/cli/printed.h"
#include "wire/plan_json.h"

enum { GEMM = 40, COMBINE = 200, LAUNCHES = GEMM + COMBINE };
static char folder[64], module[96], list[96], counts[96], trace[96], plan_file[96], again[96], cycles_file[96],
    some[96];
static double truth[LAUNCHES]; /* cycles on a V100 */

/* Writes the program. `gemm` fills the GPU and each warp runs six iterations. A `combine` is one warp that runs
 * 20 to 120 iterations, each dependent on the previous one. */
static void put_module(void)
{
    FILE *f = fopen(module, "w");

    assert_non_null(f);
    for (int k = 0; k < 2; k++)
        fprintf(f,
                "%s.visible .entry %s(.param .u32 n) {\n.reg .b32 %%r<4>;\n.reg .f32 %%f<3>;\n.reg .pred %%p;\n"
                "ld.param.u32 %%r1, [n];\nmov.f32 %%f1, 0f3F800000;\n"
                "L%d:\nsqrt.approx.f32 %%f1, %%f1;\nsub.u32 %%r1, %%r1, 1;\nsetp.ne.u32 %%p, %%r1, 0;\n"
                "@%%p bra L%d;\nret;\n}\n",
                k ? "" : ".version 7.0\n.target sm_75\n.address_size 64\n", k ? "combine" : "gemm", k, k);
    assert_int_equal(fclose(f), 0);
}

static void put_list(void)
{
    FILE *f = fopen(list, "w");

    assert_non_null(f);
    fputs("{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"m.ptx\"}, \"buffers\": {}, "
          "\"steps\": [",
          f);
    for (int i = 0; i < LAUNCHES; i++) {
        bool gemm = i % (LAUNCHES / GEMM) == 0;

        fprintf(
            f, "%s{\"launch\": {\"kernel\": \"%s\", \"grid\": [%d], \"block\": [%d], \"params\": [{\"u32\": %d}]}}",
            i ? "," : "", gemm ? "gemm" : "combine", gemm ? 160 : 1, gemm ? 256 : 32, gemm ? 6 : 20 + i * 37 % 101);
    }
    fputs("]}", f);
    assert_int_equal(fclose(f), 0);
}

static int make_folder(void **state)
{
    const char *run[] = {"ptx", "run", list, "--profile", counts, "--trace", trace, "--arch", "70", "--csv", NULL};
    const char *all[] = {"simulate", trace, "--gpu", "v100", "--json", "-q", NULL};
    json_t *root;
    const json_t *kernels;
    (void)state;

    strcpy(folder, "/tmp/vivace-plan-pilot-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(module, sizeof module, "%s/m.ptx", folder);
    snprintf(list, sizeof list, "%s/l.json", folder);
    snprintf(counts, sizeof counts, "%s/counts.csv", folder);
    snprintf(trace, sizeof trace, "%s/t.vtrace", folder);
    snprintf(plan_file, sizeof plan_file, "%s/plan.json", folder);
    snprintf(again, sizeof again, "%s/again.json", folder);
    snprintf(cycles_file, sizeof cycles_file, "%s/cycles.json", folder);
    snprintf(some, sizeof some, "%s/some.vtrace", folder);
    put_module();
    put_list();
    assert_int_equal(run_words(cli_command, run), 0);
    assert_int_equal(run_words(cmd_simulate, all), 0);
    root = printed_json();
    kernels = json_object_get(root, "kernels");
    assert_int_equal(json_array_size(kernels), LAUNCHES);
    for (size_t i = 0; i < LAUNCHES; i++)
        truth[i] = (double)json_integer_value(json_object_get(json_array_get(kernels, i), "cycles"));
    json_decref(root);
    return 0;
}

static int remove_folder(void **state)
{
    const char *const files[] = {module, list, counts, trace, plan_file, again, cycles_file, some};
    (void)state;

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        unlink(files[i]);
    return rmdir(folder);
}

/* The result of the plan in plan_file. */
struct came_of {
    double promised, half_width; /* shares of the total */
    double combine;              /* share of the variance */
    size_t samples;
    bool holds;
};

static struct came_of project(void)
{
    struct came_of out = {.promised = 0};
    double y[LAUNCHES], total = 0;
    struct projection x;
    struct plan plan;
    struct err e;

    plan_init(&plan);
    CHECK_OK(plan_read_path(plan_file, &plan, &e), &e);
    for (size_t i = 0; i < plan.sample_count; i++)
        y[i] = truth[plan.samples[i].launch];
    for (size_t i = 0; i < LAUNCHES; i++)
        total += truth[i];
    CHECK_OK(projection_make(&plan, y, 0, &x, &e), &e);
    for (size_t h = 0; h < plan.stratum_count; h++)
        out.combine += strcmp(plan.strata[h].kernel_name, "combine") == 0 ? x.strata[h].variance_share : 0;
    out.samples = plan.sample_count;
    out.promised = plan.promised_error;
    out.half_width = x.half_width / total;
    out.holds = fabs(x.value - total) <= x.half_width;
    projection_release(&x);
    plan_release(&plan);
    return out;
}

static void a_pilot_puts_samples_where_the_cycles_are(void **state)
{
    enum { SEEDS = 20 };
    unsigned wide[2] = {0}, holds = 0, ours[2] = {0};
    (void)state;

    for (int seed = 1; seed <= SEEDS; seed++) {
        char number[12];

        snprintf(number, sizeof number, "%d", seed);
        for (int pilot = 0; pilot < 2; pilot++) {
            const char *words[] = {"plan", trace,   "--error", "2%", "--seed",
                                   number, "--out", plan_file, "-q", pilot ? "--pilot" : NULL,
                                   "v100", NULL};
            struct came_of x;

            assert_int_equal(run_words(cli_command, words), 0);
            x = project();
            wide[pilot] += x.half_width > 1.5 * x.promised;
            ours[pilot] += x.combine > 0.9;
            holds += pilot && x.holds;
            if (pilot && (x.promised > 0.02001 || x.samples > LAUNCHES / 2))
                fail_msg("seed %d: %zu samples for %g %%", seed, x.samples, 100 * x.promised);
        }
    }
    /* planned on instructions: `combine` is nearly the whole variance, and no interval is as promised */
    if (ours[0] < SEEDS - 2 || wide[0] < SEEDS - 2)
        fail_msg("without a pilot: %u of %d by combine alone, %u too wide", ours[0], SEEDS, wide[0]);
    if (wide[1] > 0 || holds < SEEDS - 3)
        fail_msg("with a pilot: %u of %d too wide, %u hold", wide[1], SEEDS, holds);
}

static void read_file(const char *path, char *out, size_t size)
{
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    out[fread(out, 1, size - 1, f)] = '\0';
    fclose(f);
}

static void a_plan_from_the_file_is_the_same_plan(void **state)
{
    static char a[1 << 20], b[1 << 20];
    (void)state;

    assert_int_equal(
        RUN(cli_command, "plan", trace, "--pilot", "h100", "--pilot-out", cycles_file, "--out", plan_file), 0);
    assert_non_null(strstr(output, "2 launches on h100, one of each shape, simulated in "));
    assert_non_null(strstr(output, "The profile of estimated cycles is in "));
    assert_int_equal(RUN(cli_command, "plan", cycles_file, "--out", again), 0);
    read_file(plan_file, a, sizeof a);
    read_file(again, b, sizeof b);
    assert_string_equal(a, b); /* including the profile's hash */
    assert_non_null(strstr(a, "\"unit\": \"cycles\""));
    assert_int_equal(
        RUN(cmd_simulate, "simulate", trace, "--gpu", "v100,h100", "--plan", plan_file, "--json", "-q"), 0);
    json_decref(printed_json());
    assert_int_equal(RUN(cmd_inspect, "inspect", cycles_file, "--json"), 0);
    assert_non_null(strstr(output, "\"unit\": \"cycles\""));
}

/* A profile of counts, with traces beside it. PTX instructions are not machine instructions; the cycles are equal
 * within a few percent. */
static void counts_are_scaled_by_traces_beside_them(void **state)
{
    json_t *root;
    double total = 0, estimated;
    (void)state;

    for (size_t i = 0; i < LAUNCHES; i++)
        total += truth[i];
    assert_int_equal(RUN(cli_command, "plan", counts, "--pilot", "v100", "--traces", trace, "--json"), 0);
    assert_non_null(strstr(errors, "vivace: pilot: 2 launches on v100"));
    root = printed_json();
    estimated = (double)json_integer_value(json_object_get(root, "total_cycles"));
    CHECK_NEAR(estimated / total, 1, 0.02);
    json_decref(root);
}

static void shapes_without_a_trace_go_by_others(void **state)
{
    (void)state;
    assert_int_equal(
        RUN(cli_command, "ptx", "run", list, "--trace", some, "--kernel", "combine", "--arch", "70", "--csv"), 0);
    assert_int_equal(RUN(cli_command, "plan", counts, "--pilot", "v100", "--traces", some, "--json"), 0);
    assert_non_null(strstr(errors, "1 launch on v100"));
    assert_non_null(strstr(errors, "Of 1 shape there is no result (1 without a trace, 0 not simulated)"));
    json_decref(printed_json());
}

/* When all estimates are equal, plans assume a spread that --noise-floor does not reduce. */
static void the_spread_planned_with_is_explained(void **state)
{
    (void)state;
    assert_int_equal(RUN(cli_command, "plan", trace, "--pilot", "v100", "--explain", "--error", "2%"), 0);
    assert_non_null(strstr(output, "simulated cycles"));
    assert_null(strstr(output, "--noise-floor"));
    assert_int_equal(RUN(cli_command, "plan", trace, "--explain", "--error", "2%"), 0);
    assert_non_null(strstr(output, "pilot      none; --pilot GPU simulates"));
    assert_null(strstr(output, "a smaller --noise-floor"));
}

static void wrong_words_are_refused(void **state)
{
    (void)state;
    assert_int_equal(RUN(cli_command, "plan", counts, "--pilot", "v100"), 64);
    assert_non_null(strstr(errors, "is a profile without traces"));
    assert_int_equal(RUN(cli_command, "plan", trace, "--pilot", "v100,h100"), 64);
    assert_non_null(strstr(errors, "--pilot takes one design"));
    assert_int_equal(RUN(cli_command, "plan", trace, "--pilot-out", cycles_file), 64);
    assert_non_null(strstr(errors, "go with --pilot GPU"));
    assert_int_equal(
        RUN(cli_command, "plan", trace, "--pilot", "v100", "--pilot-out", cycles_file, "--out", plan_file), 0);
    assert_int_equal(RUN(cli_command, "plan", cycles_file, "--pilot", "v100", "--traces", trace), 65);
    assert_non_null(strstr(errors, "this profile measured cycles"));
}

static void traces_of_another_program_are_refused(void **state)
{
    FILE *f = fopen(counts, "w");
    (void)state;

    assert_non_null(f);
    fputs("kernel,grid,block,warp_instructions\n", f);
    for (int i = 0; i < 5; i++)
        fputs("other,\"160,1,1\",\"256,1,1\",900\n", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(RUN(cli_command, "plan", counts, "--pilot", "v100", "--traces", trace), 65);
    assert_non_null(strstr(errors, "in the traces, but other (160,1,1)x(256,1,1) in the profile"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pilot_puts_samples_where_the_cycles_are),
        cmocka_unit_test(a_plan_from_the_file_is_the_same_plan),
        cmocka_unit_test(counts_are_scaled_by_traces_beside_them),
        cmocka_unit_test(shapes_without_a_trace_go_by_others),
        cmocka_unit_test(the_spread_planned_with_is_explained),
        cmocka_unit_test(wrong_words_are_refused),
        cmocka_unit_test(traces_of_another_program_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
