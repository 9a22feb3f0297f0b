/* vivace plan trace and plan check: the scripts run with shell scripts in place of the tracers. They trace
 * exactly the launches of the plan, and stop at the first launch that differs from the profile. */
#include <sys/stat.h>

#include "cli/cli.h"
#include "tests/unit/cli/printed.h"
#include "wire/json.h"
#include "wire/plan_json.h"

enum { LAUNCHES = 90 };
static char folder[64], profile[128], plan_file[96], program[260];

/* A name that breaks a shell script unless it is quoted. */
#define PROFILE_NAME "it's a $(touch pwned) \"profile\" `touch pwned`"

struct launch {
    const char *name;
    int grid, block, work;
};

static struct launch launch_at(int i)
{
    static const char *const names[] = {"_Z4gemmPf", "_Z7softmaxIiLb1EEvPi", "_Z4copyv"};

    return (struct launch){names[i % 3], 1 + i % 3, i % 3 == 2 ? 64 : 128, i % 3 == 2 ? 3 : 20 + i * 7 % 13};
}

static void write_trace(int i)
{
    struct launch l = launch_at(i);
    char path[300];
    FILE *f;

    snprintf(path, sizeof path, "%s/kernel-%d.traceg", profile, i + 1);
    f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "-kernel name = %s\n-kernel id = %d\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n-shmem = 0\n"
            "-nregs = 16\n-binary version = 70\n-cuda stream id = 0\n-accelsim tracer version = 3\n\n",
            l.name, i + 1, l.grid, l.block);
    fprintf(f, "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n", l.work);
    for (int k = 0; k + 1 < l.work; k++)
        fprintf(f, "%04x ffffffff 1 R1 FADD 2 R1 R2 0\n", 16 * k);
    fprintf(f, "%04x ffffffff 0 EXIT 0 0\n#END_TB\n", 16 * (l.work - 1));
    assert_int_equal(fclose(f), 0);
}

static void set(const char *name, const char *format, const char *value)
{
    char text[400];

    snprintf(text, sizeof text, format, value);
    setenv(name, text, 1);
}

static int write_inputs(void **state)
{
    const char *build = getenv("VIVACE_BUILD");
    char path[300], cwd[200];
    FILE *list, *launches;

    (void)state;
    assert_non_null(getcwd(cwd, sizeof cwd));
    strcpy(folder, "/tmp/vivace-trace-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(profile, sizeof profile, "%s/" PROFILE_NAME, folder);
    snprintf(plan_file, sizeof plan_file, "%s/plan.json", folder);
    snprintf(program, sizeof program, "%s/tests/unit/cli/fake_tracer.sh", cwd);
    assert_int_equal(mkdir(profile, 0700), 0);
    snprintf(path, sizeof path, "%s/kernelslist.g", profile);
    list = fopen(path, "w");
    snprintf(path, sizeof path, "%s/launches", folder);
    launches = fopen(path, "w");
    assert_true(list && launches);
    fputs("MemcpyHtoD,0x00007f0000000000,4096\n", list);
    for (int i = 0; i < LAUNCHES; i++) {
        struct launch l = launch_at(i);

        write_trace(i);
        fprintf(list, "kernel-%d.traceg\n", i + 1);
        fprintf(launches, "%s %d 1 1 %d 1 1\n", l.name, l.grid, l.block);
    }
    assert_int_equal(fclose(list) | fclose(launches), 0);
    set("FAKE_LAUNCHES", "%s/launches", folder);
    set("FAKE_LOG", "%s/log", folder);
    snprintf(path, sizeof path, "%s/%s/vivace", build && *build == '/' ? "" : cwd,
             build && *build ? build : "build");
    setenv("VIVACE", path, 1);
    setenv("TRACER", program, 1); /* any existing file */
    snprintf(path, sizeof path, "%s/tests/unit/cli/fake_ncu.sh", cwd);
    setenv("NCU", path, 1);
    return 0;
}

static int remove_inputs(void **state)
{
    char line[120];

    (void)state;
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line);
}

