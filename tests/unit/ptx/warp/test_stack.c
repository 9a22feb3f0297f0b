/* alloca, stacksave, stackrestore: each lane allocates its own size, calls use the space after it, and released
 * space is reused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/ptx/engine.h"

static struct err last;

static int run(const char *text, uint32_t out[32])
{
    struct bench *b = bench_open(text);
    uint64_t address = bench_alloc(b, 128);
    int ret = bench_run(b, "k", 1, 32, &address, 1, &last);

    memcpy(out, bench_words(b, address), 128);
    bench_close(b);
    return ret;
}

/* sum(n): words 0 to n-1 on the stack, then a call of sum(n-1), which must not change them. */
static void calls_lie_behind_what_their_callers_took(void **state)
{
    static const char text[] =
        ".func (.param .b32 r) sum(.param .b32 n)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<3>;\n"
        "ld.param.b32 %r0, [n];\nmov.u32 %r1, 0;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 bra END;\n"
        "mul.wide.u32 %d0, %r0, 4;\nalloca.u64 %d1, %d0, 16;\nmov.u32 %r2, 0;\nmov.u64 %d2, %d1;\n"
        "FILL:\nst.local.u32 [%d2], %r2;\nadd.u64 %d2, %d2, 4;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r0;\n"
        "@%p1 bra FILL;\nsub.u32 %r3, %r0, 1;\n{\n.param .b32 a; .param .b32 b;\nst.param.b32 [a], %r3;\n"
        "call (b), sum, (a);\nld.param.b32 %r1, [b];\n}\ncvta.local.u64 %d2, %d1;\nmov.u32 %r2, 0;\n"
        "ADD:\nld.u32 %r4, [%d2];\nadd.u32 %r1, %r1, %r4;\nadd.u64 %d2, %d2, 4;\nadd.u32 %r2, %r2, 1;\n"
        "setp.lt.u32 %p1, %r2, %r0;\n@%p1 bra ADD;\nEND:\nst.param.b32 [r], %r1;\nret;\n}\n"
        ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\nld.param.u64 %d0, [p];\n"
        "mov.u32 %r0, %tid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.u64 %d0, %d0, %d1;\n{\n.param .b32 a; .param .b32 "
        "b;\n"
        "st.param.b32 [a], %r0;\ncall (b), sum, (a);\nld.param.b32 %r1, [b];\n}\nst.global.u32 [%d0], "
        "%r1;\nret;\n}\n";
    uint32_t out[32], want = 0, line = 0;

    (void)state;
    CHECK_OK(run(text, out), &last);
    for (uint32_t n = 0; n < 32; line += n++) {
        want += line;
        assert_int_equal(out[n], want); /* 0 + ... + (n-1), summed over all smaller n */
    }
}

/* 4 KiB a thousand times, more than the stack has. It fits because each iteration releases it. */
#define LOOP(restore)                                                                                              \
    ".visible .entry k(.param .u64 p)\n{\n.local .align 8 .b8 own[64];\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n"      \
    ".reg .pred %p<3>;\nld.param.u64 %d0, [p];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, 0;\nmov.u64 %d5, own;\n"        \
    "st.local.u32 [%d5+60], %r0;\nL:\nstacksave.u64 %d1;\nalloca.u64 %d2, 4096;\nst.local.u32 [%d2+4092], %r1;\n"  \
    "ld.local.u32 %r2, [%d2+4092];\nadd.u32 %r3, %r3, %r2;\n" restore                                              \
    "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, 1000;\n@%p0 bra L;\nld.local.u32 %r4, [%d5+60];\n"                \
    "add.u32 %r3, %r3, %r4;\nmul.wide.u32 %d3, %r0, 4;\nadd.u64 %d0, %d0, %d3;\nst.global.u32 [%d0], "             \
    "%r3;\nret;\n}\n"

static void what_is_given_back_is_used_again(void **state)
{
    uint32_t out[32];

    (void)state;
    CHECK_OK(run(LOOP("stackrestore.u64 %d1;\n"), out), &last);
    for (uint32_t k = 0; k < 32; k++)
        assert_int_equal(out[k], 999 * 1000 / 2 + k);
}

static void too_much_and_too_little_are_reported(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {LOOP(""), "alloca of 4096 bytes; a thread has at most 1048576"},
        {LOOP("add.u64 %d1, %d1, 8192;\nstackrestore.u64 %d1;\n"), "which no stacksave of this call returned"},
        {LOOP("stackrestore.u64 0;\n"), "stackrestore of 0x0, which"},
        {LOOP("alloca.u64 %d2, -1;\n"), "alloca of 18446744073709551615 bytes"},
    };
    uint32_t out[32];

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (run(cases[k].text, out) == 0 || !strstr(last.text, cases[k].want))
            fail_msg("case %zu: %s", k, last.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_lie_behind_what_their_callers_took),
        cmocka_unit_test(what_is_given_back_is_used_again),
        cmocka_unit_test(too_much_and_too_little_are_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
