/* Strict mode reports reads of memory that was never written, races between two warps on shared memory, and use
 * of copies without a wait. The report names location and thread of both accesses. Correct programs are not
 * reported. */
#include "ptx/memory/shadow.h"
#include "tests/unit/ptx/engine.h"

#define KERNEL(body)                                                                                               \
    ".visible .entry k(.param .u64 p) {\n.reg .u64 %rd<9>; .reg .u32 %r<16>; .reg .u16 %h<4>; .reg .pred %p<5>;\n" \
    ".shared .align 16 .u32 s[256]; .shared .align 8 .u64 m;\n"                                                    \
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, 2;\n"                       \
    "add.u32 %r4, %r2, %r3;\nxor.b32 %r5, %r3, 128;\nadd.u32 %r5, %r2, %r5;\nshr.u32 %r9, %r1, 5;\n"               \
    "setp.eq.u32 %p1, %r9, 0;\nmov.u32 %r12, m;\n" body "\nret;\n}\n"

/* A kernel of 64 threads: %r4: word of the thread; %r5: word of a thread in the other warp; %p1: the thread is in
 * warp 0. */
static const struct {
    const char *what, *text;
    const char *first, *second; /* parts of the message; NULL: no report */
} cases[] = {
    {"written, barrier, read",
     KERNEL(
         "st.shared.u32 [%r4], %r1; bar.sync 0; ld.shared.u32 %r6, [%r5]; bar.sync 0; st.shared.u32 [%r4], %r6;"),
     NULL, NULL},
    {"read by another warp without a barrier", KERNEL("st.shared.u32 [%r4], %r1;\nld.shared.u32 %r6, [%r5];"),
     "t.ptx:18", "which no thread has written"},
    {"the second warp reads the word that the first has written",
     KERNEL("@%p1 bra a;\nld.shared.u32 %r6, [%r5]; bra b;\na: st.shared.u32 [%r4], %r1;\nb: nanosleep.u32 1;"),
     "reads shared address 0x0, which thread (0,0,0) has written at t.ptx:19", "thread (32,0,0)"},
    {"written while another warp may still read",
     KERNEL("st.shared.u32 [%r4], %r1; bar.sync 0;\nld.shared.u32 %r6, [%r5];\nst.shared.u32 [%r4], %r6;"),
     "which thread (0,0,0) has written at t.ptx:19", "reads shared address 0x0"},
    {"two warps write one word", KERNEL("st.shared.u32 [%r2], %r1;"), "has written at t.ptx:17",
     "writes shared address 0x0"},
    {"bytes of one word",
     KERNEL("cvt.u16.u32 %h1, %r1; and.b32 %r7, %r9, 1; add.u32 %r7, %r2, %r7; st.shared.u8 [%r7], "
            "%h1;"),
     NULL, NULL},
    {"a barrier of one warp with itself orders nothing",
     KERNEL("@%p1 st.shared.u32 [%r4], %r1;\nadd.u32 %r8, %r9, 1; bar.sync %r8, 32;\n@!%p1 ld.shared.u32 %r6, "
            "[%r5];"),
     "reads shared address 0x0", "t.ptx:17"},
    {"a producer that does not wait",
     KERNEL(
         "@!%p1 bra c;\nst.shared.u32 [%r4], %r1; bar.arrive 1, 64; bra d;\nc: bar.sync 1, 64; ld.shared.u32 %r6, "
         "[%r5];\nd: nanosleep.u32 1;"),
     NULL, NULL},
    {"atomics need no barrier, and give way to each other",
     KERNEL("st.shared.u32 [%r4], 0; bar.sync 0; atom.shared.add.u32 %r6, [%r2], 1;"), NULL, NULL},
    {"a counter that is read without one",
     KERNEL(
         "st.shared.u32 [%r4], 0; bar.sync 0;\n@%p1 atom.shared.add.u32 %r6, [%r2], 1;\n@!%p1 ld.shared.u32 %r7, "
         "[%r2];"),
     "reads shared address 0x0", "has written at t.ptx:18"},
    {"a flag that is volatile",
     KERNEL("@%p1 st.volatile.shared.u32 [%r2], 1;\n@!%p1 ld.volatile.shared.u32 %r7, [%r2];"), NULL, NULL},
    {"data behind a flag",
     KERNEL("@!%p1 bra c;\nst.shared.u32 [%r4+256], %r1; membar.cta; st.volatile.shared.u32 [%r2], 1; bra d;\n"
            "c: ld.volatile.shared.u32 %r7, [%r2]; ld.shared.u32 %r6, [%r5+256];\nd: nanosleep.u32 1;"),
     NULL, NULL},
    {"a copy that was waited for",
     KERNEL("mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2; shl.b32 %r7, %r3, 2; and.b32 %r7, %r7, 1023; "
            "add.u32 %r7, %r2, %r7;\ncp.async.cg.shared.global [%r7], [%rd2], 16; cp.async.wait_all; bar.sync 0; "
            "ld.shared.u32 %r6, [%r5];"),
     NULL, NULL},
    {"a copy that was not",
     KERNEL("mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2; shl.b32 %r7, %r3, 2; and.b32 %r7, %r7, 1023; "
            "add.u32 %r7, %r2, %r7;\ncp.async.cg.shared.global [%r7], [%rd2], 16; cp.async.commit_group;\n"
            "ld.shared.u32 %r6, [%r7];"),
     "which thread 0 of the CTA started at t.ptx:18", "t.ptx:19"},
    {"arrival at a barrier in memory",
     KERNEL("@%p1 mbarrier.init.shared.b64 [%r12], 32; bar.sync 0;\n@!%p1 bra c;\nst.shared.u32 [%r4], %r1; "
            "mbarrier.arrive.shared.b64 %rd3, [%r12]; bra d;\nc: mov.u32 %r7, 0;\n"
            "e: mbarrier.test_wait.parity.shared.b64 %p2, [%r12], %r7; @!%p2 bra e;\nld.shared.u32 %r6, [%r5];\n"
            "d: nanosleep.u32 1;"),
     NULL, NULL},
};

