/* vivace ptx run and diff, used to find a wrong instruction: first the launch, then that launch alone, then the
 * instruction. Also checkpoints, coverage, the first NaN, and values at a line. */
#include <dirent.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "tests/unit/cli/printed.h"

/* In the second module, one instruction of the second kernel has another constant. */
static const char module[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.global .u32 calls;\n"
    ".visible .entry first(.param .u64 p) {\n.reg .u64 %%rd<5>; .reg .f32 %%f<5>; .reg .u32 %%r<5>;\n"
    "ld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd2, %%r1, 4;\nadd.u64 %%rd1, %%rd1, %%rd2;\n"
    "cvt.rn.f32.u32 %%f1, %%r1;\nst.global.f32 [%%rd1], %%f1;\nmov.u64 %%rd3, calls;\n"
    "atom.global.add.u32 %%r2, [%%rd3], 1;\nret;\n}\n"
    ".visible .entry second(.param .u64 table) {\n.reg .u64 %%rd<7>; .reg .f32 %%f<7>; .reg .u32 %%r<5>;\n"
    "ld.param.u64 %%rd1, [table];\nld.global.u64 %%rd2, [%%rd1+8];\nld.global.u64 %%rd3, [%%rd1];\n"
    "mov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd4, %%r1, 4;\nadd.u64 %%rd2, %%rd2, %%rd4;\nadd.u64 %%rd3, %%rd3, "
    "%%rd4;\n"
    "ld.global.f32 %%f1, [%%rd2];\nmul.rn.f32 %%f2, %%f1, 0f%s;\nadd.rn.f32 %%f3, %%f2, %%f1;\n"
    "rcp.rn.f32 %%f4, %%f1;\nst.global.f32 [%%rd3], %%f3;\nret;\n}\n";
static const char document[] =
    "{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"%s.ptx\"}, \"buffers\": {"
    "\"x\": {\"type\": \"f32\", \"count\": 64}, \"y\": {\"type\": \"f32\", \"count\": 64, \"init\": \"none\"},"
    "\"t\": {\"type\": \"ptr\", \"init\": {\"pointers\": [\"y+64\", \"x+32\"]}}}, \"steps\": ["
    "{\"launch\": {\"name\": \"one\", \"kernel\": \"first\", \"grid\": [2], \"block\": [64], \"params\": "
    "[{\"ptr\": "
    "\"x\"}]}}, {\"launch\": {\"name\": \"two\", \"kernel\": \"second\", \"grid\": [1], \"block\": [40], "
    "\"params\": "
    "[{\"ptr\": \"t\"}]}}], \"expect\": [{\"buffer\": \"y\", \"offset\": 64, \"values\": [24, 27]}]}";

static char folder[64];

static const char *in_folder(const char *name)
{
    static char text[8][128];
    static unsigned next;
    char *at = text[next++ % 8];

    snprintf(at, sizeof text[0], "%s/%s", folder, name);
    return at;
}

static void put(const char *name, const char *format, const char *value)
{
    FILE *f = fopen(in_folder(name), "w");

    assert_non_null(f);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    fprintf(f, format, value);
#pragma GCC diagnostic pop
    fclose(f);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-ptx-tools-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    put("a.ptx", module, "40000000");
    put("b.ptx", module, "40000001");
    put("a.json", document, "a");
    put("b.json", document, "b");
    return 0;
}

static void empty(const char *path)
{
    DIR *d = opendir(path);
    const struct dirent *f;

    while (d && (f = readdir(d))) {
        char name[400];

        snprintf(name, sizeof name, "%s/%s", path, f->d_name);
        if (f->d_name[0] != '.' && unlink(name) != 0) {
            empty(name);
            rmdir(name);
        }
    }
    if (d)
        closedir(d);
}

static int remove_folder(void **state)
{
    (void)state;
    empty(folder);
    return rmdir(folder);
}

static int run4(const char *list, const char *a, const char *b, const char *c, const char *d)
{
    const char *words[] = {"ptx", "run", list, a, b, c, d, NULL};

    return run_words(cli_command, words);
}

static int diff(const char *a, const char *b, const char *option, const char *value)
{
    const char *words[] = {"ptx", "diff", a, b, option, value, NULL};

    return run_words(cli_command, words);
}

static void check_says(const char *part)
{
    if (!strstr(output, part))
        fail_msg("\"%s\" is not in \"%s\"", part, output);
}

/* Step 1: launches. With contents the first differing value is reported, and tolerances apply. */
static void the_first_launch_that_differs(void **state)
{
    (void)state;
    assert_int_equal(run4(in_folder("a.json"), "--hash-after", in_folder("a.log"), "--hash-values", NULL), 0);
    assert_int_equal(run4(in_folder("a.json"), "--hash-after", in_folder("a2.log"), "--strict", NULL), 0);
    assert_int_equal(run4(in_folder("b.json"), "--hash-after", in_folder("b.log"), "--hash-values", NULL), 65);
    assert_int_equal(diff(in_folder("a.log"), in_folder("a2.log"), NULL, NULL), 0);
    check_says("no difference");
    assert_int_equal(diff(in_folder("a2.log"), in_folder("b.log"), NULL, NULL), 1); /* one has no contents */
    check_says("launch 1 (two): buffer y differs (SHA-256");
    assert_int_equal(diff(in_folder("a.log"), in_folder("b.log"), NULL, NULL), 1);
    check_says("launch 1 (two): buffer y, value 16 is 24 and 24.000001907348633; 32 of 64 values differ, by at "
               "most 1 ulp");
    assert_int_equal(diff(in_folder("a.log"), in_folder("b.log"), "--ulp", "1"), 0);
    check_says("32 values differ within tolerance");
}

/* Steps 2 and 3: the launch alone, with pointers in a buffer and a modified variable; then its writes. */
static void the_first_instruction_that_differs(void **state)
{
    json_t *root;
    (void)state;

    assert_int_equal(run4(in_folder("a.json"), "--capture", "2", "--out", in_folder("two")), 0);
    root = json_load_file(in_folder("two/launches.json"), 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "steps")), 2);  /* calls is 128, not 0 */
    assert_int_equal(json_array_size(json_object_get(root, "expect")), 2); /* t has pointers */
    json_decref(root);
    assert_int_equal(run4(in_folder("two/launches.json"), "--check", "--log-writes", in_folder("a.w"), NULL), 0);
    check_says("2 of 2 results as expected");
    put("two/module0.ptx", module, "40000001");
    assert_int_equal(run4(in_folder("two/launches.json"), "--log-writes", in_folder("b.w"), "--only", "1:0-3"), 65);
    assert_int_equal(diff(in_folder("a.w"), in_folder("b.w"), NULL, NULL), 1);
    check_says("launch 1, CTA 0, warp 0, lane 0: ");
    check_says("module0.ptx:63:2: `mul.rn.f32 %f2, %f1, 0f40000000;`");
    check_says("is 0x41800000 (16) in");
    check_says("%f1 was 0x41000000");
    assert_int_equal(diff(in_folder("a.w"), in_folder("a.w"), NULL, NULL), 0);
    if (diff(in_folder("a.w"), in_folder("b.w"), "--ulp", "2") != 0)
        fail_msg("%s", output);
}

