/* Stopping inside a kernel: the rules by hand, and projections against whole simulations. */
#include <inttypes.h>
#include <math.h>

#include "simcore/observe/projection.h"
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100;

#define SAMPLES 12
/* The worked example of PKP: a ramp, then 200 instructions a cycle; a wave is 160 of 4000 CTAs. */
static const double ipc[SAMPLES] = {50, 120, 180, 199, 200, 201, 200.2, 200.1, 200, 199.9, 200, 200.1};
static const uint64_t ctas[SAMPLES] = {0, 10, 30, 40, 45, 40, 45, 40, 45, 40, 45, 40};

static void the_authors_code_stops_where_both_have_been_true(void **state)
{
    static const double cov[] = {38.8155, 17.4889, 4.1757, .3189, .2023, .2023, .0524};
    struct projection_sample s[SAMPLES] = {{0}};
    double deviation, mean, done = 0;
    long at;

    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        s[i].ctas = ctas[i];
    for (size_t i = 5; i < SAMPLES; i++) {
        projection_window(ipc, i, &deviation, &mean);
        assert_true(fabs(100 * deviation / mean - cov[i - 5]) < 5e-5);
    }
    at = projection_pkp_code(ipc, s, SAMPLES, 160, 4000);
    assert_int_equal(at, 9);
    for (long i = 0; i < at; i++)
        done += (double)ctas[i];
    assert_true(done == 295);
    assert_true(fabs(projection_from_start(5000, done + 1, 4000) - 67567.567568) < 1e-6);
    assert_true(fabs(projection_from_start(5000, done, 4000) - 67796.610169) < 1e-6);
    assert_true(fabs(projection_steady(s, 9, 335, 4000) - 48117.647059) < 1e-6);
    /* one sample earlier the cumulative IPC still moves */
    assert_int_equal(projection_pkp_code(ipc, s, 9, 160, 4000), -1);
    /* a kernel smaller than a wave: 0.3 of it */
    assert_int_equal(projection_pkp_code(ipc, s, SAMPLES, 5000, 4000), -1);
    assert_int_equal(projection_pkp_code(ipc, s, SAMPLES, 5000, 980), 9);
    assert_int_equal(projection_pkp_code(ipc, s, SAMPLES, 5000, 1040),
                     10); /* 312 of 1040: behind sample 9 335 have ended */
}

static void the_published_rule_wants_both_at_once(void **state)
{
    struct projection_sample s[SAMPLES] = {{0}};

    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        s[i] = (struct projection_sample){.instructions = (uint64_t)(ipc[i] * 500 + 0.5), .ctas = ctas[i]};
    /* deviations of the windows up to 8 to 11: 0.64, 0.40, 0.40, 0.10 instructions a cycle */
    assert_int_equal(projection_pkp(s, SAMPLES, 160, 4000), 11);
    assert_int_equal(projection_pkp(s, SAMPLES - 1, 160, 4000), -1);
    assert_int_equal(projection_pkp(s, SAMPLES, 421, 4000), -1); /* 420 have ended */
    assert_int_equal(projection_pkp(s, SAMPLES, 421, 400), 11);  /* less than a wave: no such condition */
}

/* Photon's worked example: starts 0, 10, .. 70. */
static void lives_that_grow_are_not_stable(void **state)
{
    static const int noise[] = {0, 1, -1, 0, 1, -1, 0, 0};
    struct projection_life steady[8], growing[8], at_once[8];
    double newest;

    (void)state;
    for (int i = 0; i < 8; i++) {
        steady[i] = (struct projection_life){(uint64_t)i * 10, (uint64_t)(i * 10 + 100 + noise[i])};
        growing[i] = (struct projection_life){(uint64_t)i * 10, (uint64_t)i * 12 + 100};
        at_once[i] = (struct projection_life){7, (uint64_t)i + 100};
    }
    assert_true(projection_lives_stable(steady, 8, &newest)); /* slope 0.99524 */
    assert_true(newest == 100);
    assert_false(projection_lives_stable(growing, 8, &newest)); /* slope 1.2 */
    assert_false(projection_lives_stable(at_once, 8, &newest));
    assert_true(projection_life_doubt(steady, 8) > 0 && projection_life_doubt(steady, 8) < 1);
}

