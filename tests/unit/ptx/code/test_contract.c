/* Multiplications and additions that are fused to one fma, and those that must not be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/ptx/engine.h"

/* a = 1 + 2^-12, b = 1 - 2^-13, c = -1 - 2^-13. The exact a * b is -c - 2^-25, which rounds to -c in f32. */
static float run(const char *lines, bool contract)
{
    struct strbuf s = STRBUF_INIT;
    struct bench *b;
    uint64_t address;
    struct err e;
    float out;

    strbuf_addf(
        &s,
        ".visible .entry k(.param .u64 p)\n{\n.reg .f32 %%f<8>;\n.reg .b64 %%rd;\n.reg .pred %%p;\n"
        "ld.param.u64 %%rd, [p];\nmov.f32 %%f0, 0f3F800800;\nmov.f32 %%f1, 0f3F7FF800;\n"
        "mov.f32 %%f2, 0fBF800400;\nsetp.eq.f32 %%p, %%f0, %%f0;\n%s\nst.global.f32 [%%rd], %%f4;\nret;\n}\n",
        lines);
    b = bench_open(s.text);
    ptx_program_contract(b->program, contract);
    address = bench_alloc(b, 4);
    CHECK_OK(bench_run(b, "k", 1, 1, &address, 1, &e), &e);
    memcpy(&out, bench_words(b, address), 4);
    bench_close(b);
    strbuf_release(&s);
    return out;
}

static void test_fused(void **state)
{
    const float tiny = ldexpf(-1, -25);
    static const struct {
        const char *lines;
        float sign; /* sign of the exact result, in units of -2^-25 */
    } cases[] = {
        {"mul.f32 %f3, %f0, %f1;\nadd.f32 %f4, %f3, %f2;", 1},
        {"mul.f32 %f3, %f0, %f1;\nadd.f32 %f4, %f2, %f3;", 1},
        {"mul.ftz.f32 %f3, %f0, %f1;\nadd.ftz.f32 %f4, %f3, 0fBF800400;", 1},
        {"neg.f32 %f5, %f2;\nmul.f32 %f3, %f0, %f1;\nsub.f32 %f4, %f3, %f5;", 1},
        {"neg.f32 %f5, %f2;\nmul.f32 %f3, %f0, %f1;\nsub.f32 %f4, %f5, %f3;", -1},
        {"neg.f32 %f5, %f2;\nmul.f32 %f3, %f0, %f1;\nsub.ftz.f32 %f4, %f5, %f3;", 0}, /* .ftz on only one of them */
        {"mul.f32 %f3, %f0, %f1;\nmov.f32 %f6, %f2;\nadd.f32 %f4, %f3, %f6;", 1},
        {"mul.rn.f32 %f3, %f0, %f1;\nadd.f32 %f4, %f3, %f2;", 0},
        {"mul.f32 %f3, %f0, %f1;\nadd.rn.f32 %f4, %f3, %f2;", 0},
        /* the product is used twice */
        {"mul.f32 %f3, %f0, %f1;\nadd.f32 %f4, %f3, %f2;\nadd.f32 %f5, %f3, %f2;", 0},
        /* a is overwritten between them */
        {"mul.f32 %f3, %f0, %f1;\nmov.f32 %f0, 0f00000000;\nadd.f32 %f4, %f3, %f2;", 0},
        /* the addition is in another block */
        {"mul.f32 %f3, %f0, %f1;\n@%p bra N;\nN:\nadd.f32 %f4, %f3, %f2;", 0},
        {"mov.f32 %f4, 0f00000000;\nmul.f32 %f3, %f0, %f1;\n@%p add.f32 %f4, %f3, %f2;", 0},
        {"mul.f32 %f3, %f0, %f1;\nneg.f32 %f5, %f2;\nsub.f32 %f4, %f3, %f5;", 0}, /* fma has no negated c here */
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        float with = run(cases[k].lines, true), without = run(cases[k].lines, false);

        if (with != cases[k].sign * tiny || without != 0)
            fail_msg("%s: %a, not fused %a", cases[k].lines, (double)with, (double)without);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
