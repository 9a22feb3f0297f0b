/* Compares the lowering with ptxas for the same kernels, and tests the reader of ptxas's machine code. */
#include <stdarg.h>
#include <stdio.h>

#include "tests/harness/check.h"
#include "tests/lowering/counts.h"
#include "tests/lowering/reach.h"
#include "tests/unit/sass/elf_build.h"

/* The limits are the measured differences, rounded up. Lower them when the lowering improves. */
static void counts_stay_as_near_to_ptxas(void **state)
{
    static const struct {
        uint32_t arch;
        enum count_origin origin;
        double ratio_min, ratio_max, error_median, within_15_least, registers_mean;
    } limits[] = {
        {75, COUNT_COMPILED, 0.96, 1.03, 0.045, 0.90, 5.5}, {86, COUNT_COMPILED, 0.96, 1.03, 0.045, 0.91, 5.5},
        {90, COUNT_COMPILED, 0.96, 1.03, 0.05, 0.94, 6},    {75, COUNT_BY_HAND, 0.9, 1.15, 0.23, 0.36, 6},
        {86, COUNT_BY_HAND, 0.9, 1.15, 0.26, 0.35, 6},      {90, COUNT_BY_HAND, 0.9, 1.15, 0.24, 0.40, 6},
    };
    struct count_rows r;
    struct err e;

    (void)state;
    CHECK_OK(counts_read("tests/lowering/ptxas.csv", &r, &e), &e);
    CHECK_OK(counts_lower(&r, &e), &e);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct count_summary s;

        CHECK_OK(counts_summary(&r, limits[k].arch, limits[k].origin, &s, &e), &e);
        assert_true(s.rows >= 60);
        assert_true(s.ratio_median >= limits[k].ratio_min && s.ratio_median <= limits[k].ratio_max);
        assert_true(s.error_median <= limits[k].error_median);
        assert_true(s.within_15 >= limits[k].within_15_least);
        assert_true(s.registers_mean <= limits[k].registers_mean);
    }
    counts_release(&r);
}

/* --- the main path --- */

/* A branch or call over `distance` instructions, as ptxas 13.0 encodes it; `always`: without a predicate. */
static void put_jump(uint64_t word[2], uint32_t operation, bool always, uint32_t arch, int64_t distance)
{
    uint64_t bytes = (uint64_t)(distance * INST_BYTES), units = bytes / 4;

    word[0] = operation | 4u << 9 | (always ? 7u : 8u) << 12;
    word[1] = 7u << 23;
    if (arch < 90) {
        word[0] |= bytes << 32;
        word[1] |= bytes >> 32 & 0x3ffff;
    } else {
        word[0] |= (units & 0xff) << 16 | units >> 8 << 34;
        word[1] |= units >> 38 & 0x3ffff;
    }
}

static void rare_code_is_not_on_the_main_path(void **state)
{
    static const uint32_t archs[] = {75, 86, 90};
    enum { N = 12 };
    static const bool want[N] = {true, true, false, false, true, true, true, false, false, false, false, false};
    static const struct reach_function functions[] = {{7, 9, true}};

    (void)state;
    for (size_t a = 0; a < sizeof archs / sizeof *archs; a++) {
        uint64_t words[N][2];
        struct reach_code c = {(const uint64_t(*)[2])words, N, archs[a], functions, 1};
        bool on_path[N];
        struct err e;

        for (uint32_t k = 0; k < N; k++) {
            words[k][0] = 0x7223; /* FFMA */
            words[k][1] = 0;
        }
        put_jump(words[1], OP_BRA, false, archs[a], 2); /* over the call, to 4 */
        put_jump(words[3], OP_CALL, true, archs[a], 3); /* of the rare function at 7 */
        put_jump(words[5], OP_BRA, true, archs[a], 3);  /* BRA.DIV to 9 */
        if (archs[a] < 80)
            words[5][0] |= 1ull << 33;
        else
            words[5][1] |= 1u << 27;
        words[6][0] = 0x794d;                            /* EXIT */
        words[8][0] = 0x7950;                            /* RET */
        put_jump(words[11], OP_BRA, true, archs[a], -6); /* back to 6 */
        CHECK_OK(reach_main_path(&c, on_path, &e), &e);
        for (uint32_t k = 0; k < N; k++)
            assert_int_equal(on_path[k], want[k]);
    }
}

static void machine_code_is_counted(void **state)
{
    /* S2R, LDS.128, FFMA, EXIT, then padding: NOP, BRA, NOP */
    static const uint64_t code[][2] = {{0x7919, 0}, {0x7984, 6 << 9}, {0x7223, 0}, {0x794d, 0},
                                       {0x7918, 0}, {0x7947, 0},      {0x7918, 0}};
    struct strbuf b = STRBUF_INIT;
    const uint8_t *file;
    struct inst_counts c;
    struct err e;

    (void)state;
    elf_build_kernel(&b, code, sizeof code);
    file = (const uint8_t *)b.text;
    CHECK_OK(cubin_count(file, b.length, "k", 86, &c, &e), &e);
    assert_int_equal(c.registers, 40);
    assert_int_equal(c.instructions, 4);
    assert_int_equal(c.of[SASS_FLOAT], 1);
    assert_int_equal(c.of[SASS_CONTROL], 1);
    assert_int_equal(c.of[SASS_OTHER], 1);
    assert_int_equal(c.shared_loads[2], 1);
    assert_int_equal(cubin_count(file, b.length, "other", 86, &c, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    /* a truncated file is never read beyond its end */
    for (size_t n = 0; n < b.length; n++) {
        uint8_t *part = malloc(n + 1);

        assert_non_null(part);
        memcpy(part, file, n);
        (void)cubin_count(part, n, "k", 86, &c, &e);
        free(part);
    }
    assert_int_equal(cubin_count(file, 10, "k", 86, &c, &e), -1);
    assert_int_equal(e.code, ERR_MALFORMED);
    strbuf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_stay_as_near_to_ptxas),
        cmocka_unit_test(rare_code_is_not_on_the_main_path),
        cmocka_unit_test(machine_code_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
