/* Video instructions on words and on selected bytes and halves, with results computed by hand from the manual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/ptx/engine.h"

struct video {
    const char *line; /* computes %r4 from %r1, %r2, %r3 */
    uint32_t a, b, c, want;
};
static const struct video cases[] = {
    {"vadd.s32.s32.s32 %r4, %r1, %r2;", 5, 0xfffffff9, 0, 0xfffffffe},
    {"vadd.u32.u32.u32.sat %r4, %r1, %r2;", 0xffffffff, 2, 0, 0xffffffff},
    {"vadd.s32.u32.s32.sat %r4, %r1.b3, %r2.h1;", 0xff000000, 0x80000000, 0, 0xff - 0x8000},
    {"vadd.u32.u32.u32 %r4.b2, %r1.b1, %r2.h0, %r3;", 0x1200, 0x00f5, 0xaabbccdd, 0xaa07ccdd},
    {"vadd.u32.u32.u32.sat %r4.b2, %r1.b1, %r2.h0, %r3;", 0x1200, 0x00f5, 0xaabbccdd, 0xaaffccdd},
    {"vadd.s32.s32.s32.sat %r4.h1, %r1, %r2, %r3;", 40000, 1, 0x11112222, 0x7fff2222},
    {"vsub.s32.u32.u32 %r4, %r1, %r2;", 1, 2, 0, 0xffffffff},
    {"vsub.u32.u32.u32.sat %r4, %r1, %r2;", 1, 2, 0, 0},
    {"vsub.s32.s32.s32.add %r4, %r1, %r2, %r3;", 1, 5, 10, 6},
    {"vabsdiff.u32.u32.u32.add %r4, %r1, %r2, %r3;", 3, 10, 100, 107},
    {"vabsdiff.u32.s32.s32 %r4, %r1, %r2;", 0x80000000, 0x7fffffff, 0, 0xffffffff},
    {"vmin.s32.s32.s32 %r4, %r1.b0, %r2.b0;", 0x80, 1, 0, 0xffffff80},
    {"vmin.s32.u32.s32.max %r4, %r1.b0, %r2.b0, %r3;", 0x80, 1, 7, 7},
    {"vmax.u32.u32.u32.min %r4, %r1, %r2, %r3;", 5, 6, 4, 4},
    {"vmax.s32.s32.s32.max %r4, %r1, %r2, %r3;", 0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffffb},
    {"vshl.u32.u32.u32.clamp %r4, %r1, %r2;", 3, 33, 0, 0},
    {"vshl.u32.u32.u32.wrap %r4, %r1, %r2;", 3, 33, 0, 6},
    {"vshl.u32.u32.u32.sat.clamp %r4, %r1, %r2;", 3, 31, 0, 0xffffffff},
    {"vshr.s32.s32.u32.clamp %r4, %r1, %r2;", 0x80000000, 40, 0, 0xffffffff},
    {"vshr.u32.u32.u32.wrap.add %r4, %r1, %r2, %r3;", 0x80000000, 63, 5, 6},
    {"vmad.s32.s32.s32 %r4, %r1.h0, %r2.h1, %r3;", 0xffff, 0x00030000, 10, 7},
    {"vmad.u32.u32.u32.sat %r4, %r1, %r2, %r3;", 0x10000, 0x10000, 1, 0xffffffff},
    {"vmad.s32.s32.s32 %r4, -%r1, %r2, %r3;", 3, 4, 2, 0xfffffff6},
    {"vmad.s32.s32.s32 %r4, %r1, %r2, -%r3;", 3, 4, 2, 10},
    {"vmad.u32.u32.u32.shr7 %r4, %r1, %r2, %r3;", 256, 3, 128, 7},
    {"vmad.s32.s32.s32.sat.shr15 %r4, %r1, %r2, %r3;", 0x7fffffff, 0x7fffffff, 0, 0x7fffffff},
    {"vmad.u32.u32.u32.po %r4, %r1, %r2, %r3;", 3, 4, 2, 15},
    {"vset.s32.s32.lt %r4, %r1, %r2;", 0xffffffff, 0, 0, 1},
    {"vset.u32.u32.lt %r4, %r1, %r2;", 0xffffffff, 0, 0, 0},
    {"vset.u32.s32.ge %r4, %r1.b0, %r2.b0;", 0x80, 0x80, 0, 1},
    {"vset.u32.u32.eq.add %r4, %r1, %r2, %r3;", 9, 9, 5, 6},
    {"vset.u32.u32.ne %r4.h1, %r1, %r2, %r3;", 8, 9, 0xabcd1234, 0x00011234},
    /* only selected parts are written; the others come from c */
    {"vadd4.u32.u32.u32 %r4.b31, %r1, %r2, %r3;", 0x01020304, 0x10203040, 0xaabbccdd, 0x11bb33dd},
    {"vadd4.u32.u32.u32 %r4.b3210, %r1, %r2, %r3;", 0x01020304, 0x10203040, 0xaabbccdd, 0x11223344},
    {"vsub4.s32.s32.s32.sat %r4.b0, %r1, %r2, %r3;", 0x80, 0x01, 0x11223344, 0x11223380},
    {"vadd2.u32.u32.u32 %r4.h1, %r1, %r2, %r3;", 0x00020001, 0x00050006, 0x12345678, 0x00075678},
    /* a sum over the selected parts only */
    {"vabsdiff4.u32.u32.u32.add %r4.b20, %r1, %r2, %r3;", 0x05060708, 0x01010101, 1000, 1012},
    {"vadd2.s32.s32.s32.add %r4.h0, %r1, %r2, %r3;", 0x7000fffe, 0x70000001, 10, 9},
    /* the sum uses results that do not fit in a part: they are not truncated */
    {"vadd4.u32.u32.u32.add %r4, %r1, %r2, %r3;", 0xff, 0xfe, 0x12340000, 0x123401fd},
    {"vadd4.u32.u32.u32.add %r4.b20, %r1, %r2, %r3;", 0xffffffff, 0xfefefefe, 0x12340000, 0x123403fa},
    {"vadd4.s32.s32.s32.add %r4, %r1, %r2, %r3;", 0x7f, 0x7f, 0x12340000, 0x123400fe},
    {"vsub4.u32.u32.u32.add %r4, %r1, %r2, %r3;", 1, 2, 0x12340000, 0x1233ffff},
    {"vadd2.u32.u32.u32.add %r4.h10, %r1, %r2, %r3;", 0xffff, 0xfffe, 0x12340000, 0x1235fffd},
    {"vabsdiff4.s32.s32.s32.add %r4, %r1, %r2, %r3;", 0x80, 0x7f, 0x12340000, 0x123400ff},
    /* selected inputs: bytes 0 to 3 are of a, 4 to 7 of b, highest first */
    {"vadd4.u32.u32.u32 %r4, %r1.b0123, %r2.b4567, %r3;", 0x01020304, 0x10203040, 0, 0x44332211},
    {"vadd4.u32.u32.u32 %r4, %r1.b7777, %r2.b0000, %r3;", 0x01020304, 0x10203040, 0, 0x14141414},
    {"vsub4.u32.u32.u32 %r4.b10, %r1.b0073, %r2.b6521, %r3;", 0x09020304, 0x10203040, 0xffff0000, 0xffff0e06},
    {"vmax2.s32.s32.s32 %r4, %r1.h01, %r2.h32, %r3;", 0x8000ffff, 0x0001fffe, 0, 0x0001fffe},
    {"vmin2.u32.u32.u32 %r4.h10, %r1.h32, %r2.h00, %r3;", 0x00050007, 0x00090001, 0, 0x00070001},
    {"vavrg2.s32.s32.s32 %r4.h0, %r1.h11, %r2.h33, %r3;", 0xfffd0000, 0xfffe0000, 0x00070000, 0x0007fffd},
    {"vset4.u32.u32.lt.add %r4.b321, %r1.b3210, %r2.b0123, %r3;", 0x01020304, 0, 5, 7},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct strbuf s = STRBUF_INIT;
        struct bench *b;
        uint64_t address;
        struct err e;

        strbuf_addf(
            &s,
            ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<8>;\n.reg .b64 %%rd;\nld.param.u64 %%rd, [p];\n"
            "mov.b32 %%r1, 0x%x;\nmov.b32 %%r2, 0x%x;\nmov.b32 %%r3, 0x%x;\n%s\nst.global.b32 [%%rd], %%r4;\n"
            "ret;\n}\n",
            cases[k].a, cases[k].b, cases[k].c, cases[k].line);
        b = bench_open(s.text);
        address = bench_alloc(b, 4);
        CHECK_OK(bench_run(b, "k", 1, 1, &address, 1, &e), &e);
        if (*bench_words(b, address) != cases[k].want)
            fail_msg("%s: %#x, not %#x", cases[k].line, *bench_words(b, address), cases[k].want);
        bench_close(b);
        strbuf_release(&s);
    }
}

