/* Matrices loaded from memory: wmma compared with plain loops; ldmatrix, stmatrix and movmatrix. */
#include "tests/unit/ptx/ops/matrix.h"

/* --- wmma: loads and stores through memory, so the fragment layout does not matter --- */

struct wmma {
    struct product p;
    bool a_column, b_column, d_column;
    uint32_t a_registers, b_registers, c_registers, d_registers;
};

static void wmma_line(struct strbuf *s, const struct wmma *m, const char *what, bool column, const char *type,
                      const char *name, uint32_t count, uint32_t pointer, uint32_t stride)
{
    bool store = what[0] == 's';

    strbuf_addf(s, "wmma.%s.sync.aligned.%s.m%un%uk%u.global.%s ", what, column ? "col" : "row", m->p.m, m->p.n,
                m->p.k, type);
    if (store)
        strbuf_addf(s, "[%%rd%u], ", pointer);
    add_list(s, name, count);
    if (!store)
        strbuf_addf(s, ", [%%rd%u]", pointer);
    strbuf_addf(s, ", %u;\n", stride);
}

enum { WMMA_BYTES = 16384, WMMA_PAD = 16 }; /* bytes per matrix; padding between lines in values */

static uint32_t stride_of(bool column, uint32_t rows, uint32_t columns, uint32_t bits)
{
    return (column ? rows : columns) + (bits < 8 ? 128 / bits : WMMA_PAD);
}

static void lay(uint8_t *to, const int64_t *x, const char *type, bool column, uint32_t rows, uint32_t columns)
{
    const struct format *f = format_of(type);
    uint32_t stride = stride_of(column, rows, columns, f->bits);

    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            put_bits(to, column ? j * stride + i : i * stride + j, f->bits, encode(f, x[i * columns + j]));
}

static void wmma_text(struct strbuf *s, const struct wmma *m)
{
    const struct product *p = &m->p;
    uint32_t sa = stride_of(m->a_column, p->m, p->k, format_of(p->a)->bits);
    uint32_t sb = stride_of(m->b_column, p->k, p->n, format_of(p->b)->bits);
    uint32_t sc = stride_of(m->d_column, p->m, p->n, format_of(p->c)->bits);
    bool halves = strcmp(p->a, "f16") == 0;

    strbuf_adds(s, ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<8>;\n");
    strbuf_addf(s, ".reg .%s %%fa<8>;\n.reg .%s %%fb<8>;\n.reg .%s %%fc<8>;\n.reg .%s %%fd<8>;\n",
                register_type(p->a), register_type(p->b), register_type(p->c), register_type(p->d));
    strbuf_adds(s, "ld.param.u64 %rd0, [p];\n");
    for (int k = 1; k < 4; k++)
        strbuf_addf(s, "add.s64 %%rd%d, %%rd0, %d;\n", k, k * WMMA_BYTES);
    wmma_line(s, m, "load.a", m->a_column, p->a, "fa", m->a_registers, 0, sa);
    wmma_line(s, m, "load.b", m->b_column, p->b, "fb", m->b_registers, 1, sb);
    wmma_line(s, m, "load.c", m->d_column, p->c, "fc", m->c_registers, 2, sc);
    strbuf_addf(s, "wmma.mma%s.sync.aligned.%s.%s.m%un%uk%u", p->after, m->a_column ? "col" : "row",
                m->b_column ? "col" : "row", p->m, p->n, p->k);
    if (halves)
        strbuf_addf(s, ".%s.%s ", p->d, p->c);
    else
        strbuf_addf(s, ".%s.%s.%s.%s%s ", p->d, p->a, p->b, p->c, strstr(p->before, "sat") ? ".satfinite" : "");
    add_list(s, "fd", m->d_registers);
    strbuf_adds(s, ", ");
    add_list(s, "fa", m->a_registers);
    strbuf_adds(s, ", ");
    add_list(s, "fb", m->b_registers);
    strbuf_adds(s, ", ");
    add_list(s, "fc", m->c_registers);
    strbuf_adds(s, ";\n");
    wmma_line(s, m, "store.d", m->d_column, p->d, "fd", m->d_registers, 3, sc);
    strbuf_adds(s, "ret;\n}\n");
}

static void check_wmma(const struct wmma *m)
{
    const struct product *p = &m->p;
    const struct format *f = format_of(p->d);
    uint32_t stride = stride_of(m->d_column, p->m, p->n, f->bits);
    struct numbers *x = calloc(1, sizeof *x);
    struct strbuf text = STRBUF_INIT;
    uint64_t address;
    struct bench *b;
    uint8_t *bytes;
    struct err e;

    fill(p, x, p->n);
    multiply(p, x);
    wmma_text(&text, m);
    b = bench_open(text.text);
    address = bench_alloc(b, 4 * WMMA_BYTES);
    bytes = (uint8_t *)bench_words(b, address);
    lay(bytes, x->a, p->a, m->a_column, p->m, p->k);
    lay(bytes + WMMA_BYTES, x->b, p->b, m->b_column, p->k, p->n);
    lay(bytes + 2 * WMMA_BYTES, x->c, p->c, m->d_column, p->m, p->n);
    CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &e), &e);
    for (uint32_t i = 0; i < p->m; i++)
        for (uint32_t j = 0; j < p->n; j++)
            if (get_bits(bytes + 3 * WMMA_BYTES, m->d_column ? j * stride + i : i * stride + j, f->bits) !=
                encode(f, x->d[i * p->n + j]))
                fail_msg("%s: row %u, column %u", text.text, i, j);
    bench_close(b);
    strbuf_release(&text);
    free(x);
}

