/* Caches warmed by replay: a launch finds the same content as after a simulation of the launches before it. */
#include "tests/unit/simcore/line_kernels.h"

/* --- the same as kept --- */

/* Compares the second of two launches after a simulation and after a replay of the first. */
static void compare(struct gpu_design *d, void (*first)(struct hand *h), void (*second)(struct hand *h),
                    double tolerance, const char *what)
{
    struct list kept = {.count = 0}, warmed = {.count = 0};

    add(&kept, first);
    add(&kept, second);
    warmed = kept;
    run_list(&kept, d, SIM_CACHES_KEPT, 0);
    run_list(&warmed, d, SIM_CACHES_REPLAYED, 0);
    assert_int_equal(warmed.replayed[0], 0);
    assert_int_equal(warmed.replayed[1], 1);
    assert_int_equal(warmed.opened, 3);
    assert_int_equal(warmed.hits[0], kept.hits[0]);
    assert_near(warmed.hits[1], kept.hits[1], tolerance, kept.hits[1] + kept.misses[1], what);
    assert_int_equal(warmed.hits[1] + warmed.misses[1], kept.hits[1] + kept.misses[1]);
    assert_near(warmed.cycles[1], kept.cycles[1], 0.02 + tolerance, kept.cycles[1], what);
}

static void the_second_launch_finds_what_a_simulated_one_leaves(void **state)
{
    static const char *const names[] = {"v100", "a100", "v100:detailed"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct gpu_design *d = design(names[i]);

        compare(d, writer, reader, 0, "a reader after a writer");
        compare(d, reducer, reader, 0, "a reader after reductions");
        compare(d, updater, reader, 0, "a reader after an update in place");
        design_free(d);
    }
}

static void scattered_and_reused_lines_are_left(void **state)
{
    struct gpu_design *d = design("v100");

    (void)state;
    compare(d, gather, gather, 0.01, "gather");
    design_free(d);
}

static void of_more_than_l2_holds_the_newest_is_left(void **state)
{
    struct gpu_design *d = hand_design("v100", "l2.kb", 1536.0, NULL);

    (void)state;
    compare(d, reader, reader, 0, "a reader after itself");
    compare(d, large_reader, reader, 0, "a reader of what has long been evicted");
    compare(d, large_reader, reader_of_the_end, 0.05, "a reader of what came last");
    design_free(d);
}

/* --- how many --- */

static void only_the_wanted_launches_are_replayed(void **state)
{
    struct gpu_design *d = design("v100");
    const uint64_t sectors = 80 * 8 * 8 * 4;
    struct list l = {.count = 0};

    (void)state;
    add(&l, reader);
    add(&l, tiny);
    add(&l, reader);
    run_list(&l, d, SIM_CACHES_REPLAYED, 1);
    assert_int_equal(l.misses[2], sectors);
    assert_int_equal(l.replayed[2], 1);
    run_list(&l, d, SIM_CACHES_REPLAYED, 2);
    assert_int_equal(l.hits[2], sectors);
    assert_int_equal(l.replayed[2], 2);
    run_list(&l, d, SIM_CACHES_REPLAYED, 99);
    assert_int_equal(l.hits[2], sectors);
    assert_int_equal(l.replayed[2], 2);
    run_list(&l, d, SIM_CACHES_REPLAYED, 0);
    assert_int_equal(l.hits[2], sectors);
    design_free(d);
}

static void copies_among_them_count(void **state)
{
    struct gpu_design *d = design("v100");
    struct list l = {.count = 0};

    (void)state;
    add(&l, tiny);
    l.work[l.count++] = (struct sim_work){.kind = SIM_COPY_TO_DEVICE, .bytes = 1 << 20, .address = 1ull << 32};
    add(&l, reader);
    run_list(&l, d, SIM_CACHES_REPLAYED, 0);
    assert_int_equal(l.hits[2], 80 * 8 * 8 * 4);
    /* the copy is between the only earlier launch and this one */
    run_list(&l, d, SIM_CACHES_REPLAYED, 1);
    assert_int_equal(l.hits[2], 80 * 8 * 8 * 4);
    design_free(d);
}

/* --- a launch alone --- */

static void a_launch_alone_gets_what_was_before(void **state)
{
    struct gpu_design *d = design("v100");
    struct list l = {.count = 0};
    const struct sim_before before = {l.work, 1, open_hand, &l};
    const struct sim_options warmed = {.caches = SIM_CACHES_REPLAYED, .before = &before};
    struct sim_result cold, warm, again, nothing_before;
    struct simulator *s;
    struct hand h;
    struct err e;

    (void)state;
    add(&l, writer);
    add(&l, reader);
    run_list(&l, d, SIM_CACHES_REPLAYED, 0);
    CHECK_OK((s = simulator_new(d, &e)) ? 0 : -1, &e);
    for (int i = 0; i < 4; i++) {
        const struct sim_options alone = {.caches = SIM_CACHES_REPLAYED};
        struct sim_result *to[] = {&cold, &warm, &again, &nothing_before};
        const struct sim_options *o[] = {NULL, &warmed, NULL, &alone};

        reader(&h);
        CHECK_OK(simulator_run(s, &h.base, o[i], to[i], &e), &e);
        check_identities(to[i]);
        inst_source_release(&h.base);
    }
    assert_int_equal(result_counter(&warm, "l2_read_hit_sectors"), l.hits[1]);
    assert_int_equal(warm.replayed, 1);
    assert_true(warm.cycles < cold.cycles);
    /* no replayed content is left */
    assert_int_equal(again.cycles, cold.cycles);
    assert_int_equal(nothing_before.cycles, cold.cycles);
    for (size_t i = 0; i < cold.counter_count; i++)
        assert_int_equal(again.counters[i].value, cold.counters[i].value);
    sim_result_release(&cold);
    sim_result_release(&warm);
    sim_result_release(&again);
    sim_result_release(&nothing_before);
    simulator_free(s);
    design_free(d);
}

static int damaged(void *ctx, size_t index, struct inst_source **out, struct err *e)
{
    if (index == 0)
        return err_set(e, ERR_INVALID, "the file ends too early");
    return open_hand(ctx, index, out, e);
}

static void what_cannot_be_replayed_is_said(void **state)
{
    struct gpu_design *d = design("v100");
    struct list l = {.count = 0};
    const struct sim_before before = {l.work, 1, damaged, &l};
    const struct sim_options warmed = {.caches = SIM_CACHES_REPLAYED, .before = &before};
    struct sim_result r;
    struct simulator *s;
    struct hand h;
    struct err e;

    (void)state;
    add(&l, reader);
    CHECK_OK((s = simulator_new(d, &e)) ? 0 : -1, &e);
    reader(&h);
    assert_int_equal(simulator_run(s, &h.base, &warmed, &r, &e), -1);
    assert_string_equal(e.text, "a launch before it, which warms the caches: the file ends too early");
    inst_source_release(&h.base);
    reader(&h); /* the simulator still works */
    CHECK_OK(simulator_run(s, &h.base, NULL, &r, &e), &e);
    inst_source_release(&h.base);
    sim_result_release(&r);
    simulator_free(s);
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_launch_finds_what_a_simulated_one_leaves),
        cmocka_unit_test(scattered_and_reused_lines_are_left),
        cmocka_unit_test(of_more_than_l2_holds_the_newest_is_left),
        cmocka_unit_test(only_the_wanted_launches_are_replayed),
        cmocka_unit_test(copies_among_them_count),
        cmocka_unit_test(a_launch_alone_gets_what_was_before),
        cmocka_unit_test(what_cannot_be_replayed_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
