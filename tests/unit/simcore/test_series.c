/* Series: rates of a hand-made recording, its windows, and its Chrome trace. */
#include <jansson.h>
#include <math.h>

#include "simcore/record/series.h"
#include "tests/harness/check.h"

/* Five rows of 100 cycles, the last one of 50, at 1 GHz: 2 SMs, 2 channels. */
enum { ROWS = 5, CYCLES = 450 };
static const uint64_t issued[ROWS][2] = {{100, 0}, {50, 50}, {0, 0}, {0, 80}, {10, 15}};
static const uint64_t reads[ROWS] = {0, 40, 0, 10, 8}, misses[ROWS] = {0, 10, 0, 10, 2};
static const uint64_t moved[ROWS][2] = {{0, 0}, {25, 0}, {50, 25}, {0, 0}, {0, 0}};
static const uint64_t pending_ps[ROWS][2] = {{0, 0}, {50000, 0}, {100000, 100000}, {0, 0}, {0, 0}};
static const uint64_t idle[ROWS] = {700, 700, 800, 720, 375}, lanes_32[ROWS] = {100, 60, 0, 80, 25};

/* SMs with a CTA, row by row: both, one, none, one for half of the time, both. */
static const uint64_t active_cycles[ROWS] = {200, 100, 0, 50, 100};

static void put(struct recording *r, uint32_t row, const char *name, uint32_t index, uint64_t value)
{
    r->cell[row * r->width + recording_column(r, name)->first + index] = value;
}

static void fill(struct recording *r, uint32_t row)
{
    for (uint32_t i = 0; i < 2; i++) {
        put(r, row, "sm_warp_instructions", i, issued[row][i]);
        put(r, row, "channel_read_sectors", i, moved[row][i]);
        put(r, row, "channel_pending_ps", i, pending_ps[row][i]);
    }
    put(r, row, "l2_read_sectors", 0, reads[row]);
    put(r, row, "l2_read_miss_sectors", 0, misses[row]);
    put(r, row, "sm_active_cycles", 0, active_cycles[row]);
    put(r, row, "slots_memory", 0, idle[row] / 2);
    put(r, row, "slots_empty", 0, idle[row] - idle[row] / 2);
    put(r, row, "warp_instructions_29_32", 0, lanes_32[row]);
    put(r, row, "warp_instructions_1_4", 0, issued[row][0] + issued[row][1] - lanes_32[row]);
    put(r, row, "energy_core_fj", 0, 2000000000); /* 2 uJ */
    put(r, row, "energy_dram_fj", 0, 1000000000);
}

static struct recording *by_hand(void)
{
    static const struct {
        const char *name;
        enum recorded_of of;
        uint32_t count;
    } columns[] = {{"warp_instructions_1_4", OF_GPU, 1},
                   {"warp_instructions_29_32", OF_GPU, 1},
                   {"sm_active_cycles", OF_GPU, 1},
                   {"slots_empty", OF_GPU, 1},
                   {"slots_memory", OF_GPU, 1},
                   {"energy_core_fj", OF_GPU, 1},
                   {"energy_dram_fj", OF_GPU, 1},
                   {"l2_read_sectors", OF_GPU, 1},
                   {"l2_read_miss_sectors", OF_GPU, 1},
                   {"sm_warp_instructions", OF_SM, 2},
                   {"channel_read_sectors", OF_CHANNEL, 2},
                   {"channel_write_sectors", OF_CHANNEL, 2},
                   {"channel_pending_ps", OF_CHANNEL, 2}};
    struct recording *r = calloc(1, sizeof *r);

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        recording_add_column(r, columns[i].name, "", "", columns[i].of, columns[i].count);
    r->about = (struct recording_about){.kernel = "a \"kernel\"",
                                        .design = "hand",
                                        .sm_khz = 1000000,
                                        .dram_mbs = 32000}; /* 32 bytes per ns: one sector per cycle */
    r->interval_cycles = 100;
    r->cycles = CYCLES;
    r->rows = ROWS;
    r->cell = calloc((size_t)ROWS * r->width, sizeof *r->cell);
    for (uint32_t row = 0; row < ROWS; row++)
        fill(r, row);
    return r;
}

static struct series of(const struct recording *r, const char *name)
{
    struct series s;
    struct err e;

    CHECK_OK(series_find(r, name, &s, &e), &e);
    return s;
}

static void check_value(const struct series *s, uint32_t line, uint32_t from, uint32_t to, double expected)
{
    double v = series_value(s, line, from, to);

    if (fabs(v - expected) > 1e-12)
        fail_msg("%s, line %u, rows %u to %u: %g, not %g", s->kind->name, line, from, to, v, expected);
}

