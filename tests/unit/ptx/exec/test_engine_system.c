/* System calls of kernels (printf, malloc, assert); hostile kernels, which end with an error; observers. */
#include "tests/unit/ptx/engine_kernels.h"

/* The launch must fail with `part` in its message. */
static void expect_fault(const char *text, uint32_t block, bool strict, const char *part)
{
    struct bench *b = bench_open(text);
    uint64_t out = bench_alloc(b, 4096);
    struct err e;

    b->options.limit_instructions = 1000000;
    b->options.strict = strict;
    CHECK_FAILS(bench_run(b, "k", 1, block, &out, 1, &e), &e, ERR_SIMULATION, part);
    if (!strstr(e.text, "kernel k") || !strstr(e.text, "CTA (0,0,0)"))
        fail_msg("the sentence names no kernel or CTA: %s", e.text);
    bench_close(b);
}

/* --- the system --- */

#define PRINTS                                                                                                     \
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"                                       \
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"                   \
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n"

static void printf_comes_in_order_of_threads(void **state)
{
    /* "%d %s %5.2f|%llx\n" and "ok" */
    struct bench *b = bench_open(
        PRINTS
        ".global .align 1 .b8 f[18] = {37,100,32,37,115,32,37,53,46,50,102,124,37,108,108,120,10,0};\n"
        ".global .align 1 .b8 s[3] = {111,107,0};\n" KERNEL(
            ".local .align 8 .b8 v[32];\nmov.u64 %rd5, v; cvta.local.u64 %rd6, %rd5;\n"
            "neg.s32 %r5, %r4; st.local.u32 [v], %r5; mov.u64 %rd7, s; cvta.global.u64 %rd7, %rd7;\n"
            "st.local.u64 [v+8], %rd7; mov.u64 %rd8, 0x400921fb54442d18; st.local.u64 [v+16], %rd8;\n"
            "mov.u64 %rd8, 0x123456789abc; st.local.u64 [v+24], %rd8;\n"
            "setp.lt.u32 %p1, %r1, 62; @%p1 bra DONE; mov.u64 %rd9, f; cvta.global.u64 %rd9, %rd9;\n"
            "{ .param .b64 a; .param .b64 c; .param .b32 n; st.param.b64 [a], %rd9; st.param.b64 [c], %rd6;\n"
            "call.uni (n), vprintf, (a, c); ld.param.b32 %r9, [n]; }\n"));
    uint64_t out = bench_alloc(b, 512);
    struct err e;

    (void)state;
    CHECK_OK(bench_run(b, "k", 2, 64, &out, 1, &e), &e);
    assert_string_equal(b->printed.text, "-62 ok  3.14|123456789abc\n-63 ok  3.14|123456789abc\n"
                                         "-126 ok  3.14|123456789abc\n-127 ok  3.14|123456789abc\n");
    assert_int_equal(bench_words(b, out)[63], 4);
    bench_close(b);
}

static uint32_t from_heap(uint32_t t)
{
    return t * 5;
}

static void malloc_gives_memory_and_free_takes_it(void **state)
{
    (void)state;
    expect(PRINTS KERNEL("{ .param .b64 n; .param .b64 p; mov.u64 %rd5, 16; st.param.b64 [n], %rd5;\n"
                         "call.uni (p), malloc, (n); ld.param.b64 %rd6, [p]; }\n"
                         "mul.lo.s32 %r5, %r4, 5; st.u32 [%rd6+12], %r5; ld.u32 %r9, [%rd6+12];\n"
                         "{ .param .b64 p; st.param.b64 [p], %rd6; call.uni free, (p); }"),
           2, 40, from_heap);
    expect_fault(PRINTS KERNEL("{ .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }"), 32, false,
                 "malloc did not return");
}

