/* Asynchronous copies, barriers in shared memory and clusters in the timing model: warps wait for their data, the
 * time depends on the sectors, and accesses to another CTA of the cluster have latency. */
#include "ptx/trace/source.h"
#include "simcore/simcore.h"
#include "simcore/trace/vtrace.h"
#include "tests/harness/folder.h"
#include "tests/unit/ptx/engine.h"
#include "tests/unit/simcore/hand_source.h"

static struct err last;

#define HEAD                                                                                                       \
    ".visible .entry k(.param .u64 p, .param .u64 n)\n{\n.shared .align 128 .b8 s[65536];\n"                       \
    ".shared .align 8 .b64 bar;\n.reg .b32 %r<20>;\n.reg .b64 %rd<8>;\n.reg .pred %p<6>;\n"                        \
    "ld.param.u64 %rd0, [p];\nld.param.u32 %r9, [n];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, s;\nmov.u32 %r2, bar;\n"  \
    "setp.eq.u32 %p0, %r0, 0;\n@%p0 mbarrier.init.shared::cta.b64 [%r2], 1;\nbar.sync 0;\n"
#define COPY                                                                                                       \
    "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], %r9;\n"                                                   \
    "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0], %r9, [%r2];\n"
#define WAIT "W:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;\n@!%p1 bra W;\n"
#define END  "ret;\n}\n"

/* A launch, and the levels of detail of its simulation. */
struct run {
    const char *text, *design;
    uint32_t grid, block, cluster;
    uint64_t n; /* the kernel's second parameter */
    bool through_file;
};

static const char *const designs[] = {"h100", "h100:detailed"};

static void simulate_source(const struct run *r, struct inst_source *source, struct sim_result *out)
{
    const struct sim_options o = {.limit_cycles = 1 << 24};
    struct gpu_design *d;

    CHECK_OK(design_load(r->design, &d, &last), &last);
    CHECK_OK(simulate(d, source, &o, out, &last), &last);
    design_free(d);
    if (out->end != SIM_DONE)
        fail_msg("%s", out->report);
    check_identities(out);
}

static void run_timed(const struct run *r, struct sim_result *out)
{
    struct bench *b = bench_open(r->text);
    uint64_t params[2] = {bench_alloc(b, 1 << 20), r->n};
    struct ptx_launch l = {.module = b->module,
                           .grid = {r->grid, 1, 1},
                           .block = {r->block, 1, 1},
                           .cluster = {r->cluster, 1, 1},
                           .params = params,
                           .param_bytes = sizeof params};
    const struct ptx_source_options as = {.arch = 90, .registers = 32};
    struct inst_source *source;

    l.function = ptx_find_function(ptx_program_module(b->program, b->module), "k");
    CHECK_OK(ptx_source_new(b->program, &l, &b->options, &as, &source, &last), &last);
    if (r->through_file) {
        CHECK_OK(vtrace_write_one(in_folder("t.vtrace"), source, &last), &last);
        inst_source_release(source);
        CHECK_OK(vtrace_source_path(in_folder("t.vtrace"), 0, &source, &last), &last);
    }
    simulate_source(r, source, out);
    inst_source_release(source);
    bench_close(b);
}

static uint64_t cycles_of(struct run r)
{
    struct sim_result out;
    uint64_t cycles;

    run_timed(&r, &out);
    cycles = out.cycles;
    sim_result_release(&out);
    return cycles;
}

static uint64_t counter_of(struct run r, const char *name)
{
    struct sim_result out;
    uint64_t v;

    run_timed(&r, &out);
    v = result_counter(&out, name);
    sim_result_release(&out);
    return v;
}

/* --- copies --- */

/* A kilobyte from DRAM: a warp that waits for the copy stalls for its latency. Other warps do not. */
static void who_waits_for_a_copy_does(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run without = {HEAD COPY END, designs[k], 1, 64, 1, 1024, false},
                         with = {HEAD COPY WAIT END, designs[k], 1, 64, 1, 1024, false};
        struct run file = with;
        uint64_t waiting = cycles_of(with);

        assert_in_range(waiting - cycles_of(without), 500, 2500);
        file.through_file = true;
        assert_int_equal(cycles_of(file), waiting);
    }
}

/* 48 KB for each SM: the number of DRAM sectors is exact, and the SM's port limits the bandwidth. */
static void a_copy_costs_what_its_sectors_cost(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run small = {HEAD COPY WAIT END, designs[k], 8, 64, 1, 1024, false},
                         large = {HEAD COPY WAIT END, designs[k], 8, 64, 1, 49152, false};

        assert_int_equal(counter_of(large, "bulk_sectors"), 8 * 49152 / 32);
        assert_int_equal(counter_of(large, "bulk_traced"), 8);
        assert_int_equal(counter_of(large, "dram_read_sectors"), 49152 / 32); /* all SMs copy the same data */
        assert_in_range(cycles_of(large) - cycles_of(small), 48 * 1024 / 64 - 64, 8 * 48 * 1024 / 64);
    }
}

