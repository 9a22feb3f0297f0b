/* Rare instructions: atomics on vectors, reductions of floats, moves of four values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/ptx/engine.h"

#define BEGIN                                                                                                      \
    ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<16>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<8>;\n.reg .pred "     \
    "%p<4>;\n"                                                                                                     \
    "ld.param.u64 %rd0, [p];\nmov.u32 %r0, %tid.x;\nmad.wide.u32 %rd1, %r0, 16, %rd0;\n"

static void run(const char *lines, const uint32_t *in, uint32_t *words)
{
    struct strbuf s = STRBUF_INIT;
    struct bench *b;
    uint64_t address;
    struct err e;

    strbuf_addf(&s, "%s%sret;\n}\n", BEGIN, lines);
    b = bench_open(s.text);
    address = bench_alloc(b, 1024);
    memcpy(bench_words(b, address), in, 512);
    CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &e), &e);
    memcpy(words, bench_words(b, address), 1024);
    bench_close(b);
    strbuf_release(&s);
}

static void test_vector_atomics(void **state)
{
    uint32_t in[128] = {0x3f800000, 0x40000000, 0, 0, 0x3c003c00, 0x40004000}, out[256];

    (void)state;
    run("cvt.rn.f32.u32 %f0, %r0;\nmov.f32 %f1, 0f3F000000;\n"
        "atom.global.add.v2.f32 {%f2, %f3}, [%rd0], {%f0, %f1};\n"
        "st.global.v2.f32 [%rd1+512], {%f2, %f3};\n"
        "red.global.add.v2.f32 [%rd0], {%f1, %f1};\n"
        "mov.b32 %r1, 0x00003c00;\nmov.b32 %r2, 0x3c000000;\n"
        "red.global.add.noftz.v2.f16x2 [%rd0+16], {%r1, %r2};\n",
        in, out);
    assert_int_equal(out[0], 0x44004000); /* 1 + (0 + ... + 31) + 32 / 2 */
    assert_int_equal(out[1], 0x42080000); /* 2 + 32 / 2 + 32 / 2 */
    for (uint32_t l = 0, sum = 1; l < 32; sum += l++) {
        float old;

        memcpy(&old, &out[128 + 4 * l], 4);
        assert_true(old == (float)sum);
    }
    assert_int_equal(out[4], 0x3c005020); /* 1 + 32 in the low half */
    assert_int_equal(out[5], 0x50404000); /* 2 + 32 in the high half */
}

static void test_float_reductions(void **state)
{
    uint32_t in[128] = {0}, out[256];

    (void)state;
    for (uint32_t l = 0; l < 32; l++) {
        float v = l == 5 ? -7.5f : l == 9 ? 6.0f : 1.0f;

        memcpy(&in[4 * l], &v, 4);
        in[4 * l + 1] = l == 3 ? 0x7fc00001 : l == 4 ? 0x80000000 : 0;
        in[4 * l + 2] = 0xffc00000;
    }
    run("ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd1];\n"
        "redux.sync.min.f32 %f4, %f0, -1;\nredux.sync.max.f32 %f5, %f0, -1;\nredux.sync.max.abs.f32 %f6, %f0, -1;\n"
        "redux.sync.min.f32 %f7, %f1, -1;\nst.global.v4.f32 [%rd1+512], {%f4, %f5, %f6, %f7};\n"
        "redux.sync.min.NaN.f32 %f4, %f1, -1;\nredux.sync.max.f32 %f5, %f2, -1;\n"
        "st.global.v2.f32 [%rd0], {%f4, %f5};\n",
        in, out);
    assert_int_equal(out[128], 0xc0f00000);
    assert_int_equal(out[129], 0x40c00000);
    assert_int_equal(out[130], 0x40f00000);
    assert_int_equal(out[131], 0x80000000);
    assert_int_equal(out[0], 0x7fffffff);
    assert_int_equal(out[1], 0x7fffffff);
}

static void test_quads(void **state)
{
    uint32_t in[128] = {0}, out[256];

    (void)state;
    run("mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;\nmov.v4.b32 {%r4, %r1, _, %r5}, {%r1, %r4, %r2, 77};\n"
        "st.global.v4.b32 [%rd1+512], {%r1, %r4, %r5, %r2};\n",
        in, out);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(out[128 + 4 * l], 0);
        assert_int_equal(out[129 + 4 * l], l);
        assert_int_equal(out[130 + 4 * l], 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector_atomics),
        cmocka_unit_test(test_float_reductions),
        cmocka_unit_test(test_quads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
