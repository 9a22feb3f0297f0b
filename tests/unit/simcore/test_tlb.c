/* Address translation: the latency of each level in cycles, its reach, the number of parallel walks, and shared
 * waits. Switched off it costs nothing. Switched on, both modes of the memory path agree. */
#include "simcore/mem/path_event/event_path.h"
#include "simcore/mem/tlb.h"
#include "tests/unit/simcore/hand_source.h"

#define MB    (1ull << 20)
#define FAR   0x7f0000000000ull
#define LATER 1000000000ull /* all earlier requests have completed */

static struct gpu_design *v100;
static struct clock_domain clock;
static struct tlb *tlb;
static struct tlb_counters count;

static uint64_t line_of(uint64_t address)
{
    return address / LINE_BYTES;
}

/* How long SM `sm` waits for the translation of FAR + mb, requested at t. */
static sim_time_ps wait_of(uint32_t sm, uint64_t mb, sim_time_ps t)
{
    return tlb_translate(tlb, &count, sm, line_of(FAR + mb * MB), t) - t;
}

static sim_time_ps cycles_ps(uint32_t cycles)
{
    return clock_span_ps(&clock, cycles, 1);
}

static sim_time_ps asked_ps(void)
{
    return cycles_ps(v100->tlb_gpc_cycles) + cycles_ps(v100->tlb_gpu_cycles);
}

static sim_time_ps cold_ps(void)
{
    return asked_ps() + v100->tlb_directory_ps + v100->tlb_walk_ps;
}

static void each_level_takes_its_time(void **state)
{
    const uint32_t same_gpc = v100->gpcs, other_gpc = 1;
    sim_time_ps t = LATER;

    (void)state;
    assert_int_equal(wait_of(0, 0, t), cold_ps());
    assert_int_equal(wait_of(0, 1, t += LATER), 0);                             /* the same page */
    assert_int_equal(wait_of(same_gpc, 0, t), cycles_ps(v100->tlb_gpc_cycles)); /* another SM */
    assert_int_equal(wait_of(other_gpc, 0, t), asked_ps());                     /* another GPC */
    assert_int_equal(wait_of(0, 2, t), asked_ps());                             /* the entry of 32 MB */
    assert_int_equal(wait_of(0, 32, t), asked_ps() + v100->tlb_walk_ps);        /* the same directory */
    assert_int_equal(wait_of(0, 512, t), cold_ps());                            /* another one */
    assert_int_equal(wait_of(0, 1, t += LATER), 0);
    assert_int_equal(count.sm_hits, 2);
    assert_int_equal(count.gpc_hits, 1);
    assert_int_equal(count.gpu_hits, 2);
    assert_int_equal(count.walks, 3);
    assert_int_equal(count.directory_misses, 2);
}

/* Accesses this number of pages, `mb` apart, twice. Returns the longest wait of the second lap. */
static sim_time_ps second_lap(uint32_t pages, uint64_t mb)
{
    sim_time_ps t = LATER, longest = 0;

    for (uint32_t i = 0; i < 2 * pages; i++, t += LATER) {
        sim_time_ps wait = wait_of(0, i % pages * mb, t);

        if (i >= pages)
            longest = wait > longest ? wait : longest;
    }
    return longest;
}

static void each_level_reaches_as_far_as_its_entries(void **state)
{
    (void)state;
    assert_int_equal(second_lap(16, 2), 0); /* 32 MB */
    tlb_begin(tlb);
    assert_int_equal(second_lap(17, 2), cycles_ps(v100->tlb_gpc_cycles));
    tlb_begin(tlb);
    assert_int_equal(second_lap(64, 2), cycles_ps(v100->tlb_gpc_cycles)); /* 128 MB */
    tlb_begin(tlb);
    assert_int_equal(second_lap(65, 2), asked_ps());
    tlb_begin(tlb);
    assert_int_equal(second_lap(4096, 2), asked_ps()); /* 8 GB */
    tlb_begin(tlb);
    assert_true(second_lap(4096 + 16, 2) >= asked_ps() + v100->tlb_walk_ps);
    tlb_begin(tlb);
    assert_int_equal(second_lap(257, 32), cold_ps()); /* and 17 directories, more than 16 entries can keep */
}

static void the_oldest_page_goes_first(void **state)
{
    sim_time_ps t = LATER;

    (void)state;
    for (uint64_t i = 0; i < 16; i++)
        wait_of(0, 2 * i, t += LATER);
    wait_of(0, 0, t += LATER); /* used again */
    wait_of(0, 32, t += LATER);
    assert_int_equal(wait_of(0, 0, t += LATER), 0);
    assert_true(wait_of(0, 2, t += LATER) > 0);
}

