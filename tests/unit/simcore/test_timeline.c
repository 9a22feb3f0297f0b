/* Several launches, copies and streams on one GPU: overlap, order, accounting, caches between launches, clusters.
 */
#include "tests/unit/simcore/hand_source.h"

enum { MOST = 64 };

/* --- a list of hand-made kernels --- */

struct list {
    struct hand hand[MOST];
    struct sim_work work[MOST];
    size_t count, open, most_open;
    struct sim_span span[MOST];
    struct sim_result result[MOST];
};

static int open_hand(void *ctx, size_t index, struct inst_source **out, struct err *e)
{
    struct list *l = ctx;

    (void)e;
    l->most_open = ++l->open > l->most_open ? l->open : l->most_open;
    *out = &l->hand[index].base;
    return 0;
}

static int keep_span(void *ctx, const struct sim_span *span, struct err *e)
{
    struct list *l = ctx;

    (void)e;
    l->span[span->index] = *span;
    if (!span->result)
        return 0;
    l->open--;
    l->result[span->index] = *span->result;
    memset(span->result, 0, sizeof *span->result);
    return 0;
}

static struct hand *add_kernel(struct list *l, uint64_t stream, uint64_t ctas, uint32_t threads)
{
    l->work[l->count] = (struct sim_work){.kind = SIM_KERNEL, .stream = stream};
    hand_init(&l->hand[l->count], ctas, threads);
    return &l->hand[l->count++];
}

static void add_chain(struct hand *h, int n)
{
    uint32_t ffma = hand_add(h, "FFMA", 4, 4, 5, 6);

    for (int i = 1; i < n; i++)
        hand_step(h, ffma, FULL_MASK);
}

static void add_item(struct list *l, enum sim_work_kind kind, uint64_t stream, uint64_t bytes)
{
    l->work[l->count++] = (struct sim_work){.kind = kind, .stream = stream, .bytes = bytes, .gap_ps = bytes};
}

static uint64_t sum_of(const struct list *l, const char *name)
{
    uint64_t n = 0;

    for (size_t i = 0; i < l->count; i++)
        if (l->result[i].counters)
            n += result_counter(&l->result[i], name);
    return n;
}

static void run_list(struct list *l, const struct gpu_design *d, struct sim_stream_options o,
                     struct sim_timeline *out)
{
    struct err e;
    struct simulator *s = simulator_new(d, &e);

    o.open = open_hand;
    o.done = keep_span;
    o.ctx = l;
    CHECK_OK(simulator_run_streams(s, l->work, l->count, &o, out, &e), &e);
    simulator_free(s);
    if (out->end == SIM_DONE)
        assert_int_equal(sum_of(l, "slots_total") + out->slots_no_launch, out->slots_total);
}

static void release_list(struct list *l, struct sim_timeline *out)
{
    for (size_t i = 0; i < l->count; i++)
        sim_result_release(&l->result[i]);
    sim_timeline_release(out);
    memset(l, 0, sizeof *l);
}

static struct gpu_design *v100;
static struct list list; /* large */
static const struct sim_stream_options graph = {.graph = true};

/* --- order and overlap --- */

static void one_launch_in_a_list_is_the_launch_alone(void **state)
{
    struct sim_result alone;
    struct sim_timeline t;
    struct hand h;

    (void)state;
    hand_init(&h, 300, 256);
    add_chain(&h, 50);
    hand_run(&h, v100, NULL, &alone);
    add_chain(add_kernel(&list, 7, 300, 256), 50);
    run_list(&list, v100, graph, &t);
    assert_int_equal(t.cycles, alone.cycles);
    assert_int_equal(t.slots_no_launch, 0);
    for (size_t i = 0; i < alone.counter_count; i++)
        assert_int_equal(alone.counters[i].value, list.result[0].counters[i].value);
    sim_result_release(&alone);
    release_list(&list, &t);
}

