/* The memory path behind L1: latencies of an idle machine, hits and misses, write-back, atomics, channels. */
#include "simcore/mem/hash/hash.h"
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100;
static struct memory *memory;
static struct clock_domain sm_clock;

static sim_time_ps access_at(uint64_t line, enum mem_kind kind, uint8_t sectors, uint8_t full, sim_time_ps t)
{
    const struct mem_request r = {
        .line = line, .sectors = sectors, .full = full, .kind = (uint8_t)kind, .lanes = 1};

    return memory_access(memory, &r, t, t);
}

static uint64_t trip_cycles(sim_time_ps from, sim_time_ps to)
{
    return clock_from_ps(&sm_clock, to - from);
}

static void an_idle_machine_shows_the_latencies_of_its_design(void **state)
{
    const uint64_t outside = v100->l1_latency; /* time in L1, before and after */
    sim_time_ps t = 0, back;

    (void)state;
    memory_begin(memory);
    back = access_at(77, MEM_READ, 1, 0, t);
    CHECK_NEAR((double)(back - t),
               (double)clock_to_ps(&sm_clock, v100->l2_latency - outside) + v100->dram_latency_ps, 0.002);
    t = back;
    back = access_at(77, MEM_READ, 1, 0, t);
    assert_int_equal(trip_cycles(t, back), v100->l2_latency - outside);
    t = back;
    back = access_at(77, MEM_READ, 2, 0, t); /* another sector of the line: its row is open */
    CHECK_NEAR((double)(back - t),
               (double)clock_to_ps(&sm_clock, v100->l2_latency - outside) + v100->dram_latency_ps -
                   v100->dram_rcd_ps - v100->dram_rp_ps,
               0.003);
    assert_int_equal(memory_counters(memory)->read_sectors, 3);
    assert_int_equal(memory_counters(memory)->read_hit_sectors, 1);
    assert_int_equal(memory_dram_counters(memory)->row_hits, 1);
    assert_int_equal(memory_dram_counters(memory)->row_misses, 1);
}

/* F11, NOC: 175 to 248 clocks over all pairs of SM and slice. The mean is the value of the design. */
static void near_and_far_slices_spread_around_the_mean(void **state)
{
    struct gpu_design *d = hand_design("v100", "clock.sm_mhz", 1000.0, "clock.l2_mhz", 1000.0, NULL);
    struct err e;
    struct memory *m = memory_new(d, &e);
    uint64_t sum = 0, least = UINT64_MAX, most = 0, pairs = 0, lines = d->dram_chunk_bytes / LINE_BYTES;

    (void)state;
    assert_non_null(m);
    memory_begin(m);
    /* each in another channel, and so in another slice */
    for (uint64_t line = 0; line < d->dram_channels * lines; line += lines) {
        struct mem_request r = {.line = line, .sectors = 1, .kind = MEM_READ};
        sim_time_ps t = (line + 1) * 1000000000;

        t = memory_access(m, &r, t, t);
        for (r.sm = 0; r.sm < d->sms; r.sm++, pairs++) {
            sim_time_ps back = memory_access(m, &r, t, t);
            uint64_t trip = back - t + d->l1_latency * 1000ull;

            least = trip < least ? trip : least;
            most = trip > most ? trip : most;
            sum += trip;
            t = back;
        }
    }
    CHECK_NEAR((double)sum / (double)pairs, d->l2_latency * 1000.0, 0.0001);
    assert_in_range(least, 175000, 182000);
    assert_in_range(most, 248000, 254000);
    memory_free(m);
    design_free(d);
}

static void a_second_miss_joins_the_first(void **state)
{
    sim_time_ps first, second;

    (void)state;
    memory_begin(memory);
    first = access_at(5, MEM_READ, 0xf, 0, 0);
    second = access_at(5, MEM_READ, 0xf, 0, 1000);
    assert_int_equal(memory_dram_counters(memory)->read_sectors, 4);
    assert_true(second >= first - 5000 && second < first + 20000);
}

static void a_write_needs_no_fetch_and_a_part_is_completed_when_read(void **state)
{
    sim_time_ps t;

    (void)state;
    memory_begin(memory);
    t = access_at(9, MEM_WRITE, 0x3, 0x1, 0); /* sector 0 complete, sector 1 partly */
    assert_int_equal(memory_dram_counters(memory)->read_sectors, 0);
    assert_int_equal(memory_dram_counters(memory)->write_sectors, 0); /* write-back: stays in L2 */
    t = access_at(9, MEM_READ, 0x1, 0, t);
    assert_int_equal(memory_dram_counters(memory)->read_sectors, 0);
    t = access_at(9, MEM_READ, 0x2, 0, t);
    assert_int_equal(memory_dram_counters(memory)->read_sectors, 1);
    access_at(9, MEM_READ, 0x3, 0, t); /* now both are complete */
    assert_int_equal(memory_dram_counters(memory)->read_sectors, 1);
}

