/* The project's own method. Launches are put on lines by kernel, by name or by groups of names of small weight
 * (sampling/strata/lines.h), whichever is cheapest; lines are cut into slices of similar time; all slices are sized
 * together for one error (or one budget).
 *
 * The search finds one price for variance such that the slices that are cheapest under it
 * (sampling/strata/optimal.h), sized in whole numbers with finite-population correction, two samples at least, and
 * Student's t on enough planned degrees of freedom (sampling/allocate/allocate.h), meet the promised half-width at
 * least cost (sampling/strata/search.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/strata/assurance.h"
#include "sampling/strata/lines.h"
#include "sampling/methods/method.h"
#include "sampling/math/quantile.h"
#include "sampling/strata/search.h"

#define NOISE_EXAMPLE 0.10

/* Slices become strata of the regrouped launches; at[best->count]: the slice of each stratum. */
static int vivace_emit(const struct lines *l, const struct slicing *best, const struct profile *p,
                       struct strata *out, size_t *at, struct err *e)
{
    size_t *line_of = mem_zalloc(p->kernel_count, sizeof *line_of, e);
    int ret = line_of ? 0 : -1;

    for (size_t i = 0; line_of && i < l->count; i++)
        if (best->chosen[i])
            line_of[l->items[i].kernel] = i;
    for (size_t g = 0; ret == 0 && g < out->groups.count; g++) {
        size_t i = line_of[out->groups.items[g].key], first = out->groups.items[g].run_begin, begin = first;
        const struct line *line = &l->items[i];

        for (size_t k = 0; ret == 0 && k < best->slices[i]; k++) {
            size_t end = first + line->bins.run_end[best->cuts[line->room + k] - 1];
            const struct alloc_stratum *size = &best->sizes[best->first[i] + k];

            ret = strata_add(out, p, g, k, begin, end, size->n, e);
            if (ret == 0) {
                at[out->count - 1] = best->first[i] + k;
                out->items[out->count - 1].planned_sd = size->profiled;
                out->items[out->count - 1].cost = size->cost;
                out->items[out->count - 1].name = line->kind == LINE_MIXED ? NO_NAME : line->name;
            }
            begin = end;
        }
    }
    free(line_of);
    return ret;
}

/* Reports the limits of the promise that are known in advance. Relative noise c of all launches, beyond the
 * profile, adds V = c^2 sum(X^2 (1/n - 1/N)). */
static void vivace_judge(const struct alloc_goal *goal, const struct alloc_outcome *o, double total,
                         struct strata *out)
{
    double variance = 0, below = 0, factor;

    for (size_t h = 0; h < out->count; h++) {
        const struct stratum_pick *pick = &out->items[h];
        struct moments m = moments_of(&out->groups, pick->run_begin, pick->run_end);
        double n = (double)pick->n, v = (double)m.sum * (double)m.sum * (1 / n - 1 / (double)m.count);

        variance += v;
        below += v * v / fmax(n - 1, 1);
    }
    if (!(variance > 0))
        return;
    factor = t_factor(goal->level, goal->known ? INFINITY : variance * variance / below);
    if (o->half_width < total) /* otherwise the interval is useless even without noise */
        snprintf(out->note, sizeof out->note,
                 "if simulated values differ from the profile by independent noise of %.0f %%, the projection will "
                 "be known to about ± %.2g %%",
                 100 * NOISE_EXAMPLE, 100 * NOISE_EXAMPLE * factor * sqrt(variance) / total);
    if (out->estimator == PLAN_RATIO) {
        size_t n = strlen(out->note);

        snprintf(out->note + n, sizeof out->note - n,
                 "%stotals follow from ratios to the profiled times of each kernel. They are exact on this profile "
                 "by construction, so score the plan on another run. Counters have wider intervals than with a "
                 "plan by expansion",
                 n ? ". " : "");
    }
    if (goal->known)
        snprintf(out->caution, sizeof out->caution,
                 "model-assisted: with one sample in a stratum, simulated values cannot show its spread. The "
                 "interval uses the spread of the profile, and how results of a kernel differ in their ratio to "
                 "the profile. On recorded profiles of many kernels such intervals at 95 %% held in 88 to 100 %% "
                 "of draws with noise of up to 30 %%, in 58 to 98 %% with heavy tails or a second mode of "
                 "launches, and in fewer for a kernel with few results");
    else if (o->df < SEARCH_LEAST_DF)
        snprintf(out->caution, sizeof out->caution,
                 "not reliable: the budget pays for only %.2g degrees of freedom, too few to estimate the spread",
                 o->df);
    else if (o->skewness > SEARCH_MOST_SKEWNESS)
        snprintf(out->caution, sizeof out->caution,
                 "not reliable: the budget pays for too few samples of skewed strata (skewness of the total %.2g, "
                 "limit %.2g), so intervals hold less often than they say",
                 o->skewness, SEARCH_MOST_SKEWNESS);
}