static void make_plan(struct plan *plan)
{
    struct err e;

    if (RUN(cli_command, "plan", profile, "--error", "3%", "--out", plan_file) != 0)
        fail_msg("%s", errors);
    plan_init(plan);
    CHECK_OK(plan_read_path(plan_file, plan, &e), &e);
    assert_true(plan->sample_count > 4 && plan->sample_count < LAUNCHES);
}

/* Writes the script and runs it with the program. Returns its exit code. The log of the run is in *log. */
static int trace(const char *tool, const char *passes, const char *out, char *log, size_t size)
{
    char script[120], line[700], path[120];
    FILE *f;
    int code;

    snprintf(script, sizeof script, "%s/trace-%s.sh", folder, tool);
    if (RUN(cli_command, "plan", "trace", plan_file, "--profile", profile, "--for", tool, "--passes", passes,
            "--out", script) != 0)
        fail_msg("%s", errors);
    snprintf(path, sizeof path, "%s/log", folder);
    unlink(path);
    snprintf(line, sizeof line,
             "cd '%s' && rm -rf '%s' && OUT='%s' sh '%s' '%s' 'an \"argument\"' '$HOME' >said 2>&1", folder, out,
             out, script, program);
    code = system(line);
    f = fopen(path, "r");
    memset(log, 0, size);
    if (f) {
        assert_true(fread(log, 1, size - 1, f) < size - 1);
        fclose(f);
    }
    snprintf(path, sizeof path, "%s/pwned", folder);
    assert_int_equal(access(path, F_OK), -1);
    return WEXITSTATUS(code);
}

static bool is_there(const char *format, const char *out, unsigned long long number)
{
    char path[200], name[100];

    snprintf(name, sizeof name, format, number);
    snprintf(path, sizeof path, "%s/%s/%s", folder, out, name);
    return access(path, F_OK) == 0;
}

static void only_the_samples_are_there(const struct plan *plan, const char *out)
{
    for (uint64_t i = 0; i < LAUNCHES; i++) {
        bool drawn = false;

        for (size_t s = 0; s < plan->sample_count; s++)
            drawn |= plan->samples[s].launch == i;
        if (is_there("traces/kernel-%llu.trace", out, i + 1) != drawn)
            fail_msg("%s: launch %llu is %s", out, (unsigned long long)i, drawn ? "missing" : "there");
    }
}

