/* Textures by handle: each rule of reading once, with texel values that encode their position. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <setjmp.h>

#include <cmocka.h>

#include "ptx/program/texture.h"
#include "tests/unit/ptx/engine.h"

enum { WIDTH = 8, HEIGHT = 4, IN = 32, OUT = 32 };

/* Builds a kernel with one line of PTX: %f0.. are the lane's four floats, %r4.. its four integers (the same
 * memory), %rd3 the handle. The result is in %f4 to %f7 (floats true) or %r8 to %r11. */
static char *kernel_of(const char *line, bool floats)
{
    struct strbuf s = STRBUF_INIT;

    strbuf_adds(&s, ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 image)\n{\n.reg .b32 %r<12>;\n"
                    ".reg .f32 %f<8>;\n.reg .b64 %rd<6>;\n.reg .b16 %h<8>;\nld.param.u64 %rd0, [in];\n"
                    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd3, [image];\nmov.u32 %r0, %tid.x;\n"
                    "mad.wide.u32 %rd0, %r0, 16, %rd0;\nmad.wide.u32 %rd1, %r0, 16, %rd1;\n"
                    "ld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%rd0];\nld.global.v4.b32 {%r4,%r5,%r6,%r7}, [%rd0];\n");
    for (int k = 0; k < 4; k++)
        strbuf_addf(&s, "mov.f32 %%f%d, 0f00000000;\nmov.b32 %%r%d, 0;\n", k + 4, k + 8);
    strbuf_addf(&s, "%s\nst.global.v4.%s [%%rd1], {%s};\nret;\n}\n", line, floats ? "f32" : "b32",
                floats ? "%f4,%f5,%f6,%f7" : "%r8,%r9,%r10,%r11");
    return strbuf_detach(&s);
}

union lane {
    float f[4];
    int32_t i[4];
    uint32_t u[4];
};

/* The texels are at the beginning of the image. `in` has the lanes' coordinates. */
static int run_in(struct bench *b, const struct ptx_texture *t, const void *texels, size_t bytes,
                  const union lane in[IN], union lane out[OUT], struct err *e)
{
    struct ptx_texture own = *t;
    uint64_t params[3];
    int ret;

    own.address = bench_alloc(b, bytes);
    memcpy(bench_words(b, own.address), texels, bytes);
    params[0] = bench_alloc(b, IN * sizeof *in);
    params[1] = bench_alloc(b, OUT * sizeof *out);
    memcpy(bench_words(b, params[0]), in, IN * sizeof *in);
    ret = ptx_program_texture(b->program, &own, &params[2], e);
    if (ret == 0)
        ret = bench_run(b, "k", 1, 32, params, 3, e);
    memcpy(out, bench_words(b, params[1]), OUT * sizeof *out);
    memcpy((void *)(uintptr_t)texels, bench_words(b, own.address), bytes);
    return ret;
}

static void run(const char *line, bool floats, const struct ptx_texture *t, void *texels, size_t bytes,
                const union lane in[IN], union lane out[OUT])
{
    char *text = kernel_of(line, floats);
    struct bench *b = bench_open(text);
    struct err e;

    CHECK_OK(run_in(b, t, texels, bytes, in, out, &e), &e);
    bench_close(b);
    free(text);
}

static float image[HEIGHT][WIDTH];

/* Texel (x, y) is 100 y + x * x. */
static void make_image(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            image[y][x] = (float)(100 * y + x * x);
}

static const struct ptx_texture plain = {.dims = 2,
                                         .size = {WIDTH, HEIGHT},
                                         .kind = PTX_TEXEL_FLOAT,
                                         .bits = 32,
                                         .channels = 1,
                                         .mode = {PTX_ADDRESS_CLAMP, PTX_ADDRESS_CLAMP, PTX_ADDRESS_CLAMP}};

