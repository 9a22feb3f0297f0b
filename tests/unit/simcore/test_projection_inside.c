/* Early stop inside a kernel: the rules by hand, and projections compared with complete simulations. */
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "simcore/observe/projection.h"
#include "simcore/trace/survey.h"
#include "simcore/trace/vtrace.h"
#include "tests/harness/varied.h"
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100, *small;

#define SAMPLES 12
/* The worked example of PKP: a ramp, then 200 instructions per cycle. A wave is 160 of 4000 CTAs. */
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
    /* one sample earlier the cumulative IPC still changes */
    assert_int_equal(projection_pkp_code(ipc, s, 9, 160, 4000), -1);
    /* a kernel smaller than a wave: 0.3 of it */
    assert_int_equal(projection_pkp_code(ipc, s, SAMPLES, 5000, 4000), -1);
    assert_int_equal(projection_pkp_code(ipc, s, SAMPLES, 5000, 980), 9);
    assert_int_equal(projection_pkp_code(ipc, s, SAMPLES, 5000, 1040),
                     10); /* 312 of 1040: after sample 9, 335 have ended */
}

static void the_published_rule_wants_both_at_once(void **state)
{
    struct projection_sample s[SAMPLES] = {{0}};

    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        s[i] = (struct projection_sample){.instructions = (uint64_t)(ipc[i] * 500 + 0.5), .ctas = ctas[i]};
    /* deviations of windows 8 to 11: 0.64, 0.40, 0.40, 0.10 instructions per cycle */
    assert_int_equal(projection_pkp(s, SAMPLES, 160, 4000), 11);
    assert_int_equal(projection_pkp(s, SAMPLES - 1, 160, 4000), -1);
    assert_int_equal(projection_pkp(s, SAMPLES, 421, 4000), -1); /* 420 have ended */
    /* less than a wave: this condition does not apply */
    assert_int_equal(projection_pkp(s, SAMPLES, 421, 400), 11);
}

static double a_hundred(void *ctx)
{
    (*(int *)ctx)++;
    return 100;
}

