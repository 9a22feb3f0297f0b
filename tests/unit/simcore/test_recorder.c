/* The recorder: the columns add up to the counters for any interval. */
#include <unistd.h>

#include "base/stream.h"
#include "simcore/design_read.h"
#include "simcore/observe/recorder.h"
#include "simcore/record/recording.h"
#include "simcore/trace/accel_sim.h"
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100; /* without instruction caches, so that times can be computed by hand */

/* Loads, stores, atomics, shared memory, barriers and arithmetic with few lanes, over 300 CTAs. */
static void at_random(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h;
    out->base = 0x10000000 + cta * 8192 * (step + 1) + warp * 512;
    out->stride = step % 3 ? 4 : 64;
}

static void mixed_kernel(struct hand *h)
{
    uint32_t narrow;

    hand_init(h, 300, 256);
    h->address = at_random;
    hand_add_memory(h, "LDG.E", 4, 8, 2, -1);
    hand_add(h, "FFMA", 9, 8, 8, 9);
    narrow = hand_define(h, "IADD3", 0, 10, 9, 9, -1);
    hand_step(h, narrow, 0x1f);
    hand_step(h, narrow, 0);
    hand_step(h, narrow, 0x3fffffff);
    hand_add_memory(h, "STS", 4, -1, 2, 9);
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
    hand_add_memory(h, "LDS", 4, 11, 2, -1);
    hand_add_memory(h, "STG.E", 4, -1, 2, 11);
    hand_add_memory(h, "RED.E.ADD", 4, -1, 2, 11);
    hand_add_memory(h, "LDG.E.64", 8, 12, 2, -1);
    hand_add(h, "HMMA.884.F32.F32.STEP0", 14, 12, 12, 14);
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

static uint64_t sum_of(const struct recording *r, const char *name)
{
    const struct recorded_column *c = recording_column(r, name);
    uint64_t sum = 0;

    assert_non_null(c);
    for (uint32_t i = 0; i < c->count; i++)
        sum += recording_sum(r, c, i);
    return sum;
}

/* Checks the invariants of every recording. */
static void sums_are_the_counters(const struct sim_result *r)
{
    static const char *const equal[][2] = {{"sm_warp_instructions", "warp_instructions"},
                                           {"channel_read_sectors", "dram_read_sectors"},
                                           {"channel_write_sectors", "dram_write_sectors"}};
    uint64_t lanes = 0, slots = 0, asked;

    for (size_t i = 0; i < r->counter_count; i++) {
        const struct recorded_column *c = recording_column(r->recording, r->counters[i].name);

        if (c && strcmp(c->name, "slots_empty") != 0)
            assert_int_equal(recording_sum(r->recording, c, 0), r->counters[i].value);
    }
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++)
        assert_int_equal(sum_of(r->recording, equal[i][0]), result_counter(r, equal[i][1]));
    for (size_t i = 0; i < r->recording->column_count; i++) {
        const struct recorded_column *c = &r->recording->column[i];

        if (strncmp(c->name, "warp_instructions_", 18) == 0)
            lanes += recording_sum(r->recording, c, 0);
        if (strncmp(c->name, "slots_", 6) == 0)
            slots += recording_sum(r->recording, c, 0);
    }
    assert_int_equal(lanes, r->warp_instructions);
    assert_int_equal(lanes + slots, result_counter(r, "slots_total"));
    assert_int_equal(sum_of(r->recording, "slots_empty"),
                     result_counter(r, "slots_empty") + result_counter(r, "slots_launch"));
    asked = result_counter(r, "l2_read_sectors") + result_counter(r, "l2_write_sectors") +
            result_counter(r, "l2_atomic_sectors");
    if (result_counter(r, "l2_far_sectors")) /* sectors that a copy lacks are requested from two slices */
        assert_in_range(sum_of(r->recording, "slice_sectors"), asked, asked + result_counter(r, "l2_far_sectors"));
    else
        assert_int_equal(sum_of(r->recording, "slice_sectors"), asked);
    assert_int_equal(r->recording->cycles, r->cycles);
}