static void a_failed_assertion_says_where(void **state)
{
    (void)state;
    /* "x>0" in "a.cu", "f" */
    expect_fault(PRINTS ".global .align 1 .b8 m[4] = {120,62,48,0}; .global .align 1 .b8 c[5] = {97,46,99,117,0};\n"
                        ".global .align 1 .b8 n[2] = {102,0};\n" KERNEL(
                            "setp.ne.u32 %p1, %r1, 37; @%p1 bra DONE;\n"
                            "{ .param .b64 a0; .param .b64 a1; .param .b32 a2; .param .b64 a3; .param .b64 a4;\n"
                            "mov.u64 %rd5, m; mov.u64 %rd6, c; mov.u64 %rd7, n; mov.u32 %r5, 12; mov.u64 %rd8, 1;\n"
                            "st.param.b64 [a0], %rd5; st.param.b64 [a1], %rd6; st.param.b32 [a2], %r5;\n"
                            "st.param.b64 [a3], %rd7; st.param.b64 [a4], %rd8;\n"
                            "call.uni __assertfail, (a0, a1, a2, a3, a4); }"),
                 64, false, "lane 5, thread (37,0,0): assertion `x>0` failed in f, a.cu:12");
}

/* --- hostile kernels --- */

static void an_endless_loop_ends_at_the_limit(void **state)
{
    (void)state;
    expect_fault(KERNEL("LOOP: add.s32 %r5, %r5, 1; bra LOOP;"), 64, false, "limit of instructions");
}

static void a_barrier_that_not_all_can_reach_is_a_dead_end(void **state)
{
    (void)state;
    expect_fault(KERNEL("setp.lt.u32 %p1, %r1, 32; @%p1 bra ONE; bar.sync 1; bra DONE;\nONE: bar.sync 2;"), 64,
                 false, "wait at barrier 2");
    expect_fault(KERNEL("setp.lt.u32 %p1, %r1, 5; @%p1 bra ONE; bar.sync 1; bra DONE;\nONE: bar.sync 2;"), 32,
                 false, "lanes 0x1f at t.ptx:");
    expect_fault(KERNEL("setp.lt.u32 %p1, %r1, 5; @%p1 bra ONE; bar.sync 0;\nONE: bar.sync 0;"), 32, true,
                 "from different instructions");
    expect_fault(KERNEL("shr.u32 %r5, %r1, 1; bar.sync %r5;"), 96, false, "arrives at barrier 1, and another lane");
    expect_fault(KERNEL("shr.u32 %r5, %r1, 5; mul.lo.u32 %r5, %r5, 16; bar.sync %r5;"), 96, false,
                 "barrier 16 does not exist");
}

static void members_that_never_come_are_a_dead_end(void **state)
{
    (void)state;
    expect_fault(KERNEL("setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW; bar.warp.sync 0xffff0001; bra DONE;\n"
                        "LOW: bar.sync 1; shfl.sync.idx.b32 %r9, %r4, 0, 31, -1;"),
                 32, false, "wait for lanes 0x1");
}

static void a_wait_that_never_ends_is_found(void **state)
{
    struct bench *b = bench_open(".global .align 4 .u32 flag;\n" KERNEL(
        "SPIN: ld.volatile.global.u32 %r5, [flag]; setp.eq.u32 %p1, %r5, 0; @%p1 bra SPIN;"));
    uint64_t out = bench_alloc(b, 4096);
    struct err e;

    (void)state;
    CHECK_FAILS(bench_run(b, "k", 2, 64, &out, 1, &e), &e, ERR_SIMULATION, "all CTAs poll");
    bench_close(b);
}

#define MILLION_ROUNDS(read_)                                                                                      \
    ".global .align 4 .u32 flag;\n" KERNEL("mov.u32 %r9, 0;\nLOOP: " read_                                         \
                                           " add.s32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 1000000; @%p1 bra LOOP;")