/* Selections that ptxas refuses too. */
static void test_pieces_that_are_not_there(void **state)
{
    static const struct {
        const char *line, *want;
    } wrong[] = {
        /* the highest must come first */
        {"vadd4.u32.u32.u32 %r4.b13, %r1, %r2, %r3;", "cannot select these bytes or halves"},
        {"vadd2.u32.u32.u32 %r4.h22, %r1, %r2, %r3;", "cannot select these bytes or halves"},
        {"vadd4.u32.u32.u32 %r4.h1, %r1, %r2, %r3;", "cannot select these bytes or halves"},
        {"vadd4.u32.u32.u32 %r4, %r1.b321, %r2, %r3;", "cannot select these bytes or halves"},
        {"vadd2.u32.u32.u32 %r4, %r1.b3210, %r2, %r3;", "cannot select these bytes or halves"},
        {"vadd4.u32.u32.u32 %r4.b3, %r1, %r2;", "has 4 operands, not 3"},
        {"vadd4.u32.u32.u32 %r4|%r5, %r1.b3210, %r2, %r3;", "must have one result"},
        {"vadd4.u32.u32.u32 _, %r1.b3210, %r2, %r3;", "the result cannot be left out"},
        {"vadd.u32.u32.u32 %r4|%r5, %r1, %r2;", "must have one result"},
        {"vadd.u32.u32.u32 %r4, %r1.h10, %r2;", "accepts one byte or one half"},
        {"add.u32 %r4, %r1.b3210, %r2;", "a part of a register"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct strbuf s = STRBUF_INIT;
        struct bench *b;
        uint64_t address;
        struct err e;

        strbuf_addf(&s, ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<8>;\n%s\nret;\n}\n", wrong[k].line);
        b = bench_open(s.text);
        address = bench_alloc(b, 4);
        assert_int_equal(bench_run(b, "k", 1, 1, &address, 1, &e), -1);
        if (!strstr(e.text, wrong[k].want))
            fail_msg("%s: %s", wrong[k].line, e.text);
        bench_close(b);
        strbuf_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases),
                                       cmocka_unit_test(test_pieces_that_are_not_there)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
