/* Bulk copies with barriers that count bytes, and clusters of one CTA. */
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

/* In by one thread, all wait; turned round in shared memory; out by one thread. */
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
        {"cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 8;\n", "multiples of 16"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bulk_there_and_back),
        cmocka_unit_test(test_cluster_of_one),
        cmocka_unit_test(test_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