static void test_wmma(void **state)
{
    static const struct wmma all[] = {
        {{"f32", "f16", "f16", "f32", 16, 16, 16, "", "", 100}, false, true, false, 8, 8, 8, 8},
        {{"f16", "f16", "f16", "f16", 16, 16, 16, "", "", 100}, true, false, true, 8, 8, 4, 4},
        {{"f32", "f16", "f16", "f16", 32, 8, 16, "", "", 100}, false, false, false, 8, 8, 4, 8},
        {{"f16", "f16", "f16", "f32", 8, 32, 16, "", "", 100}, true, true, false, 8, 8, 8, 4},
        {{"f32", "bf16", "bf16", "f32", 16, 16, 16, "", "", 100}, false, true, false, 4, 4, 8, 8},
        {{"f32", "bf16", "bf16", "f32", 32, 8, 16, "", "", 100}, true, true, false, 8, 2, 8, 8},
        {{"f32", "bf16", "bf16", "f32", 8, 32, 16, "", "", 100}, false, false, true, 2, 8, 8, 8},
        {{"f32", "tf32", "tf32", "f32", 16, 16, 8, "", "", 100}, false, true, false, 4, 4, 8, 8},
        {{"f64", "f64", "f64", "f64", 8, 8, 4, "", "", 100}, true, false, false, 1, 1, 2, 2},
        {{"s32", "s8", "s8", "s32", 16, 16, 16, "", "", 1000}, false, true, false, 2, 2, 8, 8},
        {{"s32", "u8", "u8", "s32", 32, 8, 16, "satfinite", "", INT32_MAX}, true, false, true, 4, 1, 8, 8},
        {{"s32", "s8", "s8", "s32", 8, 32, 16, "", "", 1000}, true, true, false, 1, 4, 8, 8},
        {{"s32", "s4", "s4", "s32", 8, 8, 32, "", "", 1000}, false, true, false, 1, 1, 2, 2},
        {{"s32", "b1", "b1", "s32", 8, 8, 128, "", ".xor.popc", 1000}, false, true, false, 1, 1, 2, 2},
    };

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        check_wmma(&all[k]);
}

/* --- ldmatrix, stmatrix, movmatrix --- */