static void test_point(void **state)
{
    static const char line[] = "tex.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%f0,%f1}];";
    union lane in[IN] = {{{2.99f, 1.0f}}, {{-5, 3.5f}}, {{7.5f, 900}}, {{NAN, 0}}}, out[OUT];
    struct ptx_texture t = plain;

    (void)state;
    make_image();
    run(line, true, &t, image, sizeof image, in, out);
    assert_true(out[0].f[0] == 104 && out[0].f[1] == 0 && out[0].f[2] == 0 && out[0].f[3] == 1);
    assert_true(out[1].f[0] == 300 && out[2].f[0] == 349 && out[3].f[0] == 0);
    run(".reg .v4 .f32 %v;\n.reg .v2 .f32 %c;\nmov.f32 %c.x, %f0;\nmov.f32 %c.y, %f1;\n"
        "tex.2d.v4.f32.f32 %v, [%rd3, %c];\nmov.f32 %f4, %v.x;\nmov.f32 %f7, %v.w;",
        true, &t, image, sizeof image, in, out);
    assert_true(out[0].f[0] == 104 && out[0].f[3] == 1 && out[2].f[0] == 349);
    t.mode[0] = t.mode[1] = PTX_ADDRESS_BORDER;
    run(line, true, &t, image, sizeof image, in, out);
    assert_true(out[0].f[0] == 104 && out[1].f[0] == 0 && out[2].f[0] == 0);
}

static void test_unit_coordinates(void **state)
{
    static const char line[] = "tex.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%f0,%f1}];";
    union lane in[IN] = {{{0.5f, 0.75f}}, {{1.25f, 0.25f}}, {{-0.25f, 0}}}, out[OUT];
    struct ptx_texture t = plain;

    (void)state;
    make_image();
    t.unit_coordinates = true;
    t.mode[0] = PTX_ADDRESS_WRAP;
    run(line, true, &t, image, sizeof image, in, out);
    assert_true(out[0].f[0] == 316 && out[1].f[0] == 104 && out[2].f[0] == 36);
    t.mode[0] = PTX_ADDRESS_MIRROR;
    run(line, true, &t, image, sizeof image, in, out);
    assert_true(out[0].f[0] == 316 && out[1].f[0] == 125 && out[2].f[0] == 1); /* texel 10 is 5, texel -2 is 1 */
}

/* Weights have 8 fractional bits: coordinates between two steps give the same result. */
static void test_linear(void **state)
{
    static const char line[] = "tex.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%f0,%f1}];";
    union lane in[IN] = {{{3.0f, 1.5f}},
                         {{3.75f, 2.0f}},
                         {{3.5f + 1.4f / 256, 0.5f}},
                         {{3.5f + 1.6f / 256, 0.5f}},
                         {{0, 0}},
                         {{3.5f + 255.7f / 256, 0.5f}}},
               out[OUT];
    struct ptx_texture t = plain;

    (void)state;
    make_image();
    t.linear = true;
    run(line, true, &t, image, sizeof image, in, out);
    assert_true(out[0].f[0] == 100 + (4 + 9) / 2.0f);
    assert_true(out[1].f[0] == 150 + 9 * 0.75f + 16 * 0.25f);
    assert_true(out[2].f[0] == 9 + 7 * 1 / 256.0f && out[3].f[0] == 9 + 7 * 2 / 256.0f);
    assert_true(out[4].f[0] == 0);  /* all four texels are (0, 0) */
    assert_true(out[5].f[0] == 16); /* a weight of one */
}

