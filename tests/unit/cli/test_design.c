/* vivace design: lists, shows and compares designs; a derived design passes check and diff; errors are reported. */
#include <signal.h>
#include <sys/resource.h>

#include "base/whole_file.h"
#include "cli/cli.h"
#include "simcore/simcore.h"
#include "simcore/system/system.h"
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

static void systems_are_listed_and_shown(void **state)
{
    json_t *root;
    const json_t *row;
    size_t i = 0;

    (void)state;
    assert_int_equal(DESIGN("list", "--systems", "--json"), 0);
    root = json_loads(output, 0, NULL);
    for (const char *const *name = system_builtin_names(); *name; name++, i++) {
        row = json_array_get(json_object_get(root, "systems"), i);
        assert_string_equal(json_string_value(json_object_get(row, "name")), *name);
        assert_true(json_integer_value(json_object_get(row, "gpus")) > 1);
    }
    json_decref(root);
    assert_int_equal(DESIGN("list", "--systems"), 0);
    assert_non_null(strstr(output, "dgx1-v100       8  v100        2         4   13.09 to 48.53"));
    assert_int_equal(DESIGN("show", "dgx1-v100"), 0);
    assert_non_null(strstr(output, "links.nvlink.gbs            25.78125  GB/s   SMI"));
    assert_non_null(strstr(output, "gpu0  gpu3      8  nvlink x2                    48.5         600"));
    assert_int_equal(DESIGN("show", "dgx1-v100", "nodes.gpu"), 0);
    assert_non_null(strstr(output, "nodes.gpu.ports.nvlink  6 count"));
    assert_int_equal(DESIGN("show", "gb200-nvl72", "--pairs", "--csv"), 0);
    assert_non_null(strstr(output, "from,to,pairs,over,gbs,latency_ns,us_4kib,us_64mib\r\n"));
    assert_int_equal(DESIGN("show", "gb200-nvl72", "--json"), 0);
    root = json_loads(output, 0, NULL);
    row = json_array_get(json_object_get(root, "pairs"), 1); /* first the pairs with a CPU */
    assert_int_equal(json_integer_value(json_object_get(row, "pairs")), 72 * 71 / 2);
    json_decref(root);
}

static void a_copy_between_two_nodes(void **state)
{
    json_t *root;

    (void)state;
    assert_int_equal(DESIGN("show", "dgx1-v100", "--from", "gpu0", "--to", "gpu5", "--bytes", "1048576"), 0);
    assert_non_null(strstr(output, "gpu0 – plx0 – cpu0 – cpu1 – plx2 – gpu5"));
    assert_non_null(strstr(output, "1 MiB of data in 84.4 µs, 12.4 GB/s"));
    assert_int_equal(DESIGN("show", "dgx2", "--from", "gpu0", "--to", "gpu9", "--json"), 0);
    root = json_loads(output, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(root, "nodes")), 4);
    assert_int_equal(json_integer_value(json_object_get(root, "bytes")), 64 << 20);
    CHECK_NEAR(json_number_value(json_object_get(root, "copy_gbs")), 145.6, 0.01);
    json_decref(root);
}