static void sums_of_columns_are_the_counters(void **state)
{
    static const uint32_t intervals[] = {1, 7, 500, 100000};
    struct sim_result plain;
    struct hand h;

    (void)state;
    mixed_kernel(&h);
    hand_run(&h, v100, NULL, &plain);
    for (size_t i = 0; i < 4; i++) {
        const struct sim_options o = {.record_interval_cycles = intervals[i]};
        struct sim_result r;

        mixed_kernel(&h);
        hand_run(&h, v100, &o, &r);
        assert_int_equal(r.cycles, plain.cycles); /* recording does not change the result */
        sums_are_the_counters(&r);
        assert_true(r.recording->rows <= RECORDING_ROWS_MAX);
        assert_true((uint64_t)r.recording->rows * r.recording->interval_cycles >= r.cycles);
        sim_result_release(&r);
    }
    assert_null(plain.recording);
    sim_result_release(&plain);
}

/* Includes designs whose L2 fetches sectors together and designs with two partitions, with both memory paths. */
static const char *const designs[] = {"v100:fast", "v100:detailed", "a100",   "a100:detailed",
                                      "h100",      "h100:detailed", "rtx4090"};
enum { DESIGNS = sizeof designs / sizeof *designs };

static void sums_are_the_counters_on_every_kind_of_l2(void **state)
{
    const struct sim_options o = {.record_interval_cycles = 64};
    uint64_t neighbours = 0, far = 0;

    (void)state;
    for (size_t i = 0; i < DESIGNS; i++) {
        struct gpu_design *d;
        struct sim_result r;
        struct hand h;
        struct err e;

        CHECK_OK(design_load(designs[i], &d, &e), &e);
        mixed_kernel(&h);
        hand_run(&h, d, &o, &r);
        sums_are_the_counters(&r);
        neighbours += result_counter(&r, "dram_read_sectors") > result_counter(&r, "l2_read_miss_sectors");
        far += result_counter(&r, "l2_far_sectors") != 0;
        sim_result_release(&r);
        design_free(d);
    }
    assert_true(neighbours && far);
}

/* A warp of dependent instructions issues every fourth cycle in all intervals. An SM that runs ahead of the
 * others must not put all of its work into one interval. */
static void what_lasts_is_spread_over_its_intervals(void **state)
{
    const struct sim_options o = {.record_interval_cycles = 100};
    const struct recorded_column *issued, *stalled;
    struct sim_result r;
    struct hand h;
    uint32_t ffma, first;

    (void)state;
    hand_init(&h, 1, 32);
    ffma = hand_define(&h, "FFMA", 0, 4, 4, 5, 6);
    for (int i = 0; i < 1000; i++)
        hand_step(&h, ffma, FULL_MASK);
    hand_run(&h, v100, &o, &r);
    issued = recording_column(r.recording, "sm_warp_instructions");
    stalled = recording_column(r.recording, "slots_dependence");
    first = v100->kernel_cycles / 100;
    assert_true(r.recording->rows > first + 33);
    for (uint32_t i = first + 1; i < first + 33; i++) {
        assert_in_range(recording_value(r.recording, i, issued, 0), 25, 25);
        assert_in_range(recording_value(r.recording, i, stalled, 0), 75, 75);
        assert_int_equal(recording_value(r.recording, i, recording_column(r.recording, "warp_cycles"), 0), 100);
    }
    for (uint32_t i = 0; i < first; i++) /* before the first CTA */
        assert_int_equal(recording_value(r.recording, i, recording_column(r.recording, "slots_empty"), 0),
                         100 * 80 * 4);
    sim_result_release(&r);
}

