/* Long CTAs of a program are written to a temporary file while they run, and read back in windows: the same
 * instructions and addresses as without the file. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ptx/trace/source.h"

#include "tests/unit/ptx/engine.h"

/* Strides, constant and changing patterns, partial masks, one access to two spaces, in a loop of `rounds`. */
static const char looping[] =
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 rounds)\n{\n"
    ".reg .b32 %r<24>; .reg .b64 %rd<20>; .reg .pred %p<5>; .shared .align 8 .b8 tile[1024];\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r20, [rounds]; mov.u32 %r1, %tid.x;\n"
    "xor.b32 %r4, %r1, 21; mul.wide.u32 %rd3, %r4, 12; mul.wide.u32 %rd12, %r1, 4; add.s64 %rd13, %rd2, %rd12;\n"
    "mov.u32 %r5, tile; shl.b32 %r6, %r1, 2; add.s32 %r7, %r5, %r6; mov.u64 %rd9, tile;\n"
    "cvta.shared.u64 %rd10, %rd9; mov.u32 %r10, 0; st.shared.u32 [%r7], %r1; bar.sync 0;\n"
    "loop: and.b32 %r15, %r10, 15; mul.wide.u32 %rd7, %r15, 128; add.s64 %rd4, %rd1, %rd3; add.s64 %rd4, %rd4, "
    "%rd7;\n"
    "ld.global.u32 %r8, [%rd4]; xor.b32 %r8, %r8, %r10; and.b32 %r9, %r8, 63;\n"
    "mul.wide.u32 %rd5, %r9, 4; add.s64 %rd6, %rd1, %rd5; setp.lt.u32 %p1, %r9, 40;\n"
    "@%p1 ld.global.u32 %r11, [%rd6]; @!%p1 bra skip; st.shared.u32 [%r7], %r11; add.s32 %r12, %r12, %r11;\n"
    "skip: and.b32 %r13, %r9, 1; setp.eq.u32 %p2, %r13, 0; selp.b64 %rd11, %rd10, %rd6, %p2;\n"
    "ld.u32 %r14, [%rd11]; add.s32 %r12, %r12, %r14; st.global.u32 [%rd13], %r12;\n"
    "add.s32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, %r20; @%p3 bra loop; ret;\n}\n";

/* A loop of one block, which is unrolled: rounds are joined also across the end of a window. */
static const char unrolled[] =
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 rounds)\n{\n"
    ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<5>;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r2, [rounds]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3; mov.u32 %r3, 0;\n"
    "loop: and.b32 %r4, %r3, 7; mul.wide.u32 %rd4, %r4, 512; add.s64 %rd5, %rd1, %rd4;\n"
    "ld.global.u32 %r5, [%rd5]; add.s32 %r6, %r6, %r5; st.global.u32 [%rd2], %r6;\n"
    "add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra loop; ret;\n}\n";

struct launched {
    struct bench *bench;
    struct inst_source *source;
};

static struct launched launch(const char *program, uint32_t ctas, uint32_t rounds, bool windowed)
{
    struct launched l = {.bench = bench_open(program)};
    struct {
        uint64_t in, out;
        uint32_t rounds;
    } params = {bench_alloc(l.bench, 8192), bench_alloc(l.bench, 8192), rounds};
    struct ptx_launch p = {
        .module = l.bench->module, .grid = {ctas, 1, 1}, .block = {96, 1, 1}, .params = &params, .param_bytes = 20};
    const struct ptx_source_options o = {.arch = 80};
    struct err e;

    for (uint32_t i = 0; i < 2048; i++)
        bench_words(l.bench, params.in)[i] = i * 2654435761u >> 7;
    p.function = ptx_find_function(ptx_program_module(l.bench->program, l.bench->module), "k");
    CHECK_OK(ptx_source_new(l.bench->program, &p, NULL, &o, &l.source, &e), &e);
    l.source->windowed = windowed;
    return l;
}

static void end(struct launched *l)
{
    inst_source_release(l->source);
    bench_close(l->bench);
}

static void check_same_lanes(const struct cta_trace *x, const struct warp_inst *i, const struct cta_trace *y,
                             const struct warp_inst *k)
{
    struct lane_addresses a, b;

    assert_true(i->inst == k->inst && i->mask == k->mask);
    assert_true((i->address == UINT32_MAX) == (k->address == UINT32_MAX));
    if (i->address == UINT32_MAX)
        return;
    cta_addresses(x, i->address, &a);
    cta_addresses(y, k->address, &b);
    assert_int_equal(a.kind, b.kind);
    assert_true(a.kind == ADDRESS_LIST || (a.base == b.base && a.stride == b.stride));
    for (uint32_t left = a.kind == ADDRESS_LIST ? i->mask : 0; left; left &= left - 1)
        assert_true(a.list[__builtin_ctz(left)] == b.list[__builtin_ctz(left)]);
}

static void check_warp(const struct cta_trace *x, struct cta_trace *y, uint32_t warp)
{
    const struct cta_warp *all = &x->warps[warp], *w = &y->warps[warp];
    struct err e;

    assert_int_equal(all->count, w->count);
    for (uint32_t from = 0; from < w->count; from = w->first + w->ready) {
        CHECK_OK(cta_warp_window(y, warp, from, &e), &e);
        for (uint32_t i = 0; i < w->ready; i++)
            check_same_lanes(x, &all->insts[w->first + i], y, &w->insts[i]);
    }
    CHECK_OK(cta_warp_window(y, warp, 0, &e), &e); /* again from the beginning */
    for (uint32_t i = 0; i < w->ready; i++)
        check_same_lanes(x, &all->insts[i], y, &w->insts[i]);
}

static void check_windows(const char *program, uint32_t rounds, bool in_memory)
{
    struct launched whole = launch(program, 2, rounds, false), windowed = launch(program, 2, rounds, true);
    struct cta_trace *x, *y;
    struct err e;
    int got;

    while ((got = inst_source_next_cta(whole.source, &x, &e)) > 0) {
        CHECK_OK(inst_source_next_cta(windowed.source, &y, &e), &e);
        assert_true(x->index == y->index && x->id[0] == y->id[0] && x->warp_count == y->warp_count);
        assert_true(!x->window && !y->window == in_memory);
        for (uint32_t w = 0; w < x->warp_count; w++)
            check_warp(x, y, w);
        inst_source_release_cta(whole.source, x);
        inst_source_release_cta(windowed.source, y);
    }
    assert_int_equal(got, 0);
    assert_int_equal(inst_source_next_cta(windowed.source, &y, &e), 0);
    end(&whole);
    end(&windowed);
}

static void windows_are_the_whole(void **state)
{
    (void)state;
    check_windows(looping, 20, true);
    check_windows(looping, 12000, false);
    check_windows(unrolled, 20, true);
    check_windows(unrolled, 30003, false);
}

/* A full disk gives one error, and the source can be released. */
static void a_full_disk_is_one_error(void **state)
{
    const struct rlimit small = {4096, RLIM_INFINITY};
    struct launched l = launch(looping, 1, 12000, true);
    struct rlimit before;
    struct cta_trace *y;
    struct err e;

    (void)state;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    assert_int_equal(inst_source_next_cta(l.source, &y, &e), -1);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(e.code, ERR_NO_SPACE);
    assert_non_null(strstr(e.text, "long CTA"));
    end(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_the_whole),
        cmocka_unit_test(a_full_disk_is_one_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