static void test_formats(void **state)
{
    static const char floats[] = "tex.1d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%f0}];";
    static const char whole[] = "tex.1d.v4.s32.s32 {%r8,%r9,%r10,%r11}, [%rd3, {%r4}];";
    uint8_t bytes[8] = {255, 51, 128, 0, 127, 129, 1, 255};
    uint16_t halves[4] = {0x3c00, 0xc000, 0x0001, 0x7c00};
    struct ptx_texture t = {
        .dims = 1, .size = {2}, .bits = 8, .channels = 4, .fractions = true, .mode = {PTX_ADDRESS_CLAMP}};
    union lane in[IN] = {{{0}}, {{1}}}, out[OUT];

    (void)state;
    run(floats, true, &t, bytes, sizeof bytes, in, out);
    assert_true(out[0].f[0] == 1 && out[0].f[1] == (float)(51 / 255.0) && out[0].f[3] == 0);
    t.kind = PTX_TEXEL_SIGNED;
    run(floats, true, &t, bytes, sizeof bytes, in, out);
    assert_true(out[0].f[2] == -1 && out[1].f[0] == 1 && out[1].f[1] == -1 && out[1].f[3] == (float)(-1 / 127.0));
    t.fractions = false;
    in[1].i[0] = 1;
    in[2].i[0] = 2;
    in[3].i[0] = -1;
    run(whole, false, &t, bytes, sizeof bytes, in, out);
    assert_true(out[0].i[0] == -1 && out[0].i[1] == 51 && out[1].i[1] == -127 && out[2].i[0] == 0 &&
                out[3].i[3] == 0);
    t = (struct ptx_texture){
        .dims = 1, .size = {2}, .kind = PTX_TEXEL_FLOAT, .bits = 16, .channels = 2, .mode = {PTX_ADDRESS_CLAMP}};
    in[1].f[0] = 1;
    run(floats, true, &t, halves, sizeof halves, in, out);
    assert_true(out[0].f[0] == 1 && out[0].f[1] == -2 && out[1].f[0] == ldexpf(1, -24) && isinf(out[1].f[1]));
}

static void test_layers_slices_and_gather(void **state)
{
    float cube[2][3][4];
    struct ptx_texture t = {.dims = 2,
                            .size = {4, 3},
                            .layers = 2,
                            .kind = PTX_TEXEL_FLOAT,
                            .bits = 32,
                            .channels = 1,
                            .mode = {PTX_ADDRESS_CLAMP, PTX_ADDRESS_CLAMP, PTX_ADDRESS_CLAMP}};
    union lane in[IN], out[OUT];

    (void)state;
    for (int k = 0; k < 24; k++)
        ((float *)cube)[k] = (float)(k * k);
    for (int l = 0; l < IN; l++)
        in[l] = (union lane){{1.5f, 2.5f, 1.5f, 0}};
    run("mov.b32 %r0, 1;\ntex.a2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%r0,%f0,%f1,%f1}];", true, &t, cube,
        sizeof cube, in, out);
    assert_true(out[0].f[0] == (12 + 8 + 1) * (12 + 8 + 1));
    in[0] = (union lane){{2, 1, 0, 0}};
    run("mov.b32 %r0, 1;\ntld4.r.a2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%r0,%f0,%f1,%f1}];", true, &t, cube,
        sizeof cube, in, out);
    assert_true(out[0].f[0] == 289 && out[0].f[1] == 324 && out[0].f[2] == 196 && out[0].f[3] == 169);
    in[0] = in[1];
    t.layers = 0;
    t.dims = 3;
    t.size[2] = 2;
    run("tex.3d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%f0,%f1,%f2,%f2}];", true, &t, cube, sizeof cube, in, out);
    assert_true(out[0].f[0] == (12 + 8 + 1) * (12 + 8 + 1));
    t.linear = true;
    in[0] = (union lane){{2, 1, 1, 0}}; /* the center between texels 1 and 2, lines 0 and 1, slices 0 and 1 */
    run("tex.3d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%f0,%f1,%f2,%f2}];", true, &t, cube, sizeof cube, in, out);
    assert_true(out[0].f[0] == (1 + 4 + 25 + 36 + 169 + 196 + 289 + 324) / 8.0f);
    t.dims = 2;
    t.linear = false;
    in[0] = (union lane){{2, 1, 0, 0}};
    run("tld4.r.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%f0,%f1}];", true, &t, cube, sizeof cube, in, out);
    assert_true(out[0].f[0] == 25 && out[0].f[1] == 36 && out[0].f[2] == 4 && out[0].f[3] == 1);
    run("txq.width.b32 %r8, [%rd3];\ntxq.height.b32 %r9, [%rd3];\nsuq.width.b32 %r10, [%rd3];", false, &t, cube,
        sizeof cube, in, out);
    assert_true(out[3].i[0] == 4 && out[3].i[1] == 3 && out[3].i[2] == 4);
}

