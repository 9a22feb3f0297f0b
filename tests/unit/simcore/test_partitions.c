/* An L2 with two partitions: latencies near, far and from DRAM as measured on A100; copies and their
 * invalidation; the bandwidth of the bridge. */
#include "base/rng.h"
#include "tests/unit/simcore/hand_source.h"

#define A100_CLOCK "clock.sm_mhz", 1410.0, "clock.l2_mhz", 1410.0

static struct gpu_design *a100;
static struct memory *memory;
static struct clock_domain sm_clock;

static sim_time_ps access_at(uint32_t sm, uint64_t line, enum mem_kind kind, sim_time_ps t)
{
    const struct mem_request r = {
        .line = line, .sectors = 1, .full = 1, .kind = (uint8_t)kind, .lanes = 1, .sm = (uint16_t)sm};

    return memory_access(memory, &r, t, t);
}

static double trip(uint32_t sm, uint64_t line, enum mem_kind kind, sim_time_ps *t)
{
    sim_time_ps from = *t;

    *t = access_at(sm, line, kind, from);
    return (double)(*t - from) * a100->sm_khz / 1e9;
}

/* Clocks per access of one SM that follows a random cycle through this many megabytes, line by line. */
static double chase(uint32_t mb, bool warm)
{
    uint32_t lines = mb << 13, measured = lines < 40000 ? lines : 40000, *order = malloc(lines * sizeof *order);
    struct rng r;
    sim_time_ps t = 0;
    double sum = 0;

    rng_init(&r, 1, 0, RNG_TEST);
    for (uint32_t i = 0; i < lines; i++)
        order[i] = i;
    for (uint32_t i = lines; i > 1; i--) {
        uint32_t j = (uint32_t)rng_below(&r, i), swap = order[i - 1];

        order[i - 1] = order[j];
        order[j] = swap;
    }
    memory_begin(memory);
    for (uint32_t i = 0; i < 2 * lines && warm; i++)
        trip(0, order[i % lines], MEM_READ, &t);
    for (uint32_t i = 0; i < measured; i++)
        sum += trip(0, order[i], MEM_READ, &t) + a100->l1_latency;
    free(order);
    return sum / measured;
}

static void f05_f06_pointer_chase_on_a100(void **state)
{
    (void)state;
    CHECK_NEAR(chase(4, true), 211.5, 0.05);    /* F05, GB and AK: near */
    CHECK_NEAR(chase(17, true), 211.5, 0.05);   /* constant up to here: half of L2 holds all data */
    CHECK_NEAR(chase(30, true), 415, 0.10);     /* AK: a plateau where only both halves together hold the data */
    CHECK_NEAR(chase(256, false), 562.5, 0.06); /* F06 */
}

/* The first line from `from` on whose home partition is far from SM 0, so it crosses the bridge. */
static uint64_t far_line(uint64_t from)
{
    sim_time_ps t = 0;

    for (uint64_t line = from;; line += 16) {
        uint64_t before;

        memory_begin(memory);
        before = memory_counters(memory)->far_requests;
        trip(0, line, MEM_READ, &t);
        if (memory_counters(memory)->far_requests > before)
            return line;
    }
}

static void a_copy_serves_its_partition_until_a_write(void **state)
{
    uint64_t line = far_line(0);
    uint32_t other = a100->gpcs - 1; /* an SM of the other partition */
    const double near = a100->l2_latency - a100->l1_latency, far = near + a100->l2_bridge;
    sim_time_ps t = 0;

    (void)state;
    memory_begin(memory);
    trip(other, line, MEM_READ, &t); /* from DRAM into its home partition */
    CHECK_NEAR(trip(other, line, MEM_READ, &t), near, 0.01);
    CHECK_NEAR(trip(0, line, MEM_READ, &t), far, 0.01);
    CHECK_NEAR(trip(0, line, MEM_READ, &t), near, 0.01); /* the copy */
    trip(other, line, MEM_WRITE, &t);
    CHECK_NEAR(trip(0, line, MEM_READ, &t), far, 0.01); /* the copy is invalid: goes to the home partition again */
    CHECK_NEAR(trip(0, line, MEM_READ, &t), near, 0.01);
    trip(0, line, MEM_REDUCTION, &t); /* its own write also goes to the home partition */
    CHECK_NEAR(trip(0, line, MEM_READ, &t), far, 0.01);
    assert_int_equal(memory_counters(memory)->far_requests, 4);
    assert_int_equal(memory_dram_counters(memory)->read_sectors, a100->l2_fetch_bytes / SECTOR_BYTES);
    assert_int_equal(memory_counters(memory)->read_sectors,
                     memory_counters(memory)->read_hit_sectors + memory_counters(memory)->read_miss_sectors);
}

