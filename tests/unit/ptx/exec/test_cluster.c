/* Bulk copies with barriers that count bytes; clusters with one CTA and with several. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/ptx/engine.h"

#define BEGIN                                                                                                      \
    ".visible .entry k(.param .u64 p)\n{\n.shared .align 16 .b8 s[1024];\n.shared .align 8 .b64 bar;\n"            \
    ".reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n.reg .pred %p<4>;\nld.param.u64 %rd0, [p];\nmov.u32 %r0, %tid.x;\n"     \
    "mov.u32 %r1, s;\nmov.u32 %r2, bar;\nsetp.eq.u32 %p0, %r0, 0;\n"

static struct err last;

static int run(const char *text, uint32_t threads, uint32_t *words)
{
    struct bench *b = bench_open(text);
    uint64_t address = bench_alloc(b, 2048);
    int ret;

    for (uint32_t k = 0; k < 256; k++)
        bench_words(b, address)[k] = 100 + k;
    ret = bench_run(b, "k", 1, threads, &address, 1, &last);
    memcpy(words, bench_words(b, address), 2048);
    bench_close(b);
    return ret;
}

/* One thread copies in and all wait. The data is reversed in shared memory. One thread copies it out. */
static void test_bulk_there_and_back(void **state)
{
    static const char text[] = BEGIN
        "@%p0 mbarrier.init.shared::cta.b64 [%r2], 1;\nbar.sync 0;\n"
        "@!%p0 bra WAIT;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 512;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0], 256, [%r2];\n"
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1+256], [%rd0+256], 256, [%r2];\n"
        "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0;\n@!%p1 bra WAIT;\n"
        "mad.lo.u32 %r3, %r0, 4, %r1;\nld.shared::cluster.u32 %r4, [%r3];\nxor.b32 %r5, %r0, 127;\n"
        "mad.lo.u32 %r6, %r5, 4, %r1;\nst.shared.u32 [%r6+512], %r4;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
        "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd0+1024], [%r1+512], 512;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\nret;\n}\n";
    uint32_t words[512];

    (void)state;
    CHECK_OK(run(text, 128, words), &last);
    for (uint32_t k = 0; k < 128; k++)
        assert_int_equal(words[256 + k], 100 + 127 - k);
}

static void test_cluster_of_one(void **state)
{
    static const char text[] = BEGIN
        "mapa.shared::cluster.u32 %r3, %r1, 0;\nmad.lo.u32 %r4, %r0, 4, %r3;\nst.shared::cluster.u32 [%r4], %r0;\n"
        "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n"
        "xor.b32 %r5, %r0, 64;\nmad.lo.u32 %r5, %r5, 4, %r1;\nld.shared.u32 %r6, [%r5];\n"
        "getctarank.shared::cluster.u32 %r7, %r3;\nadd.u32 %r6, %r6, %r7;\n"
        "mad.wide.u32 %rd1, %r0, 4, %rd0;\nst.global.u32 [%rd1], %r6;\nret;\n}\n";
    uint32_t words[512];

    (void)state;
    CHECK_OK(run(text, 128, words), &last);
    for (uint32_t k = 0; k < 128; k++)
        assert_int_equal(words[k], k ^ 64);
}

static void test_faults(void **state)
{
    static const struct {
        const char *lines, *want;
    } cases[] = {
        {"mapa.shared::cluster.u32 %r3, %r1, 1;\n", "mapa: the cluster has no CTA 1"},
        {"cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 8;\n", "a multiple of 16"},
        {"cp.async.bulk.global.shared::cta.bulk_group [%rd0+4], [%r1], 16;\n", "not aligned to 16"},
        {"cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1+1024], 32;\n", "reads 32 bytes at shared"},
        {"mbarrier.init.shared.b64 [%r2], 1;\n"
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0+4096], 16, [%r2];\n",
         "reads 16 bytes at 0x"},
    };
    uint32_t words[512];

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct strbuf s = STRBUF_INIT;

        strbuf_addf(&s, "%s%sret;\n}\n", BEGIN, cases[k].lines);
        assert_int_equal(run(s.text, 1, words), -1);
        if (!strstr(last.text, cases[k].want))
            fail_msg("%s", last.text);
        strbuf_release(&s);
    }
}

/* --- clusters of several CTAs --- */