static void shared_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench *b = bench_open(cases[i].text);
        uint64_t p = bench_alloc(b, 4096);
        struct err e;

        b->options.strict = true;
        if (!cases[i].first) {
            if (bench_run(b, "k", 1, 64, &p, 1, &e) != 0)
                fail_msg("%s: %s", cases[i].what, e.text);
        } else if (bench_run(b, "k", 1, 64, &p, 1, &e) == 0) {
            fail_msg("%s: nothing was found", cases[i].what);
        } else if (!strstr(e.text, cases[i].first) || !strstr(e.text, cases[i].second)) {
            fail_msg("%s: got \"%s\"", cases[i].what, e.text);
        }
        b->options.strict = false; /* without strict mode nothing is reported */
        CHECK_OK(bench_run(b, "k", 1, 64, &p, 1, &e), &e);
        bench_close(b);
    }
}

static void device_memory_that_was_not_written(void **state)
{
    struct bench *b = bench_open(
        ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
        ".visible .entry k(.param .u64 p, .param .u64 at) {\n.reg .u64 %rd<9>; .reg .u32 %r<9>;\n"
        "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [at];\nst.global.u32 [%rd1+8], 1;\nadd.u64 %rd3, %rd1, %rd2;\n"
        "ld.global.u32 %r1, [%rd3];\nret;\n}\n"
        ".visible .entry heap() {\n.reg .u64 %rd<9>; .reg .u32 %r<9>; .param .b64 n; .param .b64 r;\n"
        "st.param.b64 [n], 64;\ncall (r), malloc, (n);\nld.param.b64 %rd1, [r];\nld.u32 %r1, [%rd1+4];\nret;\n}\n");
    uint64_t params[2] = {bench_alloc(b, 64), 8};
    struct ptx_shadow *s;
    struct err e;
    (void)state;

    s = ptx_shadow_new(b->memory, &e);
    assert_non_null(s);
    ptx_shadow_fresh(s, params[0], 64);
    ptx_shadow_written(s, params[0] + 16, 4);
    b->options.strict = true;
    b->options.shadow = s;
    CHECK_OK(bench_run(b, "k", 1, 1, params, 2, &e), &e);
    params[1] = 16;
    CHECK_OK(bench_run(b, "k", 1, 1, params, 2, &e), &e);
    params[1] = 12;
    CHECK_FAILS(bench_run(b, "k", 1, 1, params, 2, &e), &e, ERR_SIMULATION,
                "byte 12 of buffer, which was never written");
    ptx_shadow_copied(s, params[0] + 12, params[0] + 8, 4);
    CHECK_OK(bench_run(b, "k", 1, 1, params, 2, &e), &e);
    CHECK_FAILS(bench_run(b, "heap", 1, 1, params, 0, &e), &e, ERR_SIMULATION, "byte 4 of malloc in a kernel");
    ptx_shadow_free(s);
    bench_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_memory),
        cmocka_unit_test(device_memory_that_was_not_written),
    };
    return cmocka_run_group_tests_name("ptx strict mode", tests, NULL, NULL);
}
