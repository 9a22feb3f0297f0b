/* Energy: by hand, for counters of recorded intervals, and compared with measured board power. */
#include "simcore/observe/power.h"
#include "simcore/record/recording.h"
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100;

static void energy_is_the_sum_of_events(void **state)
{
    const struct power_activity a = {.cycles = 1530000, /* a millisecond */
                                     .sm_active_cycles = 1530000ull * 80,
                                     .warp_instructions = 1000,
                                     .lanes = {[MIX_FP32] = 32000, [MIX_LOAD] = 320},
                                     .l1_sectors = 1000000,
                                     .shared_passes = 10,
                                     .l2_sectors = 3000,
                                     .noc_bytes = 100,
                                     .dram_sectors = 2000000};
    uint64_t part[POWER_PART_COUNT];

    (void)state;
    power_of(v100, &a, part);
    /* V100: 46 pJ per instruction, 5.2 per FP32 lane, 4.2 per lane of a load, 350 per pass */
    assert_int_equal(part[PART_CORE], 46000000 + 5200 * 32000 + 4200 * 320 + 3500000);
    assert_int_equal(part[PART_L1], 460ull * 1000 * 1000000);
    assert_int_equal(part[PART_L2], 125ull * 1000 * 3000);
    assert_int_equal(part[PART_NOC], 350000);
    assert_int_equal(part[PART_DRAM], 1070ull * 1000 * 2000000);
    /* (75 W + 80 * 0.35 W) * 1 ms; the period is rounded to 1/65536 ps */
    assert_in_range(part[PART_STATIC], 102999000000000ull, 103001000000000ull);
    assert_int_equal(part[PART_IDLE], 0);
}

/* Counters of kernels on a V100 at 1417 MHz with measured board power (AccelWattch's data, source AW of the
 * design). Their instructions were not counted. The pipelines' activity must explain the remaining power, which
 * is between zero and four issues per cycle. */
static void measured_power_lies_within_reach(void **state)
{
    static const struct {
        const char *kernel;
        double cycles, l1, shared, l2, dram, idle_sms, watts;
    } rows[] = {
        {"findRangeK", 66543, 1634256 + 561818 + 40785 + 19032, 0, 396522 + 259508 + 60000, 259346 + 3524, 5.06,
         172.7},
        {"bpnn_layerforward", 23325, 49152 + 143738 + 192432 + 4232, 413696, 29059 + 147460 + 196608,
         147464 + 60097, 7.52, 219.8},
        {"kmeansPoint", 894551, 102400 + 4352107.0, 0, 6742186 + 12321532.0 + 102400, 12302960 + 92472.0, 1.58,
         151.9},
        {"mb_sad_calc", 6551129, 101840 + 415925 + 2102177 + 7289373.0, 10033920, 8754664 + 257280 + 9390720.0,
         257308 + 8720433.0, 0.19, 142.5},
        {"binomialOptions", 1366301, 1024, 16778240, 1024, 640, 1.95, 169.7},
        {"histogram64", 146480, 2097152 + 34960, 4893504, 2097152 + 34960, 2097184 + 26959, 3.71, 194.5},
        {"mergeSortShared", 439317, 1048576 * 2.0, 12976128, 1048576 * 2.0, 1048580 + 950169, 1.16, 201.3},
    };
    struct gpu_design *d = hand_design("v100", "clock.sm_mhz", 1417.0, NULL);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double seconds = rows[i].cycles / 1417e6, active = 80 - rows[i].idle_sms, least = 0, most, low, high;
        const struct power_activity a = {.cycles = (uint64_t)rows[i].cycles,
                                         .sm_active_cycles = (uint64_t)(rows[i].cycles * active),
                                         .l1_sectors = (uint64_t)rows[i].l1,
                                         .shared_passes = (uint64_t)rows[i].shared,
                                         .l2_sectors = (uint64_t)rows[i].l2,
                                         .noc_bytes = (uint64_t)rows[i].l2 * 36,
                                         .dram_sectors = (uint64_t)rows[i].dram};
        struct power_activity full = a;
        uint64_t part[POWER_PART_COUNT];

        full.warp_instructions = (uint64_t)(rows[i].cycles * active * 4);
        full.lanes[MIX_FP32] = full.warp_instructions * 32;
        power_of(d, &a, part);
        for (uint32_t k = 0; k < POWER_PART_COUNT; k++)
            least += (double)part[k];
        power_of(d, &full, part);
        most = least + (double)part[PART_CORE] - (double)rows[i].shared * d->power.shared_pass_fj;
        low = least * 1e-15 / seconds;
        high = most * 1e-15 / seconds;
        if (rows[i].watts < low || rows[i].watts > high)
            fail_msg("%s: %.1f W measured, %.1f to %.1f W possible", rows[i].kernel, rows[i].watts, low, high);
        assert_true(high - low < 110); /* 1.3 W per SM */
    }
    design_free(d);
}

/* The energy of DRAM reads depends on their rows, and the intervals add up to the launch. */
static void a_launch_has_its_energy(void **state)
{
    const struct sim_options o = {.record_interval_cycles = 100};
    struct sim_result r;
    struct hand h;
    uint64_t sum = 0, in_rows = 0, ps;
    struct clock_domain sm;

    (void)state;
    hand_init(&h, 200, 128);
    hand_add_memory(&h, "LDG.E", 4, 8, 2, -1);
    hand_add(&h, "FADD", 9, 8, 8, -1);
    hand_add_memory(&h, "STG.E", 4, -1, 2, 9);
    hand_run(&h, v100, &o, &r);
    for (size_t i = 0; i < r.counter_count; i++)
        if (strncmp(r.counters[i].name, "energy_", 7) == 0)
            sum += r.counters[i].value;
    for (size_t i = 0; i < r.recording->column_count; i++)
        if (strncmp(r.recording->column[i].name, "energy_", 7) == 0)
            in_rows += recording_sum(r.recording, &r.recording->column[i], 0);
    assert_int_equal(result_counter(&r, "energy_dram"),
                     (result_counter(&r, "dram_read_sectors") + result_counter(&r, "dram_write_sectors")) * 1070 /
                         1000);
    assert_true(result_counter(&r, "energy_core") > 0);
    assert_in_range(in_rows / 1000000, sum - 1, sum + POWER_PART_COUNT);
    clock_domain_init(&sm, v100->sm_khz);
    ps = clock_to_ps(&sm, r.cycles);
    assert_in_range(result_counter(&r, "power_average"), sum * 1000000 / ps,
                    (sum + POWER_PART_COUNT) * 1000000 / ps);
    assert_in_range(result_counter(&r, "power_average"), 75000, 300000); /* the range of a V100 */
    sim_result_release(&r);
}

static int load(void **state)
{
    (void)state;
    v100 = hand_design("v100", NULL);
    return 0;
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
        cmocka_unit_test(energy_is_the_sum_of_events),
        cmocka_unit_test(measured_power_lies_within_reach),
        cmocka_unit_test(a_launch_has_its_energy),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