static void places_are_taken_as_they_become_free(void **state)
{
    double one[] = {30, 10, 20}, two[] = {30, 10, 20}, three[] = {30, 10, 20};
    int asked = 0;

    (void)state;
    /* 10, 20, 30 -> 110, 120, 130; then 110 -> 210 */
    assert_true(projection_schedule(one, 3, 4, a_hundred, &asked, 0, 0) == 210);
    assert_int_equal(asked, 4);
    /* 25, 25, 30 -> 125, 125, 130; then 125 -> 225 */
    assert_true(projection_schedule(two, 3, 4, a_hundred, &asked, 25, 0) == 225);
    /* dispatched at 10, 60, 110, 160: the slots were free long before */
    assert_true(projection_schedule(three, 3, 4, a_hundred, &asked, 0, 50) == 260);
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
        if (r.projected.at_cycle >= whole.cycles / 2)
            fail_msg("stopped at %" PRIu64 " of %" PRIu64 " cycles", r.projected.at_cycle, whole.cycles);
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

/* CTAs so short that their dispatch limits the rate, and CTAs that compete for memory. */
static void short_ctas_are_projected_honestly(void **state)
{
    const struct sim_options stable = {.projection = PROJECT_STABLE};

    (void)state;
    for (int loads = 0; loads < 2; loads++) {
        struct sim_result whole, r;
        struct hand h;
        struct err e;

        for (int i = 0; i < 2; i++) {
            hand_init(&h, 80 * 32 * 12 + 7, 32);
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

/* PKP's cycles equal its own formula from the cycle at which it stopped. */
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

/* --- CTAs that differ --- */

/* 24 waves on a small GPU. */
enum { VARIED_CTAS = 5 * 16 * 24 };

static void run_varied(const char *name, enum sim_projection method, struct sim_result *r)
{
    const struct sim_options o = {.projection = method};
    struct hand h;
    struct err e;

    varied_make(&h, varied_find(name), VARIED_CTAS);
    CHECK_OK(simulate(small, &h.base, &o, r, &e), &e);
    inst_source_release(&h.base);
}

static void ctas_that_differ_are_projected_with_an_interval_that_holds(void **state)
{
    static const char *const names[] = {
        "alike, stream",     "noise, stream",     "periodic, compute", "periodic, stream", "noise, gather",
        "two kinds, stream", "two kinds, gather", "two kinds, shared", "noise, compute",   "periodic, shared"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i += 1 + 2 * INSTRUMENTED) {
        struct sim_result whole, r;

        run_varied(names[i], PROJECT_NONE, &whole);
        run_varied(names[i], PROJECT_STABLE, &r);
        if (r.projected.method != PROJECT_STABLE)
            fail_msg("%s was not stopped: %s", names[i], r.projected.why_not);
        if (whole.cycles < r.projected.low_cycles || whole.cycles > r.projected.high_cycles)
            fail_msg("%s took %" PRIu64 " cycles; projected %" PRIu64 ", between %" PRIu64 " and %" PRIu64,
                     names[i], whole.cycles, r.cycles, r.projected.low_cycles, r.projected.high_cycles);
        assert_true(r.projected.high_cycles - r.projected.low_cycles < whole.cycles / 5);
        assert_true(r.projected.at_cycle < whole.cycles * 2 / 3);
        assert_int_equal(r.warp_instructions, whole.warp_instructions);
        assert_int_equal(result_counter(&r, "ctas"), result_counter(&whole, "ctas"));
        sim_result_release(&r);
        sim_result_release(&whole);
    }
}

static void a_narrower_interval_can_be_asked_for(void **state)
{
    static const char *const wrong[] = {"stable:0.5%", "stable:9%", "stable:", "stable:x", "pkp:5%", "stable:5%%"};
    struct sim_options o = {.caches = SIM_CACHES_FLUSHED};
    struct sim_result wide, narrow;
    struct hand h;
    struct err e;
    double limit;

    (void)state;
    assert_int_equal(sim_projection_read("stable:2.5 %", &o.projection, &o.projection_limit), 0);
    assert_true(o.projection == PROJECT_STABLE && fabs(o.projection_limit - 0.025) < 1e-12);
    assert_int_equal(sim_projection_read("stable", &o.projection, &limit), 0);
    assert_true(limit == 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(sim_projection_read(wrong[i], &o.projection, &limit), -1);
    run_varied("noise, stream", PROJECT_STABLE, &wide);
    o.projection = PROJECT_STABLE;
    varied_make(&h, varied_find("noise, stream"), VARIED_CTAS);
    CHECK_OK(simulate(small, &h.base, &o, &narrow, &e), &e);
    inst_source_release(&h.base);
    assert_true(sim_projected_error(&wide.projected, wide.cycles) > 0);
    assert_true(1.96 * sim_projected_error(&wide.projected, wide.cycles) <= 0.09 * (double)wide.cycles);
    if (narrow.projected.method) {
        double width = (double)(narrow.projected.high_cycles - narrow.projected.low_cycles) / 2;

        assert_true(width <= 0.0251 * (double)narrow.cycles);
        assert_true(narrow.projected.at_cycle >= wide.projected.at_cycle);
    } else {
        assert_non_null(strstr(narrow.projected.why_not, "interval would be too wide"));
        assert_true(sim_projected_error(&narrow.projected, narrow.cycles) == 0);
    }
    sim_result_release(&narrow);
    sim_result_release(&wide);
}

static void a_rest_unlike_what_ran_is_simulated_whole(void **state)
{
    static const struct {
        const char *name, *why;
    } cases[] = {{"rising, compute", "remain"},
                 {"falling, compute", "remain"},
                 {"large last, compute", "a different mixture"},
                 {"giant, compute", "larger than those"},
                 {"other half, stream", "a different mixture"}};
    struct sim_result r;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_varied(cases[i].name, PROJECT_STABLE, &r);
        if (r.projected.method != PROJECT_NONE || !strstr(r.projected.why_not, cases[i].why))
            fail_msg("%s: %s", cases[i].name, r.projected.why_not ? r.projected.why_not : "was stopped");
        sim_result_release(&r);
    }
    /* The same instructions at other addresses: not before the second half. */
    run_varied("other places, stream", PROJECT_STABLE, &r);
    assert_true(r.projected.method == PROJECT_NONE || r.projected.ctas_done >= VARIED_CTAS / 2);
    sim_result_release(&r);
}

static void a_launch_that_cannot_be_surveyed_is_simulated_whole(void **state)
{
    const struct sim_options stable = {.projection = PROJECT_STABLE};
    struct sim_result r;
    struct hand h;

    (void)state;
    make_kernel(&h, 80 * 8 * 3, true);
    h.base.survey = NULL;
    hand_run(&h, v100, &stable, &r);
    assert_int_equal(r.projected.method, PROJECT_NONE);
    assert_non_null(strstr(r.projected.why_not, "cannot be read twice"));
    sim_result_release(&r);
}

/* A survey of paths only, with equal CTAs skipped, gives the same result as reading everything. */
static void a_vtrace_is_surveyed_as_if_it_were_read(void **state)
{
    static const char *const names[] = {"power law, gather", "alike, gather", "large last, shared",
                                        "giant, stream"};
    char path[] = "/tmp/survey-XXXXXX";
    struct survey cheap, read;
    struct inst_source *s;
    struct hand h;
    struct err e;

    (void)state;
    close(mkstemp(path));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        varied_make(&h, varied_find(names[i]), 3000);
        CHECK_OK(vtrace_write_one(path, &h.base, &e), &e);
        inst_source_release(&h.base);
        CHECK_OK(vtrace_source_path(path, 0, &s, &e), &e);
        CHECK_OK(s->survey(s, &cheap, &e), &e);
        CHECK_OK(survey_read(s, &read, &e), &e);
        assert_int_equal(cheap.count, 3000);
        assert_int_equal(read.count, 3000);
        assert_memory_equal(cheap.ctas, read.ctas, 3000 * sizeof *read.ctas);
        assert_true(cheap.group_count >= 32 && cheap.group_count <= read.group_count);
        assert_true(cheap.groups[1].sectors == read.groups[1].sectors ||
                    cheap.groups[1].first != read.groups[1].first);
        survey_release(&cheap);
        survey_release(&read);
        inst_source_release(s);
    }
    unlink(path);
}

static int load(void **state)
{
    struct err e;

    (void)state;
    return design_load("v100", &v100, &e) < 0 ? -1 : design_load("gtx1050", &small, &e);
}

static int unload(void **state)
{
    (void)state;
    design_free(v100);
    design_free(small);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_authors_code_stops_where_both_have_been_true),
        cmocka_unit_test(the_published_rule_wants_both_at_once),
        cmocka_unit_test(places_are_taken_as_they_become_free),
        cmocka_unit_test(a_stable_kernel_is_projected_closely),
        cmocka_unit_test(short_ctas_are_projected_honestly),
        cmocka_unit_test(few_waves_are_simulated_whole),
        cmocka_unit_test(what_may_spin_is_simulated_whole),
        cmocka_unit_test(the_published_methods_are_as_published),
        cmocka_unit_test(ctas_that_differ_are_projected_with_an_interval_that_holds),
        cmocka_unit_test(a_narrower_interval_can_be_asked_for),
        cmocka_unit_test(a_rest_unlike_what_ran_is_simulated_whole),
        cmocka_unit_test(a_launch_that_cannot_be_surveyed_is_simulated_whole),
        cmocka_unit_test(a_vtrace_is_surveyed_as_if_it_were_read),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