static void a_stream_keeps_its_order_and_its_sources_are_open_one_at_a_time(void **state)
{
    struct sim_timeline t;
    uint64_t alone;
    struct hand h;

    (void)state;
    hand_init(&h, 80, 64);
    add_chain(&h, 100);
    alone = hand_cycles(&h, v100) + v100->kernel_cycles;
    for (int i = 0; i < 5; i++)
        add_chain(add_kernel(&list, 1, 80, 64), 100);
    run_list(&list, v100, graph, &t);
    assert_int_equal(list.most_open, 1);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(list.result[i].cycles, alone);
        assert_int_equal(list.result[i].launch_cycles, v100->kernel_cycles);
        check_identities(&list.result[i]);
        if (i)
            assert_int_equal(list.span[i].begin_ps, list.span[i - 1].end_ps);
    }
    assert_int_equal(t.cycles, 5 * alone);
    release_list(&list, &t);
}

static void streams_run_side_by_side_where_there_is_room(void **state)
{
    struct sim_timeline both, one;

    (void)state;
    for (int i = 0; i < 4; i++)
        add_chain(add_kernel(&list, (uint64_t)i, 40, 64), 2000);
    run_list(&list, v100, graph, &both);
    assert_int_equal(list.most_open, 4);
    for (int i = 0; i < 4; i++) { /* its own SMs, or a share that no other launch needs: as fast as alone */
        assert_in_range(list.result[i].cycles - v100->kernel_cycles, 8000, 8800);
        assert_int_equal(result_counter(&list.result[i], "active_sms"), 40);
        assert_int_equal(result_counter(&list.result[i], "warps"), 80);
        assert_int_equal(result_counter(&list.result[i], "warp_instructions"), 80 * 2000);
    }
    assert_in_range(both.cycles - v100->kernel_cycles, 8000, 8800);
    release_list(&list, &both);
    for (int i = 0; i < 4; i++)
        add_chain(add_kernel(&list, (uint64_t)i, 40, 64), 2000);
    run_list(&list, v100, (struct sim_stream_options){.graph = true, .serial = true}, &one);
    assert_in_range(one.cycles / 4 - v100->kernel_cycles, 8000, 8500);
    assert_int_equal(one.ps, one.item_ps[SIM_KERNEL]);
    release_list(&list, &one);
}

static void a_launch_waits_until_the_one_before_has_placed_its_ctas(void **state)
{
    const uint64_t ps = 1000000 / 1530;
    struct sim_timeline t;
    struct hand *h;

    (void)state;
    /* three waves of 2000 cycles; shared memory limits to two CTAs per SM */
    h = add_kernel(&list, 0, 3 * 80 * 2, 32);
    h->base.info.shared_bytes = 48 << 10;
    add_chain(h, 500);
    add_chain(add_kernel(&list, 1, 80, 32), 10);
    run_list(&list, v100, graph, &t);
    /* The second launch could have started at once. It started after the third wave was dispatched. */
    assert_int_equal(list.span[1].begin_ps, 0);
    assert_true(list.span[1].end_ps > (v100->kernel_cycles + 2 * 2000) * ps);
    assert_true(list.span[1].end_ps < list.span[0].end_ps);
    release_list(&list, &t);
}

static void a_larger_carveout_waits_for_an_empty_sm(void **state)
{
    struct gpu_design *d = hand_design("v100", "gpu.sms", 6.0, NULL);
    struct sim_timeline t;
    struct hand *small, *large;

    (void)state;
    small = add_kernel(&list, 0, 6, 1024); /* one CTA per SM of two that would fit: 8 KB carve-out */
    small->base.info.shared_bytes = 4096;
    add_chain(small, 3000);
    large = add_kernel(&list, 1, 6, 64); /* needs 64 KB */
    large->base.info.shared_bytes = 60 << 10;
    add_chain(large, 10);
    run_list(&list, d, graph, &t);
    assert_true(list.span[1].end_ps > list.span[0].end_ps); /* although there were free slots */
    assert_int_equal(result_counter(&list.result[1], "carveout_bytes"), 64 << 10);
    release_list(&list, &t);
    small = add_kernel(&list, 0, 6, 1024);
    small->base.info.shared_bytes = 4096;
    add_chain(small, 3000);
    large = add_kernel(&list, 1, 6, 64); /* needs none: no wait */
    add_chain(large, 10);
    run_list(&list, d, graph, &t);
    assert_true(list.span[1].end_ps < list.span[0].end_ps);
    release_list(&list, &t);
    design_free(d);
}