/* Two stages, filled and emptied 8 times. The producer and the consumers wait for phases of both parities. */
static void stages_follow_one_another(void **state)
{
    static const char text[] = HEAD
        ".shared .align 8 .b64 full[2];\n.shared .align 8 .b64 empty[2];\nmov.u32 %r3, full;\n"
        "mov.u32 %r4, empty;\n@%p0 mbarrier.init.shared.b64 [%r3], 1;\n@%p0 mbarrier.init.shared.b64 [%r3+8], 1;\n"
        "@%p0 mbarrier.init.shared.b64 [%r4], 32;\n@%p0 mbarrier.init.shared.b64 [%r4+8], 32;\nbar.sync 0;\n"
        "mov.u32 %r5, 0;\nshr.u32 %r6, %r0, 5;\nsetp.eq.u32 %p2, %r6, 0;\n"
        "L:\nand.b32 %r7, %r5, 1;\nshl.b32 %r8, %r7, 3;\nadd.u32 %r10, %r3, %r8;\nadd.u32 %r11, %r4, %r8;\n"
        "shr.u32 %r12, %r5, 1;\nand.b32 %r13, %r12, 1;\nxor.b32 %r14, %r13, 1;\n@%p2 bra CONSUME;\n"
        "setp.ne.u32 %p3, %r0, 32;\n@%p3 bra NEXT;\n"
        "P:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r11], %r14;\n@!%p1 bra P;\n"
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r10], 4096;\nmul.wide.u32 %rd1, %r5, 4096;\n"
        "add.u64 %rd1, %rd1, %rd0;\nmad.lo.u32 %r15, %r7, 4096, %r1;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r15], [%rd1], 4096, [%r10];\n"
        "bra NEXT;\n"
        "CONSUME:\nC:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r10], %r13;\n@!%p1 bra C;\n"
        "mbarrier.arrive.shared.b64 _, [%r11];\n"
        "NEXT:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p4, %r5, 16;\n@%p4 bra L;\n" END;

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run r = {text, designs[k], 1, 64, 1, 0, false};

        assert_int_equal(counter_of(r, "bulk_sectors"), 16 * 128);
        /* No stage is refilled before it has been read: at least 8 sequential round trips. */
        assert_in_range(cycles_of(r), 8 * 600, 8 * 2500);
    }
}

/* Arrivals triggered by the end of cp.async give the same wait as waiting for the copies. */
static void arrivals_wait_for_small_copies(void **state)
{
    static const char arrive[] = HEAD
        ".shared .align 8 .b64 all;\nmov.u32 %r3, all;\n@%p0 mbarrier.init.shared.b64 [%r3], 64;\nbar.sync 0;\n"
        "mad.lo.u32 %r4, %r0, 16, %r1;\nmul.wide.u32 %rd1, %r0, 16;\nadd.u64 %rd1, %rd1, %rd0;\n"
        "cp.async.cg.shared.global [%r4], [%rd1], 16;\ncp.async.mbarrier.arrive.noinc.shared.b64 [%r3];\n"
        "W:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0;\n@!%p1 bra W;\n" END;
    static const char nothing[] = HEAD END;

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run with = {arrive, designs[k], 1, 64, 1, 0, false},
                         without = {nothing, designs[k], 1, 64, 1, 0, false};

        assert_in_range(cycles_of(with) - cycles_of(without), 500, 2500);
    }
}

#define OF_16(source_size)                                                                                         \
    HEAD "mad.lo.u32 %r4, %r0, 16, %r1;\nmul.wide.u32 %rd1, %r0, 16;\nadd.u64 %rd1, %rd1, %rd0;\n" source_size     \
         "cp.async.wait_all;\n" END

/* A copy to shared memory has the same instruction: two warps execute it, and each reads 512 bytes. Lanes with
 * zero source bytes read nothing, and their addresses are not needed. */