/* Launches k in clusters. `out` has 1024 words. Its last 512 words are 100, 101, ... before the launch. */
static int run_cluster(const char *text, const uint32_t grid[3], const uint32_t cluster[3], uint32_t threads,
                       bool strict, uint32_t *out)
{
    struct bench *b = bench_open(text);
    uint64_t address = bench_alloc(b, 4096);
    struct ptx_launch l = {.module = b->module,
                           .function = ptx_find_function(ptx_program_module(b->program, b->module), "k"),
                           .block = {threads, 1, 1},
                           .params = &address,
                           .param_bytes = 8};
    int ret;

    for (uint32_t k = 0; k < 512; k++)
        bench_words(b, address)[512 + k] = 100 + k;
    memcpy(l.grid, grid, sizeof l.grid);
    memcpy(l.cluster, cluster, sizeof l.cluster);
    b->options.strict = strict;
    ret = ptx_launch_run(b->program, &l, &b->options, &b->stats, &last);
    memcpy(out, bench_words(b, address), 4096);
    bench_close(b);
    return ret;
}

#define SYNC "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
/* the CTA's row in `out`, by its position in the grid */
#define OUT_ROW                                                                                                    \
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ctaid.y;\nmov.u32 %r5, %nctaid.x;\nmad.lo.u32 %r3, %r4, %r5, %r3;\n"    \
    "mov.u32 %r5, %ntid.x;\nmad.lo.u32 %r3, %r3, %r5, %r0;\nmad.wide.u32 %rd1, %r3, 4, %rd0;\n"

/* Each thread writes to the shared memory of the next CTA of the cluster and reads the word from the previous
 * one. */
static void a_ring_through_the_cluster(void **state)
{
    static const char text[] = BEGIN OUT_ROW
        "mov.u32 %r6, %cluster_ctarank;\nmov.u32 %r7, %cluster_nctarank;\nadd.u32 %r8, %r6, 1;\n"
        "rem.u32 %r8, %r8, %r7;\nmad.lo.u32 %r9, %r0, 4, %r1;\nmapa.shared::cluster.u32 %r10, %r9, %r8;\n" SYNC
        "mad.lo.u32 %r11, %r6, 1000, %r0;\nst.shared::cluster.u32 [%r10], %r11;\n" SYNC
        "ld.shared.u32 %r12, [%r9];\ngetctarank.shared::cluster.u32 %r13, %r10;\nmad.lo.u32 %r12, %r13, 1000000, "
        "%r12;\nst.global.u32 [%rd1], %r12;\nret;\n}\n";
    const uint32_t grid[3] = {4, 4, 1}, cluster[3] = {2, 2, 1};
    static uint32_t words[1024];

    (void)state;
    for (int strict = 0; strict < 2; strict++) {
        CHECK_OK(run_cluster(text, grid, cluster, 64, strict, words), &last);
        for (uint32_t y = 0; y < 4; y++)
            for (uint32_t x = 0; x < 4; x++)
                for (uint32_t t = 0; t < 64; t++) {
                    uint32_t rank = x % 2 + y % 2 * 2;

                    assert_int_equal(words[(y * 4 + x) * 64 + t],
                                     (rank + 1) % 4 * 1000000 + (rank + 3) % 4 * 1000 + t);
                }
    }
}

/* Atomics at generic addresses in the shared memory of CTA 0; ranks in the cluster. The kernel declares its
 * cluster size. */
