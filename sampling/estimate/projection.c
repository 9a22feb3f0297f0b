/* Results to a total with its interval; formulas: estimator_aux.h, steady.h, collapse.h, which contain the
 * assumptions.
 *
 *     total +- t_df(level) sqrt(V)
 *
 * This file chooses the formulas for a plan, adds cross-checks by other estimators, and words the warnings. */
#include "sampling/estimate/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/collapse.h"
#include "sampling/estimate/gather.h"
#include "sampling/estimate/within_launch.h"

static const char variance_srs[] = "stratified, finite-population correction, Satterthwaite's t";
static const char variance_floor[] =
    "stratified, finite-population correction, the plan's noise floor, Satterthwaite's t";
static const char variance_replacement[] = "stratified, with replacement, Satterthwaite's t";
static const char variance_successive[] =
    "successive differences in launch order, finite-population correction, Satterthwaite's t";
static const char variance_jackknife[] =
    "jackknife of the ratios, stratified, finite-population correction, the plan's noise floor, Satterthwaite's t";
static const char variance_model[] =
    "model-based: where a stratum has a single sample, the scaled spread of the profile replaces the unmeasured "
    "one. At 95 % such intervals held in as few as 4 % of draws if launches had noise of 30 %";
static const char variance_assisted[] =
    "model-assisted: where a stratum has a single sample, the interval uses the scaled spread of the profile, and "
    "how much results of its kernel differ in their ratio to the profile. At 95 % such intervals held in 88 to 100 "
    "% of draws with noise of up to 30 %, in 58 to 98 % with heavy tails or a second mode of launches, and in "
    "fewer for single kernels";
static const char variance_collapsed[] = "collapsed strata: single samples of a kernel are compared with their "
                                         "neighbours; the interval is rather too wide than too narrow";
static const char variance_none[] = "none: the samples were chosen by a rule, not drawn at random";
static const char warn_no_result[] = "a stratum has no result yet, so there is no projection";
static const char warn_single_plan[] =
    "the plan draws a single sample where launches differ, so simulated values cannot show their spread: "
    "the interval is unknown, and the plan's promise is about the profile only";
static const char warn_chosen[] = "the samples were chosen by a rule, not drawn at random, so they do not show the "
                                  "error of the total: there is no interval";
static const char warn_few[] = "a stratum has fewer than two results, so the interval is not known yet";
static const char warn_slope[] =
    "a kernel has too few results for a regression with an interval, so the interval is unknown";
static const char warn_line[] = "a kernel has fewer than ten results for its regression; the interval does not "
                                "include the error of the fitted line and is too narrow";
static const char warn_reweighted[] = "some samples have no result; their strata are weighted by those that have "
                                      "one, which is right only if results are missing at random";
static const char warn_separate[] =
    "a stratum has fewer than five results, too few for a ratio of its own: the total may be off by more than the "
    "interval says";
static const char warn_ratio[] = "the launches of most kernels are too uneven for a ratio from so few results: the "
                                 "total is biased, and its error may be larger than the interval";

#define RATIO_MOST_CV                                                                                              \
    0.1 /* of the estimated total of x: Cochran (1977), section 6.4: bias / standard error <= cv */

/* --- estimators by name --- */

static const char *const estimator_names[] = {"planned",        "expansion",  "ratio",
                                              "separate_ratio", "difference", "regression"};

const char *projection_estimator_name(enum projection_estimator x)
{
    ASSERT(x <= PROJECT_REGRESSION);
    return estimator_names[x];
}

static const char *const estimator_sentences[] = {
    "as planned: launches, profiled time or instructions, times the samples' value for each unit",
    "launches of each stratum times the mean of its samples",
    "combined ratio, with the profiled value of every launch as auxiliary variable",
    "a ratio in each stratum, with the profiled value of every launch as auxiliary variable",
    "difference from the profiled value of every launch, times a factor fixed beforehand; unbiased",
    "regression on the profiled value of every launch"};

const char *projection_estimator_sentence(enum projection_estimator x)
{
    ASSERT(x <= PROJECT_REGRESSION);
    return estimator_sentences[x];
}

const char *const projection_not_covered[] = {
    "the simulator's own error: the difference of its cycles to those of a real GPU",
    ("warm-up: the L2 contents at the begin of a sample follow from the accesses of earlier launches, without "
     "simulating them"),
    "the trace: in another recording a launch may take other paths and access other addresses",
    "the profile: another input or another run has other launches", NULL};

int projection_estimator_from_name(const char *name, enum projection_estimator *out, struct err *e)
{
    for (int i = PROJECT_AS_PLANNED; i <= PROJECT_REGRESSION; i++) {
        if (strcmp(name, estimator_names[i]) == 0) {
            *out = i;
            return 0;
        }
    }
    err_set(e, ERR_INVALID, "there is no estimator `%.40s`", name);
    return err_hint(e, "Estimators: planned, expansion, ratio, separate_ratio, difference, regression.");
}