static void a_recording_that_grows_too_long_doubles_its_interval(void **state)
{
    const struct sim_options o = {.record_interval_cycles = 1};
    struct sim_result r;
    struct hand h;
    uint32_t ffma;

    (void)state;
    hand_init(&h, 1, 32);
    ffma = hand_define(&h, "FFMA", 0, 4, 4, 5, 6);
    for (int i = 0; i < 5000; i++)
        hand_step(&h, ffma, FULL_MASK);
    hand_run(&h, v100, &o, &r);
    assert_int_equal(r.recording->interval_cycles, 8); /* about 20 700 cycles in at most 4096 rows */
    assert_true(r.recording->rows <= RECORDING_ROWS_MAX);
    sums_are_the_counters(&r);
    sim_result_release(&r);
}

/* Short launches have short intervals. Long launches have a limited number of intervals. */
static void without_an_interval_it_finds_its_own(void **state)
{
    static const struct {
        int steps;
        uint32_t interval;
    } runs[] = {{100, 32}, {20000, 64}}; /* 1 117 cycles; 80 717 */
    const struct sim_options o = {.record_interval_cycles = SIM_RECORD_AUTO};
    struct sim_result r;
    struct hand h;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        uint32_t ffma;

        hand_init(&h, 1, 32);
        ffma = hand_define(&h, "FFMA", 0, 4, 4, 5, 6);
        for (int k = 0; k < runs[i].steps; k++)
            hand_step(&h, ffma, FULL_MASK);
        hand_run(&h, v100, &o, &r);
        assert_int_equal(r.recording->interval_cycles, runs[i].interval);
        assert_true(r.recording->rows <= 2048);
        sums_are_the_counters(&r);
        sim_result_release(&r);
    }
}

/* --- banks --- */

static struct gpu_design *detailed_v100(void)
{
    struct gpu_design *d = hand_design("v100", NULL);
    struct err e;

    CHECK_OK(design_preset_apply("detailed", &d, &e), &e);
    return d;
}

/* Level bank: the sum over banks equals DRAM's traffic. No bank was in demand longer than the launch or shorter
 * than its transfers. Recording does not change the result. Other levels have no banks. */
static void each_bank_is_counted_where_banks_are_modelled(void **state)
{
    const struct sim_options o = {.record_interval_cycles = 64};
    struct gpu_design *detailed = detailed_v100();
    uint32_t banks = detailed->dram_channels * detailed->dram_banks, used = 0;
    uint64_t sector_ps = (uint64_t)RECORDING_SECTOR_BYTES * 1000000 * detailed->dram_channels / detailed->dram_mbs;
    const struct recorded_column *moved, *pending;
    struct sim_result plain, r;
    struct hand h;

    (void)state;
    mixed_kernel(&h);
    hand_run(&h, detailed, NULL, &plain);
    mixed_kernel(&h);
    hand_run(&h, detailed, &o, &r);
    assert_int_equal(r.cycles, plain.cycles);
    moved = recording_column(r.recording, "bank_sectors");
    pending = recording_column(r.recording, "bank_pending_ps");
    sums_are_the_counters(&r);
    assert_int_equal(moved->count, banks);
    assert_int_equal(pending->count, banks);
    assert_int_equal(sum_of(r.recording, "bank_sectors"),
                     result_counter(&r, "dram_read_sectors") + result_counter(&r, "dram_write_sectors"));
    for (uint32_t i = 0; i < banks; i++) {
        uint64_t sectors = recording_sum(r.recording, moved, i), ps = recording_sum(r.recording, pending, i);

        used += sectors > 0;
        assert_true(ps >= sectors * sector_ps && ps / 1000 * detailed->sm_khz / 1000000 <= r.cycles + 1000);
        assert_int_equal(ps > 0, sectors > 0);
    }
    assert_true(used > 1);
    sim_result_release(&plain);
    sim_result_release(&r);
    mixed_kernel(&h);
    hand_run(&h, v100, &o, &r);
    assert_null(recording_column(r.recording, "bank_sectors"));
    sim_result_release(&r);
    design_free(detailed);
}

/* A cold load by every warp: each L2 read is a miss, and both are counted in the same interval, although DRAM
 * answers intervals later, the other partition detects the miss, and neighbouring sectors are fetched too. */
