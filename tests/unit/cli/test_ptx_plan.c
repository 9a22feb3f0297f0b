/* vivace ptx run --profile and --plan: writes the launches of a list as a profile, and traces only the launches
 * that a plan of it samples. */
#include "cli/cli.h"
#include "tests/unit/cli/printed.h"

static char folder[64], module[96], list[96], profile[96], plan[96], trace[96];

static void put(const char *to, const char *text)
{
    FILE *f = fopen(to, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Writes `count` launches of `blocks` blocks. Each block runs `work` iterations of a loop, which depends on the
 * launch number modulo 3. */
static void put_list(int count, int blocks)
{
    FILE *f = fopen(list, "w");

    assert_non_null(f);
    fputs("{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"m.ptx\"}, \"buffers\": {}, "
          "\"steps\": [",
          f);
    for (int i = 0; i < count; i++)
        fprintf(f,
                "%s{\"launch\": {\"kernel\": \"turns\", \"grid\": [%d, 2], \"block\": [64], \"params\": [{\"u32\": "
                "%d}]}}",
                i ? "," : "", blocks, 1 + i % 3);
    fputs("]}", f);
    fclose(f);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-ptx-plan-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(module, sizeof module, "%s/m.ptx", folder);
    snprintf(list, sizeof list, "%s/l.json", folder);
    snprintf(profile, sizeof profile, "%s/p.csv", folder);
    snprintf(plan, sizeof plan, "%s/plan.json", folder);
    snprintf(trace, sizeof trace, "%s/t.vtrace", folder);
    put(module, ".version 7.0\n.target sm_75\n.address_size 64\n"
                ".visible .entry turns(.param .u32 n) {\n.reg .b32 %r<2>;\n.reg .pred %p;\nld.param.u32 %r1, [n];\n"
                "L:\nsub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p, %r1, 0;\n@%p bra L;\nret;\n}\n");
    return 0;
}

static int remove_folder(void **state)
{
    const char *const files[] = {module, list, profile, plan, trace};
    (void)state;

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        unlink(files[i]);
    return rmdir(folder);
}

static void a_profile_counts_what_ran(void **state)
{
    const char *run[] = {"ptx", "run", list, "--profile", profile, "--csv", NULL};
    char text[400] = "";
    FILE *f;
    (void)state;

    put_list(4, 3);
    assert_int_equal(run_words(cli_command, run), 0);
    f = fopen(profile, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    /* 6 CTAs of 2 warps; 1 + 3 n + 1 instructions a warp */
    assert_string_equal(text, "kernel,grid,block,warp_instructions\n"
                              "turns,\"3,2,1\",\"64,1,1\",60\nturns,\"3,2,1\",\"64,1,1\",96\n"
                              "turns,\"3,2,1\",\"64,1,1\",132\nturns,\"3,2,1\",\"64,1,1\",60\n");
}

/* A plan that samples ten of forty launches. */
static json_t *plan_of_forty(void)
{
    const char *run[] = {"ptx", "run", list, "--profile", profile, "--csv", NULL};
    const char *draw[] = {"plan", profile, "--method", "systematic", "--share", "0.25", "--out", plan, NULL};
    json_t *root;

    put_list(40, 3);
    assert_int_equal(run_words(cli_command, run), 0);
    assert_int_equal(run_words(cli_command, draw), 0);
    root = json_load_file(plan, 0, NULL);
    assert_non_null(root);
    return root;
}

static bool drawn(const json_t *samples, size_t launch)
{
    for (size_t i = 0; i < json_array_size(samples); i++)
        if (json_integer_value(json_object_get(json_array_get(samples, i), "launch")) == (json_int_t)launch)
            return true;
    return false;
}

static void only_what_the_plan_drew_is_traced(void **state)
{
    const char *traced_words[] = {"ptx", "run",    list,     "--plan", plan, "--trace",
                                  trace, "--json", "--arch", "70",     NULL};
    const char *timed_words[] = {"ptx", "run", list, "--plan", plan, "--gpu", "v100", "--json", NULL};
    const char *simulate[] = {"simulate", trace, "--gpu", "v100", "--plan", plan, "--json", NULL};
    json_t *root = plan_of_forty(), *samples = json_object_get(root, "samples");
    json_t *traced, *timed, *simulated;
    const json_t *kernels;
    size_t at = 0;
    (void)state;

    assert_int_equal(run_words(cli_command, traced_words), 0);
    traced = printed_json();
    assert_int_equal(run_words(cli_command, timed_words), 0);
    timed = printed_json();
    assert_int_equal(run_words(cmd_simulate, simulate), 0);
    simulated = printed_json();
    kernels = json_object_get(simulated, "kernels");
    assert_int_equal(json_array_size(samples), 10);
    assert_int_equal(json_array_size(kernels), 10);
    for (size_t i = 0; i < 40; i++) {
        const json_t *a = json_object_get(json_array_get(json_object_get(traced, "launches"), i), "timing");
        const json_t *b = json_object_get(json_array_get(json_object_get(timed, "launches"), i), "timing");

        assert_int_equal(json_is_null(a), !drawn(samples, i));
        assert_int_equal(json_is_null(b), !drawn(samples, i));
        if (json_is_null(b))
            continue;
        assert_true(json_integer_value(json_object_get(b, "cycles")) > 500);
        assert_int_equal(json_integer_value(json_object_get(b, "cycles")),
                         json_integer_value(json_object_get(json_array_get(kernels, at++), "cycles")));
    }
    assert_int_equal(json_array_size(json_object_get(simulated, "projections")), 1);
    json_decref(root);
    json_decref(traced);
    json_decref(timed);
    json_decref(simulated);
}

static void a_plan_of_another_program_is_refused(void **state)
{
    const char *run[] = {"ptx", "run", list, "--plan", plan, "--trace", trace, NULL};
    const char *alone[] = {"ptx", "run", list, "--plan", plan, NULL};
    (void)state;

    json_decref(plan_of_forty());
    assert_int_equal(run_words(cli_command, alone), 64); /* nothing would be traced */
    unlink(trace);
    put_list(40, 2); /* another grid size */
    assert_int_equal(run_words(cli_command, run), 65);
    put_list(41, 3); /* one more launch */
    assert_int_equal(run_words(cli_command, run), 65);
    assert_int_not_equal(access(trace, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_profile_counts_what_ran),
                                       cmocka_unit_test(only_what_the_plan_drew_is_traced),
                                       cmocka_unit_test(a_plan_of_another_program_is_refused)};

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
