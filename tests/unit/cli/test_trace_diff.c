/* vivace trace diff: every kind of difference is found and reported with its name and location. */
#include "cli/cli.h"
#include "tests/unit/cli/printed.h"

#define HEAD(name, regs)                                                                                           \
    "-kernel name = " name "\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-nregs = " regs          \
    "\n-accelsim tracer version = 5\n#traces\n"
#define CTA(x, warp) "#BEGIN_TB\nthread block = " x ",0,0\nwarp = 0\n" warp "#END_TB\n"
#define MOV          "0000 ffffffff 1 R1 MOV 1 R2 0 7 \n"
#define LOAD         "0010 0000000f 1 R4 LDG.E 1 R2 4 1 0x100 4 0\n"
#define EXIT         "0020 ffffffff 0 EXIT 0 0 0\n"
#define BODY         "insts = 3\n" MOV LOAD EXIT
#define SAME         HEAD("k", "8") CTA("0", BODY) CTA("1", BODY)

static char folder[64], left[128], right[128];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-diff-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(left, sizeof left, "%s/a.traceg", folder);
    snprintf(right, sizeof right, "%s/b.traceg", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(left);
    unlink(right);
    return rmdir(folder);
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void the_same_is_the_same(void **state)
{
    json_t *j;

    (void)state;
    put(left, SAME);
    put(right, SAME);
    assert_int_equal(RUN(cli_command, "trace", "diff", left, right), 0);
    assert_string_equal(output, "1 kernel compared, no difference\n");
    assert_int_equal(RUN(cli_command, "trace", "diff", left, right, "--json"), 0);
    j = printed_json();
    assert_true(json_is_true(json_object_get(j, "same")));
    json_decref(j);
}

static void each_difference_is_named_and_placed(void **state)
{
    static const struct {
        const char *text, *where, *a, *b;
    } cases[] = {
        {HEAD("other", "8") CTA("0", BODY) CTA("1", BODY), "name", "k", "other"},
        {HEAD("k", "9") CTA("0", BODY) CTA("1", BODY), "registers", "8", "9"},
        {HEAD("k", "8") CTA("0", BODY), "number of CTAs", "more than 1", "1"},
        {HEAD("k", "8") CTA("1", BODY) CTA("0", BODY), "CTA 0 (0,0,0): number of the CTA", "(0,0,0)", "(1,0,0)"},
        {HEAD("k", "8") CTA("0", BODY) CTA("1", "insts = 2\n" MOV LOAD), "CTA 1 (1,0,0): instructions of warp 0",
         "3", "2"},
        {HEAD("k", "8") CTA("0", BODY) CTA("1", "insts = 3\n0000 ffffffff 1 R1 IMAD.MOV 1 R2 0 7 \n" LOAD EXIT),
         "CTA 1 (1,0,0), warp 0, instruction 0: opcode", "0000 MOV", "0000 IMAD.MOV"},
        {HEAD("k", "8") CTA("0", BODY) CTA("1", "insts = 3\n0000 ffffffff 1 R1 MOV 1 R3 0 7 \n" LOAD EXIT),
         "CTA 1 (1,0,0), warp 0, instruction 0: registers", "R1:1 <- R2:1", "R1:1 <- R3:1"},
        {HEAD("k", "8") CTA("0", BODY) CTA("1", "insts = 3\n0000 ffffffff 1 R1 MOV 1 R2 0 9 \n" LOAD EXIT),
         "CTA 1 (1,0,0), warp 0, instruction 0: immediate", "7", "9"},
        {HEAD("k", "8") CTA("0", BODY) CTA("1", "insts = 3\n0008 ffffffff 1 R1 MOV 1 R2 0 7 \n" LOAD EXIT),
         "CTA 1 (1,0,0), warp 0, instruction 0: PC", "0", "8"},
        {HEAD("k", "8") CTA("0", BODY) CTA("1", "insts = 3\n0000 0fffffff 1 R1 MOV 1 R2 0 7 \n" LOAD EXIT),
         "CTA 1 (1,0,0), warp 0, instruction 0: mask", "ffffffff", "0fffffff"},
        {HEAD("k", "8") CTA("0", BODY)
             CTA("1", "insts = 3\n" MOV "0010 0000000f 1 R4 LDG.E 1 R2 4 2 0x100 4 4 8 0\n" EXIT),
         "CTA 1 (1,0,0), warp 0, instruction 1: address of lane 3", "0x10c", "0x110"},
    };

    (void)state;
    put(left, SAME);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *where, *a, *b;
        json_t *j;

        put(right, cases[i].text);
        assert_int_equal(RUN(cli_command, "trace", "diff", left, right, "--json"), err_exit_code(ERR_INVALID));
        j = printed_json();
        assert_int_equal(json_unpack(j, "{s:[{s:s, s:s, s:s}]}", "differences", "where", &where, "a", &a, "b", &b),
                         0);
        assert_string_equal(where, cases[i].where);
        assert_string_equal(a, cases[i].a);
        assert_string_equal(b, cases[i].b);
        json_decref(j);
    }
}

static void sectors_forgive_a_move_within_one(void **state)
{
    (void)state;
    put(left, SAME);
    put(right, HEAD("k", "8") CTA("0", BODY)
                   CTA("1", "insts = 3\n" MOV "0010 0000000f 1 R4 LDG.E 1 R2 4 2 0x100 4 4 8 0\n" EXIT));
    assert_int_equal(RUN(cli_command, "trace", "diff", left, right, "--sectors"), 0);
    put(right, HEAD("k", "8") CTA("0", BODY)
                   CTA("1", "insts = 3\n" MOV "0010 0000000f 1 R4 LDG.E 1 R2 4 2 0x100 4 4 32 0\n" EXIT));
    assert_int_equal(RUN(cli_command, "trace", "diff", left, right, "--sectors"), err_exit_code(ERR_INVALID));
}

static void what_cannot_be_compared_is_an_error(void **state)
{
    (void)state;
    put(left, SAME);
    put(right, HEAD("k", "8") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n" MOV);
    assert_int_equal(RUN(cli_command, "trace", "diff", left, right), err_exit_code(ERR_INVALID));
    assert_non_null(strstr(errors, "ends inside warp 0 of CTA 0,0,0"));
    assert_int_equal(RUN(cli_command, "trace", "diff", left), err_exit_code(ERR_USAGE));
    assert_int_equal(RUN(cli_command, "trace", "diff", left, "/tmp/there-is-no-such-file"),
                     err_exit_code(ERR_NOT_FOUND));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(each_difference_is_named_and_placed),
        cmocka_unit_test(sectors_forgive_a_move_within_one),
        cmocka_unit_test(what_cannot_be_compared_is_an_error),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