static void values_are_those_of_the_whole_stretch(void **state)
{
    struct recording *r = by_hand();
    struct series ipc = of(r, "ipc"), sm = of(r, "sm_ipc"), l2 = of(r, "l2_hit_rate"), w = of(r, "power");
    struct series use = of(r, "dram_utilisation"), channel = of(r, "channel_utilisation"),
                  efficiency = of(r, "dram_efficiency"), each = of(r, "channel_efficiency");

    (void)state;
    check_value(&ipc, 0, 0, 1, 1);
    check_value(&ipc, 0, 4, 5, 0.5); /* 25 in 50 cycles: the last row is shorter */
    check_value(&ipc, 0, 0, 5, 305.0 / 450);
    check_value(&sm, 1, 1, 4, 130.0 / 300);
    check_value(&l2, 0, 1, 4, 30.0 / 50); /* weighted by sectors, not the mean of two rates */
    assert_true(isnan(series_value(&l2, 0, 0, 1)));
    check_value(&w, 0, 0, 1, 30); /* 3 uJ in 100 ns */
    check_value(&w, 0, 4, 5, 60);
    check_value(&use, 0, 1, 3, 0.5);   /* 100 sectors of 200 */
    check_value(&channel, 0, 2, 3, 1); /* 50 of 50: the share of one channel in the peak */
    check_value(&channel, 1, 2, 3, 0.5);
    /* 25 sectors; requests were pending for a quarter of the channels' time, which allows 25 of 100 */
    check_value(&efficiency, 0, 1, 2, 1);
    check_value(&each, 1, 2, 3, 0.5);
    assert_true(isnan(series_value(&each, 1, 1, 2)));
    recording_free(r);
}