static void gaps_and_submission_take_their_time(void **state)
{
    const uint64_t submit_ps = v100->submit_ps;
    struct sim_timeline t;

    (void)state;
    add_chain(add_kernel(&list, 0, 1, 32), 1);
    add_item(&list, SIM_GAP, 0, 5000000);
    add_chain(add_kernel(&list, 0, 1, 32), 1);
    run_list(&list, v100, graph, &t);
    assert_int_equal(list.span[2].begin_ps - list.span[0].end_ps, 5000000);
    assert_int_equal(t.item_ps[SIM_GAP], 5000000);
    assert_true(t.slots_no_launch > 0);
    release_list(&list, &t);
    for (int i = 0; i < 10; i++)
        add_chain(add_kernel(&list, 0, 1, 32), 1);
    run_list(&list, v100, (struct sim_stream_options){.graph = false}, &t);
    assert_int_equal(list.span[9].begin_ps, 9 * submit_ps);
    release_list(&list, &t);
}

/* --- copies --- */

static double copy_seconds(const char *design, enum sim_work_kind kind, uint64_t bytes)
{
    struct sim_timeline t;
    struct gpu_design *d;
    struct err e;
    double s;

    CHECK_OK(design_load(design, &d, &e), &e);
    add_item(&list, kind, 0, bytes);
    run_list(&list, d, graph, &t);
    assert_int_equal(t.bytes[kind], bytes);
    s = (double)t.ps * 1e-12;
    release_list(&list, &t);
    design_free(d);
    return s;
}

/* Facts F36 to F37: copies over PCIe 3, a word from a peer GPU. */
static void copies_take_what_silicon_takes(void **state)
{
    (void)state;
    CHECK_NEAR(copy_seconds("v100", SIM_COPY_TO_DEVICE, 64 << 20), (64 << 20) / 12.3e9, 0.08);
    CHECK_NEAR(copy_seconds("v100", SIM_COPY_TO_DEVICE, 1 << 20), (1 << 20) / 9.25e9, 0.08);
    CHECK_NEAR(copy_seconds("a100", SIM_COPY_FROM_PEER, 4), 2.7e-6, 0.1);
    /* copies inside the GPU read and write every byte: at most half of DRAM's bandwidth */
    assert_in_range((uint64_t)((64 << 20) / copy_seconds("v100", SIM_COPY_DEVICE, 64 << 20) / 1e9), 330, 450);
    assert_in_range((uint64_t)((64 << 20) / copy_seconds("v100", SIM_MEMSET, 64 << 20) / 1e9), 700, 1000);
}

static void directions_of_a_link_are_independent_and_shared_by_streams(void **state)
{
    struct sim_timeline t;
    double one = copy_seconds("v100", SIM_COPY_TO_DEVICE, 16 << 20);

    (void)state;
    add_item(&list, SIM_COPY_TO_DEVICE, 0, 16 << 20);
    add_item(&list, SIM_COPY_TO_HOST, 1, 16 << 20);
    run_list(&list, v100, graph, &t);
    assert_true((double)t.ps * 1e-12 < 1.05 * one);
    release_list(&list, &t);
    add_item(&list, SIM_COPY_TO_DEVICE, 0, 16 << 20);
    add_item(&list, SIM_COPY_TO_DEVICE, 1, 16 << 20);
    run_list(&list, v100, graph, &t);
    assert_true((double)t.ps * 1e-12 > 1.9 * one);
    release_list(&list, &t);
}

/* --- caches between launches --- */

static void a_line_a_warp(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    out->base = (1 << 20) + (h->number << 32) + ((cta * h->warps + warp) * h->step_count + step) * 128;
    out->stride = 4;
}

