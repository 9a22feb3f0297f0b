/* vivace sass: the table and the JSON of a cubin, and files that are none. */
#include <stdlib.h>

#include "base/whole_file.h"
#include "cli/nouns.h"
#include "tests/unit/cli/printed.h"
#include "tests/unit/ptx/runtime/fatbin.h"
#include "tests/unit/sass/elf_build.h"

/* MOV R1, c[0x0][0x28]; EXIT: as ptxas begins and ends kernels for sm_86 */
static const uint64_t code[4] = {0x00000a0000017a02, 0x000fe40000000f00, 0x000000000000794d, 0x000fea0003800000};
static char path[64];

static int write_cubin(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct err e;

    (void)state;
    snprintf(path, sizeof path, "/tmp/vivace-sass-%d.cubin", (int)getpid());
    elf_build_kernel(&b, code, sizeof code);
    CHECK_OK(whole_file_put(path, b.text, b.length, &e), &e);
    strbuf_release(&b);
    return 0;
}

static int remove_cubin(void **state)
{
    (void)state;
    return unlink(path);
}

static void list_prints_a_row_a_kernel(void **state)
{
    json_t *all, *f;

    (void)state;
    assert_int_equal(RUN(sass_list, "list", path, "--csv"), 0);
    assert_non_null(strstr(output, "k,sm_86,,40,1024,24,3,384,2,12,32,2,2,13.0\r\n"));
    assert_int_equal(RUN(sass_list, "list", path, "--json"), 0);
    all = printed_json();
    f = json_array_get(json_object_get(json_array_get(json_object_get(all, "modules"), 0), "functions"), 0);
    HAS(f, "name", "kernel", "registers", "params", "constant_bytes", "cluster", "relocations", "cuda");
    assert_int_equal(json_array_size(json_object_get(f, "params")), 2);
    assert_true(json_is_null(json_object_get(f, "required_threads")));
    json_decref(all);
}

static void dump_prints_a_line_an_instruction(void **state)
{
    json_t *all, *f, *inst;

    (void)state;
    assert_int_equal(RUN(sass_dump, "dump", path), 0);
    assert_non_null(strstr(output, "  00000  MOV R1, c[0x0][0x28] "));
    assert_non_null(strstr(output, "; stall 2\n"));
    assert_non_null(strstr(output, "2 instructions: 2 decoded, 0 partly, 0 unknown"));
    assert_int_equal(RUN(sass_dump, "dump", path, "--json", "--kernel", "k"), 0);
    all = printed_json();
    f = json_array_get(json_object_get(all, "functions"), 0);
    inst = json_array_get(json_object_get(f, "instructions"), 1);
    HAS(inst, "address", "words", "decoded", "text", "guard", "operation", "operands", "control", "unexplained");
    assert_string_equal(json_string_value(json_object_get(inst, "text")), "EXIT");
    json_decref(all);
    assert_int_equal(RUN(sass_dump, "dump", path, "--kernel", "other"), EXIT_NOT_FOUND);
}

static void unknown_operations_change_the_exit_code(void **state)
{
    const uint64_t words[4] = {0x01ff, 0, 0x000000000000794d, 0x000fea0003800000};
    struct strbuf b = STRBUF_INIT;
    char name[80];
    struct err e;

    (void)state;
    snprintf(name, sizeof name, "%s.unknown", path);
    elf_build_kernel(&b, words, sizeof words);
    CHECK_OK(whole_file_put(name, b.text, b.length, &e), &e);
    assert_int_equal(RUN(sass_dump, "dump", name), EXIT_BAD_INPUT);
    assert_non_null(strstr(output, "  00000  unknown 0x00000000000001ff 0x0000000000000000"));
    assert_non_null(strstr(output, "1 decoded, 0 partly, 1 unknown"));
    assert_int_equal(unlink(name), 0);
    strbuf_release(&b);
}