static void a_new_kernel_finds_cold_caches_and_time_zero(void **state)
{
    sim_time_ps first;

    (void)state;
    memory_begin(memory);
    first = access_at(1234, MEM_READ, 1, 0, 0);
    for (uint64_t i = 0; i < 100000; i++)
        access_at(i, MEM_WRITE, 0xf, 0xf, i * 100);
    memory_begin(memory);
    assert_int_equal(access_at(1234, MEM_READ, 1, 0, 0), first);
}

/* Writes of eight times the L2: evicted lines go to DRAM, each once, and DRAM limits the rate. */
/* Largest number of dirty lines in L2. */
static uint64_t changed_lines(void)
{
    return (uint64_t)v100->l2_bytes / LINE_BYTES * v100->l2_dirty_65536 / 65536;
}

static void stores_run_at_the_speed_of_dram_when_l2_is_full(void **state)
{
    uint64_t l2_lines = v100->l2_bytes / LINE_BYTES, lines = 8 * l2_lines, kept = changed_lines();
    sim_time_ps begin = 0, end = 0;
    double gbs;

    (void)state;
    memory_begin(memory);
    for (uint64_t i = 0; i < lines; i++) {
        const struct mem_request r = {
            .line = i, .sectors = 0xf, .full = 0xf, .kind = MEM_WRITE, .sm = (uint16_t)(i % 80)};
        sim_time_ps t = memory_access(memory, &r, i * 10, i * 10);

        if (i == lines / 2)
            begin = t;
        end = t > end ? t : end;
    }
    assert_in_range(memory_counters(memory)->writebacks, lines - kept, lines - kept + l2_lines / 16);
    assert_int_equal(memory_dram_counters(memory)->write_sectors, memory_counters(memory)->writebacks * 4);
    gbs = (double)(lines / 2 * LINE_BYTES) / ((double)(end - begin) / 1000);
    CHECK_NEAR(gbs, 897, 0.04);
}

/* L2 is full of dirty lines and DRAM is idle. Sends this number of new lines at once, each of which evicts one.
 * Returns how long the last one waits until it is accepted. */
static sim_time_ps burst_ps(uint64_t lines)
{
    const uint64_t before = 2 * v100->l2_bytes / LINE_BYTES;
    const sim_time_ps then = 1000000000;
    uint64_t evicted;
    sim_time_ps end = 0;

    memory_begin(memory);
    for (uint64_t i = 0; i < before; i++)
        access_at(i, MEM_WRITE, 0xf, 0xf, i * 200); /* completes long before */
    evicted = memory_counters(memory)->writebacks;
    for (uint64_t i = before; i < before + lines; i++) {
        const struct mem_request r = {
            .line = i, .sectors = 0xf, .full = 0xf, .kind = MEM_WRITE, .sm = (uint16_t)(i % 80)};
        sim_time_ps t = memory_access(memory, &r, then, then);

        end = t > end ? t : end;
    }
    assert_int_equal(memory_counters(memory)->writebacks, evicted + lines);
    return end - then;
}

/* A burst that fits into the write buffers is accepted at the slices' rate. The rest is accepted at DRAM's rate. */
static void a_burst_that_fits_the_write_buffers_is_absorbed(void **state)
{
    const uint64_t room = (uint64_t)v100->dram_channels * v100->dram_write_buffer / LINE_SECTORS;
    /* time of a line at the bandwidth of all channels */
    const uint64_t line_ps = (uint64_t)(LINE_BYTES / 897e9 * 1e12);
    sim_time_ps one = burst_ps(1), fits = burst_ps(room), beyond = burst_ps(9 * room);

    (void)state;
    /* the network needs a quarter of DRAM's time, and so do the slices */
    assert_true(fits - one < room * line_ps / 2);
    CHECK_NEAR((double)beyond, (double)(one + 8 * room * line_ps), 0.05);
}

/* Scattered single sectors: each is written to DRAM once, nothing is read, and activates limit the rate. */
static void scattered_stores_run_at_the_speed_of_activates(void **state)
{
    const uint64_t stores = 4ull * v100->l2_bytes / LINE_BYTES;
    sim_time_ps begin = 0, end = 0;
    double activates_ps;

    (void)state;
    memory_begin(memory);
    for (uint64_t i = 0; i < stores; i++) {
        const struct mem_request r = {.line = address_mix(i) % (1 << 28),
                                      .sectors = (uint8_t)(1 << i % 4),
                                      .kind = MEM_WRITE, /* a write of one sector also fetches nothing */
                                      .sm = (uint16_t)(i % 80)};
        sim_time_ps t = memory_access(memory, &r, i * 10, i * 10);

        if (i == stores / 2)
            begin = t;
        end = t > end ? t : end;
    }
    assert_int_equal(memory_dram_counters(memory)->read_sectors, 0);
    CHECK_NEAR((double)memory_counters(memory)->writebacks, (double)(stores - changed_lines()), 0.02);
    CHECK_NEAR((double)memory_dram_counters(memory)->write_sectors, (double)memory_counters(memory)->writebacks,
               0.01); /* a line that occurred twice has two */
    activates_ps = (double)v100->dram_t_faw / 4 * 1000 / v100->dram_channels;
    CHECK_NEAR((double)(end - begin), (double)stores / 2 * activates_ps, 0.1);
}