static void places_are_taken_as_they_become_free(void **state)
{
    double one[] = {30, 10, 20}, two[] = {30, 10, 20}, three[] = {30, 10, 20};

    (void)state;
    assert_true(projection_schedule(one, 3, 4, 100, 0, 0) ==
                210); /* 10, 20, 30 -> 110, 120, 130; then 110 -> 210 */
    assert_true(projection_schedule(two, 3, 4, 100, 25, 0) ==
                225); /* 25, 25, 30 -> 125, 125, 130; then 125 -> 225 */
    /* sent out at 10, 60, 110, 160: the places have long been free */
    assert_true(projection_schedule(three, 3, 4, 100, 0, 50) == 260);
}

/* --- whole kernels --- */

static void streams(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    out->base = 0x10000000 + ((cta * h->warps + warp) * h->step_count + step) * 128;
    out->stride = 4;
}

static void make_kernel(struct hand *h, uint64_t count, bool memory)
{
    uint32_t ffma, load;

    hand_init(h, count, 256);
    h->address = streams;
    ffma = hand_define(h, "FFMA", 0, 4, 4, 5, 6);
    load = hand_define(h, "LDG.E", 4, 8, 2, -1, -1);
    for (int i = 0; i < (memory ? 20 : 200); i++) {
        if (memory)
            hand_step(h, load, FULL_MASK);
        hand_step(h, ffma, FULL_MASK);
    }
}

static double share(uint64_t a, uint64_t b)
{
    return fabs((double)a / (double)b - 1);
}

static void a_stable_kernel_is_projected_closely(void **state)
{
    (void)state;
    for (int memory = 0; memory < 2; memory++) {
        const struct sim_options stable = {.projection = PROJECT_STABLE};
        struct sim_result whole, r;
        struct hand h;
        struct err e;

        make_kernel(&h, 80 * 8 * 12 + 300, memory);
        hand_run(&h, v100, NULL, &whole);
        assert_int_equal(whole.projected.method, PROJECT_NONE);
        make_kernel(&h, 80 * 8 * 12 + 300, memory);
        CHECK_OK(simulate(v100, &h.base, &stable, &r, &e), &e);
        inst_source_release(&h.base);
        assert_int_equal(r.end, SIM_DONE);
        assert_int_equal(r.projected.method, PROJECT_STABLE);
        assert_true(r.projected.at_cycle < whole.cycles / 2);
        assert_true(r.projected.ctas_done >= 80 * 8);
        assert_int_equal(r.projected.ctas, 80 * 8 * 12 + 300);
        if (share(r.cycles, whole.cycles) > 0.03)
            fail_msg("projected %" PRIu64 " of %" PRIu64 " cycles", r.cycles, whole.cycles);
        assert_true(r.projected.low_cycles <= r.cycles && r.cycles <= r.projected.high_cycles);
        assert_true(share(r.warp_instructions, whole.warp_instructions) < 1e-4);
        assert_true(
            share(result_counter(&r, "l1_load_sectors") + 1, result_counter(&whole, "l1_load_sectors") + 1) < 0.02);
        assert_int_equal(result_counter(&r, "ctas"), result_counter(&whole, "ctas"));
        check_identities(&whole);
        sim_result_release(&r);
        sim_result_release(&whole);
    }
}