static void a_miss_stands_beside_its_read(void **state)
{
    const struct sim_options o = {.record_interval_cycles = 4};

    (void)state;
    for (size_t i = 0; i < DESIGNS; i++) {
        const struct recorded_column *reads, *misses;
        struct gpu_design *d;
        struct sim_result r;
        struct hand h;
        struct err e;

        CHECK_OK(design_load(designs[i], &d, &e), &e);
        hand_init(&h, 8, 32);
        h.address = at_random;
        hand_add_memory(&h, "LDG.E", 4, 8, 2, -1);
        hand_add(&h, "EXIT", -1, -1, -1, -1);
        hand_run(&h, d, &o, &r);
        reads = recording_column(r.recording, "l2_read_sectors");
        misses = recording_column(r.recording, "l2_read_miss_sectors");
        assert_true(recording_sum(r.recording, reads, 0) > 0);
        for (uint32_t row = 0; row < r.recording->rows; row++)
            assert_int_equal(recording_value(r.recording, row, misses, 0),
                             recording_value(r.recording, row, reads, 0));
        sim_result_release(&r);
        design_free(d);
    }
}

/* 1024 banks give 2048 numbers per row: fewer rows, to fit in 64 MiB. */
static void wide_rows_are_fewer(void **state)
{
    const struct sim_options o = {.record_interval_cycles = 1};
    struct gpu_design *detailed = detailed_v100();
    struct sim_result r;
    struct hand h;
    uint32_t ffma;

    (void)state;
    hand_init(&h, 1, 32);
    ffma = hand_define(&h, "FFMA", 0, 4, 4, 5, 6);
    for (int i = 0; i < 630; i++)
        hand_step(&h, ffma, FULL_MASK);
    hand_run(&h, detailed, &o, &r);
    assert_in_range(r.cycles, 3500, RECORDING_ROWS_MAX); /* a narrow row would cover one cycle */
    assert_int_equal(r.recording->interval_cycles, 2);
    assert_true((uint64_t)r.recording->rows * r.recording->width <= RECORDER_CELLS_MAX);
    sim_result_release(&r);
    design_free(detailed);
}

/* --- as a file --- */

static struct sim_result recorded(void)
{
    const struct sim_options o = {.record_interval_cycles = 64};
    struct sim_result r;
    struct hand h;

    mixed_kernel(&h);
    hand_run(&h, v100, &o, &r);
    return r;
}

static char *content(const char *path, size_t *n)
{
    char *text = malloc(1 << 22);
    FILE *f = fopen(path, "rb");

    assert_non_null(f);
    *n = fread(text, 1, (1 << 22) - 1, f);
    text[*n] = '\0';
    fclose(f);
    return text;
}

static void put(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

static void a_file_holds_it_all(void **state)
{
    char path[] = "/tmp/recording-XXXXXX";
    struct sim_result r = recorded();
    const struct recording *a = r.recording;
    struct recording *b;
    struct err e;
    char *first, *second;

    (void)state;
    close(mkstemp(path));
    CHECK_OK(recording_write(a, path, &e), &e);
    CHECK_OK(recording_read(path, &b, &e), &e);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->column_count, b->column_count);
    assert_string_equal(b->about.kernel, "hand");
    assert_memory_equal(a->cell, b->cell, (size_t)a->rows * a->width * sizeof *a->cell);
    first = recording_summary(a, &e);
    second = recording_summary(b, &e);
    assert_string_equal(first, second);
    free(first);
    free(second);
    recording_free(b);
    unlink(path);
    sim_result_release(&r);
}