static const char *name_of(const struct plan *plan, enum projection_estimator x)
{
    return x == PROJECT_AS_PLANNED ? plan_estimator_name(plan->estimator) : estimator_names[x];
}

/* --- one estimate --- */

struct estimating {
    const struct plan *plan;
    const struct projection_options *options;
    struct gathered g;
    bool collapsed; /* the variance is that of collapsed strata */
};

static int collapse(struct estimating *x, struct aux_estimate *out, struct err *e)
{
    double *order = mem_zalloc(x->g.count, sizeof *order, e);
    int ret = -1;

    for (size_t h = 0; order && h < x->g.count; h++)
        order[h] = x->plan->strata[h].mean;
    if (order)
        ret = collapsed_total(x->g.strata, x->g.slopes, order, x->g.count, out, e);
    x->collapsed = ret == 0;
    free(order);
    return ret;
}

static int projection_estimate(struct estimating *x, struct aux_estimate *out, struct err *e)
{
    *out = (struct aux_estimate){NAN, NAN, NAN};
    if (x->g.blank)
        return 0;
    *out = aux_total(x->g.strata, x->g.slopes, x->g.count);
    if (x->plan->variance == PLAN_VARIANCE_NONE)
        out->variance = out->df = NAN;
    else if (x->options->collapse && isnan(out->variance))
        return collapse(x, out, e);
    return 0;
}

/* --- strata --- */

/* Standard deviation of the results, without a noise floor. */
static double sd_of(const struct gathered *g, const struct aux_stratum *s)
{
    const double *y = g->results ? g->results + (s->y - g->y) : s->y;
    double mean = aux_mean(y, s->n), squares = 0;

    for (size_t i = 0; i < s->n; i++)
        squares += (y[i] - mean) * (y[i] - mean);
    return s->n > 1 ? sqrt(squares / (double)(s->n - 1)) : NAN;
}

static void project_stratum(const struct estimating *x, size_t h, double level, struct projection_stratum *to)
{
    const struct plan_stratum *from = &x->plan->strata[h];
    const struct aux_stratum *s = &x->g.strata[h];
    struct aux_estimate one = {NAN, NAN, NAN};

    ASSERT(h < x->g.count);
    *to = (struct projection_stratum){
        .population = from->population, .planned = from->samples, .done = s->n, .sd = sd_of(&x->g, s)};
    if (s->n && x->g.sloped)
        one = aux_total(s, &x->g.slopes[h], 1);
    if (x->plan->variance == PLAN_VARIANCE_NONE)
        one.variance = NAN;
    to->total = one.value;
    to->mean = one.value / s->population;
    to->variance = one.variance;
    to->half_width = aux_half_width(&one, level) / s->population;
    ASSERT(s->population > 0 && !(to->variance < 0) && !(to->half_width < 0));
}

static void project_strata(const struct estimating *x, struct projection *out)
{
    for (size_t h = 0; h < out->stratum_count; h++)
        project_stratum(x, h, out->level, &out->strata[h]);
    for (size_t h = 0; h < out->stratum_count; h++)
        out->strata[h].variance_share = out->variance > 0      ? out->strata[h].variance / out->variance
                                        : isnan(out->variance) ? NAN
                                                               : 0;
    for (size_t h = 0; h < out->stratum_count; h++)
        ASSERT(!(out->strata[h].variance_share < 0));
}

/* --- words --- */

static bool singles_planned(const struct plan *plan)
{
    for (size_t h = 0; h < plan->stratum_count; h++)
        if (plan->strata[h].samples < 2 && plan->strata[h].population > 1)
            return true;
    return false;
}

static bool few_for_ratios(const struct projection *p)
{
    for (size_t h = 0; h < p->stratum_count; h++)
        if (p->strata[h].done < 5 && p->strata[h].done < p->strata[h].population)
            return true;
    return false;
}

/* The uncertainty of the slope of a kernel with n results adds about 1 / (n - 3) of the variance, which the formula
 * omits. */
static int few_for_lines(const struct gathered *g, bool *few, struct err *e)
{
    double *results = mem_zalloc(g->count, sizeof *results, e);

    *few = false;
    for (size_t h = 0; results && h < g->count; h++)
        results[g->strata[h].group] += (double)g->strata[h].n;
    for (size_t h = 0; results && h < g->count; h++)
        *few |= (double)g->strata[h].n < g->strata[h].population && results[g->strata[h].group] < 10;
    if (!results)
        return -1;
    free(results);
    return 0;
}