static void a_run_is_stopped_and_goes_on(void **state)
{
    (void)state;
    assert_int_equal(run4(in_folder("a.json"), "--checkpoint-at", "1:1:1:5", "-o", in_folder("c")), 0);
    assert_int_equal(run4(in_folder("a.json"), "--resume", in_folder("c"), "--hash-after", in_folder("c.log")), 0);
    check_says("2 launches");
    assert_int_equal(run4(in_folder("a.json"), "--hash-after", in_folder("a.log"), NULL, NULL), 0);
    assert_int_equal(diff(in_folder("c.log"), in_folder("a.log"), NULL, NULL), 0);
    assert_int_equal(run4(in_folder("b.json"), "--resume", in_folder("c"), NULL, NULL), 65); /* other modules */
    assert_int_equal(run4(in_folder("a.json"), "--checkpoint-at", "9", "-o", in_folder("c")), 65);
    assert_int_equal(run4(in_folder("a.json"), "--checkpoint-at", "1", NULL, NULL), 64);
    assert_int_equal(run4(in_folder("a.json"), "--resume", in_folder("a.log"), NULL, NULL), 65);
}

static void forms_are_counted_and_compared(void **state)
{
    json_t *root, *form;
    (void)state;

    assert_int_equal(run4(in_folder("a.json"), "--coverage", in_folder("all"), NULL, NULL), 0);
    assert_int_equal(run4(in_folder("a.json"), "--coverage", in_folder("one"), "--only", "1"), 0);
    root = json_load_file(in_folder("all"), 0, NULL);
    form = json_object_get(json_object_get(root, "forms"), "mul.wide.u32");
    assert_int_equal(json_integer_value(json_object_get(form, "places")), 2);
    assert_int_equal(json_integer_value(json_object_get(form, "executed")), 6); /* 2 CTAs and 1 CTA of 2 warps */
    json_decref(root);
    assert_int_equal(diff(in_folder("all"), in_folder("one"), NULL, NULL), 0);
    check_says("add.rn.f32\texecuted 2 times\tin 0 of 1 others\nld.global.f32");
    check_says("mul.wide.u32\texecuted 6 times\tin 1 of 1 others");
}

/* Lane 0 of the first warp of launch two reads x[8] = 8, and no value is infinite. Launch one with x = 0 would
 * give one. */
static void the_first_infinity_and_values_at_a_line(void **state)
{
    (void)state;
    put("n.ptx",
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() {\n.reg .f32 %%f<5>;\n"
        "mov.f32 %%f1, 0fFF800000;\nadd.rn.f32 %%f2, %%f1, 0f3F800000;\nmov.f32 %%f3, 0f00000000;\n"
        "div.rn.f32 %%f3, 0f%s, %%f3;\nret;\n}\n",
        "40000000");
    put("n.json",
        "{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"%s\"}, \"buffers\": {}, "
        "\"steps\": [{\"launch\": {\"kernel\": \"k\", \"grid\": [1], \"block\": [2], \"params\": []}}]}",
        "n.ptx");
    assert_int_equal(run4(in_folder("n.json"), "--first-nan", "--break", "n.ptx:7", NULL), 0);
    assert_non_null(
        strstr(errors, "n.ptx:9:1, CTA (0,0,0), warp 0, lane 0: the first NaN or infinity is the result of `div"));
    assert_non_null(strstr(errors, "; %f3 = 0x0 (0)")); /* the value before the instruction */
    assert_non_null(strstr(errors, "lanes 0x3: add.rn.f32"));
    assert_non_null(strstr(errors, "%f1 in all lanes: 0xff800000 (-inf)"));
    assert_int_equal(run4(in_folder("n.json"), "--break", "n.ptx:x", NULL, NULL), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_launch_that_differs),
        cmocka_unit_test(the_first_instruction_that_differs),
        cmocka_unit_test(a_run_is_stopped_and_goes_on),
        cmocka_unit_test(forms_are_counted_and_compared),
        cmocka_unit_test(the_first_infinity_and_values_at_a_line),
    };
    return cmocka_run_group_tests_name("vivace ptx: tools", tests, make_folder, remove_folder);
}