static void shares_add_up_from_useful_to_idle(void **state)
{
    static const char *const states[] = {"issued", "memory", "empty"}, *const lanes[] = {"29 to 32 lanes",
                                                                                         "1 to 4 lanes"};
    struct recording *r = by_hand();
    struct series s = of(r, "warp_states"), l = of(r, "active_lanes"), parts = of(r, "power_parts");
    char label[SERIES_LABEL];

    (void)state;
    assert_int_equal(s.lines, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(series_label(&s, i, label), states[i]);
    check_value(&s, 0, 0, 1, 100.0 / 800);
    check_value(&s, 1, 0, 1, 350.0 / 800);
    for (uint32_t row = 0; row < ROWS; row++)
        assert_true(fabs(series_value(&s, 0, row, row + 1) + series_value(&s, 1, row, row + 1) +
                         series_value(&s, 2, row, row + 1) - 1) < 1e-12);
    assert_int_equal(l.lines, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_string_equal(series_label(&l, i, label), lanes[i]);
    check_value(&l, 0, 1, 2, 0.6);
    assert_int_equal(parts.lines, 2);
    check_value(&parts, 1, 0, 1, 10);
    assert_string_equal(series_label(&parts, 0, label), "core");
    recording_free(r);
}

static struct recording *with_slots(uint32_t row, uint64_t memory, uint64_t empty)
{
    struct recording *r = by_hand();

    put(r, row, "slots_memory", 0, memory);
    put(r, row, "slots_empty", 0, empty);
    return r;
}

/* One of two SMs has a CTA: half of the slots count, and what the other SM left empty does not. */
static void shares_of_active_SMs_leave_out_the_others(void **state)
{
    struct recording *r = with_slots(1, 200, 500); /* and 100 issued */
    struct series all = of(r, "warp_states"), s = of(r, "active_warp_states"), sms = of(r, "active_sms");
    char label[SERIES_LABEL];

    (void)state;
    check_value(&sms, 0, 0, 1, 2);
    check_value(&sms, 0, 0, 5, 450.0 / 450);
    assert_int_equal(s.lines, all.lines);
    assert_string_equal(series_label(&s, 0, label), "issued");
    assert_string_equal(series_label(&s, s.lines - 1, label), "empty");
    check_value(&all, 2, 1, 2, 500.0 / 800);
    check_value(&s, 0, 1, 2, 100.0 / 400);
    check_value(&s, 1, 1, 2, 200.0 / 400);
    check_value(&s, 2, 1, 2, 100.0 / 400);
    for (uint32_t line = 0; line < s.lines; line++) /* both SMs are active: the shares of all SMs */
        check_value(&s, line, 0, 1, series_value(&all, line, 0, 1));
    recording_free(r);

    r = with_slots(2, 0, 800);
    s = of(r, "active_warp_states");
    assert_true(isnan(series_value(&s, 0, 2, 3))); /* no SM was active */
    recording_free(r);

    r = with_slots(1, 600, 100); /* more used than the active time explains */
    s = of(r, "active_warp_states");
    check_value(&s, 1, 1, 2, 600.0 / 700);
    check_value(&s, 2, 1, 2, 0);
    recording_free(r);
}

static void windows_are_whole_rows_of_equal_width(void **state)
{
    struct recording *r = by_hand(), none = {.interval_cycles = 100};
    struct series s = of(r, "ipc");
    struct series_window w = series_window(r, 0, 0, 1000);
    struct series_point p;

    (void)state;
    assert_int_equal(w.columns, 5);
    assert_int_equal(w.cycles_a_column, 100);
    assert_int_equal(w.to, CYCLES);
    w = series_window(r, 0, 0, 2); /* 3 + 2 rows */
    assert_int_equal(w.columns, 2);
    assert_int_equal(w.cycles_a_column, 300);
    p = series_point(&s, &w, 0, 0);
    assert_true(p.min == 0 && p.max == 1 && fabs(p.mean - 200.0 / 300) < 1e-12);
    p = series_point(&s, &w, 0, 1);
    assert_true(p.min == 0.5 && p.max == 0.8 && fabs(p.mean - 105.0 / 150) < 1e-12);
    w = series_window(r, 150, 301, 10); /* extended to the rows that it overlaps */
    assert_int_equal(w.first, 1);
    assert_int_equal(w.columns, 3);
    assert_int_equal(w.from, 100);
    assert_int_equal(w.to, 400);
    w = series_window(r, 9999, 3, 10); /* beyond the end: at least the last row */
    assert_int_equal(w.columns, 1);
    w = series_window(&none, 0, 0, 10);
    assert_int_equal(w.columns, 0);
    recording_free(r);
}

/* Two channels of two banks each. The peak is one sector per cycle, so half a sector per channel. */
static void banks_add_up_to_their_channel(void **state)
{
    struct recording *r = calloc(1, sizeof *r);
    struct series use, efficiency, channel;
    char label[SERIES_LABEL];
    struct err e;

    (void)state;
    recording_add_column(r, "channel_read_sectors", "", "", OF_CHANNEL, 2);
    recording_add_column(r, "channel_write_sectors", "", "", OF_CHANNEL, 2);
    recording_add_column(r, "channel_pending_ps", "", "", OF_CHANNEL, 2);
    recording_add_column(r, "bank_sectors", "", "", OF_BANK, 4);
    recording_add_column(r, "bank_pending_ps", "", "", OF_BANK, 4);
    r->about = (struct recording_about){.sm_khz = 1000000, .dram_mbs = 32000};
    r->interval_cycles = r->cycles = 100;
    r->rows = 1;
    r->cell = calloc(r->width, sizeof *r->cell);
    put(r, 0, "channel_read_sectors", 1, 30);
    put(r, 0, "channel_write_sectors", 1, 10);
    put(r, 0, "bank_sectors", 2, 25);
    put(r, 0, "bank_sectors", 3, 15);
    put(r, 0, "bank_pending_ps", 2, 100000);
    put(r, 0, "bank_pending_ps", 3, 50000); /* half of the time */
    use = of(r, "bank_utilisation");
    efficiency = of(r, "bank_efficiency");
    channel = of(r, "channel_utilisation");
    assert_int_equal(use.lines, 4);
    assert_string_equal(series_label(&use, 3, label), "channel 1 bank 1");
    check_value(&use, 2, 0, 1, 0.5);
    check_value(&use, 3, 0, 1, 0.3);
    check_value(&channel, 1, 0, 1, 0.8);
    check_value(&efficiency, 2, 0, 1, 0.5);
    check_value(&efficiency, 3, 0, 1, 0.6);
    assert_true(isnan(series_value(&efficiency, 0, 0, 1))); /* there were no requests */
    r->column[3].count = 3;                                 /* not a multiple of the number of channels */
    CHECK_FAILS(series_find(r, "bank_utilisation", &use, &e), &e, ERR_NOT_FOUND, "does not have the columns");
    recording_free(r);
}

/* Inconsistent columns are refused, because an index would be in another column or beyond the row. */
static void columns_of_different_things_are_refused(void **state)
{
    static const struct {
        const char *column, *series;
        enum recorded_of of;
        uint32_t count;
    } wrong[] = {{"channel_write_sectors", "channel_utilisation", OF_GPU, 1}, /* 1 divides 4 */
                 {"channel_write_sectors", "channel_utilisation", OF_BANK, 2},
                 {"channel_write_sectors", "channel_utilisation", OF_BANK, 4},
                 {"channel_pending_ps", "channel_efficiency", OF_SLICE, 1},
                 {"channel_read_sectors", "channel_utilisation", OF_SM, 4},
                 {"bank_pending_ps", "bank_efficiency", OF_CHANNEL, 4},
                 {"bank_pending_ps", "bank_utilisation", OF_BANK, 2},
                 {"bank_sectors", "bank_utilisation", OF_CHANNEL, 8},
                 {"channel_read_sectors", "bank_utilisation", OF_GPU, 1},
                 {"channel_read_sectors", "bank_utilisation", OF_CHANNEL, 3}};
    static const struct {
        const char *name;
        enum recorded_of of;
        uint32_t count;
    } right[] = {{"channel_read_sectors", OF_CHANNEL, 4},
                 {"channel_write_sectors", OF_CHANNEL, 4},
                 {"channel_pending_ps", OF_CHANNEL, 4},
                 {"bank_sectors", OF_BANK, 8},
                 {"bank_pending_ps", OF_BANK, 8}};

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct recording *r = calloc(1, sizeof *r);
        struct series s;
        struct err e;

        for (size_t i = 0; i < sizeof right / sizeof *right; i++)
            recording_add_column(r, right[i].name, "", "", right[i].of, right[i].count);
        of(r, wrong[k].series); /* valid without the change */
        for (size_t i = 0; i < r->column_count; i++)
            if (strcmp(r->column[i].name, wrong[k].column) == 0) {
                r->column[i].of = wrong[k].of;
                r->column[i].count = wrong[k].count;
            }
        CHECK_FAILS(series_find(r, wrong[k].series, &s, &e), &e, ERR_NOT_FOUND, "does not have the columns");
        recording_free(r);
    }
}

static void what_a_recording_does_not_hold_is_refused(void **state)
{
    struct recording *r = by_hand();
    struct series s;
    struct err e;

    (void)state;
    CHECK_FAILS(series_find(r, "memory_latency", &s, &e), &e, ERR_NOT_FOUND, "does not have the columns");
    CHECK_FAILS(series_find(r, "temperature", &s, &e), &e, ERR_NOT_FOUND, "no series `temperature`");
    recording_free(r);
}

/* The requirements of Perfetto's importer: known phases, numeric times, a name and a process for each event, and
 * only numbers in the arguments of counters. */
static void a_chrome_trace_is_well_formed(void **state)
{
    struct recording *r = by_hand();
    struct err e;
    size_t n, i, counters = 0, launches = 0, names = 0;
    char *text = recording_chrome_trace(r, &n, &e);
    json_t *root = json_loadb(text, n, 0, NULL), *event, *v;
    const char *key;

    (void)state;
    assert_non_null(root);
    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        const char *ph = json_string_value(json_object_get(event, "ph"));

        assert_non_null(ph);
        assert_non_null(json_string_value(json_object_get(event, "name")));
        assert_true(json_is_integer(json_object_get(event, "pid")));
        if (strcmp(ph, "M") == 0) {
            names += strcmp(json_string_value(json_object_get(event, "name")), "process_name") == 0;
            continue;
        }
        assert_true(json_is_number(json_object_get(event, "ts")));
        if (strcmp(ph, "X") == 0) {
            assert_string_equal(json_string_value(json_object_get(event, "name")), "a \"kernel\"");
            assert_true(json_number_value(json_object_get(event, "dur")) == 0.45); /* us: 450 cycles at 1 GHz */
            launches++;
            continue;
        }
        assert_string_equal(ph, "C");
        json_object_foreach(json_object_get(event, "args"), key, v) assert_true(json_is_number(v));
        counters++;
    }
    assert_int_equal(launches, 1);
    assert_int_equal(names, 1 + 5);                     /* the launch, and the groups of this recording */
    assert_int_equal(counters, ROWS * (6 + 4 + 3 * 2)); /* GPU; shares and watts; two SMs, channels twice */
    json_decref(root);
    free(text);
    recording_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_whole_stretch),
        cmocka_unit_test(shares_add_up_from_useful_to_idle),
        cmocka_unit_test(shares_of_active_SMs_leave_out_the_others),
        cmocka_unit_test(windows_are_whole_rows_of_equal_width),
        cmocka_unit_test(banks_add_up_to_their_channel),
        cmocka_unit_test(columns_of_different_things_are_refused),
        cmocka_unit_test(what_a_recording_does_not_hold_is_refused),
        cmocka_unit_test(a_chrome_trace_is_well_formed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