static void a_derived_system_is_checked(void **state)
{
    char folder[] = "/tmp/vivace-design-XXXXXX", path[64];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/half.json", folder);
    assert_int_equal(DESIGN("scale", "dgx-a100", "--set", "links.nvlink.gbs=x0.5", "--name", "half", "--out", path),
                     0);
    assert_int_equal(DESIGN("check", path), 0);
    assert_non_null(strstr(output, "has no fault: system half, "));
    assert_int_equal(DESIGN("check", path, "--json"), 0);
    assert_non_null(strstr(output, "\"name\": \"half\""));
    assert_int_equal(DESIGN("show", path, "--from", "gpu0", "--to", "gpu1"), 0);
    assert_non_null(strstr(output, "limit    133 GB/s"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void collectives_are_shown_by_size_and_by_way(void **state)
{
    json_t *root, *ways;

    (void)state;
    assert_int_equal(DESIGN("collective", "hgx-h100"), 0);
    assert_non_null(strstr(output, "hgx-h100: allreduce over 8 GPUs, 24 channels\n"));
    assert_non_null(strstr(output, "limited by gpu0 to nvswitch0"));
    assert_non_null(strstr(output, "  1 GiB  nvls"));
    assert_int_equal(DESIGN("collective", "dgx1-v100", "--ranks", "2", "--channels", "1"), 0);
    assert_non_null(strstr(output, "allreduce over 2 GPUs, 1 channel\n"));
    assert_non_null(strstr(output, "limited by 1 ring on a link of nvlink;"));
    assert_int_equal(DESIGN("collective", "dgx1-v100", "--op", "allgather", "--ranks", "4", "--csv"), 0);
    assert_non_null(
        strstr(output, "bytes,algorithm,protocol,us,latency_us,transfer_us,bus_gbs,why\r\n1024,ring,LL,"));
    assert_int_equal(DESIGN("collective", "hgx-h100", "--size", "16MiB"), 0);
    assert_non_null(strstr(output, "ring with LL128 takes the least time. The next, ring with Simple"));
    assert_int_equal(DESIGN("collective", "hgx-h100", "--size", "1GiB", "--algorithm", "NVLS"), 0);
    assert_non_null(strstr(output, "nvls with Simple is the only way."));
    assert_int_equal(DESIGN("collective", "hgx-h100", "--size", "1GiB", "--channels", "2", "--json"), 0);
    root = json_loads(output, 0, NULL);
    ways = json_object_get(root, "ways");
    assert_int_equal(json_integer_value(json_object_get(root, "channels")), 2);
    assert_int_equal(json_array_size(ways), 7);
    assert_string_equal(json_string_value(json_object_get(json_array_get(ways, 0), "algorithm")), "nvls");
    /* two channels carry 77.4 GB/s; the bus bandwidth is 14/9 of that, less the latency */
    CHECK_NEAR(json_number_value(json_object_get(json_array_get(ways, 0), "bus_gbs")), 119.6, 0.2);
    json_decref(root);
}

static void what_is_wrong_with_systems_is_reported(void **state)
{
    static const struct {
        const char *words[8];
        int code;
        const char *want;
    } rows[] = {
        {{"show", "dgx2", "--from", "gpu0"}, 64, "--to is missing"},
        {{"show", "dgx2", "--from", "gpu0", "--to", "gpu99"}, 66, "dgx2 has no node `gpu99`"},
        {{"show", "dgx2", "--from", "gpu0", "--to", "gpu0"}, 66, "both are the same node"},
        {{"show", "gb200-nvl72", "--from", "gpu0", "--to", "cpu9"}, 66, "no route from gpu0 to cpu9"},
        {{"show", "dgx2", "links", "--pairs"}, 64, "exclude each other"},
        {{"show", "dgx2", "--from", "gpu0", "--to", "gpu1", "--csv"}, 64, "one copy is not a table"},
        {{"show", "dgx2", "--from", "gpu0", "--to", "gpu1", "--pairs"}, 64, "--pairs excludes --from"},
        {{"show", "v100", "--pairs"}, 64, "v100 is one GPU"},
        {{"show", "dgx2", "link"}, 66, "no parameter or group `link`"},
        {{"diff", "dgx2", "v100"}, 64, "dgx2 is a system"},
        {{"scale", "dgx2", "--set", "links.nvlink.gbs=0"}, 65, "links.nvlink.gbs: 0 is outside"},
        {{"scale", "dgx2", "--set", "links.nvlink.gbs=1", "--name", "dgx2"}, 64, "a built-in design has that name"},
        {{"list", "--systems", "--farm"}, 64, "exclude each other"},
        {{"collective", "dgx2", "--op", "alltoall"}, 64, "there is no `alltoall`"},
        {{"collective", "dgx2", "--ranks", "17"}, 64, "dgx2 has 16 GPUs, not 17"},
        {{"collective", "dgx2", "--ranks", "1"}, 65, "needs 2 to 16 GPUs, not 1"},
        {{"collective", "dgx2", "--size", "0"}, 64, "must be 1 byte to 1 TiB"},
        {{"collective", "dgx2", "--size", "2GX"}, 64, "the unit \"GX\" is not known"},
        {{"collective", "dgx2", "--algorithm", "nvls"}, 65, "cannot be done this way"},
        {{"collective", "dgx2", "--channels", "65"}, 64, "at most 64"},
        {{"collective", "a100"}, 66, "no built-in system `a100`"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *words[10] = {"design"};

        for (size_t k = 0; k < 8; k++)
            words[k + 1] = rows[i].words[k];
        if (run_words(cli_command, words) != rows[i].code || !strstr(errors, rows[i].want))
            fail_msg("design %s %s: got \"%s\"", words[1], words[2], errors);
    }
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
        cmocka_unit_test(systems_are_listed_and_shown),
        cmocka_unit_test(a_copy_between_two_nodes),
        cmocka_unit_test(a_derived_system_is_checked),
        cmocka_unit_test(collectives_are_shown_by_size_and_by_way),
        cmocka_unit_test(what_is_wrong_with_systems_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