static void a_damaged_file_is_refused(void **state)
{
    char path[] = "/tmp/recording-XXXXXX";
    struct sim_result r = recorded();
    struct recording *b = NULL;
    struct err e;
    char *text, *khz, was_khz[7];
    size_t n;

    (void)state;
    close(mkstemp(path));
    CHECK_OK(recording_write(r.recording, path, &e), &e);
    text = content(path, &n);
    for (size_t cut = 0; cut < n; cut += 1 + n / 300) { /* truncated at many places */
        put(path, text, cut);
        assert_int_equal(recording_read(path, &b, &e), -1);
    }
    for (size_t at = 0; at < n; at += 1 + n / 300) { /* one changed byte */
        char was = text[at];

        text[at] = (char)(was ^ 0x15);
        put(path, text, n);
        if (recording_read(path, &b, &e) == 0)
            recording_free(b); /* the byte is in a name or an unused checksum */
        text[at] = was;
    }
    khz = strstr(text, "sm_khz\t") + strlen("sm_khz\t");
    memcpy(was_khz, khz, sizeof was_khz);
    memcpy(khz, "0000999", sizeof was_khz); /* no clock is this slow */
    put(path, text, n);
    CHECK_FAILS(recording_read(path, &b, &e), &e, ERR_MALFORMED, "do not fit together");
    memcpy(khz, was_khz, sizeof was_khz);
    text[strlen("vivace-recording\t")] = '9';
    put(path, text, n);
    CHECK_FAILS(recording_read(path, &b, &e), &e, ERR_UNSUPPORTED, "version 9 ");
    free(text);
    unlink(path);
    sim_result_release(&r);
}

static void exports_say_what_the_columns_hold(void **state)
{
    char path[] = "/tmp/recording-XXXXXX";
    struct sim_result r = recorded();
    json_t *root, *v;
    struct stream *in;
    struct err e;
    char *text, *line;
    size_t n, samples = 0, channels = 0;
    double cycles = 0;

    (void)state;
    close(mkstemp(path));
    text = recording_json(r.recording, &e);
    assert_non_null(text);
    root = json_loads(text, 0, NULL);
    assert_non_null(root);
    v = json_array_get(json_object_get(root, "series"), 0);
    assert_string_equal(json_string_value(json_object_get(v, "name")), "ipc");
    v = json_object_get(v, "values");
    assert_int_equal(json_array_size(v), r.recording->rows);
    for (size_t i = 0; i < json_array_size(v); i++) {
        uint64_t left = r.cycles - i * 64;

        cycles += json_number_value(json_array_get(v, i)) * (double)(left < 64 ? left : 64);
    }
    assert_true(cycles > (double)r.warp_instructions - 1 && cycles < (double)r.warp_instructions + 1);
    json_decref(root);
    free(text);
    CHECK_OK(recording_export_aerialvision(r.recording, path, &e), &e);
    CHECK_OK(stream_open(path, &in, &e), &e);
    assert_string_equal(stream_compression(in), "gzip");
    while (stream_line(in, 1 << 20, &line, &n, NULL, &e) == 1) {
        samples += strncmp(line, "globalcyclecount: ", 18) == 0;
        channels += strncmp(line, "dramutil: ", 10) == 0;
        assert_non_null(strchr(line, ':'));
    }
    stream_close(in);
    assert_int_equal(samples, r.recording->rows);
    assert_int_equal(channels, r.recording->rows * v100->dram_channels);
    unlink(path);
    CHECK_FAILS(recording_export_aerialvision(r.recording, "/dev/full", &e), &e, ERR_NO_SPACE, "/dev/full");
    sim_result_release(&r);
}

static int load(void **state)
{
    struct err e;

    (void)state;
    return design_load("v100:fast", &v100, &e);
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
        cmocka_unit_test(sums_of_columns_are_the_counters),
        cmocka_unit_test(sums_are_the_counters_on_every_kind_of_l2),
        cmocka_unit_test(what_lasts_is_spread_over_its_intervals),
        cmocka_unit_test(a_recording_that_grows_too_long_doubles_its_interval),
        cmocka_unit_test(without_an_interval_it_finds_its_own),
        cmocka_unit_test(each_bank_is_counted_where_banks_are_modelled),
        cmocka_unit_test(a_miss_stands_beside_its_read),
        cmocka_unit_test(wide_rows_are_fewer),
        cmocka_unit_test(a_file_holds_it_all),
        cmocka_unit_test(a_damaged_file_is_refused),
        cmocka_unit_test(exports_say_what_the_columns_hold),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