/* Error if ratios were requested but are not possible. */
static int refuse_ratio(const struct plan_params *params, const struct lines *l, struct err *e)
{
    err_set(e, ERR_INVALID, "a plan by ratios to profiled times needs %s",
            l->unit == PROFILE_CYCLES   ? "times, and this profile has estimated cycles"
            : l->unit != PROFILE_NS     ? "times, and this profile counts warp instructions"
            : params->least_samples < 2 ? "two samples in each stratum, because one shows no spread of residuals"
                                        : "one response, the profiled time, but `--also` names others");
    return err_hint(e, "Leave the estimator out (expansion).");
}

/* Raises the sizes from the expected need to the need of the assurance. */
static int assure(const struct profile *p, const struct plan_params *params, const struct alloc_goal *goal,
                  struct slicing *best, const size_t *at, struct strata *out, struct err *e)
{
    const struct assured_sizes of = {best->sizes, at, best->count};

    out->assured = out->assured_noise = NAN;
    if (goal->known || p->unit != PROFILE_NS) {
        snprintf(
            out->caution, sizeof out->caution, "nothing is assured: %s",
            goal->known ? "with one sample in a stratum, simulated values cannot show their spread"
            : p->unit == PROFILE_CYCLES
                ? "cycles estimated from a pilot do not show how far launches of one shape spread; run until the "
                  "error is reached (`vivace run`)"
                : "instruction counts do not show how cycles spread; plan from times, or run until the error is "
                  "reached (`vivace run`)");
        return 0;
    }
    if (assurance_size(p, params, goal, &of, out, &best->outcome, e) < 0)
        return -1;
    out->planned_df = best->outcome.df;
    return 0;
}

static int vivace_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                           struct err *e)
{
    double total = (double)profile_total(p);
    struct groups by_kernel = {0};
    struct slicing best = {0};
    struct lines lines = {0};
    struct alloc_goal goal;
    size_t *at = NULL;
    int ret = -1;

    if (groups_make(p, GROUP_KERNEL, &by_kernel, e) < 0 || lines_make(p, &by_kernel, &lines, e) < 0)
        goto out;
    if (params->estimator == PLAN_RATIO && !search_by_ratio(params, &lines)) {
        ret = refuse_ratio(params, &lines, e);
        goto out;
    }
    goal = search_goal(params, &lines, total);
    if (search_best(&lines, params, &goal, &best, e) < 0 ||
        lines_regroup(&lines, best.chosen, p, &out->groups, e) < 0 ||
        !(at = mem_zalloc(best.count, sizeof *at, e)) || vivace_emit(&lines, &best, p, out, at, e) < 0)
        goto out;
    out->noise_floor = params->noise_floor;
    out->estimator = search_by_ratio(params, &lines) ? PLAN_RATIO : PLAN_EXPANSION;
    out->promised_error = best.outcome.half_width / total;
    out->planned_df = best.outcome.df;
    out->promise_valid = !goal.known;
    out->variance = goal.known ? PLAN_VARIANCE_MODEL : PLAN_VARIANCE_SAMPLES;
    vivace_judge(&goal, &best.outcome, total, out);
    if (params->assurance > 0 && assure(p, params, &goal, &best, at, out, e) < 0)
        goto out;
    out->promise_valid &= !out->caution[0];
    ret = 0;
out:
    free(at);
    groups_release(&by_kernel);
    slicing_release(&best);
    lines_release(&lines);
    return ret;
}

const struct method method_vivace = {
    .name = "vivace",
    .title = "Vivace",
    .takes = TAKES_BUDGET | TAKES_LEAST_SAMPLES | TAKES_NOISE_FLOOR | TAKES_ESTIMATOR | TAKES_ASSURANCE,
    .sentence = "Our own: groups kernels by name, grid and block (by name, or light kernels together, where "
                "cheaper), cuts them into slices of similar time, and sizes all together for one error. Its "
                "interval holds for simulated values.",
    .stratify = vivace_stratify,
};