static void reads_of_dram_reach_the_plateau(void **state)
{
    uint64_t lines = 1 << 18;
    sim_time_ps end = 0;

    (void)state;
    memory_begin(memory);
    for (uint64_t i = 0; i < lines; i++) {
        const struct mem_request r = {.line = i, .sectors = 0xf, .kind = MEM_READ, .sm = (uint16_t)(i % 80)};
        sim_time_ps t = memory_access(memory, &r, i * 20, i * 20);

        end = t > end ? t : end;
    }
    CHECK_NEAR((double)(lines * LINE_BYTES) / ((double)end / 1000), 897 / 1.04, 0.02);
}

static void atomics_on_a_line_go_one_after_the_other(void **state)
{
    const struct mem_request r = {.line = 3, .sectors = 1, .kind = MEM_ATOMIC, .lanes = 32};
    sim_time_ps warm, first, last = 0;

    (void)state;
    memory_begin(memory);
    warm = access_at(3, MEM_READ, 1, 0, 0);
    first = memory_access(memory, &r, warm, warm);
    for (int i = 0; i < 64; i++)
        last = memory_access(memory, &r, warm, warm);
    /* 32 lanes on one word: 32 clocks of the slice's ALU each */
    CHECK_NEAR((double)(last - first), (double)clock_to_ps(&sm_clock, 64 * 32), 0.01);
    assert_int_equal(memory_counters(memory)->atomic_requests, 65);
}

static void atomics_on_many_sectors_take_a_clock_and_a_quarter_each(void **state)
{
    const struct mem_request r = {.line = 3, .sectors = 0xf, .kind = MEM_ATOMIC, .lanes = 1};
    sim_time_ps warm, first = 0, last = 0;

    (void)state;
    memory_begin(memory);
    warm = access_at(3, MEM_READ, 0xf, 0, 0);
    for (int i = 0; i < 64; i++)
        first = memory_access(memory, &r, warm, warm);
    for (int i = 0; i < 64; i++)
        last = memory_access(memory, &r, warm, warm);
    CHECK_NEAR((double)(last - first), (double)clock_to_ps(&sm_clock, 64 * 5), 0.01);
}

static void addresses_spread_evenly(void **state)
{
    static const uint64_t strides[] = {1, 16, 64, 1024, 16384, 1 << 20};

    (void)state;
    for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
        const struct address_map map = {.channels = divisor_of(80),
                                        .slices_per_channel = divisor_of(1),
                                        .lines_per_chunk = divisor_of(16),
                                        .sets = divisor_of(320),
                                        .banks = divisor_of(16),
                                        .lines_per_row = divisor_of(8),
                                        .hash = &address_hash_mix};
        uint32_t channel[80] = {0}, most = 0;

        for (uint64_t i = 0; i < 8000 * 16; i++) {
            struct address_place p;

            address_locate(&map, i * strides[k], &p);
            assert_true(p.channel < 80 && p.slice == p.channel && p.set < 320 && p.bank < 16);
            most = ++channel[p.channel] > most ? channel[p.channel] : most;
        }
        /* sequential lines: exactly even; strides: at most a fifth above the mean */
        assert_true(most <= (strides[k] == 1 ? 1600 : 1920));
    }
}

static void division_by_reciprocal_is_exact(void **state)
{
    static const uint32_t by[] = {1, 2, 3, 7, 64, 80, 320, 641, 65535};
    static const uint64_t of[] = {0, 1, 79, 80, 81, 1ull << 40, (1ull << 57) + 12345, UINT64_MAX - 1, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        const struct divisor d = divisor_of(by[i]);

        for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
            uint32_t rest;

            assert_int_equal(divide(&d, of[k], &rest), of[k] / by[i]);
            assert_int_equal(rest, of[k] % by[i]);
        }
    }
}

static int set_up(void **state)
{
    struct err e;

    (void)state;
    v100 = hand_design("v100", "noc.gpc_spread_cycles", 0.0, "noc.slice_spread_cycles", 0.0, NULL);
    clock_domain_init(&sm_clock, v100->sm_khz);
    memory = memory_new(v100, &e);
    return memory ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    memory_free(memory);
    design_free(v100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_machine_shows_the_latencies_of_its_design),
        cmocka_unit_test(near_and_far_slices_spread_around_the_mean),
        cmocka_unit_test(a_second_miss_joins_the_first),
        cmocka_unit_test(a_write_needs_no_fetch_and_a_part_is_completed_when_read),
        cmocka_unit_test(a_new_kernel_finds_cold_caches_and_time_zero),
        cmocka_unit_test(stores_run_at_the_speed_of_dram_when_l2_is_full),
        cmocka_unit_test(a_burst_that_fits_the_write_buffers_is_absorbed),
        cmocka_unit_test(scattered_stores_run_at_the_speed_of_activates),
        cmocka_unit_test(reads_of_dram_reach_the_plateau),
        cmocka_unit_test(atomics_on_a_line_go_one_after_the_other),
        cmocka_unit_test(atomics_on_many_sectors_take_a_clock_and_a_quarter_each),
        cmocka_unit_test(addresses_spread_evenly),
        cmocka_unit_test(division_by_reciprocal_is_exact),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
