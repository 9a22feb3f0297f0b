/* Chooses one launch of each shape (name, grid, block), the pilot, to scale a profile of instruction counts to
 * cycles (sampling/plan/pilot.h). With the simulated cycles of these launches, all launches get estimated cycles.
 * The total is projected in proportion to instructions, as in Sieve, and has no error estimate. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/methods/method.h"
#include "sampling/plan/pilot.h"
#include "sampling/methods/plan_make.h"
#include "sampling/cluster/representatives.h"

static const char *why_not(const struct profile *p)
{
    return p->unit == PROFILE_WARP_INSTRUCTIONS
               ? NULL
               : "is for profiles of instruction counts, and this profile has values to plan from";
}

/* there: launches that may be chosen, as in pilot_choose(). */
static int stratify_there(const struct profile *p, const bool *there, struct strata *out, struct err *e)
{
    struct pilot_launch *launches = mem_zalloc(p->kernel_count + 1, sizeof *launches, e);
    uint32_t *chosen = launches ? mem_zalloc(p->kernel_count + 1, sizeof *chosen, e) : NULL;
    size_t count = 0;
    int ret = -1;

    if (!chosen || need_instructions(p, e) < 0 || pilot_choose(p, there, launches, &count, e) < 0)
        goto out;
    for (size_t i = 0; i < count; i++)
        chosen[p->kernel[launches[i].launch]] = (uint32_t)launches[i].launch;
    out->estimator = PLAN_INSTRUCTION_RATIO;
    snprintf(out->note, sizeof out->note,
             "One launch of each of %zu shapes: the one with the median count, and among these the middle one. Its "
             "results turn the profile's counts into estimated cycles to plan from",
             count);
    ret = strata_of_representatives(p, p->kernel, p->kernel_count, chosen, out, e);
out:
    free(launches);
    free(chosen);
    return ret;
}

static int pilot_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                          struct err *e)
{
    (void)params; /* the method has no error bound */
    return stratify_there(p, NULL, out, e);
}

const struct method method_pilot = {
    .name = "pilot",
    .title = "Pilot",
    .sentence = "Our own: one launch of each name, grid and block, to turn instruction counts into estimated "
                "cycles before a plan is sized. It promises nothing.",
    .needs = NEEDS_INSTRUCTIONS,
    .labels = true,
    .why_not = why_not,
    .stratify = pilot_stratify,
};

static int count_shapes(const struct profile *p, const bool *there, size_t *count, struct err *e)
{
    struct pilot_launch *launches = mem_zalloc(p->kernel_count + 1, sizeof *launches, e);
    int ret = launches ? pilot_choose(p, there, launches, count, e) : -1;

    free(launches);
    return ret;
}

int pilot_plan(const struct profile *p, const bool *there, struct plan *out, struct err *e)
{
    const struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct strata s = {0};
    const char *why_not = method_why_not(&method_pilot, p);
    size_t all, found;
    int ret = -1;

    plan_init(out);
    if (why_not)
        return err_set(e, ERR_INVALID, "a pilot cannot be made of this profile: it %s", why_not);
    if (count_shapes(p, NULL, &all, e) < 0 || count_shapes(p, there, &found, e) < 0)
        return -1;
    if (found < all)
        return err_set(e, ERR_CONFLICT, "%zu of the profile's %zu shapes (name, grid, block) have no trace",
                       all - found, all);
    if (stratify_there(p, there, &s, e) == 0)
        ret = plan_complete(&method_pilot, p, &params, &s, out, e);
    strata_release(&s);
    return ret;
}