/* A ratio is biased if the coefficient of variation of a kernel's profiled total, estimated from the same launches,
 * exceeds RATIO_MOST_CV. Sets *uneven if such kernels are most of the profile. */
static int uneven_for_ratios(const struct plan *plan, const struct gathered *g, bool *uneven, struct err *e)
{
    double *variance = mem_zalloc(g->count, sizeof *variance, e), *total = mem_zalloc(g->count, sizeof *total, e);
    double all = 0, bad = 0;
    int ret = variance && total ? 0 : -1;

    for (size_t h = 0; ret == 0 && h < g->count; h++) {
        const struct aux_stratum *s = &g->strata[h];
        double left = s->with_replacement ? s->population : s->population - (double)s->n;

        ASSERT(s->group < g->count);
        variance[s->group] += s->population * left / (double)s->n * plan->strata[h].sd * plan->strata[h].sd;
        total[s->group] += s->x_total;
    }
    for (size_t h = 0; ret == 0 && h < g->count; h++) {
        all += total[h];
        bad += sqrt(variance[h]) > RATIO_MOST_CV * total[h] ? total[h] : 0;
    }
    ASSERT(!(bad > all));
    *uneven = bad > all / 2;
    free(variance);
    free(total);
    return ret;
}

static const char *warning_of(const struct plan *plan, const struct projection *p, enum projection_estimator kind)
{
    if (isnan(p->value))
        return warn_no_result;
    if (plan->variance == PLAN_VARIANCE_NONE)
        return warn_chosen;
    if (isnan(p->half_width))
        return singles_planned(plan)                       ? warn_single_plan
               : kind == PROJECT_REGRESSION && p->complete ? warn_slope
                                                           : warn_few;
    if (p->reweighted)
        return warn_reweighted;
    return kind == PROJECT_SEPARATE_RATIO && few_for_ratios(p) ? warn_separate : NULL;
}

static const char *variance_method_of(const struct estimating *x)
{
    const struct plan *plan = x->plan;

    if (x->collapsed)
        return variance_collapsed;
    if (x->g.results)
        return variance_jackknife;
    switch (plan->variance) {
    case PLAN_VARIANCE_SUCCESSIVE: return variance_successive;
    case PLAN_VARIANCE_MODEL: return x->g.assisted ? variance_assisted : variance_model;
    case PLAN_VARIANCE_NONE: return variance_none;
    case PLAN_VARIANCE_SAMPLES: break;
    }
    return plan->with_replacement         ? variance_replacement
           : plan->params.noise_floor > 0 ? variance_floor
                                          : variance_srs;
}

/* --- the whole projection --- */

static void count_results(const struct plan *plan, const double *y, struct projection *out)
{
    out->planned = plan->sample_count;
    for (size_t i = 0; i < plan->sample_count; i++)
        out->done += !isnan(y[i]);
    ASSERT(out->done <= out->planned);
    out->complete = out->done == out->planned;
    out->reweighted = !out->complete;
}

static bool is_there(const struct projection *p, const char *estimator)
{
    for (size_t i = 0; i < p->cross_check_count; i++)
        if (strcmp(p->cross_checks[i].estimator, estimator) == 0)
            return true;
    return false;
}

/* Adds the other estimators that need no further input: as planned, ratio, difference. */
static int cross_check(const struct plan *plan, const double *y, const struct projection_options *options,
                       struct projection *out, struct err *e)
{
    static const enum projection_estimator all[] = {PROJECT_AS_PLANNED, PROJECT_EXPANSION, PROJECT_RATIO,
                                                    PROJECT_DIFFERENCE};
    int ret = 0;

    for (size_t i = 0; ret >= 0 && i < sizeof all / sizeof *all; i++) {
        struct estimating x = {.plan = plan, .options = options};
        struct aux_estimate a;
        bool uneven = false;

        if (strcmp(name_of(plan, all[i]), out->estimator) == 0 || is_there(out, name_of(plan, all[i])) ||
            (all[i] == PROJECT_EXPANSION && plan->estimator != PLAN_RATIO))
            continue;
        ASSERT(out->cross_check_count < sizeof out->cross_checks / sizeof *out->cross_checks);
        ret = gather(plan, y, all[i], options, &x.g, e);
        if (ret > 0)
            ret = projection_estimate(&x, &a, e) < 0 ? -1 : 1;
        if (ret > 0 && all[i] == PROJECT_RATIO && !x.g.results && !x.g.blank &&
            uneven_for_ratios(plan, &x.g, &uneven, e) < 0)
            ret = -1;
        if (ret > 0 && !isnan(a.variance) && !uneven)
            out->cross_checks[out->cross_check_count++] = (struct cross_check){
                name_of(plan, all[i]), estimator_sentences[all[i]], a.value, aux_half_width(&a, out->level), a.df};
        gathered_release(&x.g);
    }
    return ret < 0 ? -1 : 0;
}