static struct hand *add_reader(struct list *l, uint64_t stream, const char *opcode)
{
    struct hand *h = add_kernel(l, stream, 80, 256);

    h->address = a_line_a_warp;
    for (int i = 0; i < 8; i++)
        hand_add_memory(h, opcode, 4, opcode[0] == 'S' ? -1 : 8 + i, 2, opcode[0] == 'S' ? 4 : -1);
    hand_add(h, "IADD3", 20, 15, 15, 15); /* waits for the last load */
    return h;
}

static void caches_are_flushed_or_kept_between_launches(void **state)
{
    const struct sim_stream_options kept = {.base = {.caches = SIM_CACHES_KEPT}, .graph = true};
    struct sim_timeline t;

    (void)state;
    for (int i = 0; i < 2; i++)
        add_reader(&list, 0, "LDG.E");
    run_list(&list, v100, graph, &t);
    assert_int_equal(result_counter(&list.result[1], "l2_read_miss_sectors"), 80 * 8 * 8 * 4);
    /* equal except for the phase of the L2 and DRAM clocks at the start */
    assert_in_range(list.result[1].cycles, list.result[0].cycles - 8, list.result[0].cycles + 8);
    release_list(&list, &t);
    for (int i = 0; i < 2; i++)
        add_reader(&list, 0, "LDG.E");
    run_list(&list, v100, kept, &t);
    assert_int_equal(result_counter(&list.result[0], "l2_read_miss_sectors"), 80 * 8 * 8 * 4);
    assert_int_equal(result_counter(&list.result[1], "l2_read_miss_sectors"), 0);
    assert_int_equal(result_counter(&list.result[1], "l1_load_hit_sectors"), 0); /* L1 is always empty */
    assert_true(list.result[1].cycles < list.result[0].cycles);
    release_list(&list, &t);
    /* data from a copy is in L2 too */
    list.work[list.count++] = (struct sim_work){.kind = SIM_COPY_TO_DEVICE, .bytes = 1 << 20, .address = 1 << 20};
    add_reader(&list, 0, "LDG.E");
    run_list(&list, v100, kept, &t);
    assert_int_equal(result_counter(&list.result[1], "l2_read_miss_sectors"), 0);
    release_list(&list, &t);
}

static void a_simulator_keeps_caches_from_run_to_run(void **state)
{
    const struct sim_options kept = {.caches = SIM_CACHES_KEPT};
    struct sim_result first, second, third;
    struct simulator *s;
    struct list *l = &list;
    struct err e;

    (void)state;
    s = simulator_new(v100, &e);
    for (int i = 0; i < 3; i++)
        add_reader(l, 0, "LDG.E");
    CHECK_OK(simulator_run(s, &l->hand[0].base, &kept, &first, &e), &e);
    CHECK_OK(simulator_run(s, &l->hand[1].base, &kept, &second, &e), &e);
    CHECK_OK(simulator_run(s, &l->hand[2].base, NULL, &third, &e), &e);
    check_identities(&second);
    assert_int_equal(result_counter(&second, "l2_read_miss_sectors"), 0);
    assert_int_equal(first.cycles, third.cycles);
    assert_true(second.cycles < first.cycles);
    sim_result_release(&first);
    sim_result_release(&second);
    sim_result_release(&third);
    for (int i = 0; i < 3; i++)
        inst_source_release(&l->hand[i].base);
    simulator_free(s);
    l->count = 0;
}

/* --- accounting --- */

static void overlapping_launches_have_accounts_of_their_own(void **state)
{
    struct sim_timeline t;

    (void)state;
    for (int i = 0; i < 6; i++)
        add_reader(&list, (uint64_t)(i % 3), i % 2 ? "STG.E" : "LDG.E")->number = (uint64_t)i;
    run_list(&list, v100, graph, &t);
    for (int i = 0; i < 6; i++) {
        check_identities(&list.result[i]);
        assert_int_equal(result_counter(&list.result[i], i % 2 ? "l2_write_sectors" : "l2_read_sectors"),
                         80 * 8 * 8 * 4);
        assert_int_equal(result_counter(&list.result[i], i % 2 ? "l2_read_sectors" : "l2_write_sectors"), 0);
    }
    release_list(&list, &t);
}

