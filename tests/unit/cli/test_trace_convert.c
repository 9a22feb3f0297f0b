/* vivace trace convert: the content of the .vtrace file, and no files left after a failure. */
#include <dirent.h>

#include "cli/cli.h"
#include "simcore/trace/vtrace.h"
#include "tests/harness/folder.h"
#include "tests/unit/cli/printed.h"

#define KERNEL(name, id, last)                                                                                     \
    "-kernel name = " name "\n-kernel id = " id "\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 8\n"       \
    "-binary version = 80\n-accelsim tracer version = 5\n#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n"     \
    "insts = 3\n0000 ffffffff 1 R1 MOV 1 R2 0 7\n0010 0000000f 0 SHFL.IDX 2 R5 R4 0 0\n" last "#END_TB\n"
#define EXIT "0020 ffffffff 0 EXIT 0 0 0\n"
#define SASS                                                                                                       \
    "\t\tFunction : first\n /*0000*/ MOV R1, R2 ; /* 0x00000a0000017a02 */\n /* 0x000fe40000000f00 */\n"           \
    " /*0010*/ NOP ; /* 0x0000000000007918 */\n /* 0x000fc00000000000 */\n"

/* Number of files in the folder without the inputs. */
static int made_files(void)
{
    DIR *d = opendir(folder);
    struct dirent *entry;
    int n = 0;

    assert_non_null(d);
    while ((entry = readdir(d)))
        n += entry->d_name[0] != '.'
                 ? strncmp(entry->d_name, "kernel-", 7) != 0 && strcmp(entry->d_name, "k.sass") != 0
                 : strlen(entry->d_name) > 2;
    closedir(d);
    return n;
}

static void put_two_kernels(void)
{
    put("kernel-4.traceg", KERNEL("first", "4", EXIT));
    put("kernel-7.traceg", KERNEL("second", "7", EXIT));
    unlink(in_folder("out.vtrace"));
}

/* Opens out.vtrace and reads the instructions of its first launch, with the control words of the first two. */
static void check_out(size_t launches, const char *first_name, uint32_t control[2])
{
    struct inst_source *s;
    struct cta_trace *cta;
    struct vtrace *v;
    struct err e;

    CHECK_OK(vtrace_open(in_folder("out.vtrace"), &v, &e), &e);
    assert_int_equal(vtrace_launch_count(v), launches);
    assert_string_equal(vtrace_launch_at(v, 0)->info.name, first_name);
    assert_true(vtrace_launch_at(v, 0)->repairs.destination_from_source == 1);
    CHECK_OK(vtrace_source(v, 0, &s, &e), &e);
    assert_int_equal(inst_source_next_cta(s, &cta, &e), 1);
    assert_int_equal(cta->warps[0].count, 3);
    for (int i = 0; i < 2; i++)
        control[i] = s->insts[cta->warps[0].insts[i].inst].control;
    inst_source_release_cta(s, cta);
    inst_source_release(s);
    vtrace_close(v);
}

static void all_launches_come_in_their_order(void **state)
{
    uint32_t control[2];
    json_t *j;

    (void)state;
    put_two_kernels();
    assert_int_equal(RUN(cli_command, "trace", "convert", folder, in_folder("out.vtrace"), "--json"), 0);
    j = printed_json();
    assert_int_equal(json_integer_value(json_object_get(j, "kernels")), 2);
    assert_int_equal(json_integer_value(json_object_get(j, "warp_instructions")), 6);
    assert_true(json_number_value(json_object_get(j, "bytes")) > 0);
    json_decref(j);
    check_out(2, "first", control);
    assert_int_equal(control[0], 0);
    assert_int_equal(made_files(), 1);
}

/* Such a path was once reported as out of memory, after all the work. */
static void a_path_that_is_no_text_is_reported_as_far_as_it_is(void **state)
{
    const char *file;
    json_t *j;

    (void)state;
    put_two_kernels();
    assert_int_equal(RUN(cli_command, "trace", "convert", folder, in_folder("caf\xff.vtrace"), "--json"), 0);
    j = printed_json();
    file = json_string_value(json_object_get(j, "file"));
    assert_true(file && strlen(file) > 11);
    assert_string_equal(file + strlen(file) - 11, "caf?.vtrace");
    json_decref(j);
    unlink(in_folder("caf\xff.vtrace"));
}

static void the_other_commands_read_what_was_written(void **state)
{
    const char *out;
    FILE *f;
    json_t *j;

    (void)state;
    put_two_kernels();
    out = in_folder("out.vtrace");
    assert_int_equal(RUN(cli_command, "trace", "convert", folder, out), 0);
    assert_int_equal(RUN(cli_command, "trace", "diff", in_folder("kernel-7.traceg"), out, "--kernel", "7"), 0);
    assert_int_equal(RUN(cli_command, "trace", "info", out, "--json"), 0);
    j = printed_json();
    assert_int_equal(json_integer_value(json_object_get(json_object_get(j, "parts"), "kernels")), 2);
    json_decref(j);
    assert_int_equal(RUN(cli_command, "trace", "dump", out, "--kernel", "7", "--cta", "0"), 0);
    assert_non_null(strstr(output, "R5 <- R4"));
    assert_int_equal(RUN(cli_command, "trace", "dump", out, "--kernel", "7", "--cta", "1"),
                     err_exit_code(ERR_NOT_FOUND));
    assert_int_equal(RUN(cli_command, "trace", "dump", in_folder("kernel-7.traceg"), "--cta", "1"),
                     err_exit_code(ERR_NOT_FOUND));
    assert_int_equal(RUN(cli_command, "trace", "verify", out), 0);
    f = fopen(out, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, 40, SEEK_SET), 0);
    fputc(0x5a, f);
    fclose(f);
    assert_int_equal(RUN(cli_command, "trace", "verify", out), err_exit_code(ERR_INVALID));
}

