/* Profiles that are not regular files: pipes, and reports that a tool must export first. */
#include <fcntl.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/input/input_file.h"
#include "tests/unit/cli/printed.h"

static char folder[64], report[96], tool[96];

static const char table[] = "kernel,grid,block,instructions\nk,4x1x1,32x1x1,100\nk,4x1x1,32x1x1,120\n";

static void write_file(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-input-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(report, sizeof report, "%s/step.nsys-rep", folder);
    snprintf(tool, sizeof tool, "%s/tool", folder);
    write_file(report, "NVIDIA Tegra Profiler Report 1.0 and more", 0600);
    setenv("TMPDIR", folder, 1);
    return 0;
}

static int remove_folder(void **state)
{
    char line[120];

    (void)state;
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line);
}

/* Checks that only the report and the tool are in the folder. */
static void nothing_is_left(void)
{
    char line[160];

    snprintf(line, sizeof line, "[ \"$(ls '%s' | grep -vx -e step.nsys-rep -e tool -e pipe | wc -l)\" = 0 ]",
             folder);
    assert_int_equal(system(line), 0);
}

static void a_pipe_is_copied(void **state)
{
    char path[96];
    pid_t writer;

    (void)state;
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    writer = fork();
    if (writer == 0) {
        int fd = open(path, O_WRONLY);

        _exit(write(fd, table, sizeof table - 1) == sizeof table - 1 ? 0 : 1);
    }
    if (RUN(cmd_inspect, "inspect", path, "--json") != 0)
        fail_msg("%s", errors);
    assert_non_null(strstr(output, "\"instructions-csv\""));
    unlink(path);
    nothing_is_left();
}

static void standard_input_is_a_dash(void **state)
{
    FILE *f = tmpfile();
    int old = dup(STDIN_FILENO);

    (void)state;
    assert_true(f && old >= 0);
    fputs(table, f);
    rewind(f);
    dup2(fileno(f), STDIN_FILENO);
    if (RUN(cmd_inspect, "inspect", "-") != 0)
        fail_msg("%s", errors);
    assert_non_null(strstr(output, "2 of 1 kernel"));
    assert_int_equal(RUN(cmd_inspect, "inspect", "-"), 65); /* it was read to its end */
    assert_non_null(strstr(errors, "standard input: the file is empty"));
    dup2(old, STDIN_FILENO);
    close(old);
    fclose(f);
    nothing_is_left();
}

static void a_report_is_exported(void **state)
{
    struct input_file in;
    struct err e;

    (void)state;
    setenv("NSYS", tool, 1);
    write_file(tool,
               "#!/bin/sh\n[ \"$1 $2 $3\" = 'export --type sqlite' ] || exit 3\n"
               "while [ $# -gt 1 ]; do [ \"$1\" != --output ] || out=$2; shift; done\n"
               "printf 'kernel,grid,block,instructions\\nk,4x1x1,32x1x1,100\\n' >\"$out\"\n",
               0700);
    CHECK_OK(input_file_open(&in, report, &e), &e);
    assert_string_equal(in.name, "step.sqlite");
    assert_non_null(in.copy);
    input_file_close(&in);
    if (RUN(cmd_inspect, "inspect", report) != 0)
        fail_msg("%s", errors);
    nothing_is_left();
}

static void a_tool_that_fails_is_quoted(void **state)
{
    (void)state;
    setenv("NSYS", tool, 1);
    write_file(tool, "#!/bin/sh\necho first\necho 'Unsupported report version 9'\necho\nexit 1\n", 0700);
    assert_int_equal(RUN(cmd_inspect, "inspect", report), 65);
    assert_non_null(strstr(errors, "cannot export"));
    assert_non_null(
        strstr(errors, "Unsupported report version 9. An older nsys cannot read reports of a newer one"));
    setenv("NSYS", "/nowhere/nsys", 1);
    assert_int_equal(RUN(cmd_inspect, "inspect", report), 66);
    assert_non_null(strstr(errors, "cannot start /nowhere/nsys"));
    nothing_is_left();
}

static void without_the_tool_the_importer_says_what_to_do(void **state)
{
    const char *old = getenv("PATH");
    char path[4096];

    (void)state;
    snprintf(path, sizeof path, "%s", old ? old : "");
    unsetenv("NSYS");
    setenv("PATH", folder, 1);
    assert_int_equal(RUN(cmd_inspect, "inspect", report), 65);
    assert_non_null(strstr(errors, "Export it first: nsys export"));
    setenv("PATH", path, 1);
    nothing_is_left();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_is_copied),
        cmocka_unit_test(standard_input_is_a_dash),
        cmocka_unit_test(a_report_is_exported),
        cmocka_unit_test(a_tool_that_fails_is_quoted),
        cmocka_unit_test(without_the_tool_the_importer_says_what_to_do),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
