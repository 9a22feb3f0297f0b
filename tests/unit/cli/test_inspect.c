/* vivace inspect: the structure of its JSON, its exit codes, and output that is safe on a terminal. */
#include <fcntl.h>
#include <jansson.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/nouns.h"
#include "tests/harness/check.h"

static char output[1 << 20], errors[1 << 16];

static void read_back(const char *path, char *out, size_t size)
{
    FILE *f = fopen(path, "rb");
    size_t n;

    assert_non_null(f);
    n = fread(out, 1, size - 1, f);
    out[n] = '\0';
    fclose(f);
    unlink(path);
}

/* Redirects a standard descriptor to a file. Returns a copy of the old descriptor. */
static int redirect(int fd, const char *path)
{
    int old = dup(fd), to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(old >= 0 && to >= 0);
    dup2(to, fd);
    close(to);
    return old;
}

static void restore(int fd, int old)
{
    dup2(old, fd);
    close(old);
}

/* Runs the command and returns its exit code. The output is in `output` and `errors`. */
static int inspect_words(int argc, char **argv)
{
    char out[64], err[64];
    int old_out, old_err, ret;

    snprintf(out, sizeof out, "/tmp/vivace-inspect-%d.out", (int)getpid());
    snprintf(err, sizeof err, "/tmp/vivace-inspect-%d.err", (int)getpid());
    fflush(stdout);
    old_out = redirect(STDOUT_FILENO, out);
    old_err = redirect(STDERR_FILENO, err);
    ret = cmd_inspect(argc, argv);
    fflush(stdout);
    restore(STDOUT_FILENO, old_out);
    restore(STDERR_FILENO, old_err);
    read_back(out, output, sizeof output);
    read_back(err, errors, sizeof errors);
    return ret;
}

static int inspect(const char *a, const char *b, const char *c)
{
    char *argv[] = {(char *)"inspect", (char *)a, (char *)b, (char *)c, NULL};

    return inspect_words(2 + (b != NULL) + (c != NULL), argv);
}