static void later_requests_wait_for_the_same_walk(void **state)
{
    sim_time_ps t = LATER, half = cold_ps() / 2;

    (void)state;
    assert_int_equal(wait_of(0, 0, t), cold_ps());
    assert_int_equal(wait_of(0, 0, t + half), cold_ps() - half);          /* its page */
    assert_int_equal(wait_of(v100->gpcs, 0, t + half), cold_ps() - half); /* another SM */
    assert_int_equal(wait_of(1, 4, t + half), cold_ps() - half);          /* another page of the entry */
    assert_int_equal(count.walks, 1);
    assert_int_equal(wait_of(0, 64, t), cold_ps()); /* its own walk, but the directory is read once */
    assert_int_equal(count.walks, 2);
    assert_int_equal(count.directory_misses, 1);
}

/* All requested at once, in one directory: one per walker completes at the same time, the others one walk later. */
static void so_many_walks_at_once(void **state)
{
    struct gpu_design *d = hand_design("v100", "tlb.walks", 4.0, NULL);
    struct tlb *few;
    struct err e;
    sim_time_ps first = asked_ps() + d->tlb_directory_ps + d->tlb_walk_ps;

    (void)state;
    few = tlb_new(d, &e);
    assert_non_null(few);
    for (uint64_t i = 0; i < 10; i++) {
        sim_time_ps end = tlb_translate(few, &count, (uint32_t)i, line_of(FAR + i * 32 * MB), LATER);

        assert_int_equal(end, LATER + first + i / 4 * d->tlb_walk_ps);
    }
    assert_int_equal(count.walks, 10);
    tlb_free(few);
    design_free(d);
}

/* 64 warps with little local memory share two pages per SM. */
static void local_memory_of_warps_lies_together(void **state)
{
    const uint64_t window = 1ull << MEM_LOCAL_WINDOW_SHIFT;

    (void)state;
    for (uint64_t warp = 0; warp < 64; warp++)
        tlb_translate(tlb, &count, 0, line_of(MEM_LOCAL_REGION + warp * window + warp % 8 * 128), LATER);
    assert_int_equal(count.sm_hits, 62);
    assert_int_equal(count.walks, 1);
    /* the next 64 KB of a warp's local memory */
    tlb_translate(tlb, &count, 0, line_of(MEM_LOCAL_REGION + (64 << 10)), LATER);
    assert_int_equal(count.sm_hits, 62);
}

/* --- in the memory path --- */

static sim_time_ps read_at(struct memory *m, uint64_t address, sim_time_ps t)
{
    const struct mem_request r = {.line = line_of(address), .sectors = 1, .kind = MEM_READ};

    return memory_access(m, &r, t, t) - t;
}

/* A cold read takes longer by the walk. A read of a page in the SM's TLB takes no longer. */
static void a_request_waits_for_its_address(void **state)
{
    struct memory *off, *on;
    struct err e;

    (void)state;
    off = memory_new(v100, &e);
    v100->model.tlb = TLB_ON;
    on = memory_new(v100, &e);
    v100->model.tlb = TLB_OFF;
    assert_non_null(off);
    assert_non_null(on);
    memory_begin(off);
    memory_begin(on);
    assert_int_equal(read_at(on, FAR, LATER), read_at(off, FAR, LATER) + cold_ps());
    assert_int_equal(read_at(on, FAR, 2 * LATER), read_at(off, FAR, 2 * LATER));
    assert_int_equal(memory_counters(on)->tlb.walks, 1);
    assert_int_equal(memory_counters(on)->tlb.sm_hits, 1);
    assert_int_equal(memory_counters(off)->tlb.sm_hits, 0);
    memory_begin(on); /* a new kernel starts with empty TLBs */
    memory_begin(off);
    assert_int_equal(read_at(on, FAR, LATER), read_at(off, FAR, LATER) + cold_ps());
    memory_free(on);
    memory_free(off);
}

/* One lane's chain of loads, 2 MB apart. */
static void page_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)cta, (void)warp;
    out->base = FAR + step % h->number * 2 * MB;
    out->stride = 0;
}

static uint64_t chain_cycles(enum memory_level memory, enum tlb_level level, uint64_t pages)
{
    struct hand h;

    v100->model.memory = memory;
    v100->model.tlb = level;
    hand_init(&h, 1, 32);
    h.address = page_address;
    h.number = pages;
    for (int i = 0; i < 60; i++)
        hand_add_memory(&h, "LDG.E.STRONG.GPU", 4, 4, 4, -1);
    return hand_cycles(&h, v100);
}

