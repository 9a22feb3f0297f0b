/* A workload of long launches with unequal CTAs: some launches are drawn and projected inside, and the interval
 * is compared with the complete simulation of every launch. */
#include <inttypes.h>
#include <math.h>

#include "base/rng.h"
#include "sampling/estimate/within_launch.h"
#include "tests/harness/varied.h"
#include "tests/unit/sampling/plan_by_hand.h"
#include "tests/unit/simcore/hand_source.h"

/* Each kernel is launched LAUNCHES times, with 24 waves of CTAs on a small GPU and some more CTAs each time. The
 * differences between launches are smaller than the errors of the projections inside, which have the same sign. */
static const char *const kernels[] = {"noise, stream", "periodic, compute", "two kinds, gather",
                                      "periodic, shared"};
enum { KERNELS = sizeof kernels / sizeof *kernels, LAUNCHES = 7, DRAWN = 3, ROUNDS = 2000 };

static double whole[KERNELS][LAUNCHES], projected[KERNELS][LAUNCHES], inside[KERNELS][LAUNCHES];

static double run(const struct gpu_design *d, int kernel, int launch, const struct sim_options *o, double *error)
{
    struct sim_result r;
    struct hand h;
    double cycles;
    struct err e;

    varied_make(&h, varied_find(kernels[kernel]), (uint64_t)(5 * 16 * 24 + 24 * launch));
    CHECK_OK(simulate(d, &h.base, o, &r, &e), &e);
    inst_source_release(&h.base);
    cycles = (double)r.cycles;
    *error = sim_projected_error(&r.projected, r.cycles);
    sim_result_release(&r);
    return cycles;
}

static void simulate_all(void)
{
    const struct sim_options full = {.caches = SIM_CACHES_FLUSHED},
                             stop = {.caches = SIM_CACHES_FLUSHED, .projection = PROJECT_STABLE};
    struct gpu_design *d;
    unsigned stopped = 0;
    double ignored;
    struct err e;

    CHECK_OK(design_load("gtx1050", &d, &e), &e);
    for (int k = 0; k < KERNELS; k++)
        for (int i = 0; i < LAUNCHES; i++) {
            whole[k][i] = run(d, k, i, &full, &ignored);
            projected[k][i] = run(d, k, i, &stop, &inside[k][i]);
            stopped += inside[k][i] > 0;
        }
    design_free(d);
    if (stopped < KERNELS * LAUNCHES * 3 / 4)
        fail_msg("%u of %d launches were stopped", stopped, KERNELS * LAUNCHES);
}

/* Whether the interval of one draw contains the total. *half: its half-width. */
static bool held(struct rng *rng, const struct plan *plan, bool counted, double truth, double *half)
{
    double y[KERNELS * DRAWN], error[KERNELS * DRAWN];
    const struct projection_options o = {.level = 0.95, .alone = true, .error = counted ? error : NULL};
    struct projection p;
    bool ok;
    struct err e;

    for (int k = 0; k < KERNELS; k++) {
        int order[LAUNCHES];

        for (int i = 0; i < LAUNCHES; i++)
            order[i] = i;
        for (int i = 0; i < DRAWN; i++) {
            int j = i + (int)rng_below(rng, (uint64_t)(LAUNCHES - i)), drawn = order[j];

            order[j] = order[i];
            y[k * DRAWN + i] = projected[k][drawn];
            error[k * DRAWN + i] = inside[k][drawn];
        }
    }
    CHECK_OK(projection_make_with(plan, y, &o, &p, &e), &e);
    ok = fabs(p.value - truth) <= p.half_width;
    *half = p.half_width;
    projection_release(&p);
    return ok;
}

static void the_interval_of_a_workload_holds_the_full_simulation(void **state)
{
    uint64_t population[KERNELS], drawn[KERNELS];
    double truth = 0, half, widths = 0;
    struct plan plan;
    struct rng rng;
    int hits = 0, without = 0;

    (void)state;
    simulate_all();
    for (int k = 0; k < KERNELS; k++) {
        population[k] = LAUNCHES;
        drawn[k] = DRAWN;
        for (int i = 0; i < LAUNCHES; i++)
            truth += whole[k][i];
    }
    plan_by_hand(&plan, population, drawn, KERNELS);
    rng_init(&rng, 18, 0, RNG_DRAW);
    for (int round = 0; round < ROUNDS; round++) {
        without += held(&rng, &plan, false, truth, &half);
        hits += held(&rng, &plan, true, truth, &half);
        widths += half / truth / ROUNDS;
    }
    print_message("held in %d of %d draws, half-width %.1f %% on average; without the error inside in %d\n", hits,
                  ROUNDS, 100 * widths, without);
    assert_in_range(hits, ROUNDS * 94 / 100, ROUNDS);
    assert_in_range(without, 0, ROUNDS * 90 / 100);
    plan_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_of_a_workload_holds_the_full_simulation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