static void only_the_launches_asked_for(void **state)
{
    uint32_t control[2];

    (void)state;
    put_two_kernels();
    assert_int_equal(RUN(cli_command, "trace", "convert", folder, in_folder("out.vtrace"), "--launches", "1,6-9"),
                     0);
    check_out(1, "second", control);
    unlink(in_folder("out.vtrace"));
    assert_int_equal(RUN(cli_command, "trace", "convert", folder, in_folder("out.vtrace"), "--launches", "5"),
                     err_exit_code(ERR_NOT_FOUND));
    assert_int_equal(made_files(), 0);
}

static void a_disassembly_adds_control_words(void **state)
{
    uint32_t control[2];

    (void)state;
    put_two_kernels();
    put("k.sass", SASS);
    assert_int_equal(
        RUN(cli_command, "trace", "convert", folder, in_folder("out.vtrace"), "--sass", in_folder("k.sass")), 0);
    check_out(2, "first", control);
    assert_true(control[0] & CONTROL_KNOWN); /* MOV */
    assert_int_equal(control[1], 0);         /* SHFL in the trace, NOP in the disassembly */
    assert_non_null(
        strstr(output, "control    known of 1 static instructions; 1 have no such PC, 1 another opcode"));
    assert_non_null(strstr(output, "1 launch is of kernels that the disassembly does not hold"));
}

static void a_failure_leaves_nothing_behind(void **state)
{
    (void)state;
    put_two_kernels();
    put("kernel-7.traceg", KERNEL("second", "7", "0020 what\n"));
    assert_int_equal(RUN(cli_command, "trace", "convert", folder, in_folder("out.vtrace")),
                     err_exit_code(ERR_INVALID));
    assert_non_null(strstr(errors, "kernel-7.traceg"));
    assert_int_equal(made_files(), 0);
}

static void damaged_warps_are_taken_when_asked_for(void **state)
{
    json_t *j;

    (void)state;
    put_two_kernels();
    put("kernel-7.traceg", KERNEL("second", "7", EXIT EXIT));
    assert_int_equal(RUN(cli_command, "trace", "convert", folder, in_folder("out.vtrace")),
                     err_exit_code(ERR_INVALID));
    assert_int_equal(RUN(cli_command, "trace", "convert", folder, in_folder("out.vtrace"), "--tolerate", "--json"),
                     0);
    j = printed_json();
    assert_int_equal(json_integer_value(json_object_get(json_object_get(j, "repairs"), "damaged_warps")), 1);
    assert_int_equal(json_integer_value(json_object_get(j, "warp_instructions")), 7);
    json_decref(j);
    unlink(in_folder("out.vtrace"));
}

static void lines_that_make_no_sense(void **state)
{
    static const struct {
        const char *in, *out, *option, *value;
        enum err_code code;
    } cases[] = {
        {"", "out.traceg", NULL, NULL, ERR_USAGE},
        {"kernel-4.traceg", "kernel-4.traceg", NULL, NULL, ERR_USAGE},
        {"", "out.vtrace", "--launches", "4-", ERR_USAGE},
        {"", "out.vtrace", "--launches", "9-4", ERR_USAGE},
        {"", "out.vtrace", "--launches", "4,", ERR_USAGE},
        {"", "out.vtrace", "--launches", "four", ERR_USAGE},
        {"", "out.vtrace", "--sass", "/tmp/there-is-no-such-file", ERR_NOT_FOUND},
        {"", "no/such/folder/out.vtrace", NULL, NULL, ERR_NOT_FOUND},
        {"nothing", "out.vtrace", NULL, NULL, ERR_NOT_FOUND},
    };

    (void)state;
    put_two_kernels();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *words[] = {
            "trace",        "convert", in_folder(cases[i].in), in_folder(cases[i].out), cases[i].option,
            cases[i].value, NULL};

        assert_int_equal(run_words(cli_command, words), err_exit_code(cases[i].code));
        assert_int_equal(made_files(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_launches_come_in_their_order),
        cmocka_unit_test(a_path_that_is_no_text_is_reported_as_far_as_it_is),
        cmocka_unit_test(the_other_commands_read_what_was_written),
        cmocka_unit_test(only_the_launches_asked_for),
        cmocka_unit_test(a_disassembly_adds_control_words),
        cmocka_unit_test(a_failure_leaves_nothing_behind),
        cmocka_unit_test(damaged_warps_are_taken_when_asked_for),
        cmocka_unit_test(lines_that_make_no_sense),
    };

    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