static void test_surfaces(void **state)
{
    uint32_t words[4][8];
    struct ptx_texture t = {
        .dims = 2, .size = {8, 4}, .bits = 32, .channels = 1, .mode = {PTX_ADDRESS_CLAMP, PTX_ADDRESS_CLAMP}};
    union lane in[IN] = {{.i = {8, 1, 77, 78}}, {.i = {-8, 3, 5, 6}}, {.i = {24, 9, 7, 8}}}, out[OUT];

    (void)state;
    for (int l = 3; l < IN; l++)
        in[l] = in[0];
    for (uint32_t k = 0; k < 32; k++)
        words[k / 8][k % 8] = 1000 + k;
    run("suld.b.2d.v2.b32.zero {%r8,%r9}, [%rd3, {%r4,%r5}];\nsuld.b.2d.b16.clamp %h0, [%rd3, {%r4,%r5}];\n"
        "cvt.u32.u16 %r10, %h0;",
        false, &t, words, sizeof words, in, out);
    assert_true(out[0].i[0] == 1010 && out[0].i[1] == 1011 && out[0].i[2] == 1010);
    assert_true(out[1].i[0] == 0 && out[1].i[2] == 1024 && out[2].i[0] == 0 && out[2].i[2] == 1030);
    run("sust.b.2d.v2.b32.zero [%rd3, {%r4,%r5}], {%r6,%r7};", false, &t, words, sizeof words, in, out);
    assert_true(words[1][2] == 77 && words[1][3] == 78 && words[3][0] == 1024 && words[3][6] == 1030);
    run("sust.b.2d.b8.clamp [%rd3, {%r4,%r5}], %h1;", false, &t, words, sizeof words, in, out);
    assert_true(words[1][2] == 0 && words[3][6] == (1030 & ~255u));
}

static void fails(const char *line, const struct ptx_texture *t, union lane first, const char *want)
{
    char *text = kernel_of(line, false);
    struct bench *b = bench_open(text);
    uint32_t words[32] = {0};
    union lane in[IN], out[OUT];
    struct err e;

    for (int l = 0; l < IN; l++)
        in[l] = first;
    assert_int_equal(run_in(b, t, words, sizeof words, in, out, &e), -1);
    if (!strstr(e.text, want))
        fail_msg("%s", e.text);
    bench_close(b);
    free(text);
}

static void test_faults(void **state)
{
    static const char surface[] = "suld.b.2d.v2.b32.trap {%r8,%r9}, [%rd3, {%r4,%r5}];";
    struct ptx_texture t = {
        .dims = 2, .size = {8, 4}, .bits = 32, .channels = 1, .mode = {PTX_ADDRESS_CLAMP, PTX_ADDRESS_CLAMP}};

    (void)state;
    fails(surface, &t, (union lane){.i = {32, 0}}, "the surface has no element (32, 0, 0)");
    fails(surface, &t, (union lane){.i = {4, 0}}, "not aligned");
    fails("mov.b64 %rd3, 5;\nsuld.b.2d.b32.trap %r8, [%rd3, {%r4,%r5}];", &t, (union lane){.i = {0}},
          "0x5 is not the handle of a texture");
    fails("suld.b.1d.b32.trap %r8, [%rd3, {%r4}];", &t, (union lane){.i = {0}}, "has 2 dimensions");
    t.linear = true;
    fails(surface, &t, (union lane){.i = {0}}, "integers can be filtered linearly only");
    t.linear = false;
    t.mode[1] = PTX_ADDRESS_WRAP;
    fails(surface, &t, (union lane){.i = {0}}, "need normalized coordinates");
    t.mode[1] = PTX_ADDRESS_CLAMP;
    t.size[1] = 4000;
    fails(surface, &t, (union lane){.i = {0}}, "does not fit its buffer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point),
        cmocka_unit_test(test_unit_coordinates),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_layers_slices_and_gather),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