static void a_small_copy_is_one_access(void **state)
{
    static const struct {
        const char *text;
        uint64_t requests, sectors;
    } cases[] = {
        {HEAD END, 0, 0},
        {OF_16("cp.async.cg.shared.global [%r4], [%rd1], 16;\n"), 2, 32},
        {OF_16("setp.lt.u32 %p4, %r0, 16;\nselp.u32 %r5, 16, 0, %p4;\n"
               "cp.async.cg.shared.global [%r4], [%rd1], 16, %r5;\n"),
         2, 8},
        {OF_16("mov.u32 %r5, 0;\ncp.async.cg.shared.global [%r4], [%rd1], 16, %r5;\n"), 2, 0},
    };

    (void)state;
    for (size_t k = 0; k < 2 * sizeof cases / sizeof cases[0]; k++) {
        const struct run r = {cases[k / 2].text, designs[k % 2], 1, 64, 1, 0, false};
        struct sim_result out;

        run_timed(&r, &out);
        assert_int_equal(result_counter(&out, "l1_load_requests"), cases[k / 2].requests);
        assert_int_equal(result_counter(&out, "l1_load_sectors"), cases[k / 2].sectors);
        assert_int_equal(result_counter(&out, "dram_read_sectors"), cases[k / 2].sectors);
        assert_int_equal(result_counter(&out, "memory_without_addresses"), 0);
        sim_result_release(&out);
    }
}

/* --- clusters --- */

#define RANK "mov.u32 %r3, %cluster_ctarank;\nsetp.eq.u32 %p2, %r3, 0;\n"
#define MEET "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
/* A chain of 500 dependent additions. */
#define WORK(label)                                                                                                \
    "mov.u32 %r4, 0;\n" label ":\nmul.lo.u32 %r5, %r5, %r4;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p3, %r4, 500;\n"   \
    "@%p3 bra " label ";\n"

/* CTA 0 works before the cluster barrier and CTA 1 after it: the times add up. */
static void ctas_of_a_cluster_meet(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run met = {HEAD RANK "@!%p2 bra MEET;\n" WORK("A") "MEET:\n" MEET
                                                                        "@%p2 bra DONE;\n" WORK("B") "DONE:\n" END,
                                designs[k],
                                2,
                                64,
                                2,
                                0,
                                false},
                         apart = {HEAD RANK
                                  "@!%p2 bra MEET;\n" WORK("A") "MEET:\n@%p2 bra DONE;\n" WORK("B") "DONE:\n" END,
                                  designs[k],
                                  2,
                                  64,
                                  2,
                                  0,
                                  false};
        uint64_t one = cycles_of(apart), both = cycles_of(met);

        assert_true(both > one + 500 * 4);
        assert_int_equal(counter_of(met, "cluster_barriers"), 1);
    }
}

/* 64 dependent loads: from the CTA's own shared memory and from that of another SM. */
static void the_shared_memory_of_others_is_far(void **state)
{
    static const char chase[] = HEAD RANK
        "xor.b32 %r6, %r3, 1;\n@%p0 st.shared.u32 [%r1], 0;\n" MEET
        "setp.eq.u32 %p4, %r9, 0;\nselp.u32 %r7, %r3, %r6, %p4;\nmapa.shared::cluster.u32 %r8, %r1, %r7;\n"
        "mov.u32 %r10, 0;\nmov.u32 %r11, %r8;\nL:\nld.shared::cluster.u32 %r12, [%r11];\n"
        "add.u32 %r11, %r8, %r12;\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p3, %r10, 64;\n@%p3 bra L;\n" MEET END;

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run near = {chase, designs[k], 2, 32, 2, 0, false},
                         far = {chase, designs[k], 2, 32, 2, 1, false};

        assert_in_range(cycles_of(far) - cycles_of(near), 64 * 140, 64 * 200);
        assert_int_equal(counter_of(near, "remote_shared"), 0);
        assert_int_equal(counter_of(far, "remote_shared"), 128);
    }
}

/* One box is copied to four CTAs. Each waits at its own barrier. The data is read once. */
static void one_copy_for_many(void **state)
{
    static const char text[] =
        HEAD RANK ".reg .b16 %h;\nmov.u16 %h, 15;\n@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], %r9;\n" MEET
                  "and.pred %p4, %p2, %p0;\n@%p4 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                  ".multicast::cluster [%r1], [%rd0], %r9, [%r2], %h;\n" WAIT END;
    static const char alone[] = HEAD RANK MEET END;

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run many = {text, designs[k], 4, 64, 4, 4096, false},
                         none = {alone, designs[k], 4, 64, 4, 4096, false};

        assert_int_equal(counter_of(many, "bulk_sectors"), 128);
        assert_in_range(cycles_of(many) - cycles_of(none), 500, 2500);
    }
}

/* A CTA without a cluster is a cluster of one: a multicast to itself completes its barrier; one to no CTA does
 * nothing. */
