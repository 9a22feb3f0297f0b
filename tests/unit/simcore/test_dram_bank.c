/* DRAM command by command: every timing constraint in clocks, and the effect of the queues on streams. */
#include "simcore/mem/dram/bank_commands.h"
#include "tests/unit/simcore/hand_source.h"

enum { SEEN = 4096 };
static struct gpu_design *v100; /* its command clock is 1 ns */
static struct event_queue *queue;
static struct dram_bank *dram;
static struct dram_counters count;
static struct {
    enum dram_command command;
    uint32_t channel, bank;
    uint64_t row;
    sim_time_ps at;
} seen[SEEN];
static uint32_t seen_count;
static sim_time_ps done[SEEN];

static void saw(void *ctx, uint32_t channel, enum dram_command c, uint32_t bank, uint64_t row, sim_time_ps at)
{
    (void)ctx;
    if (seen_count < SEEN) {
        seen[seen_count].command = c;
        seen[seen_count].channel = channel;
        seen[seen_count].bank = bank;
        seen[seen_count].row = row;
        seen[seen_count++].at = at;
    }
}

static void read_done(void *ctx, uint32_t id, sim_time_ps at)
{
    (void)ctx;
    done[id] = at;
}

static void room(void *ctx, uint32_t channel, bool write, sim_time_ps now)
{
    (void)ctx, (void)channel, (void)write, (void)now;
}

static int begin(void **state)
{
    (void)state;
    event_queue_reset(queue);
    memset(&count, 0, sizeof count);
    memset(done, 0, sizeof done);
    seen_count = 0;
    dram_bank_begin(dram);
    return 0;
}

static void ask(uint32_t bank, uint64_t row, uint32_t sectors, bool write, uint32_t id)
{
    const struct address_place p = {.bank = bank, .row = row};

    dram_bank_access(dram, &p, sectors, write, id, event_queue_now(queue));
}

static void run(sim_time_ps until)
{
    while (event_queue_step(queue, until))
        ;
}

/* Time of the nth command of a kind, in nanoseconds. */
static uint64_t nth(enum dram_command c, uint32_t n)
{
    for (uint32_t i = 0; i < seen_count; i++)
        if (seen[i].command == c && n-- == 0)
            return seen[i].at / 1000;
    fail_msg("command %d did not come", (int)c);
    return 0;
}

static void a_read_takes_activate_column_and_data(void **state)
{
    (void)state;
    ask(0, 7, 1, false, 0);
    run(SIM_NEVER - 1);
    assert_int_equal(nth(DRAM_ACTIVATE, 0), 0);
    assert_int_equal(nth(DRAM_READ, 0), v100->dram_t_rcd);
    assert_int_equal(done[0], dram_bank_idle_ps(dram));
    assert_int_equal(count.row_misses, 1);
}

static void another_row_waits_for_ras_and_rp(void **state)
{
    (void)state;
    ask(0, 7, 1, false, 0);
    ask(0, 8, 1, false, 1);
    run(SIM_NEVER - 1);
    assert_int_equal(nth(DRAM_PRECHARGE, 0), v100->dram_t_ras);
    assert_int_equal(nth(DRAM_ACTIVATE, 1), v100->dram_t_ras + v100->dram_t_rp);
    assert_int_equal(nth(DRAM_READ, 1), v100->dram_t_ras + v100->dram_t_rp + v100->dram_t_rcd);
}

/* Four banks per group. */
static void activates_keep_their_distance(void **state)
{
    (void)state;
    ask(0, 1, 1, false, 0);
    ask(1, 1, 1, false, 1); /* the same group */
    run(1000000);
    assert_int_equal(nth(DRAM_ACTIVATE, 1), v100->dram_t_rrd_l);
    begin(NULL);
    ask(0, 1, 1, false, 0);
    ask(4, 1, 1, false, 1); /* another bank group */
    run(1000000);
    assert_int_equal(nth(DRAM_ACTIVATE, 1), v100->dram_t_rrd_s);
    begin(NULL);
    for (uint32_t i = 0; i < 5; i++)
        ask(i * 4 % 16 + i / 4, 1, 1, false, i);
    run(1000000);
    assert_int_equal(nth(DRAM_ACTIVATE, 3), 3 * v100->dram_t_rrd_s);
    assert_int_equal(nth(DRAM_ACTIVATE, 4), v100->dram_t_faw);
}