static int projection_refuse(const struct estimating *x, struct err *e)
{
    const char *name = estimator_names[x->options->estimator];

    if (!x->g.has_x)
        return err_set(e, ERR_INVALID, "the estimator %s needs the profiled value of every sample", name);
    if (x->plan->unit != PROFILE_NS && estimator_needs_times(x->options->estimator)) {
        err_set(e, ERR_INVALID,
                "the estimator %s needs profiled times, and this profile %s; cycles do not follow them closely "
                "enough for a valid interval",
                name,
                x->plan->unit == PROFILE_CYCLES ? "has cycles estimated from instructions"
                                                : "counts warp instructions");
        return err_hint(e, "Leave the estimator out (`planned`), or plan from a profile with times.");
    }
    err_set(e, ERR_INVALID, "the estimator %s needs the ratio of results to the unit of the profile", name);
    return err_hint(e,
                    "Give kappa, a number chosen before the results are known: results = kappa x profiled value.");
}

int projection_make_with(const struct plan *plan, const double *y, const struct projection_options *options,
                         struct projection *out, struct err *e)
{
    struct estimating x = {.plan = plan, .options = options};
    struct aux_estimate all;
    int ret;

    *out = (struct projection){.level = options->level > 0 ? options->level : plan->params.confidence,
                               .estimator = name_of(plan, options->estimator)};
    ASSERT(out->level > 0 && out->level < 1);
    out->strata = mem_zalloc(plan->stratum_count, sizeof *out->strata, e);
    ret = out->strata ? gather(plan, y, options->estimator, options, &x.g, e) : -1;
    if (ret == 0)
        ret = projection_refuse(&x, e);
    if (ret < 0 || projection_estimate(&x, &all, e) < 0) {
        ret = -1;
        goto out;
    }
    out->stratum_count = plan->stratum_count;
    out->value = all.value;
    out->variance = all.variance;
    out->df = all.df;
    out->half_width = aux_half_width(&all, out->level);
    ASSERT(!(out->variance < 0) && !(out->half_width < 0));
    count_results(plan, y, out);
    project_strata(&x, out);
    out->variance_method = variance_method_of(&x);
    out->warning = warning_of(plan, out, options->estimator);
    if (options->estimator == PROJECT_REGRESSION && !out->warning) {
        bool few;

        ret = few_for_lines(&x.g, &few, e);
        out->warning = few ? warn_line : NULL;
    }
    if (options->estimator == PROJECT_RATIO && !x.g.results && !out->warning) {
        bool uneven;

        ret = uneven_for_ratios(plan, &x.g, &uneven, e);
        out->warning = uneven ? warn_ratio : NULL;
    }
    if (ret >= 0)
        ret = options->alone ? 0 : cross_check(plan, y, options, out, e);
    if (ret >= 0)
        ret = within_launch_add(plan, y, options, out, e);
out:
    gathered_release(&x.g);
    if (ret < 0)
        projection_release(out);
    return ret;
}

int projection_make(const struct plan *plan, const double *y, double level, struct projection *out, struct err *e)
{
    return projection_make_with(plan, y, &(struct projection_options){.level = level}, out, e);
}

int projection_of_pairs(const struct plan *plan, const double *values, const double *sizes, double level,
                        struct projection *out, struct err *e)
{
    struct estimating x = {.plan = plan, .options = &PROJECTION_OPTIONS_DEFAULT};
    struct aux_estimate all = {NAN, NAN, NAN};
    int ret = -1;

    *out = (struct projection){.level = level, .estimator = name_of(plan, PROJECT_AS_PLANNED)};
    ASSERT(level > 0 && level < 1);
    out->strata = mem_zalloc(plan->stratum_count, sizeof *out->strata, e);
    if (!out->strata)
        return -1;
    out->stratum_count = plan->stratum_count;
    ret = gather_differences(plan, values, sizes, &x.g, e);
    if (ret >= 0 && projection_estimate(&x, &all, e) < 0)
        ret = -1;
    out->value = all.value;
    out->variance = all.variance;
    out->df = all.df;
    out->half_width = aux_half_width(&all, level);
    ASSERT(!(out->variance < 0) && !(out->half_width < 0));
    count_results(plan, values, out);
    if (ret > 0)
        project_strata(&x, out);
    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++) /* the estimator lacks an input */
        out->strata[h].mean = out->strata[h].variance = NAN;
    gathered_release(&x.g);
    if (ret < 0)
        projection_release(out);
    return ret < 0 ? -1 : 0;
}

void projection_release(struct projection *p)
{
    free(p->strata);
    p->strata = NULL;
    p->stratum_count = 0;
}