/* Loops that poll memory, store nothing, and still end are not reported as deadlocks. */
static void a_long_loop_that_polls_and_gets_on_is_no_dead_end(void **state)
{
    static const char *const texts[] = {
        MILLION_ROUNDS("ld.volatile.global.u32 %r6, [flag];"),
        MILLION_ROUNDS("ld.relaxed.gpu.global.u32 %r6, [flag];"),
        MILLION_ROUNDS("atom.global.cas.b32 %r6, [flag], 7, 8;"),
        MILLION_ROUNDS("cp.async.commit_group; cp.async.wait_group 0;"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct bench *b = bench_open(texts[i]);
        uint64_t out = bench_alloc(b, 4096);
        struct err e;

        CHECK_OK(bench_run(b, "k", 2, 64, &out, 1, &e), &e);
        assert_int_equal(bench_words(b, out)[127], 1000000);
        bench_close(b);
    }
}

/* A round of this loop takes 5 instructions. The lanes (of the CTA or lane that `works_`) leave it after `rounds_`.
 */
#define WAITS_FOR(works_, wait_, rounds_)                                                                          \
    ".global .align 4 .u32 flag, other;\n" KERNEL(                                                                 \
        "mov.u32 %r9, 0; setp.eq.u32 %p1, " works_ ", 1; @%p1 bra WORK;\n"                                         \
        "WAIT: ld.volatile.global.u32 %r9, [flag]; setp.eq.u32 %p2, %r9, 0; @%p2 bra WAIT; bra DONE;\n"            \
        "WORK: " wait_ " ld.volatile.global.u32 %r6, [other]; add.s32 %r9, %r9, 1;\n"                              \
        "setp.lt.u32 %p1, %r9, " rounds_ "; @%p1 bra WORK; st.volatile.global.u32 [flag], %r9;")

/* More instructions than a launch may spend in repeated states. Instrumented code takes 20 times as long, and
 * covers the same lines with fewer. */
#ifdef __SANITIZE_ADDRESS__
#define LONG_ROUNDS 20000
enum { DEAD_WAITS = 1 };
#else
#define LONG_ROUNDS 1900000
enum { DEAD_WAITS = 4 };
#endif
#define TEXT_OF(number_) #number_
#define AS_TEXT(number_) TEXT_OF(number_)

/* Others only wait meanwhile, in the same registers. */
static void one_that_counts_while_others_wait_is_no_dead_end(void **state)
{
    static const char *const texts[] = {
        WAITS_FOR("%ctaid.x", "", AS_TEXT(LONG_ROUNDS)),
        WAITS_FOR("%laneid", "", AS_TEXT(LONG_ROUNDS)),
        WAITS_FOR("1", "nanosleep.u32 100;", AS_TEXT(LONG_ROUNDS)),
        /* it counts in the lower word of 64 bits, and only the carry decides */
        ".global .align 4 .u32 flag, other;\n" KERNEL(
            "setp.eq.u32 %p1, %r2, 1; mov.u32 %r9, 0; @%p1 bra WORK;\n"
            "WAIT: ld.volatile.global.u32 %r9, [flag]; setp.eq.u32 %p2, %r9, 0; @%p2 bra WAIT; bra DONE;\n"
            "WORK: mov.u32 %r5, -" AS_TEXT(
                LONG_ROUNDS) "; mov.u32 %r6, 0;\n"
                             "COUNT: ld.volatile.global.u32 %r7, [other]; add.cc.u32 %r5, %r5, 1; addc.u32 %r6, "
                             "%r6, 0;\n"
                             "setp.eq.u32 %p1, %r6, 0; @%p1 bra COUNT; mov.u32 %r9, " AS_TEXT(
                                 LONG_ROUNDS) ";\n"
                                              "st.volatile.global.u32 [flag], %r9;"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct bench *b = bench_open(texts[i]);
        uint64_t out = bench_alloc(b, 4096);
        struct err e;

        CHECK_OK(bench_run(b, "k", 2, 32, &out, 1, &e), &e);
        assert_int_equal(bench_words(b, out)[33], LONG_ROUNDS);
        bench_close(b);
    }
}

/* A state repeats although a counter that decides nothing moves, several loops take turns, or the sleep grows. */
static void waits_that_change_registers_in_vain_are_found(void **state)
{
    static const char *const texts[4] = {
        KERNEL("mov.u32 %r9, 0;\nWAIT: ld.volatile.global.u32 %r5, [flag]; add.s32 %r9, %r9, 1;\n"
               "setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT;"),
        KERNEL("setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW;\n"
               "HIGH: ld.volatile.global.u32 %r5, [flag]; setp.eq.u32 %p2, %r5, 0; @%p2 bra HIGH; bra DONE;\n"
               "LOW: ld.volatile.global.u32 %r6, [flag]; setp.eq.u32 %p2, %r6, 0; @%p2 bra LOW;"),
        KERNEL("mov.u32 %r6, 8;\nWAIT: nanosleep.u32 %r6; shl.b32 %r6, %r6, 1; min.u32 %r6, %r6, 256;\n"
               "ld.acquire.gpu.global.u32 %r5, [flag]; setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT;"),
        KERNEL("mov.u32 %r6, 0;\nWAIT: add.s32 %r6, %r6, 1; and.b32 %r6, %r6, 2047;\n"
               "atom.global.add.u32 %r5, [flag], 0; setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT; mov.u32 %r9, %r6;"),
    };

    (void)state;
    for (size_t i = 0; i < DEAD_WAITS; i++) {
        char text[4096];
        struct bench *b;
        uint64_t out;
        struct err e;

        snprintf(text, sizeof text, ".global .align 4 .u32 flag;\n%s", texts[i]);
        b = bench_open(text);
        out = bench_alloc(b, 4096);
        CHECK_FAILS(bench_run(b, "k", 2, 32, &out, 1, &e), &e, ERR_SIMULATION, "all CTAs poll");
        bench_close(b);
    }
}

static void bad_addresses_traps_and_depth_are_reported(void **state)
{
    (void)state;
    expect_fault(KERNEL("setp.ne.u32 %p1, %r1, 35; @%p1 bra DONE; mov.u64 %rd5, 4660; st.global.u32 [%rd5], %r1;"),
                 64, false, "warp 1, lane 3, thread (35,0,0)");
    expect_fault(KERNEL("st.global.u32 [%rd3+2], %r1;"), 32, false, "t.ptx:");
    expect_fault(KERNEL("setp.eq.u32 %p1, %r1, 33; @%p1 trap;"), 64, false, "thread (33,0,0): trap");
    expect_fault(".func deep(.param .b32 x)\n{\n{ .param .b32 a; .reg .b32 %r<2>; ld.param.u32 %r1, [x];\n"
                 "st.param.b32 [a], %r1; call.uni deep, (a); }\nret;\n}\n" KERNEL(
                     "{ .param .b32 a; st.param.b32 [a], %r1; call.uni deep, (a); }"),
                 32, false, "calls nest deeper");
    expect_fault(KERNEL("P: .callprototype _ (.param .b32 _);\n{ .param .b32 a; st.param.b32 [a], %r1; "
                        "call %rd1, (a), P; }"),
                 32, false, "is not a function");
}

static void launches_that_cannot_be_are_refused(void **state)
{
    struct bench *b = bench_open(KERNEL("mov.u32 %r9, 1;"));
    uint64_t params[2] = {bench_alloc(b, 4096), 0};
    struct err e;

    (void)state;
    CHECK_FAILS(bench_run(b, "k", 0, 32, params, 1, &e), &e, ERR_INVALID, "at least 1");
    CHECK_FAILS(bench_run(b, "k", 1, 1025, params, 1, &e), &e, ERR_INVALID, "grid 1,1,1 and block 1025,1,1");
    CHECK_FAILS(bench_run(b, "k", 1, 32, params, 2, &e), &e, ERR_INVALID, "takes 8 bytes of parameters, not 16");
    bench_close(b);
    b = bench_open(
        ".visible .entry k(.param .u64 out) .reqntid 32 .reqnctapercluster 4 .blocksareclusters\n{ ret; }\n");
    CHECK_FAILS(bench_run(b, "k", 1u << 30, 32, params, 1, &e), &e, ERR_INVALID,
                "a grid of 1073741824 clusters along x");
    bench_close(b);
}

/* --- warnings --- */

static void keep_text(void *ctx, const char *text)
{
    strbuf_adds(ctx, text);
    strbuf_adds(ctx, "\n");
}

/* A reduction over 20 lanes with shfl.down, as NVIDIA's sample has it: lane 8 reads lane 24, which takes no part.
 */
static void a_shuffle_from_an_absent_lane_is_reported_once(void **state)
{
    struct bench *b = bench_open(KERNEL("mov.u32 %r9, %r1; setp.ge.u32 %p1, %r1, 20; @%p1 bra DONE;\n"
                                        "shfl.sync.down.b32 %r5, %r9, 16, 31, 0xfffff; add.u32 %r9, %r9, %r5;"));
    struct strbuf said = STRBUF_INIT;
    struct ptx_warnings warnings = {.say = keep_text, .ctx = &said};
    uint64_t out = bench_alloc(b, 4096);
    struct err e;

    (void)state;
    b->options.warnings = &warnings;
    for (int k = 0; k < 2; k++)
        CHECK_OK(bench_run(b, "k", 4, 64, &out, 1, &e), &e);
    assert_non_null(strstr(said.text, "kernel k, t.ptx:"));
    assert_non_null(strstr(said.text, "lane 4, thread (4,0,0): shfl reads from a lane that does not execute it"));
    assert_ptr_equal(strchr(said.text, '\n') + 1, said.text + said.length); /* one line */
    strbuf_release(&said);
    bench_close(b);
}

/* --- observers --- */

struct watched {
    uint64_t executed, lanes, off;
    uint32_t begun, ended, warps;
};

static void watch_cta(void *ctx, const uint32_t id[3], uint32_t warps, bool begins)
{
    struct watched *x = ctx;

    (void)id;
    x->warps = warps;
    *(begins ? &x->begun : &x->ended) += 1;
}

static void watch_op(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t op, uint32_t mask)
{
    struct watched *x = ctx;

    assert_true(warp < 3 && op < code->op_count);
    x->executed++;
    x->lanes += (uint32_t)__builtin_popcount(mask);
    x->off += mask == 0;
}

static void an_observer_sees_every_instruction(void **state)
{
    struct watched seen = {0};
    struct ptx_observer o = {.ctx = &seen, .cta = watch_cta, .executed = watch_op};
    struct bench *b = bench_open(KERNEL("setp.gt.u32 %p1, %r1, 1000; @%p1 add.s32 %r9, %r9, 1; bar.sync 0;"));
    uint64_t out = bench_alloc(b, 4096);
    struct err e;

    (void)state;
    b->options.observer = &o;
    CHECK_OK(bench_run(b, "k", 2, 80, &out, 1, &e), &e);
    assert_int_equal(seen.begun, 2);
    assert_int_equal(seen.ended, 2);
    assert_int_equal(seen.warps, 3);
    assert_int_equal(seen.off, 6);
    assert_int_equal(seen.executed, 6 * 12);
    assert_int_equal(seen.lanes, 2 * 80 * 11);
    assert_int_equal(b->stats.warp_instructions, seen.executed);
    assert_int_equal(b->stats.lane_instructions, seen.lanes);
    assert_int_equal(b->stats.barriers, 2);
    bench_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printf_comes_in_order_of_threads),
        cmocka_unit_test(malloc_gives_memory_and_free_takes_it),
        cmocka_unit_test(a_failed_assertion_says_where),
        cmocka_unit_test(an_endless_loop_ends_at_the_limit),
        cmocka_unit_test(a_barrier_that_not_all_can_reach_is_a_dead_end),
        cmocka_unit_test(members_that_never_come_are_a_dead_end),
        cmocka_unit_test(a_long_loop_that_polls_and_gets_on_is_no_dead_end),
        cmocka_unit_test(one_that_counts_while_others_wait_is_no_dead_end),
        cmocka_unit_test(waits_that_change_registers_in_vain_are_found),
        cmocka_unit_test(a_shuffle_from_an_absent_lane_is_reported_once),
        cmocka_unit_test(a_wait_that_never_ends_is_found),
        cmocka_unit_test(bad_addresses_traps_and_depth_are_reported),
        cmocka_unit_test(launches_that_cannot_be_are_refused),
        cmocka_unit_test(an_observer_sees_every_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
