/* Systematic sampling: every K-th launch, from two random starts on the circle of launches (systematic.h).
 *
 *     total = N mean;   V by successive differences = N^2 (1 - n/N) / n * sum((y_i - y_(i-1))^2) / (2 (n - 1))
 *
 * with neighbours in launch order; sources: Cochran, Sampling Techniques (1977), chapter 8; Wolter, Introduction to
 * Variance Estimation, chapter 8. One start gives no unbiased variance, and two starts give one degree of freedom,
 * hence the differences. With two starts, a start that coincides with a period of the workload is only half of the
 * sample.
 *
 * Assumes: the workload has no period related to K. K is checked against the profile: its variance over all starts
 * is computed exactly. The plan promises that variance, halved for two starts; if it is too large for the error,
 * more launches are taken. The interval of a projection comes from the differences; it is wider than the promised
 * one if the order of launches has a pattern that systematic sampling benefits from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/hash.h"
#include "sampling/methods/method.h"
#include "sampling/math/quantile.h"
#include "sampling/strata/random_sample.h"
#include "sampling/strata/systematic.h"

#define STARTS 2

/* The variance by differences has 2 (n - 1)^2 / (3 n - 4) degrees of freedom: its own variance is (3 n - 4) / (n -
 * 1)^2 sigma^4 for normal values in random order (von Neumann and others, 1941). */
static double df_of(double n)
{
    return 2 * (n - 1) * (n - 1) / (3 * n - 4);
}

/* A design of about n launches. */
static struct systematic_design design_of(const struct random_population *all, const uint64_t *values, uint64_t n,
                                          double level)
{
    struct systematic_design d = {.n = all->count, .promise = {0, INFINITY}};
    uint64_t wanted = all->count / ((n + STARTS - 1) / STARTS);

    if (wanted > STARTS)
        d.step = systematic_step(values, all->count, wanted, all->sd * all->sd, &d.variance);
    if (!d.step)
        return d;
    d.n = STARTS * (all->count / d.step);
    if (d.variance > 0) {
        d.promise.df = df_of((double)d.n);
        d.promise.half_width = t_factor(level, d.promise.df) * sqrt(d.variance / STARTS) / (double)all->total;
    }
    return d;
}

/* Starts with the sample size for random order and increases it until the design meets the error. */
static struct systematic_design find_design(const struct random_population *all, const uint64_t *values,
                                            const struct plan_params *params)
{
    uint64_t n = random_size(all, params);
    struct systematic_design d = design_of(all, values, n, params->confidence);

    while (d.step && params->share <= 0 && d.promise.half_width > params->error) {
        n += 1 + n / 4; /* ends at the latest when all launches are taken */
        d = design_of(all, values, n, params->confidence);
    }
    return d;
}

static void place_systematic(const struct systematic_design *d, const uint32_t *frame, uint64_t count,
                             uint64_t seed, uint32_t *ids)
{
    static const char stream[] = "systematic";
    uint64_t starts[STARTS], take = d->n / STARTS;
    struct rng r;

    rng_init(&r, seed, hash_fnv1a(stream, sizeof stream), RNG_DRAW);
    systematic_starts(&r, count, d->step, starts);
    for (uint64_t s = 0; s < STARTS; s++)
        for (uint64_t i = 0; i < take; i++)
            ids[s * take + i] = frame[systematic_place(starts[s], d->step, i, count)];
}

static int systematic_redraw(const struct profile *p, const struct plan_params *params, struct strata *out,
                             struct err *e)
{
    const struct random_frame *frame = out->kept;
    const struct random_population *all = &frame->all;
    const struct systematic_design *d = &frame->systematic;
    double random = random_promise(all, d->n, params->confidence).half_width;
    uint32_t *ids = NULL;
    int ret;

    strata_clear(out);
    random_finish(all, d->n, params, out);
    out->promised_error = d->promise.half_width;
    out->planned_df = d->promise.df;
    out->variance = PLAN_VARIANCE_SUCCESSIVE;
    if (!d->step)
        return strata_add_chosen(out, p, 0, 0, 0, out->groups.run_count, frame->ids, d->n, e);
    ids = mem_zalloc(d->n, sizeof *ids, e);
    if (!ids)
        return -1;
    place_systematic(d, frame->ids, all->count, params->seed, ids);
    snprintf(out->note, sizeof out->note,
             "One launch in %llu from %d random starts. Over all starts the error of the total is %.2g times that "
             "of %llu random draws.",
             (unsigned long long)d->step, STARTS, random > 0 ? d->promise.half_width / random : 1.0,
             (unsigned long long)d->n);
    ret = strata_add_chosen(out, p, 0, 0, 0, out->groups.run_count, ids, d->n, e);
    free(ids);
    return ret;
}

static int systematic_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                               struct err *e)
{
    struct random_frame *frame = random_frame_make(p, out, e);
    uint64_t *values;

    if (!frame)
        return -1;
    values = mem_zalloc(frame->all.count, sizeof *values, e);
    if (!values)
        return -1;
    for (uint64_t i = 0; i < frame->all.count; i++)
        values[i] = p->value[frame->ids[i]];
    frame->systematic = find_design(&frame->all, values, params);
    free(values);
    return systematic_redraw(p, params, out, e);
}

const struct method method_systematic = {
    .name = "systematic",
    .title = "Every K-th",
    .takes = TAKES_SHARE,
    .sentence = "Every K-th launch in launch order from two random starts. K is checked against the workload's own "
                "period. The number is what the error needs (or a given share).",
    .draws_itself = true,
    .stratify = systematic_stratify,
    .redraw = systematic_redraw,
};
