/* Single instructions that ptxas seldom makes, in a kernel built by hand; launches that do not fit. */
#include "sass/exec/exec.h"
#include "sass/sass_file.h"
#include "tests/harness/check.h"
#include "tests/unit/sass/elf_build.h"

enum { THREADS = 32 };
/* What ptxas 13.0 makes for sm_86: P0 = tid >= 5, R3 = 4, R[2:3] = &out[tid]; then out[tid] = R5. */
static const uint64_t before[] = {
    0x0000000000027919, 0x000e220000002100, /* S2R R2, SR_TID.X */
    0x00000004ff037424, 0x000fe200078e00ff, /* IMAD.U32 R3, RZ, RZ, 0x4 */
    0x000000050200780c, 0x041fe20003f06070, /* ISETP.GE.U32.AND P0, PT, R2, 0x5, PT */
    0x0000460000047ab9, 0x000fe20000000a00, /* ULDC.64 UR4, c[0x0][0x118] */
};
static const uint64_t after[] = {
    0x0000580002027625, 0x000fd800078e0003, /* IMAD.WIDE.U32 R2, R2, R3, c[0x0][0x160] */
    0x0000000502007986, 0x000fe2000c101904, /* STG.E desc[UR4][R2.64], R5 */
    0x000000000000794d, 0x000fea0003800000, /* EXIT */
};

static void build(struct strbuf *b, const uint64_t *tested, size_t n)
{
    struct strbuf code = STRBUF_INIT;

    strbuf_add(&code, before, sizeof before);
    strbuf_add(&code, tested, n * sizeof *tested);
    strbuf_add(&code, after, sizeof after);
    elf_build_plain_kernel(b, code.text, code.length);
    strbuf_release(&code);
}

/* Runs the kernel with these instructions; out: R5 of each thread. Returns what sass_launch_run() does. */
static int run(const uint64_t *tested, size_t n, const struct sass_launch *with, uint32_t *out, struct err *e)
{
    struct sass_launch l = with ? *with : (struct sass_launch){.grid = {1, 1, 1}, .block = {THREADS, 1, 1}};
    struct strbuf b = STRBUF_INIT;
    struct sass_stats stats = {0};
    struct device_memory *memory;
    struct sass_program *program;
    struct sass_file f;
    uint64_t at;
    int ret;

    build(&b, tested, n);
    CHECK_OK(sass_file_read((const uint8_t *)b.text, b.length, &f, e), e);
    memory = device_memory_new(1 << 20, e);
    assert_non_null(memory);
    program = sass_program_new(memory, e);
    CHECK_OK(sass_program_load(program, f.items[0].content, f.items[0].n, &f.items[0].cubin, e), e);
    CHECK_OK(device_alloc(memory, THREADS * sizeof *out, 256, "out", &at, e), e);
    l.params = &at;
    l.limit_instructions = 1000;
    assert_non_null(sass_program_kernel(program, "k"));
    assert_int_equal(sass_kernel_function(sass_program_kernel(program, "k"))->param_bytes, sizeof at);
    ret = sass_launch_run(program, sass_program_kernel(program, "k"), &l, &stats, e);
    memcpy(out, device_bytes(memory, at, THREADS * sizeof *out), THREADS * sizeof *out);
    sass_program_free(program);
    device_memory_free(memory);
    sass_file_release(&f);
    strbuf_release(&b);
    return ret;
}

static void voteu_reads_the_predicate_of_the_lanes(void **state)
{
    static const uint64_t tested[] = {
        0x0000000000067886, 0x000fe200080e0100, /* VOTEU.ANY UR6, UPT, P0 */
        0x0000000600057c02, 0x000fc20008000f00, /* MOV R5, UR6 */
    };
    uint32_t out[THREADS];
    struct err e;

    (void)state;
    CHECK_OK(run(tested, sizeof tested / sizeof *tested, NULL, out, &e), &e);
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(out[k], 0xffffffe0);
}

/* 4 - (0 << 2) has no borrow, so the carry is 1. */
static void lea_of_a_negative_zero_has_a_carry(void **state)
{
    static const uint64_t tested[] = {
        0x00000003ff057211, 0x000fe200078211ff, /* LEA R5, P1, -RZ, R3, 0x2 */
        0x0000000105051810, 0x000fca0007ffe0ff, /* @P1 IADD3 R5, R5, 0x1, RZ */
    };
    uint32_t out[THREADS];
    struct err e;

    (void)state;
    CHECK_OK(run(tested, sizeof tested / sizeof *tested, NULL, out, &e), &e);
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(out[k], 5);
}

/* Products of sizes that are 0 modulo 2^64 too. */
static void grids_and_blocks_that_are_too_large_are_refused(void **state)
{
    static const struct sass_launch bad[] = {{.grid = {1, 1, 1}, .block = {1u << 31, 1u << 31, 4}},
                                             {.grid = {1, 1, 1}, .block = {1025, 1, 1}},
                                             {.grid = {1, 1, 1}, .block = {64, 32, 1}},
                                             {.grid = {1, 1, 1}, .block = {0, 1, 1}},
                                             {.grid = {1u << 30, 1u << 31, 8}, .block = {1, 1, 1}},
                                             {.grid = {1, 1, 65536}, .block = {1, 1, 1}},
                                             {.grid = {1u << 31, 1, 1}, .block = {1, 1, 1}}};
    static const uint64_t tested[] = {0x0000000000007918, 0x000fc00000000000}; /* NOP */
    uint32_t out[THREADS];
    struct err e;

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(run(tested, 2, &bad[k], out, &e), -1);
        assert_int_equal(e.code, ERR_INVALID);
        assert_non_null(strstr(e.text, "block"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(voteu_reads_the_predicate_of_the_lanes),
                                       cmocka_unit_test(lea_of_a_negative_zero_has_a_carry),
                                       cmocka_unit_test(grids_and_blocks_that_are_too_large_are_refused)};

    return cmocka_run_group_tests_name("sass instructions", tests, NULL, NULL);
}
