/* The same launch gives the same result, independent of earlier launches and of memory addresses; and the
 * result's description of itself. */
#include <sys/resource.h>

#include "base/rng.h"
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100;

static void random_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    struct rng r;

    rng_init(&r, h->number, cta * 64 + warp, RNG_TEST);
    r.counter[1] = step;
    out->is_list = rng_below(&r, 3) == 0;
    out->base = 0x7f0000000000 + rng_below(&r, 1 << 22) * 4;
    if (rng_below(&r, 40) == 0)
        out->base = UINT64_MAX - rng_below(&r, 64) * 4 - 3; /* a damaged trace may have any value */
    out->stride = (int64_t)rng_below(&r, 33) * 4;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        out->lanes[i] = 0x7f0000000000 + rng_below(&r, 1 << 22) * 4;
}

/* A kernel with all kinds of instructions. */
static void random_kernel(struct hand *h, uint64_t seed)
{
    static const char *const arithmetic[] = {
        "FFMA", "IMAD",         "IADD3", "MUFU.RCP",           "DFMA",     "HFMA2",         "SHFL.IDX", "S2R",
        "BRA",  "ISETP.NE.AND", "SEL",   "HMMA.884.F32.STEP0", "BAR.SYNC", "MEMBAR.SC.GPU", "LDC",      "VOTE.ANY"};
    static const char *const memory[] = {"LDG.E.SYS", "STG.E.SYS",        "LDS",       "STS",
                                         "RED.E.ADD", "ATOMG.E.ADD",      "ATOMS.ADD", "LDL",
                                         "STL",       "LDG.E.STRONG.GPU", "LDGSTS.E"};
    struct rng r;

    rng_init(&r, seed, 0, RNG_TEST);
    hand_init(h, 50 + rng_below(&r, 200), 32 + (uint32_t)rng_below(&r, 512));
    h->number = seed;
    h->address = random_address;
    for (uint32_t i = 0; i < 60; i++) {
        int reg = 4 + (int)rng_below(&r, 24);

        if (rng_below(&r, 3))
            hand_add(h, arithmetic[rng_below(&r, 16)], reg, 4 + (int)rng_below(&r, 24), 4 + (int)rng_below(&r, 24),
                     -1);
        else
            hand_add_memory(h, memory[rng_below(&r, 11)], 4, reg, 2, 4 + (int)rng_below(&r, 24));
        if (!rng_below(&r, 4))
            h->steps[h->step_count - 1].mask = rng_u32(&r) & rng_u32(&r);
    }
}

static void check_same(const struct sim_result *a, const struct sim_result *b)
{
    assert_int_equal(a->counter_count, b->counter_count);
    for (size_t i = 0; i < a->counter_count; i++)
        if (a->counters[i].value != b->counters[i].value)
            fail_msg("%s: %llu and %llu", a->counters[i].name, (unsigned long long)a->counters[i].value,
                     (unsigned long long)b->counters[i].value);
}

static void results_do_not_depend_on_what_ran_before(void **state)
{
    static const char *const gpus[] = {"v100", "rtx2080", "a100", "h100"};

    (void)state;
    for (size_t g = 0; g < 4; g++) {
        struct gpu_design *d = hand_design(gpus[g], NULL);
        struct err e;
        struct simulator *kept = simulator_new(d, &e);

        for (uint64_t seed = 1; seed <= 3 - INSTRUMENTED; seed++) {
            struct hand a, b;
            struct sim_result ra, rb;

            random_kernel(&a, seed);
            random_kernel(&b, seed);
            CHECK_OK(simulator_run(kept, &a.base, NULL, &ra, &e), &e); /* after other kernels */
            hand_run(&b, d, NULL, &rb);                                /* in a new simulator */
            assert_int_equal(ra.end, SIM_DONE);
            check_identities(&ra);
            check_same(&ra, &rb);
            sim_result_release(&ra);
            sim_result_release(&rb);
            inst_source_release(&a.base);
        }
        simulator_free(kept);
        design_free(d);
    }
}