/* --- clusters --- */

static void ctas_of_a_cluster_start_together_in_one_gpc(void **state)
{
    struct sim_timeline t;
    struct gpu_design *d;
    struct err e;
    struct hand *h;

    (void)state;
    CHECK_OK(design_load("h100", &d, &e), &e);
    h = add_kernel(&list, 0, 16, 1024); /* two CTAs per SM */
    h->base.info.cluster = 16;
    add_chain(h, 10);
    run_list(&list, d, graph, &t);
    assert_int_equal(result_counter(&list.result[0], "active_sms"), 16); /* all in one GPC: 16 or 17 SMs */
    release_list(&list, &t);
    /* One SM per GPC is free: a cluster of four waits, although four SMs are free. */
    h = add_kernel(&list, 0, 124, 1024);
    h->base.info.shared_bytes = 200 << 10;
    add_chain(h, 3000);
    h = add_kernel(&list, 1, 4, 1024);
    h->base.info.shared_bytes = 200 << 10;
    h->base.info.cluster = 4;
    add_chain(h, 10);
    run_list(&list, d, graph, &t);
    assert_true(list.span[1].end_ps > list.span[0].end_ps);
    release_list(&list, &t);
    design_free(d);
}

static void clusters_that_cannot_be_are_refused(void **state)
{
    struct sim_result r;
    struct hand h;
    struct err e;

    (void)state;
    hand_init(&h, 8, 64);
    h.base.info.cluster = 4;
    hand_add(&h, "NOP", -1, -1, -1, -1);
    CHECK_FAILS(simulate(v100, &h.base, NULL, &r, &e), &e, ERR_INVALID, "clusters of 4 CTAs, which v100");
    inst_source_release(&h.base);
}

/* --- event by event --- */

/* Three streams of readers, writers and arithmetic, with a copy between them. */
static void add_mixture(struct list *l)
{
    for (int i = 0; i < 6; i++)
        add_reader(l, (uint64_t)(i % 3), i % 2 ? "STG.E" : "LDG.E")->number = (uint64_t)i;
    add_item(l, SIM_COPY_DEVICE, 1, 1 << 20);
    for (int i = 0; i < 3; i++)
        add_chain(add_kernel(l, (uint64_t)i, 100, 64), 200);
}

static void a_list_event_by_event_agrees_with_the_reserve_walk(void **state)
{
    struct gpu_design *d = hand_design("v100", NULL);
    uint64_t ps[3], sectors[3], ends[3];

    (void)state;
    for (int run = 0; run < 3; run++) { /* the last one repeats the previous one */
        struct sim_timeline t;

        d->model.memory = run ? MEMORY_EVENT : MEMORY_RESERVE;
        add_mixture(&list);
        run_list(&list, d, graph, &t);
        assert_int_equal(t.end, SIM_DONE);
        assert_int_equal(t.kernels, 9);
        ps[run] = t.ps;
        sectors[run] = sum_of(&list, "l2_read_sectors") + sum_of(&list, "l2_write_sectors");
        ends[run] = list.span[4].end_ps;
        release_list(&list, &t);
    }
    design_free(d);
    assert_in_range(ps[1], ps[0] * 0.99, ps[0] * 1.01);
    assert_in_range(ends[1], ends[0] * 0.98, ends[0] * 1.02);
    assert_int_equal(sectors[1], sectors[0]);
    assert_int_equal(ps[2], ps[1]);
    assert_int_equal(ends[2], ends[1]);
}

/* --- stalls and limits --- */

static bool all_but_warp_0(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h;
    return !(cta == 3 && warp == 0 && step == 0);
}