static void copies_of_a_cluster_of_one(void **state)
{
#define FOR_CTAS(mask)                                                                                             \
    HEAD ".reg .b16 %h;\nmov.u16 %h, " mask ";\n@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], %r9;\n"        \
         "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"               \
         " [%r1], [%rd0], %r9, [%r2], %h;\n"
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run waits = {FOR_CTAS("1") WAIT END, designs[k], 1, 64, 1, 4096, false},
                         without = {FOR_CTAS("1") END, designs[k], 1, 64, 1, 4096, false},
                         for_no_cta = {FOR_CTAS("0") END, designs[k], 1, 64, 1, 4096, false};

        assert_in_range(cycles_of(waits) - cycles_of(without), 500, 2500);
        assert_int_equal(counter_of(waits, "bulk_sectors"), 128);
        assert_int_equal(counter_of(for_no_cta, "bulk_sectors"), 0);
    }
}

/* CTA 1 waits for data that CTA 0 sends to its memory: a word by st.async, then an arrival. */
static void news_of_another_cta_are_waited_for(void **state)
{
    static const char text[] =
        HEAD RANK "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 4;\n" MEET "@!%p2 bra WAIT;\n" WORK(
            "A") "setp.ne.u32 %p4, %r0, 0;\n@%p4 bra DONE;\nmov.u32 %r6, 1;\nmapa.shared::cluster.u32 %r7, %r1, "
                 "%r6;\n"
                 "mapa.shared::cluster.u32 %r8, %r2, %r6;\n"
                 "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r7], %r6, [%r8];\nbra DONE;\n"
                 "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;\n@!%p1 bra WAIT;\n" WORK(
                     "B") "DONE:\n" MEET END;
    static const char free[] =
        HEAD RANK MEET "@!%p2 bra WAIT;\n" WORK("A") "bra DONE;\nWAIT:\n" WORK("B") "DONE:\n" MEET END;

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run waits = {text, designs[k], 2, 32, 2, 0, false},
                         apart = {free, designs[k], 2, 32, 2, 0, false};

        assert_true(cycles_of(waits) > cycles_of(apart) + 500 * 4);
    }
}

/* 32 lanes send a word each to barriers of two CTAs: one instruction per CTA. */
static void lanes_that_send_to_one_barrier_are_one(void **state)
{
    static const char text[] =
        HEAD RANK "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 64;\n" MEET "and.b32 %r6, %r0, 1;\n"
                  "mapa.shared::cluster.u32 %r7, %r1, %r6;\nmapa.shared::cluster.u32 %r8, %r2, %r6;\n"
                  "mad.lo.u32 %r7, %r0, 4, %r7;\n@!%p2 bra W;\n"
                  "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r7], %r6, [%r8];\n" WAIT MEET END;

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run r = {text, designs[k], 2, 32, 2, 0, false};

        assert_int_equal(counter_of(r, "remote_shared"), 2);
    }
}

/* --- named barriers --- */

/* Barrier number and count of threads are in registers. Two warps each meet ten times at a barrier of their own;
 * the first warp of each pair computes longer. */
#define PAIRS                                                                                                      \
    "shr.u32 %r3, %r0, 6;\nadd.u32 %r3, %r3, 1;\nmov.u32 %r5, 0;\nand.b32 %r6, %r0, 32;\n"                         \
    "T:\nmov.u32 %r4, 0;\nsetp.ne.u32 %p2, %r6, 0;\n@%p2 bra M;\n"                                                 \
    "S:\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p3, %r4, 200;\n@%p3 bra S;\n"                                          \
    "M:\nbar.sync %r3, %r9;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p4, %r5, 10;\n@%p4 bra T;\n"

static void named_barriers_are_distinct(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct run pairs = {HEAD PAIRS END, designs[k], 1, 128, 1, 64, false},
                         together = {HEAD PAIRS END, designs[k], 1, 64, 1, 64, false};
        struct run file = pairs;
        uint64_t cycles = cycles_of(pairs);

        assert_int_equal(counter_of(pairs, "barriers"), 1 + 2 * 10);
        assert_int_equal(counter_of(together, "barriers"), 1 + 10);
        assert_true(cycles < cycles_of(together) * 5 / 4); /* the pairs do not wait for each other */
        file.through_file = true;
        assert_int_equal(cycles_of(file), cycles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_for_a_copy_does),
        cmocka_unit_test(a_copy_costs_what_its_sectors_cost),
        cmocka_unit_test(stages_follow_one_another),
        cmocka_unit_test(arrivals_wait_for_small_copies),
        cmocka_unit_test(a_small_copy_is_one_access),
        cmocka_unit_test(ctas_of_a_cluster_meet),
        cmocka_unit_test(the_shared_memory_of_others_is_far),
        cmocka_unit_test(one_copy_for_many),
        cmocka_unit_test(copies_of_a_cluster_of_one),
        cmocka_unit_test(news_of_another_cta_are_waited_for),
        cmocka_unit_test(lanes_that_send_to_one_barrier_are_one),
        cmocka_unit_test(named_barriers_are_distinct),
    };

    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