static void a_chain_pays_for_each_page_in_both_modes(void **state)
{
    static const enum memory_level modes[] = {MEMORY_RESERVE, MEMORY_EVENT};
    uint64_t few[2], many[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        few[i] = chain_cycles(modes[i], TLB_ON, 16) - chain_cycles(modes[i], TLB_OFF, 16);
        many[i] = chain_cycles(modes[i], TLB_ON, 20) - chain_cycles(modes[i], TLB_OFF, 20);
    }
    v100->model.memory = MEMORY_RESERVE;
    v100->model.tlb = TLB_OFF;
    /* 16 pages in one entry: one walk, 15 accesses of the GPU's TLB; one cycle for rounding */
    CHECK_NEAR((double)few[0], (double)clock_from_ps(&clock, cold_ps() + 15 * asked_ps()), 1.0 / (double)few[0]);
    assert_int_equal(few[0], few[1]);
    /* 20 pages: two walks, 18 accesses of the GPU's TLB, and 40 of the GPC's, because 16 entries never keep 20
     * pages */
    CHECK_NEAR((double)many[0],
               (double)clock_from_ps(&clock, cold_ps() + asked_ps() + v100->tlb_walk_ps + 18 * asked_ps() +
                                                 40 * cycles_ps(v100->tlb_gpc_cycles)),
               2.0 / (double)many[0]); /* one cycle per walk */
    assert_int_equal(many[0], many[1]);
}

/* Lane addresses spread over 16 GB. */
static void scattered_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                              struct address_set *out)
{
    out->is_list = true;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        out->lanes[i] =
            FAR + address_mix(((cta * h->warps + warp) * 64 + step) * WARP_LANES + i) % (1ull << 29) * 32;
}

static void run_scattered(enum memory_level memory, enum tlb_level level, struct sim_result *r)
{
    struct hand h;

    v100->model.memory = memory;
    v100->model.tlb = level;
    hand_init(&h, 160, 128);
    h.address = scattered_address;
    for (int i = 0; i < 4; i++)
        hand_add_memory(&h, "LDG.E", 4, 8 + i, 2, -1);
    hand_add_memory(&h, "STG.E", 4, -1, 2, 8);
    hand_add(&h, "FADD", 9, 11, 10, -1);
    hand_run(&h, v100, NULL, r);
    v100->model.memory = MEMORY_RESERVE;
    v100->model.tlb = TLB_OFF;
}

/* Beyond the reach of the GPU's TLB the walks limit the rate, and both modes agree. */
static void scattered_requests_wait_for_walks(void **state)
{
    struct sim_result off, on, event;
    uint64_t requests, walks_ps;

    (void)state;
    run_scattered(MEMORY_RESERVE, TLB_OFF, &off);
    run_scattered(MEMORY_RESERVE, TLB_ON, &on);
    run_scattered(MEMORY_EVENT, TLB_ON, &event);
    print_message("  cycles: off %llu, on %llu, event by event %llu\n", (unsigned long long)off.cycles,
                  (unsigned long long)on.cycles, (unsigned long long)event.cycles);
    assert_int_equal(result_counter(&off, "tlb_sm_hits") + result_counter(&off, "tlb_walks"), 0);
    requests = result_counter(&on, "l2_read_requests") + result_counter(&on, "l2_write_requests");
    assert_int_equal(result_counter(&on, "tlb_sm_hits") + result_counter(&on, "tlb_gpc_hits") +
                         result_counter(&on, "tlb_gpu_hits") + result_counter(&on, "tlb_walks"),
                     requests);
    walks_ps = result_counter(&on, "tlb_walks") * v100->tlb_walk_ps / v100->tlb_walks;
    assert_true(clock_to_ps(&clock, on.cycles) >= walks_ps);
    assert_true(on.cycles > off.cycles + clock_from_ps(&clock, walks_ps) / 2);
    CHECK_NEAR((double)event.cycles, (double)on.cycles, 0.01);
    sim_result_release(&off);
    sim_result_release(&on);
    sim_result_release(&event);
}

static int set_up(void **state)
{
    struct err e;

    (void)state;
    v100 = hand_design("v100", NULL);
    clock_domain_init(&clock, v100->sm_khz);
    memset(&count, 0, sizeof count);
    tlb = tlb_new(v100, &e);
    return tlb ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tlb_free(tlb);
    design_free(v100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_level_takes_its_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_level_reaches_as_far_as_its_entries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_oldest_page_goes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(later_requests_wait_for_the_same_walk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(so_many_walks_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(local_memory_of_warps_lies_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_request_waits_for_its_address, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_chain_pays_for_each_page_in_both_modes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(scattered_requests_wait_for_walks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