static const char *trace_file(const char *text)
{
    static char path[64];
    FILE *f;

    snprintf(path, sizeof path, "/tmp/vivace-inspect-%d.json", (int)getpid());
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

static json_int_t number(json_t *j, const char *key)
{
    json_t *value = json_object_get(j, key);

    if (!json_is_integer(value))
        fail_msg("%s is no whole number in %s", key, output);
    return json_integer_value(value);
}

static void json_has_the_promised_shape(void **state)
{
    const char *path = trace_file("[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\",\"ts\":5,\"dur\":3},"
                                  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"b\",\"ts\":9,\"dur\":1},"
                                  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"b\",\"ts\":9}]");
    json_t *j, *top;

    (void)state;
    assert_int_equal(inspect(path, "--json", NULL), 0);
    j = json_loads(output, 0, NULL);
    assert_non_null(j);
    assert_string_equal(json_string_value(json_object_get(j, "format")), "kineto");
    assert_int_equal(number(j, "launches"), 2);
    assert_int_equal(number(j, "kernels"), 2);
    assert_int_equal(number(j, "total_ns"), 4000);
    assert_int_equal(number(j, "dropped"), 1);
    assert_true(json_is_array(json_object_get(j, "warnings")));
    assert_int_equal(number(j, "kernel_shapes"), 2);
    assert_int_equal(number(j, "makespan_ns"), 4000);
    assert_string_equal(json_string_value(json_object_get(j, "unit")), "ns");
    top = json_array_get(json_object_get(j, "top_kernels"), 0);
    assert_string_equal(json_string_value(json_object_get(top, "kernel")), "a");
    CHECK_NEAR(json_real_value(json_object_get(top, "share")), 0.75, 1e-12);
    json_decref(j);
    unlink(path);
}

static void traces_have_no_times(void **state)
{
    json_t *j;

    (void)state;
    assert_int_equal(inspect(shared_data("traces/rodinia-bfs-sm80.tar.zst"), "--json", NULL), 0);
    j = json_loads(output, 0, NULL);
    assert_non_null(j);
    assert_true(json_is_null(json_object_get(j, "total_ns")));
    assert_int_equal(number(j, "total_warp_instructions"), 159509);
    json_decref(j);
}

static void csv_lists_the_kernels(void **state)
{
    const char *path = trace_file("[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a, b\",\"ts\":5,\"dur\":3}]");

    (void)state;
    assert_int_equal(inspect(path, "--csv", NULL), 0);
    assert_string_equal(output, "share,total_ns,launches,shapes,class,kernel\r\n1,3000,1,1,other,\"a, b\"\r\n");
    unlink(path);
}

static void people_see_reasons_and_no_escape_codes(void **state)
{
    const char *path =
        trace_file("[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"\\u001b]0;x\\u0007<script>\",\"ts\":5,\"dur\":3},"
                   "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"\\u001b[2J\",\"ts\":9}]");

    (void)state;
    assert_int_equal(inspect(path, NULL, NULL), 0);
    assert_non_null(strstr(output, "dropped 1: the launch has no end time"));
    assert_non_null(strstr(output, "?]0;x?<script>"));
    assert_null(strchr(output, '\033'));
    unlink(path);
}

static void failures_have_their_exit_codes(void **state)
{
    const char *path = trace_file("NVIDIA Tegra Profiler Report 1.");

    (void)state;
    assert_int_equal(inspect(path, "--json", NULL), 65);
    assert_string_equal(output, "");
    assert_non_null(strstr(errors, "nsys export --type sqlite"));
    assert_int_equal(inspect("/nowhere/report.sqlite", NULL, NULL), 66);
    assert_int_equal(inspect(path, "--no-such-option", NULL), 64);
    assert_int_equal(inspect("--help", NULL, NULL), 0);
    assert_non_null(strstr(output, "Examples:"));
    unlink(path);
}

/* The member of the last row, in seconds. */
static double last_row(const json_t *root, const char *group, const char *name)
{
    const json_t *rows = json_object_get(root, "rows"), *row = json_array_get(rows, json_array_size(rows) - 1);

    return json_number_value(json_object_get(group ? json_object_get(row, group) : row, name));
}

static json_t *retimed_for(const char *system)
{
    char to[200];
    char *argv[] = {(char *)"inspect",
                    (char *)shared_data("nsys/h100x2-2026.2.sqlite"),
                    (char *)"--timeline",
                    (char *)"--profiled-system=hgx-h100",
                    to,
                    (char *)"--json",
                    NULL};
    json_t *root;

    snprintf(to, sizeof to, "--system=%s", system);
    assert_int_equal(inspect_words(6, argv), 0);
    root = json_loads(output, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(root, "rows")), 3);
    return root;
}

/* On its own system nothing changes; with half the NVLink bandwidth only collectives do: in full on the critical
 * path, and twice less the part of a step's latency. */
static void a_run_is_retimed_for_another_system(void **state)
{
    static const char *const others[] = {"calls", "kernels", "copies", "fills", "cpu", "latency"};
    const char *path = "/tmp/vivace-inspect-half.json";
    char *half[] = {(char *)"scale",
                    (char *)"hgx-h100",
                    (char *)"--set",
                    (char *)"links.nvlink.gbs=x0.5",
                    (char *)"--out",
                    (char *)path,
                    NULL};
    json_t *own = retimed_for("hgx-h100"), *other;
    double collectives = last_row(own, "critical_path_s", "collectives"), changed;

    (void)state;
    CHECK_NEAR(last_row(own, NULL, "change"), 0, 1e-9);
    unlink(path);
    assert_int_equal(design_scale(6, half), 0);
    other = retimed_for(path);
    changed = last_row(other, "critical_path_s", "collectives");
    assert_true(changed > 1.8 * collectives && changed < 2 * collectives);
    /* where a collective is now longer than the kernels beside it, the path leaves those */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(fabs(last_row(other, "critical_path_s", others[i]) -
                         last_row(own, "critical_path_s", others[i])) < 1e-4);
    assert_true(fabs(last_row(other, NULL, "makespan_s") - last_row(own, NULL, "makespan_s") - changed +
                     collectives) < 1e-4);
    json_decref(own);
    json_decref(other);
    unlink(path);
}

