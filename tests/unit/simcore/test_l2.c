/* Sectors that L2 fetches together, and its limit on dirty lines. */
#include "simcore/mem/l2.h"
#include "simcore/mem/slice.h"
#include "tests/unit/simcore/hand_source.h"

struct bench {
    struct gpu_design *design;
    struct l2 l2;
    struct mem_counters count;
};

static void bench_init(struct bench *b, double fetch_bytes, double dirty_share)
{
    struct err e;

    memset(b, 0, sizeof *b);
    b->design = hand_design("v100", "l2.fetch_bytes", fetch_bytes, "l2.dirty_share", dirty_share, NULL);
    assert_int_equal(l2_init(&b->l2, b->design, &e), 0);
    l2_begin(&b->l2, 1);
}

static void bench_release(struct bench *b)
{
    l2_release(&b->l2);
    design_free(b->design);
}

/* All lines of these tests map to set 0 of slice 0. */
static struct slice_step ask(struct bench *b, uint64_t line, enum mem_kind kind, uint8_t sectors)
{
    const struct mem_request r = {.line = line, .sectors = sectors, .full = sectors, .kind = (uint8_t)kind};
    const struct address_place place = {0};
    struct slice_step step;

    slice_decide(&b->l2, &b->count, &r, &place, &step);
    return step;
}

static void a_miss_brings_its_whole_piece(void **state)
{
    static const struct {
        uint32_t bytes;
        uint8_t asked, fetched;
    } rows[] = {{32, 1, 1},  {32, 10, 10}, {64, 1, 3},   {64, 2, 3},  {64, 4, 12},
                {64, 6, 15}, {64, 8, 12},  {128, 1, 15}, {128, 8, 15}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench b;
        uint8_t rest = rows[i].fetched & (uint8_t)~rows[i].asked;

        bench_init(&b, rows[i].bytes, 1);
        assert_int_equal(ask(&b, 7, MEM_READ, rows[i].asked).fetch, rows[i].fetched);
        assert_int_equal(ask(&b, 7, MEM_READ, rows[i].fetched).fetch, 0);
        /* Only the requested sectors are counted. */
        assert_int_equal(b.count.read_miss_sectors, sector_count(rows[i].asked));
        assert_int_equal(b.count.read_hit_sectors, sector_count(rows[i].fetched));
        assert_int_equal(sector_count(rest) + sector_count(rows[i].asked), sector_count(rows[i].fetched));
        bench_release(&b);
    }
}

static void what_was_changed_is_not_fetched_over(void **state)
{
    struct bench b;

    (void)state;
    bench_init(&b, 64, 1);
    assert_int_equal(ask(&b, 7, MEM_WRITE, 1).fetch, 0);
    assert_int_equal(ask(&b, 7, MEM_READ, 2).fetch, 2);
    assert_int_equal(ask(&b, 7, MEM_READ, 1).fetch, 0);
    bench_release(&b);
}

static void a_changed_line_too_many_sends_the_oldest_out(void **state)
{
    struct bench b;
    uint32_t half;

    (void)state;
    bench_init(&b, 32, 0.5);
    half = b.l2.ways / 2;
    for (uint64_t i = 0; i < half; i++)
        assert_int_equal(ask(&b, i, MEM_WRITE, 3).write_back, 0);
    ask(&b, 0, MEM_READ, 1);                                   /* now line 1 is the oldest */
    assert_int_equal(ask(&b, 5, MEM_WRITE, 12).write_back, 0); /* dirty already: the number does not change */
    assert_int_equal(ask(&b, 100, MEM_WRITE, 15).write_back, 3);
    assert_int_equal(ask(&b, 1, MEM_READ, 3).fetch, 0); /* the line stays */
    {
        /* it may become dirty again: the next line is written back */
        struct slice_step step = ask(&b, 1, MEM_WRITE, 3);

        assert_int_equal(step.write_back, 3);
        assert_int_equal(step.evicted, 2);
    }
    assert_int_equal(b.count.writebacks, 2);
    bench_release(&b);
}

/* Reads until all dirty lines are evicted: each is written back exactly once. */
static void every_changed_sector_is_written_back_once(void **state)
{
    static const double shares[] = {0, 0.3, 0.5, 1};

    (void)state;
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        uint64_t sectors = 0;
        struct bench b;

        bench_init(&b, 32, shares[s]);
        for (uint64_t i = 0; i < 400; i++)
            sectors += sector_count(ask(&b, i, i % 3 ? MEM_READ : MEM_WRITE, 3).write_back);
        for (uint64_t i = 1000; i < 1100; i++)
            sectors += sector_count(ask(&b, i, MEM_READ, 1).write_back);
        assert_int_equal(sectors, 2 * 134);
        assert_int_equal(b.count.writebacks, 134);
        bench_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_brings_its_whole_piece),
        cmocka_unit_test(what_was_changed_is_not_fetched_over),
        cmocka_unit_test(a_changed_line_too_many_sends_the_oldest_out),
        cmocka_unit_test(every_changed_sector_is_written_back_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