static void a_sum_in_the_first_cta(void **state)
{
    static const char text[] =
        ".visible .entry k(.param .u64 p)\n.reqnctapercluster 4, 1, 1\n{\n.shared .align 4 .b32 s;\n"
        ".reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n.reg .pred %p<4>;\nld.param.u64 %rd0, [p];\nmov.u32 %r0, %tid.x;\n"
        "mov.u64 %rd2, s;\ncvta.shared.u64 %rd2, %rd2;\nmapa.u64 %rd3, %rd2, 0;\nsetp.eq.u32 %p0, %r0, 0;\n"
        "@%p0 st.shared.u32 [s], 0;\n" SYNC "mov.u32 %r1, %ctaid.x;\nadd.u32 %r2, %r1, 1;\n"
        "atom.add.u32 %r3, [%rd3], %r2;\n" SYNC
        "mov.u32 %r4, %cluster_ctaid.x;\nmov.u32 %r5, %cluster_nctaid.x;\nmov.u32 %r6, %clusterid.x;\n"
        "mov.u32 %r7, %nclusterid.x;\nld.u32 %r8, [%rd3];\n"
        "shl.b32 %r8, %r8, 16;\nmad.lo.u32 %r8, %r4, 4096, %r8;\nmad.lo.u32 %r8, %r5, 256, %r8;\n"
        "mad.lo.u32 %r8, %r6, 16, %r8;\nadd.u32 %r8, %r8, %r7;\nmad.wide.u32 %rd1, %r1, 4, %rd0;\n"
        "@%p0 st.global.u32 [%rd1], %r8;\n" SYNC "ret;\n}\n";
    const uint32_t grid[3] = {12, 1, 1}, cluster[3] = {0, 0, 0}, other[3] = {2, 1, 1};
    static uint32_t words[1024];

    (void)state;
    CHECK_OK(run_cluster(text, grid, cluster, 96, false, words), &last);
    for (uint32_t c = 0; c < 12; c++) {
        uint32_t sum = 96 * (4 * (c / 4 * 4) + 1 + 2 + 3 + 4);

        assert_int_equal(words[c], (sum << 16) + c % 4 * 4096 + 4 * 256 + c / 4 * 16 + 3);
    }
    assert_int_equal(run_cluster(text, grid, other, 96, false, words), -1);
    assert_non_null(strstr(last.text, "the kernel requires 4"));
}

/* One thread of CTA 0 copies to CTAs 1 and 3. Each CTA waits at its own barrier. */
static void a_copy_to_many(void **state)
{
    static const char text[] = BEGIN OUT_ROW
        "mov.u32 %r6, %cluster_ctarank;\nmov.u32 %r7, 256;\n@%p0 mbarrier.init.shared::cta.b64 [%r2], 1;\n"
        "and.b32 %r8, %r6, 1;\nsetp.eq.u32 %p2, %r8, 1;\nand.pred %p3, %p0, %p2;\n"
        "@%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 256;\n" SYNC
        "setp.eq.and.u32 %p1, %r6, 0, %p0;\n.reg .b16 %h;\nmov.u16 %h, 10;\n"
        "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], "
        "[%rd0+2048], "
        "256, [%r2], %h;\nmov.u32 %r9, 0;\n@!%p2 bra DONE;\n"
        "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0;\n@!%p1 bra WAIT;\n"
        "mad.lo.u32 %r3, %r0, 4, %r1;\nld.shared.u32 %r9, [%r3];\n"
        "DONE:\n" SYNC "add.u32 %r9, %r9, 1;\nst.global.u32 [%rd1], %r9;\nret;\n}\n";
    const uint32_t grid[3] = {4, 1, 1}, cluster[3] = {4, 1, 1};
    static uint32_t words[1024];

    (void)state;
    CHECK_OK(run_cluster(text, grid, cluster, 64, false, words), &last);
    for (uint32_t k = 0; k < 256; k++)
        assert_int_equal(words[k], k / 64 % 2 ? 100 + k % 64 + 1 : 1);
}

/* Each thread sends two words to the next CTA and adds to a sum there. The receiver's barrier counts all bytes. */
static void words_and_sums_are_sent(void **state)
{
    static const char text[] = BEGIN OUT_ROW
        "mov.u32 %r6, %cluster_ctarank;\nmov.u32 %r7, %cluster_nctarank;\nadd.u32 %r8, %r6, 1;\n"
        "rem.u32 %r8, %r8, %r7;\n@%p0 mbarrier.init.shared::cta.b64 [%r2], 1;\n@%p0 st.shared.u32 [%r1+1016], 0;\n"
        "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 768;\n" SYNC
        "mapa.shared::cluster.u32 %r9, %r1, %r8;\nmapa.shared::cluster.u32 %r10, %r2, %r8;\n"
        "mad.lo.u32 %r11, %r0, 8, %r9;\nmad.lo.u32 %r12, %r6, 1000, %r0;\nmov.u32 %r13, 7;\n"
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r11], {%r12, %r13}, [%r10];\n"
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r9+1016], %r0, [%r10];\n"
        "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0;\n@!%p1 bra WAIT;\n"
        "mad.lo.u32 %r3, %r0, 8, %r1;\nld.shared.v2.u32 {%r4, %r5}, [%r3];\nld.shared.u32 %r14, [%r1+1016];\n"
        "mad.lo.u32 %r4, %r14, 10000, %r4;\nmad.lo.u32 %r4, %r5, 100000000, %r4;\nst.global.u32 [%rd1], %r4;\n" SYNC
        "ret;\n}\n";
    const uint32_t grid[3] = {8, 1, 1}, cluster[3] = {4, 1, 1};
    static uint32_t words[1024];

    (void)state;
    for (int strict = 0; strict < 2; strict++) {
        CHECK_OK(run_cluster(text, grid, cluster, 64, strict, words), &last);
        for (uint32_t k = 0; k < 512; k++)
            assert_int_equal(words[k], 700000000 + 2016 * 10000 + (k / 64 + 3) % 4 * 1000 + k % 64);
    }
}