/* CTAs so short that sending them out is what takes the time, and such that share memory. */
static void short_ctas_are_projected_honestly(void **state)
{
    const struct sim_options stable = {.projection = PROJECT_STABLE};

    (void)state;
    for (int loads = 0; loads < 2; loads++) {
        struct sim_result whole, r;
        struct hand h;
        struct err e;

        for (int i = 0; i < 2; i++) {
            hand_init(&h, 80 * 32 * 5 + 7, 32);
            h.address = streams;
            for (int k = 0; k < 3; k++)
                loads ? hand_add_memory(&h, "LDG.E", 4, 8 + k, 2, -1) : hand_add(&h, "FFMA", 4, 4, 5, 6);
            CHECK_OK(simulate(v100, &h.base, i ? &stable : NULL, i ? &r : &whole, &e), &e);
            inst_source_release(&h.base);
        }
        assert_int_equal(r.projected.method, PROJECT_STABLE);
        if (share(r.cycles, whole.cycles) > 0.1 || whole.cycles < r.projected.low_cycles ||
            whole.cycles > r.projected.high_cycles)
            fail_msg("projected %" PRIu64 " of %" PRIu64 " cycles, between %" PRIu64 " and %" PRIu64, r.cycles,
                     whole.cycles, r.projected.low_cycles, r.projected.high_cycles);
        sim_result_release(&r);
        sim_result_release(&whole);
    }
}

static void few_waves_are_simulated_whole(void **state)
{
    const struct sim_options stable = {.projection = PROJECT_STABLE};
    struct sim_result whole, r;
    struct hand h;

    (void)state;
    make_kernel(&h, 80 * 8 * 3 - 1, true);
    hand_run(&h, v100, NULL, &whole);
    make_kernel(&h, 80 * 8 * 3 - 1, true);
    hand_run(&h, v100, &stable, &r);
    assert_int_equal(r.projected.method, PROJECT_NONE);
    assert_non_null(strstr(r.projected.why_not, "three waves"));
    assert_int_equal(r.cycles, whole.cycles);
    sim_result_release(&r);
    sim_result_release(&whole);
}

static void what_may_spin_is_simulated_whole(void **state)
{
    const struct sim_options stable = {.projection = PROJECT_STABLE};
    struct sim_result r;
    struct hand h;

    (void)state;
    make_kernel(&h, 80 * 8 * 3, true);
    hand_add_memory(&h, "LDG.E.STRONG.GPU", 4, 9, 2, -1);
    hand_run(&h, v100, &stable, &r);
    assert_int_equal(r.projected.method, PROJECT_NONE);
    assert_non_null(strstr(r.projected.why_not, "spin"));
    sim_result_release(&r);
}

/* PKP's cycles follow its own formula from where it stopped. */
static void the_published_methods_are_as_published(void **state)
{
    static const enum sim_projection methods[] = {PROJECT_PKP, PROJECT_PKP_CODE};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct sim_options o = {.projection = methods[i]};
        struct sim_result r;
        struct hand h;
        struct err e;
        double want;

        make_kernel(&h, 80 * 8 * 12, false);
        CHECK_OK(simulate(v100, &h.base, &o, &r, &e), &e);
        inst_source_release(&h.base);
        assert_int_equal(r.projected.method, methods[i]);
        want = (double)(r.projected.at_cycle - r.launch_cycles) * 80 * 8 * 12 /
               ((double)r.projected.ctas_done + (i == 1));
        assert_true(fabs((double)(r.cycles - r.launch_cycles) - want) <= 1);
        sim_result_release(&r);
    }
}

static int load(void **state)
{
    struct err e;

    (void)state;
    return design_load("v100", &v100, &e);
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
        cmocka_unit_test(the_authors_code_stops_where_both_have_been_true),
        cmocka_unit_test(the_published_rule_wants_both_at_once),
        cmocka_unit_test(lives_that_grow_are_not_stable),
        cmocka_unit_test(places_are_taken_as_they_become_free),
        cmocka_unit_test(a_stable_kernel_is_projected_closely),
        cmocka_unit_test(short_ctas_are_projected_honestly),
        cmocka_unit_test(few_waves_are_simulated_whole),
        cmocka_unit_test(what_may_spin_is_simulated_whole),
        cmocka_unit_test(the_published_methods_are_as_published),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
