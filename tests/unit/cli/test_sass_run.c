/* vivace sass run and vivace sass compare: a kernel that sets out[tid] to 7, and inputs that do not fit it. */
#include "base/whole_file.h"
#include "cli/nouns.h"
#include "tests/unit/cli/printed.h"
#include "tests/unit/sass/elf_build.h"

/* What ptxas 13.0 makes for sm_86. */
static const uint64_t code[] = {
    0x0000000000027919, 0x000e220000002100, /* S2R R2, SR_TID.X */
    0x00000004ff037424, 0x000fe200078e00ff, /* IMAD.U32 R3, RZ, RZ, 0x4 */
    0x0000460000047ab9, 0x000fe20000000a00, /* ULDC.64 UR4, c[0x0][0x118] */
    0x0000000700057802, 0x000fe20000000f00, /* MOV R5, 0x7 */
    0x0000580002027625, 0x000fd800078e0003, /* IMAD.WIDE.U32 R2, R2, R3, c[0x0][0x160] */
    0x0000000502007986, 0x000fe2000c101904, /* STG.E desc[UR4][R2.64], R5 */
    0x000000000000794d, 0x000fea0003800000, /* EXIT */
};
/* The same, but thread 3 sets 7 + more_. */
#define PTX(more_)                                                                                                 \
    ".version 7.4\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"                          \
    ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<2>;\n"                                                        \
    "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\n"            \
    "mov.u32 %r2, 7;\nsetp.eq.u32 %p1, %r1, 3;\n@%p1 add.u32 %r2, %r2, " more_ ";\nst.global.u32 [%d1], %r2;\n"    \
    "ret;\n}\n"

enum { KERNEL, LIST, MODULE, FILES };
static char folder[64], paths[FILES][96];

static void put(const char *path, const char *text, size_t n)
{
    struct err e;

    CHECK_OK(whole_file_put(path, text, n, &e), &e);
}