static void wrong_systems_are_refused(void **state)
{
    const char *path = shared_data("nsys/h100x2-2026.2.sqlite");
    char *argv[] = {(char *)"inspect",           (char *)path,
                    (char *)"--timeline",        (char *)"--profiled-system=hgx-h100",
                    (char *)"--system=hgx-h101", NULL};

    (void)state;
    assert_int_equal(inspect(path, "--system=hgx-h100", NULL), 64);
    assert_non_null(strstr(errors, "--system needs --timeline"));
    assert_int_equal(inspect(path, "--timeline", "--system=hgx-h100"), 64);
    assert_non_null(strstr(errors, "--system and --profiled-system need each other"));
    assert_int_equal(inspect_words(5, argv), 66);
    assert_non_null(strstr(errors, "--system: there is no built-in system `hgx-h101`"));
}

static void a_run_is_retimed(void **state)
{
    const char *report = shared_data("nsys/h100x2-2026.2.sqlite");
    json_t *root;
    const json_t *row;

    (void)state;
    assert_int_equal(inspect(report, "--timeline", "--json"), 0);
    root = json_loads(output, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(root, "calls")), 7466);
    assert_int_equal(json_array_size(json_object_get(root, "rows")), 2);
    assert_int_equal(json_integer_value(json_object_get(root, "collectives")),
                     json_integer_value(json_object_get(root, "linked_collectives")));
    row = json_array_get(json_object_get(root, "rows"), 1);
    assert_true(fabs(json_number_value(json_object_get(row, "change"))) < 0.05);
    json_decref(root);
    assert_int_equal(inspect(report, "--timeline", "--times=collectives=2,kernels=1"), 0);
    assert_non_null(strstr(output, "2 processes, 4 threads, 2 GPUs, 8 streams; 7466 calls"));
    assert_non_null(strstr(output, " kernels of collectives wait for other GPUs\n"));
    assert_non_null(strstr(output, "\ncollectives=2,kernels=1 "));
    assert_int_equal(inspect(report, "--timeline", "--csv"), 0);
    assert_non_null(strstr(output, "run,makespan_ns,change,kernels_ns,"));
}

static void wrong_factors_are_refused(void **state)
{
    const char *path = trace_file("{\"traceEvents\":[]}");

    (void)state;
    assert_int_equal(inspect(path, "--times=kernels=2", NULL), 64);
    assert_non_null(strstr(errors, "--times needs --timeline"));
    unlink(path);
    path = shared_data("nsys/h100x2-2026.2.sqlite");
    assert_int_equal(inspect(path, "--timeline", "--times=kernel=2"), 64);
    assert_non_null(strstr(errors, "`kernel` must be calls, kernels, collectives, copies or fills"));
    assert_int_equal(inspect(path, "--timeline", "--times=kernels"), 64);
    assert_non_null(strstr(errors, "kernels needs a factor of 0 to 1000000"));
    assert_int_equal(inspect(path, "--timeline", "--times=kernels=-1"), 64);
    assert_int_equal(inspect(path, "--timeline", "--times=kernels=1,"), 64);
    assert_int_equal(inspect(path, "--timeline", "--by=layer"), 64);
    assert_non_null(strstr(errors, "--timeline excludes --by and --top"));
    assert_int_equal(inspect(path, "--timeline", "--top=3"), 64);
}

static void only_nsys_has_a_timeline(void **state)
{
    (void)state;
    assert_int_equal(inspect(shared_data("traces/rodinia-bfs-sm80.tar.zst"), "--timeline", NULL), 65);
    assert_non_null(strstr(errors, "--timeline needs calls of the CUDA API"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_promised_shape),
        cmocka_unit_test(traces_have_no_times),
        cmocka_unit_test(csv_lists_the_kernels),
        cmocka_unit_test(people_see_reasons_and_no_escape_codes),
        cmocka_unit_test(failures_have_their_exit_codes),
        cmocka_unit_test(a_run_is_retimed),
        cmocka_unit_test(a_run_is_retimed_for_another_system),
        cmocka_unit_test(wrong_systems_are_refused),
        cmocka_unit_test(wrong_factors_are_refused),
        cmocka_unit_test(only_nsys_has_a_timeline),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