/* A fat binary with code for sm_86, which can be decoded, between two modules for which there is no table. */
static void code_of_other_architectures_is_left_out(void **state)
{
    struct strbuf fat = STRBUF_INIT, newer = STRBUF_INIT, known = STRBUF_INIT, old = STRBUF_INIT;
    const struct built_section text = {".text.n", SHT_PROGBITS, 0, 0, code, sizeof code};
    json_t *all;
    char name[80];
    struct err e;

    (void)state;
    elf_build(&newer, 190, 120 << 8, 0x41, &text, 1);
    elf_build(&old, 190, 61, 0x33, &text, 1);
    elf_build_kernel(&known, code, sizeof code);
    fatbin_build(&fat,
                 (const struct fatbin_entry[]){{FATBIN_CODE, 120, newer.text, newer.length, 0, 0},
                                               {FATBIN_CODE, 86, known.text, known.length, 0, 0},
                                               {FATBIN_CODE, 61, old.text, old.length, 0, 0}},
                 3);
    snprintf(name, sizeof name, "%s.fatbin", path);
    CHECK_OK(whole_file_put(name, fat.text, fat.length, &e), &e);
    assert_int_equal(RUN(sass_list, "list", name, "--json"), 0);
    all = printed_json();
    for (size_t k = 0; k < 3; k++) { /* the length of instructions before sm_70 is another */
        json_t *module = json_array_get(json_object_get(all, "modules"), k);
        json_t *f = json_array_get(json_object_get(module, "functions"), 0);

        assert_int_equal(json_is_null(json_object_get(f, "instructions")), k == 2);
    }
    json_decref(all);
    assert_int_equal(RUN(sass_dump, "dump", name), 0);
    assert_non_null(strstr(output, "2 instructions: 2 decoded"));
    assert_non_null(strstr(errors, "left out: 2 functions for sm_61, sm_120; sm_70 to sm_90 can be decoded"));
    assert_int_equal(RUN(sass_dump, "dump", name, "--json"), 0);
    all = printed_json();
    assert_int_equal(json_integer_value(json_object_get(all, "left_out")), 2);
    assert_int_equal(json_integer_value(json_object_get(all, "decoded")), 2);
    assert_int_equal(json_array_size(json_object_get(all, "functions")), 1);
    json_decref(all);
    assert_int_equal(RUN(sass_dump, "dump", name, "--arch", "sm_86"), 0);
    assert_string_equal(errors, "");
    assert_int_not_equal(RUN(sass_dump, "dump", name, "--arch", "sm_120"), 0);
    assert_non_null(strstr(errors, "the code is for sm_120; sm_70 to sm_90 can be decoded"));
    assert_int_equal(RUN(sass_dump, "dump", name, "--arch", "sm_80", "--kernel", "k"), EXIT_NOT_FOUND);
    assert_non_null(strstr(errors, "the file has no function for sm_80 with `k` in its name"));
    assert_int_equal(unlink(name), 0);
    strbuf_release(&fat);
    strbuf_release(&newer);
    strbuf_release(&known);
    strbuf_release(&old);
}

static void files_without_machine_code_are_refused(void **state)
{
    struct err e;
    char text[80];

    (void)state;
    snprintf(text, sizeof text, "%s.txt", path);
    CHECK_OK(whole_file_put(text, "hello", 5, &e), &e);
    assert_int_equal(RUN(sass_list, "list", text), EXIT_BAD_INPUT);
    assert_non_null(strstr(errors, "no cubin, fat binary, ELF file or static library"));
    assert_int_equal(unlink(text), 0);
    assert_int_equal(RUN(sass_list, "list", text), EXIT_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_prints_a_row_a_kernel),
        cmocka_unit_test(dump_prints_a_line_an_instruction),
        cmocka_unit_test(unknown_operations_change_the_exit_code),
        cmocka_unit_test(code_of_other_architectures_is_left_out),
        cmocka_unit_test(files_without_machine_code_are_refused),
    };

    return cmocka_run_group_tests_name("sass", tests, write_cubin, remove_cubin);
}