static void put_list(unsigned count, const char *kernel, unsigned block, const char *end)
{
    struct strbuf b = STRBUF_INIT;

    strbuf_addf(
        &b,
        "{ \"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": { \"m\": \"k.ptx\" },\n"
        "  \"buffers\": { \"out\": { \"type\": \"u32\", \"count\": %u } },\n"
        "  \"steps\": [ { \"launch\": { \"kernel\": \"%s\", \"grid\": [1], \"block\": [%u], \"params\": [ { "
        "\"ptr\": \"out\" } ] } } ]%s }\n",
        count, kernel, block, end);
    put(paths[LIST], b.text, b.length);
    strbuf_release(&b);
}

static int begin(void **state)
{
    static const char *const names[] = {"k.cubin", "launches.json", "k.ptx"};
    struct strbuf b = STRBUF_INIT;

    (void)state;
    snprintf(folder, sizeof folder, "/tmp/vivace-sass-run-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (int k = 0; k < FILES; k++)
        snprintf(paths[k], sizeof paths[k], "%s/%s", folder, names[k]);
    elf_build_plain_kernel(&b, code, sizeof code);
    put(paths[KERNEL], b.text, b.length);
    put(paths[MODULE], PTX("0"), strlen(PTX("0")));
    put_list(4, "k", 4, "");
    strbuf_release(&b);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int k = 0; k < FILES; k++)
        unlink(paths[k]);
    return rmdir(folder);
}

static void run_prints_launches_and_what_is_expected(void **state)
{
    json_t *all, *classes;

    (void)state;
    put_list(4, "k", 4, ", \"expect\": [ { \"buffer\": \"out\", \"values\": [7, 7, 7, 7] } ]");
    assert_int_equal(RUN(sass_run, "run", paths[KERNEL], paths[LIST], "--check"), 0);
    assert_non_null(strstr(output, "machine code of sm_86: 1 launch, 7 warp instructions"));
    assert_non_null(strstr(output, "1 of 1 result"));
    assert_int_equal(RUN(sass_run, "run", paths[KERNEL], paths[LIST], "--json", "--arch", "sm_86"), 0);
    all = printed_json();
    assert_int_equal(json_integer_value(json_object_get(all, "arch")), 86);
    classes = json_object_get(json_array_get(json_object_get(all, "launches"), 0), "classes");
    assert_int_equal(json_integer_value(json_object_get(classes, "store")), 1);
    assert_int_equal(json_integer_value(json_object_get(classes, "control")), 1);
    json_decref(all);
    put_list(4, "k", 4, ", \"expect\": [ { \"buffer\": \"out\", \"values\": [7, 7, 8, 7] } ]");
    assert_int_equal(RUN(sass_run, "run", paths[KERNEL], paths[LIST]), EXIT_BAD_INPUT);
    assert_non_null(strstr(output, "0 of 1 result"));
}

static void compare_shows_the_first_element_that_differs(void **state)
{
    (void)state;
    put_list(4, "k", 4, "");
    assert_int_equal(RUN(sass_compare, "compare", paths[KERNEL], paths[LIST]), 0);
    assert_non_null(strstr(output, "PTX and machine code of sm_86: 1 of 1 buffers are equal"));
    put(paths[MODULE], PTX("1"), strlen(PTX("1")));
    assert_int_equal(RUN(sass_compare, "compare", paths[KERNEL], paths[LIST], "--csv"), EXIT_BAD_INPUT);
    assert_non_null(strstr(output, "out,4,1,3,0x8,0x7,"));
    assert_non_null(strstr(errors, "1 of 1 buffers differ"));
    /* whole numbers differ, however large --ulp is */
    assert_int_equal(RUN(sass_compare, "compare", paths[KERNEL], paths[LIST], "--ulp", "9"), EXIT_BAD_INPUT);
    put(paths[MODULE], PTX("0"), strlen(PTX("0")));
}

static void expect_both(int exit_code, const char *text)
{
    assert_int_equal(RUN(sass_run, "run", paths[KERNEL], paths[LIST]), exit_code);
    assert_non_null(strstr(errors, text));
    assert_int_not_equal(RUN(sass_compare, "compare", paths[KERNEL], paths[LIST]), 0);
}

static void what_does_not_fit_is_stated(void **state)
{
    struct strbuf b = STRBUF_INIT;
    uint64_t unknown[sizeof code / sizeof *code];

    (void)state;
    put_list(4, "other", 4, "");
    expect_both(EXIT_NOT_FOUND, "the machine code of sm_86 has no kernel `other`");
    put_list(3, "k", 4, "");
    expect_both(EXIT_DEFECT, "k: 0x00050 STG.E desc[UR4][R2.64], R5: 4 bytes at global address");
    put_list(4, "k", 1025, "");
    expect_both(EXIT_BAD_INPUT, "1025");
    put(paths[LIST], "{", 1);
    expect_both(EXIT_BAD_INPUT, "launches.json");
    put_list(4, "k", 4, "");
    assert_int_equal(RUN(sass_run, "run", paths[MODULE], paths[LIST]), EXIT_BAD_INPUT);
    assert_non_null(strstr(errors, "no cubin, fat binary, ELF file or static library"));
    assert_int_equal(RUN(sass_run, "run", paths[KERNEL], paths[LIST], "--arch", "sm_80"), EXIT_NOT_FOUND);
    assert_non_null(strstr(errors, "no machine code of sm_80; it has sm_86"));
    assert_int_equal(RUN(sass_compare, "compare", paths[KERNEL], paths[LIST], "--arch", "sm_60"), EXIT_USAGE);
    assert_non_null(strstr(errors, "--arch: must be sm_75 to sm_90, not \"sm_60\""));
    assert_int_equal(RUN(sass_run, "run", paths[KERNEL], paths[LIST], "--check"), EXIT_BAD_INPUT);
    assert_non_null(strstr(errors, "the list has no `expect`"));
    assert_int_equal(RUN(sass_run, "run", paths[KERNEL], paths[LIST], "--limit", "3"), EXIT_DEFECT);
    assert_non_null(strstr(errors, "3 warp instructions, which is the limit"));
    memcpy(unknown, code, sizeof code);
    unknown[6] = 0x71ff; /* in place of MOV */
    unknown[7] = 0;
    elf_build_plain_kernel(&b, unknown, sizeof unknown);
    put(paths[KERNEL], b.text, b.length);
    expect_both(EXIT_BAD_INPUT, "the instruction is unknown");
    strbuf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(run_prints_launches_and_what_is_expected),
                                       cmocka_unit_test(compare_shows_the_first_element_that_differs),
                                       cmocka_unit_test(what_does_not_fit_is_stated)};

    return cmocka_run_group_tests_name("sass run", tests, begin, end);
}