/* The zero of local time moves at times. That must not change results. */
static void moving_the_base_changes_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 20; seed < 22 - INSTRUMENTED; seed++) {
        struct simulator *s;
        struct sim_result r[2];
        struct err e;

        for (uint32_t run = 0; run < 2; run++) {
            struct hand h;
            size_t steps;

            s = simulator_new(v100, &e);
            if (run)
                s->env.rebase_at = 2 * SM_REBASE_SLACK;
            random_kernel(&h, seed);
            h.ctas = 2;
            steps = h.step_count;
            for (size_t i = 0; i < 80 * steps; i++) /* longer than several moves of the base */
                hand_step(&h, h.steps[i % steps].inst, h.steps[i % steps].mask);
            CHECK_OK(simulator_run(s, &h.base, NULL, &r[run], &e), &e);
            if (run)
                assert_true(s->sms[0].base > s->design->kernel_cycles);
            inst_source_release(&h.base);
            simulator_free(s);
        }
        assert_true(r[0].cycles > 3 * SM_REBASE_SLACK);
        check_same(&r[0], &r[1]);
        sim_result_release(&r[0]);
        sim_result_release(&r[1]);
    }
}

/* The largest design, every SM full, and all of a 50 MB L2 used: the process needs less than 110 MB.
 * The scoreboard of general, uniform and predicate registers takes 12 MB of them. */
static void a_simulation_stays_small(void **state)
{
    struct gpu_design *d = hand_design("h100", NULL);
    struct rusage u;

    (void)state;
    for (uint64_t seed = 30; seed < 32 - INSTRUMENTED; seed++) {
        struct hand h;
        struct sim_result r;

        random_kernel(&h, seed);
        h.ctas = 132 * 32;
        h.base.info.block[0] = 64;
        h.warps = 2;
        hand_run(&h, d, NULL, &r);
        assert_int_equal(result_counter(&r, "active_sms"), 132);
        sim_result_release(&r);
    }
    getrusage(RUSAGE_SELF, &u);
#ifndef __SANITIZE_ADDRESS__
    assert_true(u.ru_maxrss < 110 * 1024); /* kilobytes */
#endif
    design_free(d);
}

static void digests_agree_and_hold_the_counters(void **state)
{
    struct hand h;
    struct sim_result r;
    struct err e;
    char *text[3], *digest[3];

    (void)state;
    random_kernel(&h, 3);
    h.base.info.name = (char *)(uintptr_t) "ker\"nel\n\xff";
    CHECK_OK(simulate(v100, &h.base, NULL, &r, &e), &e);
    text[0] = sim_result_json(v100, &h.base.info, "aa", &r, 1.25, &e);
    text[1] = sim_result_json(v100, &h.base.info, "aa", &r, 9.0, &e);
    r.counters[3].value++;
    text[2] = sim_result_json(v100, &h.base.info, "aa", &r, 1.25, &e);
    for (int i = 0; i < 3; i++) {
        json_t *root = json_loads(text[i], 0, NULL);

        assert_non_null(root);
        assert_int_equal(json_integer_value(json_object_get(root, "cycles")), r.cycles);
        assert_int_equal(json_array_size(json_object_get(root, "counters")), r.counter_count);
        digest[i] = strdup(json_string_value(json_object_get(root, "digest")));
        json_decref(root);
        free(text[i]);
    }
    assert_string_equal(digest[0], digest[1]); /* the host's time is not part of the digest */
    assert_string_not_equal(digest[0], digest[2]);
    for (int i = 0; i < 3; i++)
        free(digest[i]);
    sim_result_release(&r);
    inst_source_release(&h.base);
}

static int set_up(void **state)
{
    (void)state;
    v100 = hand_design("v100", NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    design_free(v100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_do_not_depend_on_what_ran_before),
        cmocka_unit_test(moving_the_base_changes_nothing),
        cmocka_unit_test(a_simulation_stays_small),
        cmocka_unit_test(digests_agree_and_hold_the_counters),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
