/* vivace design: lists, shows and compares designs; a derived design passes check and diff; errors are reported. */
#include <signal.h>
#include <sys/resource.h>

#include "base/whole_file.h"
#include "cli/cli.h"
#include "simcore/simcore.h"
#include "tests/unit/cli/printed.h"

#define DESIGN(...) run_words(cli_command, (const char *const[]){"design", __VA_ARGS__, NULL})

static void the_list_has_every_design(void **state)
{
    json_t *root;
    size_t i = 0;

    (void)state;
    assert_int_equal(DESIGN("list", "--json"), 0);
    root = json_loads(output, 0, NULL);
    for (const char *const *name = design_builtin_names(); *name; name++, i++) {
        const json_t *row = json_array_get(json_object_get(root, "designs"), i);

        assert_string_equal(json_string_value(json_object_get(row, "name")), *name);
        assert_true(json_integer_value(json_object_get(row, "sms")) > 4);
        assert_true(json_number_value(json_object_get(row, "gbs")) > 100);
    }
    assert_int_equal(json_array_size(json_object_get(root, "designs")), i);
    json_decref(root);
    assert_int_equal(DESIGN("list"), 0);
    assert_non_null(strstr(output, "rtx4090    Ada           128    2520         1008   73728"));
    assert_int_equal(DESIGN("list", "--csv"), 0);
    assert_non_null(strstr(output, "name,architecture,sms,sm_mhz,gbs,l2_kb,title,sha256\r\n"));
}

static void show_says_what_a_number_is_and_where_it_comes_from(void **state)
{
    json_t *root;

    (void)state;
    assert_int_equal(DESIGN("show", "v100", "units.fp64"), 0);
    assert_non_null(strstr(output, "units.fp64.latency  8 cycles"));
    assert_non_null(strstr(output, "Jia et al."));
    assert_null(strstr(output, "units.fp32"));
    assert_int_equal(DESIGN("show", "v100", "dram.latency_ns"), 0);
    assert_non_null(strstr(output, "431 clocks at 1380 MHz"));
    assert_int_equal(DESIGN("show", "v100"), 0);
    assert_non_null(strstr(output, "Sources:\n  V  "));
    assert_int_equal(DESIGN("show", "v100", "--json"), 0);
    root = json_loads(output, 0, NULL);
    assert_true(json_array_size(json_object_get(root, "parameters")) > 100);
    json_decref(root);
    assert_int_equal(DESIGN("show", "v100", "l2.slice"), 66);
    assert_non_null(strstr(errors, "did you mean l2.slices?"));
}

static void a_derived_design_checks_and_differs(void **state)
{
    char folder[] = "/tmp/vivace-test-design-XXXXXX", file[80], command[120];
    int same, all;
    json_t *root;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/wide.json", folder);
    assert_int_equal(DESIGN("scale", "v100", "--set", "gpu.sms=160", "--set", "dram.gbs=x2", "--out", file), 0);
    assert_int_equal(DESIGN("check", file), 0);
    assert_non_null(strstr(output, "has no fault: design v100-sms-160-dram-gbs-x2, "));
    assert_int_equal(DESIGN("diff", "v100", file, "--json"), 0);
    root = json_loads(output, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(root, "differences")), 2);
    json_decref(root);
    assert_int_equal(DESIGN("diff", "v100", file), 0);
    assert_non_null(strstr(output, "parameter  v100  v100-sms-160-dram-gbs-x2  unit"));
    assert_int_equal(DESIGN("diff", "v100", "v100"), 0);
    assert_int_equal(sscanf(output, "%d of %d parameters are the same", &same, &all), 2);
    assert_true(same == all && all > 100);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void what_is_wrong_is_reported(void **state)
{
    char path[] = "/tmp/vivace-test-design-XXXXXX";
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(write(fd, "{\"format\": \"vivace-design\"}", 27), 27);
    close(fd);
    assert_int_equal(DESIGN("check", path), 65);
    assert_non_null(strstr(output, "\"version\" must be 1"));
    assert_non_null(strstr(errors, "fault"));
    assert_int_equal(DESIGN("check", path, "--json"), 65);
    assert_non_null(strstr(output, "\"faults\": ["));
    unlink(path);
    assert_int_equal(DESIGN("check", path), 66);
    assert_int_equal(DESIGN("scale", "v100"), 64);
    assert_int_equal(DESIGN("scale", "v100", "--set", "gpu.sms"), 64);
    assert_int_equal(DESIGN("scale", "v100", "--set", "gpu.sms=many"), 65);
    assert_int_equal(DESIGN("scale", "v100", "--set", "gpu.sm=4"), 65);
    assert_non_null(strstr(errors, "the nearest is `gpu.sms`"));
    assert_int_equal(DESIGN("frobnicate"), 64);
}

static void every_part_explains_itself(void **state)
{
    static const char *const parts[] = {"list", "show", "diff", "check", "scale"};

    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_int_equal(DESIGN(parts[i], "--help"), 0);
        assert_non_null(strstr(output, "Examples:\n  vivace design "));
    }
}

/* A write that fails, as on a full disk, leaves the old file and no partial file. */
static void a_file_that_cannot_be_written_is_left_as_it_was(void **state)
{
    char folder[] = "/tmp/vivace-design-XXXXXX", path[64], *text;
    struct rlimit most;
    struct err e;
    size_t n;
    int code;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/half.json", folder);
    CHECK_OK(whole_file_write(path, "before", 6, &e), &e);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &most), 0);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){2048, most.rlim_max});
    code = DESIGN("scale", "v100", "--set", "gpu.sms=40", "--out", path);
    setrlimit(RLIMIT_FSIZE, &most);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(code, 74);
    CHECK_OK(whole_file_read(path, 100, &text, &n, &e), &e);
    assert_string_equal(text, "before");
    free(text);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* no partial file either */
    assert_int_equal(DESIGN("scale", "v100", "--set", "gpu.sms=40", "--out", "/dev/full"), 74);
    assert_int_equal(access("/dev/full", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_has_every_design),
        cmocka_unit_test(show_says_what_a_number_is_and_where_it_comes_from),
        cmocka_unit_test(a_derived_design_checks_and_differs),
        cmocka_unit_test(what_is_wrong_is_reported),
        cmocka_unit_test(every_part_explains_itself),
        cmocka_unit_test(a_file_that_cannot_be_written_is_left_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
