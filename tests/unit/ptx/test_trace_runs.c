/* A trace written in stretches, as the executor has them, is to the byte the trace written instruction by
 * instruction: strides, patterns that stay and that change, partial masks, one access to two spaces. */
#include <unistd.h>

#include "simcore/ptx/source.h"
#include "simcore/trace/vtrace.h"

#include "tests/unit/ptx/engine.h"

static const char mixed[] =
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<5>; .shared .align 8 .b8 tile[1024];\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"
    "mad.lo.s32 %r3, %r2, 64, %r1; xor.b32 %r4, %r1, 21; mul.wide.u32 %rd3, %r4, 12; add.s64 %rd4, %rd1, %rd3;\n"
    "mul.wide.u32 %rd12, %r3, 4; add.s64 %rd13, %rd2, %rd12; mov.u32 %r5, tile; shl.b32 %r6, %r1, 2;\n"
    "add.s32 %r7, %r5, %r6; mov.u64 %rd9, tile; cvta.shared.u64 %rd10, %rd9; mov.u32 %r10, 0;\n"
    "st.shared.u32 [%r7], %r1; bar.sync 0;\n"
    "loop: ld.global.u32 %r8, [%rd4]; add.s64 %rd4, %rd4, 128; and.b32 %r9, %r8, 63;\n"
    "mul.wide.u32 %rd5, %r9, 4; add.s64 %rd6, %rd1, %rd5; setp.lt.u32 %p1, %r9, 40;\n"
    "@%p1 ld.global.u32 %r11, [%rd6]; @!%p1 bra skip; st.shared.u32 [%r7], %r11; add.s32 %r12, %r12, %r11;\n"
    "skip: and.b32 %r13, %r9, 1; setp.eq.u32 %p2, %r13, 0; selp.b64 %rd11, %rd10, %rd6, %p2;\n"
    "ld.u32 %r14, [%rd11]; add.s32 %r12, %r12, %r14; st.global.u32 [%rd13], %r12; add.s64 %rd13, %rd13, 256;\n"
    "add.s32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 6; @%p3 bra loop; ret;\n}\n";

/* The bytes of its trace; malloc'ed. */
static char *trace_of(bool in_runs, bool sectors_only, size_t *n)
{
    struct bench *b = bench_open(mixed);
    uint64_t params[2] = {bench_alloc(b, 4096), bench_alloc(b, 8192)};
    struct ptx_launch l = {.module = b->module,
                           .grid = {3, 1, 1},
                           .block = {64, 1, 1},
                           .params = params,
                           .param_bytes = sizeof params};
    const struct ptx_source_options o = {.arch = 80};
    const struct vtrace_options how = {.sectors_only = sectors_only};
    char path[64], *bytes = malloc(1 << 20);
    struct vtrace_writer *w;
    struct inst_source *s;
    struct err e;
    FILE *f;

    snprintf(path, sizeof path, "/tmp/test-trace-runs-%ld", (long)getpid());
    for (uint32_t i = 0; i < 1024; i++)
        bench_words(b, params[0])[i] = i * 2654435761u >> 7;
    l.function = ptx_find_function(ptx_program_module(b->program, b->module), "k");
    CHECK_OK(ptx_source_new(b->program, &l, NULL, &o, &s, &e), &e);
    assert_non_null(s->next_runs);
    if (!in_runs)
        s->next_runs = NULL;
    CHECK_OK(vtrace_writer_new(path, &how, &w, &e), &e);
    CHECK_OK(vtrace_writer_add(w, s, &e), &e);
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
    inst_source_release(s);
    bench_close(b);
    f = fopen(path, "rb");
    assert_non_null(f);
    assert_non_null(bytes);
    *n = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    unlink(path);
    return bytes;
}

static void stretches_give_the_same_bytes(void **state)
{
    (void)state;
    for (int sectors = 0; sectors < 2; sectors++) {
        size_t n, m;
        char *runs = trace_of(true, sectors, &n), *insts = trace_of(false, sectors, &m);

        assert_true(n > 500);
        assert_int_equal(n, m);
        assert_memory_equal(runs, insts, n);
        free(runs);
        free(insts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stretches_give_the_same_bytes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