/* SMs of one partition read a buffer that fits into the L2 of that partition. In lap 1 half of the lines cross the
 * bridge, at its bandwidth. In lap 2 every line is found in the partition's own L2, and nothing crosses. */
static void the_bridge_has_its_bandwidth_and_copies_spare_it(void **state)
{
    const uint32_t lines = 16 << 13;
    const double bridge_gbs = 320 * 1.41 * 128 / 136; /* each line has a header */
    struct gpu_design *narrow = hand_design("a100", A100_CLOCK, "l2.bridge_bytes", 320.0, NULL);
    struct err e;
    struct memory *narrow_memory = memory_new(narrow, &e);
    sim_time_ps t = 0;

    (void)state;
    memory_begin(narrow_memory);
    for (uint32_t lap = 0; lap < 3; lap++) {
        sim_time_ps begin = t, end = 0;
        uint64_t far = memory_counters(narrow_memory)->far_requests;
        double far_gbs;

        for (uint32_t i = 0; i < lines; i++) {
            /* lap 0: the other partition fills the homes; then SMs of the first partition, in GPCs 0 to 3 */
            uint32_t sm = lap ? i / 4 % 15 * a100->gpcs + i % 4 : i % 15 * a100->gpcs + 6;
            const struct mem_request r = {.line = i, .sectors = 0xf, .kind = MEM_READ, .sm = (uint16_t)sm};
            sim_time_ps back = memory_access(narrow_memory, &r, begin, begin);

            end = back > end ? back : end;
        }
        far = memory_counters(narrow_memory)->far_requests - far;
        if (lap == 1)
            CHECK_NEAR((double)far, lines / 2.0, 0.02);
        if (lap == 2)
            assert_int_equal(far, 0);
        far_gbs = (double)far * LINE_BYTES * 1000 / (double)(end - begin);
        if (lap == 1)
            CHECK_NEAR(far_gbs, bridge_gbs, 0.05);
        t = end;
    }
    memory_free(narrow_memory);
    design_free(narrow);
}

static void scattered(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h;
    out->is_list = true;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        out->lanes[i] =
            0x7f0000000000 + (cta * 7919 + warp * 104729 + step * 1299709 + i * 15485863) % (1 << 22) * 64;
}

static uint64_t scattered_cycles(double partitions, const char *const *ops, size_t n)
{
    struct gpu_design *d = hand_design("a100", "l2.partitions", partitions, NULL);
    struct hand h;
    uint64_t cycles;

    hand_init(&h, 864, 256);
    h.address = scattered;
    for (size_t i = 0; i < n; i++)
        hand_add_memory(&h, ops[i], 4, ops[i][0] == 'L' ? 8 + (int)i : -1, 2, ops[i][0] == 'L' ? -1 : 4);
    cycles = hand_cycles(&h, d);
    design_free(d);
    return cycles;
}

/* Waits in the two partitions must not amplify each other: DRAM limits the rate, with one partition or two. The
 * only difference is that a store to the far partition is accepted later, and an SM has a limited number in
 * flight. */
static void a_saturated_memory_takes_no_longer_for_its_bridge(void **state)
{
    static const char *const mixes[][4] = {{"LDG.E", "LDG.E", "LDG.E", "LDG.E"},
                                           {"STG.E", "STG.E", "STG.E", "STG.E"},
                                           {"LDG.E", "STG.E", "LDG.E", "STG.E"},
                                           {"LDG.E", "RED.E.ADD", "STG.E", "RED.E.ADD"}};

    (void)state;
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++)
        CHECK_NEAR((double)scattered_cycles(2, mixes[i], 4), (double)scattered_cycles(1, mixes[i], 4), 0.15);
}

static void one_partition_has_no_bridge(void **state)
{
    struct gpu_design *v100 = hand_design("v100", NULL);
    struct hand h;
    struct sim_result r;

    (void)state;
    hand_init(&h, 80, 128);
    hand_add_memory(&h, "LDG.E", 4, 8, 2, -1);
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(result_counter(&r, "l2_far_requests"), 0);
    sim_result_release(&r);
    design_free(v100);
}

static int set_up(void **state)
{
    struct err e;

    (void)state;
    a100 = hand_design("a100", A100_CLOCK, NULL);
    clock_domain_init(&sm_clock, a100->sm_khz);
    memory = memory_new(a100, &e);
    return memory ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    memory_free(memory);
    design_free(a100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f05_f06_pointer_chase_on_a100),
        cmocka_unit_test(a_copy_serves_its_partition_until_a_write),
        cmocka_unit_test(the_bridge_has_its_bandwidth_and_copies_spare_it),
        cmocka_unit_test(a_saturated_memory_takes_no_longer_for_its_bridge),
        cmocka_unit_test(one_partition_has_no_bridge),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
