/* Compares the lowering with ptxas for the same kernels, and tests the reader of ptxas's machine code. */
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>

#include "tests/harness/check.h"
#include "tests/lowering/counts.h"

/* The limits are the measured differences, rounded up. Lower them when the lowering improves. */
static void counts_stay_as_near_to_ptxas(void **state)
{
    static const struct {
        uint32_t arch;
        double ratio_min, ratio_max, error_median, within_15_least, registers_mean;
    } limits[] = {
        {75, 0.93, 1.05, 0.155, 0.50, 5.5},
        {86, 0.93, 1.05, 0.14, 0.53, 5.5},
        {90, 0.93, 1.05, 0.12, 0.58, 5.5},
    };
    struct count_rows r;
    struct err e;

    (void)state;
    CHECK_OK(counts_read("tests/lowering/ptxas.csv", &r, &e), &e);
    CHECK_OK(counts_lower(&r, &e), &e);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct count_summary s;

        CHECK_OK(counts_summary(&r, limits[k].arch, &s, &e), &e);
        assert_true(s.rows >= 120);
        assert_true(s.ratio_median >= limits[k].ratio_min && s.ratio_median <= limits[k].ratio_max);
        assert_true(s.error_median <= limits[k].error_median);
        assert_true(s.within_15 >= limits[k].within_15_least);
        assert_true(s.registers_mean <= limits[k].registers_mean);
    }
    counts_release(&r);
}

/* --- a cubin built by hand: sections 0, .shstrtab, .text.k, .symtab, .strtab, .nv.info --- */

enum { CODE = 64, NAMES = 256, SYMBOLS = 320, INFO = 384, SECTIONS = 448, FILE_BYTES = SECTIONS + 6 * 64 };

static void put_section(uint8_t *file, uint32_t k, uint32_t name, uint32_t type, uint64_t at, uint64_t size,
                        uint32_t link)
{
    const Elf64_Shdr s = {.sh_name = name, .sh_type = type, .sh_offset = at, .sh_size = size, .sh_link = link};

    memcpy(file + SECTIONS + k * sizeof s, &s, sizeof s);
}

static void make_cubin(uint8_t *file)
{
    /* S2R, LDS.128, FFMA, EXIT, then padding: NOP, BRA, NOP */
    static const uint64_t code[][2] = {{0x7919, 0}, {0x7984, 6 << 9}, {0x7223, 0}, {0x794d, 0},
                                       {0x7918, 0}, {0x7947, 0},      {0x7918, 0}};
    static const char names[] = "\0.text.k\0.symtab\0.nv.info\0k";
    static const uint32_t info[] = {0x00082f04, 1, 42};
    const Elf64_Sym symbol = {.st_name = 26};
    const Elf64_Ehdr head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64},
                             .e_shoff = SECTIONS,
                             .e_shentsize = sizeof(Elf64_Shdr),
                             .e_shnum = 6,
                             .e_shstrndx = 1};

    memset(file, 0, FILE_BYTES);
    memcpy(file, &head, sizeof head);
    memcpy(file + CODE, code, sizeof code);
    memcpy(file + NAMES, names, sizeof names);
    memcpy(file + SYMBOLS + sizeof symbol, &symbol, sizeof symbol);
    memcpy(file + INFO, info, sizeof info);
    put_section(file, 1, 0, SHT_STRTAB, NAMES, sizeof names, 0);
    put_section(file, 2, 1, SHT_PROGBITS, CODE, sizeof code, 0);
    put_section(file, 3, 9, SHT_SYMTAB, SYMBOLS, 2 * sizeof symbol, 1);
    put_section(file, 4, 0, SHT_STRTAB, NAMES, sizeof names, 0);
    put_section(file, 5, 17, 0x70000000, INFO, sizeof info, 0);
}

static void machine_code_is_counted(void **state)
{
    uint8_t file[FILE_BYTES];
    struct inst_counts c;
    struct err e;

    (void)state;
    make_cubin(file);
    CHECK_OK(cubin_count(file, sizeof file, "k", &c, &e), &e);
    assert_int_equal(c.registers, 42);
    assert_int_equal(c.instructions, 4);
    assert_int_equal(c.of[CLASS_FLOAT], 1);
    assert_int_equal(c.of[CLASS_CONTROL], 1);
    assert_int_equal(c.of[CLASS_OTHER], 1);
    assert_int_equal(c.shared_loads[2], 1);
    assert_int_equal(cubin_count(file, sizeof file, "other", &c, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    /* a truncated file is never read beyond its end */
    for (size_t n = 0; n < sizeof file; n++) {
        uint8_t *part = malloc(n + 1);

        assert_non_null(part);
        memcpy(part, file, n);
        (void)cubin_count(part, n, "k", &c, &e);
        free(part);
    }
    assert_int_equal(cubin_count(file, 10, "k", &c, &e), -1);
    assert_int_equal(e.code, ERR_MALFORMED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_stay_as_near_to_ptxas),
        cmocka_unit_test(machine_code_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