/* From now on `dram` is one of this design. */
static void open_dram(const struct gpu_design *d)
{
    struct err e;

    dram = dram_bank_new(d, queue, &count, &e);
    assert_non_null(dram);
    dram_bank_listen(dram, read_done, room, NULL);
    dram_bank_tell_commands(dram, saw, NULL);
}

/* A sector is half of a burst here and takes 1 ns, so the command spacing counts. */
static void columns_keep_their_distance(void **state)
{
    struct gpu_design *fast = hand_design("v100", "dram.gbs", 2048.0, "dram.burst_bytes", 64.0, "dram.t_ccd_s", 2.0,
                                          "dram.t_ccd_l", 4.0, NULL);
    struct dram_bank *mine = dram;

    (void)state;
    open_dram(fast);
    ask(0, 1, 4, false, 0);
    run(1000000);
    assert_int_equal(nth(DRAM_READ, 1) - nth(DRAM_READ, 0), fast->dram_t_ccd_l);
    begin(NULL);
    ask(0, 1, 1, false, 0);
    ask(4, 1, 1, false, 1);
    run(100000);
    ask(0, 1, 1, false, 2);
    ask(4, 1, 1, false, 3);
    run(1000000);
    assert_int_equal(nth(DRAM_READ, 3) - nth(DRAM_READ, 2), fast->dram_t_ccd_s);
    dram_bank_free(dram);
    dram = mine;
    design_free(fast);
}

static void a_read_after_a_write_waits_for_wtr(void **state)
{
    uint64_t written_ps, data_ps = dram_bank_idle_ps(dram) - (uint64_t)(v100->dram_t_rcd + v100->dram_t_cl) * 1000;

    (void)state;
    ask(0, 1, 1, true, 0);
    run(100000); /* no reads are waiting: the write is issued at once */
    assert_int_equal(nth(DRAM_WRITE, 0), v100->dram_t_rcd);
    begin(NULL);
    ask(0, 1, 1, true, 0);
    run((v100->dram_t_rcd + 1) * 1000ull);
    ask(0, 1, 1, false, 1);
    run(1000000);
    written_ps = (v100->dram_t_rcd + v100->dram_t_wl) * 1000ull + data_ps;
    for (uint32_t i = 0; i < seen_count; i++)
        if (seen[i].command == DRAM_READ)
            assert_int_equal(seen[i].at, written_ps + v100->dram_t_wtr_l * 1000ull);
}

/* Columns of two bank groups are never farther apart than a burst takes on the bus, whatever t_ccd_s says. */
static void bursts_of_two_groups_follow_without_a_gap(void **state)
{
    struct gpu_design *slow = hand_design("v100", "dram.t_ccd_s", 9.0, NULL);
    struct dram_bank *mine = dram;

    (void)state;
    open_dram(slow);
    ask(0, 1, 1, false, 0);
    ask(4, 1, 1, false, 1);
    run(100000);
    ask(0, 1, 1, false, 2);
    ask(4, 1, 1, false, 3);
    run(1000000);
    assert_in_range(nth(DRAM_READ, 3) - nth(DRAM_READ, 2), 2,
                    3); /* 32 bytes at 897 GB/s over 64 channels: 2.28 ns */
    dram_bank_free(dram);
    dram = mine;
    design_free(slow);
}