/* Each CTA waits for a flag that the next CTA sets. No other cluster starts before this one makes progress. */
static void a_signal_from_cta_to_cta(void **state)
{
    static const char text[] = BEGIN
        "mov.u32 %r6, %cluster_ctarank;\n@%p0 mbarrier.init.shared::cta.b64 [%r2], 1;\n" SYNC
        "setp.eq.u32 %p1, %r6, 7;\n@%p1 bra SEND;\n"
        "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;\n@!%p2 bra WAIT;\n"
        "SEND:\nsetp.eq.u32 %p1, %r6, 0;\n@%p1 bra DONE;\nsub.u32 %r7, %r6, 1;\nmapa.shared::cluster.u32 %r8, %r2, "
        "%r7;\n@%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];\n"
        "DONE:\n@%p0 atom.global.add.u32 %r9, [%rd0], 1;\nmov.u32 %r10, %ctaid.x;\nmad.wide.u32 %rd1, %r10, 4, "
        "%rd0;\n@%p0 st.global.u32 [%rd1+4], %r9;\n" SYNC "ret;\n}\n";
    const uint32_t grid[3] = {16, 1, 1}, cluster[3] = {8, 1, 1};
    static uint32_t words[1024];

    (void)state;
    CHECK_OK(run_cluster(text, grid, cluster, 64, false, words), &last);
    assert_int_equal(words[0], 16);
    for (uint32_t c = 0; c < 16; c++)
        assert_int_equal(words[1 + c], c / 8 * 8 + 7 - c % 8);
}

static void faults_of_clusters(void **state)
{
    static const struct {
        const char *lines, *want;
    } cases[] = {
        {"mapa.shared::cluster.u32 %r3, %r1, 2;\n", "mapa: the cluster has no CTA 2"},
        {"mov.u32 %r3, %ctaid.x;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra NEVER;\n" SYNC "NEVER:\n@!%p1 ret;\n"
         "LOOP: ld.volatile.shared.u32 %r4, [%r1];\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra LOOP;\n",
         "deadlock: all CTAs poll"},
        {"mapa.shared::cluster.u32 %r3, %r1, 1;\nadd.u32 %r3, %r3, 1024;\nst.shared::cluster.u32 [%r3+8], %r0;\n",
         "writes 4 bytes at shared address 0x408"},
        {"mov.u32 %r3, %ctaid.x;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 ret;\nmapa.shared::cluster.u32 %r3, %r1, 0;\n"
         "st.shared::cluster.u32 [%r3], %r0;\n",
         "writes shared memory of CTA 0 of its cluster, which has ended"},
    };
    const uint32_t grid[3] = {2, 1, 1}, cluster[3] = {2, 1, 1}, odd[3] = {3, 1, 1}, huge[3] = {32, 1, 1};
    static uint32_t words[1024];

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct strbuf s = STRBUF_INIT;

        strbuf_addf(&s, "%s%sret;\n}\n", BEGIN, cases[k].lines);
        assert_int_equal(run_cluster(s.text, grid, cluster, 32, false, words), -1);
        if (!strstr(last.text, cases[k].want))
            fail_msg("%s", last.text);
        strbuf_release(&s);
    }
    assert_int_equal(run_cluster(BEGIN "ret;\n}\n", odd, cluster, 32, false, words), -1);
    assert_non_null(strstr(last.text, "do not divide its grid of 3"));
    assert_int_equal(run_cluster(BEGIN "ret;\n}\n", huge, huge, 32, false, words), -1);
    assert_non_null(strstr(last.text, "at most 16"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bulk_there_and_back),
        cmocka_unit_test(test_cluster_of_one),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(a_ring_through_the_cluster),
        cmocka_unit_test(a_sum_in_the_first_cta),
        cmocka_unit_test(a_copy_to_many),
        cmocka_unit_test(words_and_sums_are_sent),
        cmocka_unit_test(a_signal_from_cta_to_cta),
        cmocka_unit_test(faults_of_clusters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