/* Halves 0 to 255 in shared memory, row r of matrix i at (8 i + r) * 16. */
static const char move_kernel[] =
    ".visible .entry k(.param .u64 p)\n{\n.shared .align 16 .b8 s[1024];\n.reg .b32 %r<16>;\n.reg .b64 %rd<4>;\n"
    ".reg .pred %p0;\nld.param.u64 %rd0, [p];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, s;\nmad.lo.u32 %r2, %r0, 16, "
    "%r1;\n"
    "mul.lo.u32 %r3, %r0, 16;\ncvt.u64.u32 %rd1, %r3;\nadd.u64 %rd1, %rd0, %rd1;\n"
    "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd1];\nst.shared.v4.b32 [%r2], {%r4, %r5, %r6, %r7};\nbar.sync 0;\n"
    "%s\nst.global.v4.b32 [%rd1+512], {%r8, %r9, %r10, %r11};\nret;\n}\n";

static void run_moves(const char *lines, uint16_t in[256], uint16_t out[256])
{
    struct strbuf text = STRBUF_INIT;
    const char *mark = strstr(move_kernel, "%s\n");
    uint64_t address;
    struct bench *b;
    struct err e;

    strbuf_add(&text, move_kernel, (size_t)(mark - move_kernel));
    strbuf_addf(&text, "%s%s", lines, mark + 2);
    b = bench_open(text.text);
    address = bench_alloc(b, 1024);
    memcpy(bench_words(b, address), in, 512);
    CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &e), &e);
    memcpy(out, (uint8_t *)bench_words(b, address) + 512, 512);
    bench_close(b);
    strbuf_release(&text);
}

static void test_ldmatrix(void **state)
{
    uint16_t in[256], out[256];

    (void)state;
    for (uint32_t i = 0; i < 256; i++)
        in[i] = (uint16_t)(1000 + i);
    run_moves("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8,%r9,%r10,%r11}, [%r2];", in, out);
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t h = 0; h < 8; h++) /* register h / 2 */
            assert_int_equal(out[l * 8 + h], in[(h / 2 * 8 + l / 4) * 8 + l % 4 * 2 + h % 2]);
    run_moves("ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16 {%r8,%r9,%r10,%r11}, [%r2];", in, out);
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t h = 0; h < 8; h++)
            assert_int_equal(out[l * 8 + h], in[(h / 2 * 8 + l % 4 * 2 + h % 2) * 8 + l / 4]);
    run_moves("mov.b32 %r9, 0; mov.b32 %r10, 0; mov.b32 %r11, 0;\nsetp.ge.u32 %p0, %r0, 8;\n"
              "@%p0 mov.b32 %r2, 0xffff;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r2];",
              in, out); /* only lanes 0 to 7 provide addresses */
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(out[l * 8 + 1], in[l / 4 * 8 + l % 4 * 2 + 1]);
}

static void test_stmatrix_and_movmatrix(void **state)
{
    uint16_t in[256], out[256];

    (void)state;
    for (uint32_t i = 0; i < 256; i++)
        in[i] = (uint16_t)(i * 3);
    /* Storing transposed and loading again is a transposition. */
    run_moves("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r8,%r9}, [%r2];\n"
              "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r2+512], {%r8,%r9};\n"
              "ld.shared.v4.b32 {%r8,%r9,%r10,%r11}, [%r2+512];",
              in, out);
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(out[i], in[i / 64 * 64 + i % 8 * 8 + i / 8 % 8]);
    run_moves("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r8,%r9}, [%r2];\n"
              "movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r8;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r9, %r9;\n"
              "mov.b32 %r11, %r10;",
              in, out);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(out[l * 8 + 4], in[l % 4 * 2 * 8 + l / 4]);
        assert_int_equal(out[l * 8 + 3], in[64 + (l % 4 * 2 + 1) * 8 + l / 4]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wmma),
        cmocka_unit_test(test_ldmatrix),
        cmocka_unit_test(test_stmatrix_and_movmatrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