/* Each bank every t_refi, one after another; the others continue meanwhile. */
static void a_refresh_takes_its_time_of_one_bank(void **state)
{
    const uint64_t refi = v100->dram_t_refi * 1000ull, rfc = v100->dram_t_rfc * 1000ull;
    const struct address_place last = {.bank = 15, .row = 1};
    uint32_t meanwhile = 0, refreshes = 0;

    (void)state;
    run(0);
    for (uint32_t i = 0; i < 64; i++)
        ask(i % 16, i, 4, false, i);
    run(SIM_NEVER - 1);
    for (uint32_t i = 0; i < 64; i++)
        assert_true(done[i] > 0);
    for (uint32_t i = 0; i < seen_count; i++) {
        if (seen[i].command != DRAM_REFRESH)
            continue;
        assert_true(seen[i].at >= (seen[i].bank + 1) * refi / 16);
        for (uint32_t k = i + 1; k < seen_count; k++) {
            assert_true(seen[k].bank != seen[i].bank || seen[k].at >= seen[i].at + rfc);
            meanwhile += seen[k].at < seen[i].at + rfc;
        }
        refreshes++;
    }
    assert_true(refreshes > 0 && meanwhile > 0);
    begin(NULL);
    ask(15, 1, 1, false, 0);
    run(1000000);
    seen_count = 0; /* idle until its refresh: the open row is closed, and a request during the refresh waits */
    dram_bank_access(dram, &last, 1, false, 1, refi + 1000);
    run(SIM_NEVER - 1);
    assert_int_equal(nth(DRAM_ACTIVATE, 0) * 1000, refi + rfc);
}

static void open_rows_go_first(void **state)
{
    (void)state;
    ask(0, 1, 1, false, 0);
    run(50000); /* row 1 is open now */
    ask(0, 2, 1, false, 1);
    ask(0, 1, 1, false, 2); /* younger, but a row hit */
    run(1000000);
    assert_true(done[2] < done[1]);
    assert_int_equal(count.row_misses, 2);
    assert_int_equal(count.row_hits, 1);
}

static void an_unused_row_is_closed(void **state)
{
    const struct address_place p = {.bank = 0, .row = 1};

    (void)state;
    ask(0, 1, 1, false, 0);
    run(1000000);
    dram_bank_access(dram, &p, 1, false, 1, 1000000);
    run(SIM_NEVER - 1);
    assert_int_equal(count.row_misses, 2);
}

static void writes_drain_from_the_high_to_the_low_watermark(void **state)
{
    uint32_t reads = 0, writes = 0;

    (void)state;
    for (uint32_t i = 0; i < DRAM_QUEUE; i++) {
        ask(i % 16, 1, 1, true, i);
        ask(i % 16, 2, 1, false, i);
    }
    assert_false(dram_bank_has_room(dram, 0, true));
    run(SIM_NEVER - 1);
    for (uint32_t i = 0; i < seen_count && !reads; i++) {
        writes += seen[i].command == DRAM_WRITE;
        reads += seen[i].command == DRAM_READ;
    }
    assert_int_equal(writes, DRAM_QUEUE - 16);
    assert_int_equal(count.write_sectors, DRAM_QUEUE);
    assert_int_equal(count.read_sectors, DRAM_QUEUE);
}

static int set_up(void **state)
{
    struct err e;

    (void)state;
    v100 = hand_design("v100", NULL);
    queue = event_queue_new(256, &e);
    open_dram(v100);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    dram_bank_free(dram);
    event_queue_free(queue);
    design_free(v100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_read_takes_activate_column_and_data, begin),
        cmocka_unit_test_setup(another_row_waits_for_ras_and_rp, begin),
        cmocka_unit_test_setup(activates_keep_their_distance, begin),
        cmocka_unit_test_setup(columns_keep_their_distance, begin),
        cmocka_unit_test_setup(a_read_after_a_write_waits_for_wtr, begin),
        cmocka_unit_test_setup(bursts_of_two_groups_follow_without_a_gap, begin),
        cmocka_unit_test_setup(a_refresh_takes_its_time_of_one_bank, begin),
        cmocka_unit_test_setup(open_rows_go_first, begin),
        cmocka_unit_test_setup(an_unused_row_is_closed, begin),
        cmocka_unit_test_setup(writes_drain_from_the_high_to_the_low_watermark, begin),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