static void a_stall_names_the_launch(void **state)
{
    struct sim_timeline t;
    struct hand *h;

    (void)state;
    add_chain(add_kernel(&list, 0, 80, 64), 1000);
    h = add_kernel(&list, 1, 8, 64);
    h->base.info.id = 42;
    h->insts[hand_add(h, "BAR.SYNC", -1, -1, -1, -1)].immediate = 128;
    h->insts[0].has_immediate = true;
    hand_add(h, "EXIT", -1, -1, -1, -1);
    h->runs = all_but_warp_0;
    add_chain(add_kernel(&list, 1, 1, 32), 1); /* never starts */
    run_list(&list, v100, graph, &t);
    assert_int_equal(t.end, SIM_STALLED);
    assert_non_null(strstr(t.report, "launch 42 hand: "));
    assert_non_null(strstr(t.report, "barrier for 128 threads"));
    assert_int_equal(list.result[0].end, SIM_DONE);
    assert_int_equal(list.result[1].end, SIM_STALLED);
    assert_null(list.result[2].counters);
    inst_source_release(&list.hand[2].base);
    release_list(&list, &t);
}

static void limits_of_cycles_and_of_the_clock_end_a_run(void **state)
{
    struct sim_timeline t;

    (void)state;
    for (int i = 0; i < 2; i++)
        add_chain(add_kernel(&list, (uint64_t)i, 80, 64), 1000);
    run_list(&list, v100, (struct sim_stream_options){.base = {.limit_cycles = 1500}, .graph = true}, &t);
    assert_int_equal(t.end, SIM_CYCLE_LIMIT);
    assert_true(t.cycles >= 1500); /* an SM runs ahead until another one can observe it */
    assert_int_equal(list.result[1].end, SIM_CYCLE_LIMIT);
    assert_non_null(strstr(t.report, "the cycle limit was reached: 2 launches"));
    release_list(&list, &t);
    add_chain(add_kernel(&list, 0, 20000, 64), 1000);
    run_list(&list, v100, (struct sim_stream_options){.base = {.limit_host_us = 1}, .graph = true}, &t);
    assert_int_equal(t.end, SIM_TIME_LIMIT);
    assert_non_null(strstr(t.report, "the time limit was reached"));
    release_list(&list, &t);
}

static void a_list_of_nothing_takes_no_time(void **state)
{
    struct sim_timeline t;

    (void)state;
    run_list(&list, v100, graph, &t);
    assert_int_equal(t.end, SIM_DONE);
    assert_int_equal(t.ps, 0);
    release_list(&list, &t);
}

static int load(void **state)
{
    struct err e;

    (void)state;
    return design_load("v100", &v100, &e);
}

static int unload(void **state)
{
    (void)state;
    design_free(v100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_launch_in_a_list_is_the_launch_alone),
        cmocka_unit_test(a_stream_keeps_its_order_and_its_sources_are_open_one_at_a_time),
        cmocka_unit_test(streams_run_side_by_side_where_there_is_room),
        cmocka_unit_test(a_launch_waits_until_the_one_before_has_placed_its_ctas),
        cmocka_unit_test(a_larger_carveout_waits_for_an_empty_sm),
        cmocka_unit_test(gaps_and_submission_take_their_time),
        cmocka_unit_test(copies_take_what_silicon_takes),
        cmocka_unit_test(directions_of_a_link_are_independent_and_shared_by_streams),
        cmocka_unit_test(caches_are_flushed_or_kept_between_launches),
        cmocka_unit_test(a_simulator_keeps_caches_from_run_to_run),
        cmocka_unit_test(overlapping_launches_have_accounts_of_their_own),
        cmocka_unit_test(ctas_of_a_cluster_start_together_in_one_gpc),
        cmocka_unit_test(clusters_that_cannot_be_are_refused),
        cmocka_unit_test(a_list_event_by_event_agrees_with_the_reserve_walk),
        cmocka_unit_test(a_stall_names_the_launch),
        cmocka_unit_test(limits_of_cycles_and_of_the_clock_end_a_run),
        cmocka_unit_test(a_list_of_nothing_takes_no_time),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