static size_t lines_of(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void accel_sim_traces_exactly_the_plan(void **state)
{
    char log[20000], traces[120];
    struct plan plan;

    (void)state;
    make_plan(&plan);
    assert_int_equal(trace("accel-sim", "16", "out", log, sizeof log), 0);
    assert_int_equal(lines_of(log), 2);
    assert_true(str_starts(log, "new 2000000000  0 1 1 program an \"argument\" $HOME\n"));
    assert_non_null(strstr(log, " 1 1 1 program an \"argument\" $HOME\n"));
    only_the_samples_are_there(&plan, "out");
    /* The traced launches can be simulated with the plan: they keep their numbers in the profile. */
    snprintf(traces, sizeof traces, "%s/out/traces", folder);
    if (RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", traces) != 0)
        fail_msg("%s", errors);
    if (RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", plan_file, "--json") != 0)
        fail_msg("%s", errors);
    plan_release(&plan);
}

static void polling_loops_are_found_before_they_are_traced(void **state)
{
    char log[20000];
    struct plan plan;

    (void)state;
    make_plan(&plan);
    setenv("SPINLOCK_TOOL", program, 1);
    assert_int_equal(trace("accel-sim", "16", "out", log, sizeof log), 0);
    assert_int_equal(lines_of(log), 5);
    assert_non_null(strstr(log, "loops 0\nloops 1\nmode 2\nnew "));
    only_the_samples_are_there(&plan, "out");
    unsetenv("SPINLOCK_TOOL");
    setenv("SPINLOCK_HANDLING_MODE", "2", 1);
    assert_int_not_equal(trace("accel-sim", "16", "out", log, sizeof log), 0);
    unsetenv("SPINLOCK_HANDLING_MODE");
    plan_release(&plan);
}

static void a_tracer_that_hangs_is_ended(void **state)
{
    char log[20000], path[120], said[2000] = "";
    struct plan plan;
    FILE *f;

    (void)state;
    make_plan(&plan);
    setenv("FAKE_HANG", "1", 1);
    setenv("STALL_S", "1", 1);
    assert_int_not_equal(trace("accel-sim", "16", "out", log, sizeof log), 0);
    unsetenv("FAKE_HANG");
    unsetenv("STALL_S");
    snprintf(path, sizeof path, "%s/said", folder);
    f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fread(said, 1, sizeof said - 1, f) > 0);
    assert_int_equal(fclose(f), 0);
    assert_non_null(strstr(said, "the tracer has written nothing for 1 s"));
    plan_release(&plan);
}

static void the_old_tracer_gets_ranges(void **state)
{
    char log[20000];
    struct plan plan;

    (void)state;
    make_plan(&plan);
    assert_int_equal(trace("accel-sim-old", "3", "old", log, sizeof log), 0);
    assert_int_equal(lines_of(log), 4);
    assert_true(str_starts(log, "old 2000000000 0 0 1 1 program"));
    only_the_samples_are_there(&plan, "old");
    assert_int_equal(trace("accel-sim-old", "10000", "old", log, sizeof log), 0);
    only_the_samples_are_there(&plan, "old");
    plan_release(&plan);
}

static void macsim_gets_a_file_of_numbers(void **state)
{
    char log[20000], path[120], line[40];
    struct plan plan;
    size_t n = 0;
    FILE *f;

    (void)state;
    make_plan(&plan);
    assert_int_equal(trace("macsim", "16", "macsim", log, sizeof log), 0);
    assert_int_equal(lines_of(log), 2);
    assert_false(is_there("dry-run/traced", "macsim", 0));
    snprintf(path, sizeof path, "%s/macsim/traces/traced", folder);
    f = fopen(path, "r");
    assert_non_null(f);
    for (; fgets(line, sizeof line, f); n++) {
        bool drawn = false;

        for (size_t s = 0; s < plan.sample_count; s++)
            drawn |= plan.samples[s].launch == strtoull(line, NULL, 10);
        assert_true(drawn);
    }
    fclose(f);
    assert_int_equal(n, plan.sample_count);
    plan_release(&plan);
}

static void ncu_is_called_once_a_name(void **state)
{
    char log[20000], *call = log;
    struct plan plan;
    size_t found = 0;

    (void)state;
    make_plan(&plan);
    assert_int_equal(trace("ncu", "16", "ncu", log, sizeof log), 0);
    for (char *end; (end = strchr(call, '\n')); call = end + 1) {
        static const char *const names[] = {"_Z4gemmPf", "_Z7softmaxIiLb1EEvPi", "_Z4copyv"};

        *end = '\0';
        assert_true(str_starts(call, "9::_Z"));
        for (int k = 0; k < 3; k++)
            if (str_starts(call + 3, names[k])) {
                char *number = call + 3 + strlen(names[k]) + strlen(":^(");

                /* number of launch j of name k: 3 (j - 1) + k */
                for (; *number != ' '; number += strspn(number, "|)$")) {
                    uint64_t launch = 3 * (strtoull(number, &number, 10) - 1) + (uint64_t)k;

                    for (size_t s = 0; s < plan.sample_count; s++)
                        found += plan.samples[s].launch == launch;
                }
            }
    }
    assert_int_equal(found, plan.sample_count);
    plan_release(&plan);
}

static void scripts_stop_at_the_first_mismatch(void **state)
{
    static const char *const tools[] = {"accel-sim", "accel-sim-old", "macsim", "ncu"};
    char log[20000], path[100], said[4000];
    struct plan plan;

    (void)state;
    make_plan(&plan);
    setenv("FAKE_WRONG", "31", 1);
    for (size_t t = 0; t < 4; t++) {
        FILE *f;

        assert_int_not_equal(trace(tools[t], "16", "wrong", log, sizeof log), 0);
        assert_int_equal(lines_of(log), strcmp(tools[t], "ncu") == 0 ? 0 : 1); /* only the dry run */
        snprintf(path, sizeof path, "%s/said", folder);
        f = fopen(path, "r");
        assert_non_null(f);
        said[fread(said, 1, sizeof said - 1, f)] = '\0';
        fclose(f);
        if (!strstr(said, "launch 30, gemm(float*), has grid (2,1,1) in the list") ||
            !strstr(said, "(1,1,1) in the profile") || !strstr(said, "nothing is traced"))
            fail_msg("%s: %s", tools[t], said);
    }
    unsetenv("FAKE_WRONG");
    plan_release(&plan);
}

/* The profile covers a part of the run: `before` other launches come first, some of them equal to the profile's. */
static void write_longer_run(int before, int after)
{
    char path[120];
    FILE *f;

    snprintf(path, sizeof path, "%s/longer", folder);
    f = fopen(path, "w");
    assert_non_null(f);
    for (int i = -before; i < LAUNCHES + after; i++) {
        struct launch l = launch_at(i < 0 ? 7 - i : i);

        if (i == -1 || i == LAUNCHES)
            fprintf(f, "_Z6borderv 1 1 1 32 1 1\n");
        else
            fprintf(f, "%s %d 1 1 %d 1 1\n", l.name, l.grid, l.block);
    }
    assert_int_equal(fclose(f), 0);
    set("FAKE_LAUNCHES", "%s/longer", folder);
}

static void a_part_of_a_run_gets_the_tools_numbers(void **state)
{
    char log[20000], traces[120], said[4000], path[100];
    struct plan plan;
    FILE *f;

    (void)state;
    make_plan(&plan);
    write_longer_run(41, 17);
    assert_int_equal(trace("accel-sim", "16", "part", log, sizeof log), 0);
    assert_int_equal(lines_of(log), 2); /* one dry run is sufficient */
    only_the_samples_are_there(&plan, "part");
    snprintf(traces, sizeof traces, "%s/part/traces", folder);
    if (RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", plan_file, "--json") != 0)
        fail_msg("%s", errors);
    assert_int_equal(trace("accel-sim-old", "3", "part", log, sizeof log), 0);
    assert_int_equal(lines_of(log), 4);
    only_the_samples_are_there(&plan, "part");
    assert_int_equal(trace("ncu", "1", "part", log, sizeof log), 0);
    assert_int_equal(lines_of(log), 1); /* one range: from the first to the last sample, in the tool's numbers */
    assert_int_equal(strtoull(log + strlen("9::: "), NULL, 10), 41 + plan.samples[0].launch);
    assert_int_not_equal(trace("macsim", "16", "part", log, sizeof log), 0);
    snprintf(path, sizeof path, "%s/said", folder);
    f = fopen(path, "r");
    assert_non_null(f);
    said[fread(said, 1, sizeof said - 1, f)] = '\0';
    fclose(f);
    assert_non_null(strstr(said, "begins at launch 41 of the run"));
    set("FAKE_LAUNCHES", "%s/launches", folder);
    plan_release(&plan);
}

static void where_a_part_begins_may_be_stated(void **state)
{
    char list[500];
    struct plan plan;

    (void)state;
    make_plan(&plan);
    plan_release(&plan);
    write_longer_run(41, 17);
    snprintf(
        list, sizeof list,
        "cd '%s' && mkdir -p longer-run && TRACES_FOLDER=longer-run DYNAMIC_KERNEL_LIMIT_START=2000000000 sh '%s'",
        folder, program);
    assert_int_equal(system(list), 0);
    snprintf(list, sizeof list, "%s/longer-run/stats.csv", folder);
    assert_int_equal(RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", list), 0);
    assert_non_null(strstr(output, "90 of 90 match: launches 41 to 130 of the list's 148"));
    assert_int_equal(
        RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", list, "--range", "41..130"),
        0);
    assert_int_equal(
        RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", list, "--range", "41..131"),
        65);
    assert_non_null(strstr(errors, "the range has 91 launches, the profile 90"));
    assert_int_equal(
        RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", list, "--range", "41-130"),
        64);
    assert_int_equal(
        RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", list, "--offset", "40"), 65);
    assert_int_equal(RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", list, "--offset",
                         "40", "--range", "1..2"),
                     64);
    assert_int_equal(
        RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", list, "--print-offset"), 0);
    assert_string_equal(output, "41\n");
    set("FAKE_LAUNCHES", "%s/launches", folder);
}

static void existing_folders_and_missing_files_stop_a_script(void **state)
{
    char log[20000], line[400], script[120];
    struct plan plan;

    (void)state;
    make_plan(&plan);
    assert_int_equal(trace("accel-sim", "16", "out", log, sizeof log), 0);
    snprintf(script, sizeof script, "%s/trace-accel-sim.sh", folder);
    snprintf(line, sizeof line, "cd '%s' && OUT=out sh '%s' true >said 2>&1", folder, script);
    assert_int_not_equal(system(line), 0);
    snprintf(line, sizeof line, "cd '%s' && OUT=new PLAN=gone sh '%s' true >said 2>&1", folder, script);
    assert_int_not_equal(system(line), 0);
    snprintf(line, sizeof line, "cd '%s' && OUT=new sh '%s' >said 2>&1", folder, script);
    assert_int_not_equal(system(line), 0);
    assert_false(is_there(".", "new", 0));
    plan_release(&plan);
}

static void a_kernel_list_is_filtered(void **state)
{
    char expected[20000] = "MemcpyHtoD,0x00007f0000000000,4096\n", path[300];
    struct plan plan;

    (void)state;
    make_plan(&plan);
    for (uint64_t i = 0; i < LAUNCHES; i++)
        for (size_t s = 0; s < plan.sample_count; s++)
            if (plan.samples[s].launch == i)
                sprintf(expected + strlen(expected), "kernel-%d.traceg\n", (int)i + 1);
    if (RUN(cli_command, "plan", "trace", plan_file, "--profile", profile, "--for", "kernelslist", "--traces",
            profile) != 0)
        fail_msg("%s", errors);
    assert_string_equal(output, expected);
    assert_string_equal(errors, "");
    snprintf(path, sizeof path, "%s/kernelslist.g", profile);
    assert_int_equal(RUN(cli_command, "plan", "trace", plan_file, "--profile", profile, "--for", "kernelslist",
                         "--traces", path),
                     0);
    assert_string_equal(output, expected);
    plan_release(&plan);
}

static void lines_that_are_wrong_are_reported(void **state)
{
    struct plan plan;
    json_t *verdict;

    (void)state;
    make_plan(&plan);
    plan_release(&plan);
    assert_int_equal(RUN(cli_command, "plan", "trace", plan_file, "--for", "ncu"), 64);
    assert_non_null(strstr(errors, "--profile"));
    assert_int_equal(RUN(cli_command, "plan", "trace", plan_file, "--profile", profile), 64);
    assert_int_equal(RUN(cli_command, "plan", "trace", plan_file, "--profile", profile, "--for", "gdb"), 64);
    assert_int_equal(
        RUN(cli_command, "plan", "trace", plan_file, "--profile", profile, "--for", "ncu", "--context", "1"), 65);
    assert_int_equal(RUN(cli_command, "plan", "check", plan_file, "--profile", profile), 64);
    assert_int_equal(RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", plan_file), 65);
    assert_int_equal(RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", "/nowhere"), 66);
    assert_int_equal(
        RUN(cli_command, "plan", "check", plan_file, "--profile", profile, "--list", profile, "--json"), 0);
    verdict = printed_json();
    HAS(verdict, "ok", "matched", "expected", "mismatch");
    json_decref(verdict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accel_sim_traces_exactly_the_plan),
        cmocka_unit_test(polling_loops_are_found_before_they_are_traced),
        cmocka_unit_test(a_tracer_that_hangs_is_ended),
        cmocka_unit_test(the_old_tracer_gets_ranges),
        cmocka_unit_test(macsim_gets_a_file_of_numbers),
        cmocka_unit_test(ncu_is_called_once_a_name),
        cmocka_unit_test(scripts_stop_at_the_first_mismatch),
        cmocka_unit_test(a_part_of_a_run_gets_the_tools_numbers),
        cmocka_unit_test(where_a_part_begins_may_be_stated),
        cmocka_unit_test(existing_folders_and_missing_files_stop_a_script),
        cmocka_unit_test(a_kernel_list_is_filtered),
        cmocka_unit_test(lines_that_are_wrong_are_reported),
    };

    return cmocka_run_group_tests(tests, write_inputs, remove_inputs);
}
