/* A trace written in runs of instructions, as the executor reports them, has the same bytes as a trace written
 * one instruction at a time: strides, constant and changing patterns, partial masks, one access to two spaces.
 * The lanes of an instruction are those that executed it, for any order in which the ops of a block are reported.
 */
#include <unistd.h>

#include "ptx/trace/source.h"
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

/* Returns the bytes of the trace. The caller frees them. */
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

/* A block entered by a jump. Its first op has inactive lanes. Other ops come before and after an op with
 * addresses. */
static const char guarded[] =
    ".visible .entry k(.param .u64 out)\n{\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<5>; .reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u32 %r5, 0; setp.lt.u32 %p1, %r1, 5;\n"
    "again: @%p1 add.u32 %r2, %r2, %r1; add.u32 %r3, %r3, %r2; @%p1 add.u32 %r4, %r4, %r3; add.u32 %r3, %r3, %r4;\n"
    "st.global.u32 [%rd3], %r3; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 6; @%p2 bra again; ret;\n}\n";

/* Number of instructions of one warp that some of its lanes execute, and number that none execute. */
struct partly {
    uint32_t part, none;
};

/* Counts those of this kernel. All lanes execute the other instructions. `mask`: the lanes of partly executed
 * ones. */
static struct partly count_partly(const char *kernel, uint32_t mask)
{
    struct bench *b = bench_open(kernel);
    uint64_t params[1] = {bench_alloc(b, 512)};
    struct ptx_launch l = {.module = b->module,
                           .grid = {1, 1, 1},
                           .block = {32, 1, 1},
                           .params = params,
                           .param_bytes = sizeof params};
    const struct ptx_source_options o = {.arch = 80};
    struct partly count = {0};
    struct inst_source *s;
    struct cta_trace *cta;
    struct err e;

    l.function = ptx_find_function(ptx_program_module(b->program, b->module), "k");
    CHECK_OK(ptx_source_new(b->program, &l, NULL, &o, &s, &e), &e);
    assert_int_equal(s->ops->next_cta(s, &cta, &e), 1);
    for (uint32_t i = 0; i < cta->warps[0].count; i++) {
        uint32_t by = cta->warps[0].insts[i].mask;

        assert_true(by == UINT32_MAX || by == mask || by == 0);
        count.part += by == mask && mask;
        count.none += by == 0;
    }
    inst_source_release_cta(s, cta);
    inst_source_release(s);
    bench_close(b);
    return count;
}

static void lanes_are_those_of_the_op(void **state)
{
    enum { ROUNDS = 6, GUARDED = 2 };
    struct partly count = count_partly(guarded, 0x1f);

    (void)state;
    assert_int_equal(count.part, GUARDED * ROUNDS);
    assert_int_equal(count.none, 1); /* the branch of the last iteration */
}

/* A block whose last op has inactive lanes and is issued before other ops, which wait for a load or for each
 * other. */
static const char last_guarded[] =
    ".visible .entry k(.param .u64 out)\n{\n"
    ".reg .b32 %%r<20>; .reg .b64 %%rd<9>; .reg .f32 %%f<4>; .reg .pred %%p<3>;\n"
    "ld.param.u64 %%rd1, [out]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd2, %%r1, 4; add.s64 %%rd3, %%rd1, %%rd2;\n"
    "setp.lt.u32 %%p1, %%r1, %u; mov.u32 %%r5, 0; mov.u32 %%r4, 7; mov.f32 %%f1, 0f3F800000; mov.u32 %%r6, %%r1;\n"
    "again: %s add.u32 %%r7, %%r6, %%r4; add.u32 %%r4, %%r7, 3; mul.lo.u32 %%r4, %%r4, %%r7; add.u32 %%r5, %%r5, "
    "1;\n"
    "@%%p1 %s\n"
    "behind: setp.lt.u32 %%p2, %%r5, 3; @%%p2 bra again; @%%p2 bra behind;\n"
    "st.global.u32 [%%rd3], %%r4; st.global.f32 [%%rd3+256], %%f1; ret;\n}\n";

static void a_last_op_has_its_own_lanes_wherever_it_stands(void **state)
{
    static const char load[] = "ld.global.u32 %r6, [%rd3+128];";
    static const struct {
        uint32_t lanes;
        const char *first, *last;
    } cases[] = {
        {5, load, "st.global.u32 [%rd3], %r1;"},   {1, load, "red.global.add.u32 [%rd3], 1;"},
        {0, load, "st.global.u32 [%rd3], %r1;"},   {5, load, "fma.rn.f32 %f1, %f1, %f1, %f1;"},
        {5, "", "fma.rn.f32 %f1, %f1, %f1, %f1;"}, /* no op has addresses */
    };
    enum { ROUNDS = 3, BRANCHES = 2 }; /* branches that are not taken at the end */

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t mask = (1u << cases[k].lanes) - 1;
        struct strbuf text = STRBUF_INIT;
        struct partly count;

        strbuf_addf(&text, last_guarded, cases[k].lanes, cases[k].first, cases[k].last);
        count = count_partly(text.text, mask);
        assert_int_equal(count.part, mask ? ROUNDS : 0);
        assert_int_equal(count.none, BRANCHES + (mask ? 0 : ROUNDS));
        strbuf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stretches_give_the_same_bytes),
                                       cmocka_unit_test(lanes_are_those_of_the_op),
                                       cmocka_unit_test(a_last_op_has_its_own_lanes_wherever_it_stands)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
