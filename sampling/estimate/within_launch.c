/* The error inside launches, in totals and differences; formulas: within_launch.h. */
#include "sampling/estimate/within_launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/math/quantile.h"

static const char warn_unknown[] = "some launches were projected inside by a rule that has no interval, so the "
                                   "interval of the total is not known";

bool within_launch_any(const double *error, size_t n)
{
    for (size_t i = 0; error && i < n; i++)
        if (isnan(error[i]) || error[i] > 0)
            return true;
    return false;
}

/* y plus its errors, all with the same sign. */
static double *shifted(const double *y, const double *error, size_t n, struct err *e)
{
    double *out = mem_zalloc(n + 1, sizeof *out, e);

    for (size_t i = 0; out && i < n; i++)
        out[i] = y[i] + (error ? error[i] : 0);
    return out;
}

/* --- a total --- */

static double within_launch_factor(double level)
{
    ASSERT(level > 0 && level < 1);
    return normal_quantile((1 + level) / 2);
}

/* w: NaN where an error is not known. */
static void add_within_launch(struct projection *p, double w)
{
    ASSERT(!(w < 0) && !(p->half_width < 0));
    p->within = w;
    p->half_width += within_launch_factor(p->level) * w;
    if (isnan(w)) {
        p->df = NAN;
        p->warning = warn_unknown;
    }
}

/* The same for each stratum. */
static void add_strata(struct projection *p, const struct projection *other)
{
    ASSERT(p->stratum_count == other->stratum_count);
    for (size_t h = 0; h < p->stratum_count; h++) {
        struct projection_stratum *s = &p->strata[h];

        s->half_width += within_launch_factor(p->level) * fabs(other->strata[h].mean - s->mean);
    }
}

static void add_checks(struct projection *p, const struct projection *other)
{
    for (size_t i = 0; i < p->cross_check_count && i < other->cross_check_count; i++) {
        ASSERT(strcmp(p->cross_checks[i].estimator, other->cross_checks[i].estimator) == 0);
        p->cross_checks[i].half_width +=
            within_launch_factor(p->level) * fabs(other->cross_checks[i].value - p->cross_checks[i].value);
    }
}

int within_launch_add(const struct plan *plan, const double *y, const struct projection_options *o,
                      struct projection *p, struct err *e)
{
    struct projection_options plain = *o;
    struct projection other;
    double *moved, w = 0;
    int ret = -1;

    plain.error = NULL;
    if (!within_launch_any(o->error, plan->sample_count) || isnan(p->value))
        return 0;
    for (size_t i = 0; i < plan->sample_count; i++)
        w += isnan(y[i]) ? 0 : o->error[i];
    if (isnan(w)) {
        add_within_launch(p, NAN);
        return 0;
    }
    moved = shifted(y, o->error, plan->sample_count, e);
    if (moved && projection_make_with(plan, moved, &plain, &other, e) == 0) {
        add_strata(p, &other);
        add_checks(p, &other);
        add_within_launch(p, fabs(other.value - p->value));
        projection_release(&other);
        ret = 0;
    }
    free(moved);
    return ret;
}

int within_launch_error(const struct plan *plan, const double *y, const double *error, double *out, struct err *e)
{
    const struct projection_options o = {.alone = true};
    const double *of[] = {y, NULL};
    double *moved, total[2] = {NAN, NAN};
    int ret = 0;

    *out = 0;
    if (!within_launch_any(error, plan->sample_count))
        return 0;
    moved = shifted(y, error, plan->sample_count, e);
    of[1] = moved;
    for (int i = 0; ret == 0 && i < 2; i++) {
        struct projection p;

        ret = moved ? projection_make_with(plan, of[i], &o, &p, e) : -1;
        if (ret == 0) {
            total[i] = p.value;
            projection_release(&p);
        }
    }
    free(moved);
    if (ret == 0 && !isnan(total[0]))
        *out = fabs(total[1] - total[0]);
    return ret < 0 ? -1 : 0;
}

/* --- differences --- */

/* The changes of a difference and of a ratio by the errors of one design. */
struct change {
    double difference, ratio;
};

static double both(double level, double a, double b)
{
    return within_launch_factor(level) * hypot(a, b);
}

static void widen_total(struct comparison *c, const struct change by[2])
{
    c->difference_half_width += both(c->level, by[0].difference, by[1].difference);
    c->ratio_half_width += both(c->level, by[0].ratio, by[1].ratio);
    ASSERT(!(c->difference_half_width < 0) && !(c->ratio_half_width < 0));
    c->distinguishable = c->distinguishable &&
                         comparison_real(c->difference, c->difference_half_width, c->ratio, c->ratio_half_width);
}

static void widen_kernel(struct kernel_comparison *k, const struct kernel_comparison *base,
                         const struct kernel_comparison *own, double level)
{
    k->difference_half_width += both(level, base->difference - k->difference, own->difference - k->difference);
    k->ratio_half_width += both(level, base->ratio - k->ratio, own->ratio - k->ratio);
    ASSERT(!(k->difference_half_width < 0) && !(k->ratio_half_width < 0));
    k->distinguishable = k->distinguishable &&
                         comparison_real(k->difference, k->difference_half_width, k->ratio, k->ratio_half_width);
}

int within_launch_compare(const struct plan *plan, const double *const y[2], const double *const error[2],
                          struct comparison *c, struct err *e)
{
    struct change by[2] = {{0, 0}, {0, 0}};

    for (int side = 0; side < 2; side++) {
        struct comparison other;
        double *moved;
        int ret = -1;

        if (!within_launch_any(error[side], plan->sample_count))
            continue;
        moved = shifted(y[side], error[side], plan->sample_count, e);
        if (moved)
            ret = comparison_make(plan, side ? y[0] : moved, side ? moved : y[1], c->level, &other, e);
        free(moved);
        if (ret < 0)
            return -1;
        by[side] = (struct change){other.difference - c->difference, other.ratio - c->ratio};
    }
    widen_total(c, by);
    return 0;
}

/* All comparisons, with the errors of the baseline, or with those of all other designs. */
static int with_errors(const struct plan *plan, const double *const *y, double *const *moved, bool baseline,
                       const struct comparisons *c, struct comparisons *out, struct err *e)
{
    const double **of = mem_zalloc(c->design_count, sizeof *of, e);
    int ret = of ? 0 : -1;

    ASSERT(c->baseline < c->design_count);
    for (size_t d = 0; of && d < c->design_count; d++)
        of[d] = (d == c->baseline) == baseline ? moved[d] : y[d];
    if (ret == 0)
        ret = comparisons_make(plan, of, c->design_count, c->baseline, c->level, out, e);
    free(of);
    return ret;
}

static int compare_kernels(const struct plan *plan, const double *const *y, double *const *moved,
                           struct comparisons *c, struct err *e)
{
    struct comparisons base, own;
    int ret;

    if (with_errors(plan, y, moved, true, c, &base, e) < 0)
        return -1;
    ret = with_errors(plan, y, moved, false, c, &own, e);
    ASSERT(base.kernel_count == c->kernel_count && (ret < 0 || own.kernel_count == c->kernel_count));
    for (size_t i = 0; ret == 0 && i < c->design_count * c->kernel_count; i++)
        if (i / c->kernel_count != c->baseline)
            widen_kernel(&c->kernels[i], &base.kernels[i], &own.kernels[i], c->kernel_level);
    comparisons_release(&base);
    if (ret == 0)
        comparisons_release(&own);
    return ret;
}

static int compare_totals(const struct plan *plan, const double *const *y, const double *const *error,
                          struct comparisons *c, struct err *e)
{
    for (size_t d = 0; d < c->design_count; d++) {
        const double *const of[] = {y[c->baseline], y[d]}, *const errors[] = {error[c->baseline], error[d]};

        if (d != c->baseline && within_launch_compare(plan, of, errors, &c->totals[d], e) < 0)
            return -1;
    }
    return 0;
}

int within_launch_compare_all(const struct plan *plan, const double *const *y, const double *const *error,
                              struct comparisons *c, struct err *e)
{
    double **moved = mem_zalloc(c->design_count + 1, sizeof *moved, e);
    bool any = false;
    int ret = moved ? 0 : -1;

    for (size_t d = 0; d < c->design_count; d++)
        any |= within_launch_any(error[d], plan->sample_count);
    for (size_t d = 0; ret == 0 && any && d < c->design_count; d++) {
        moved[d] = shifted(y[d], error[d], plan->sample_count, e);
        ret = moved[d] ? 0 : -1;
    }
    if (ret == 0 && any)
        ret = compare_totals(plan, y, error, c, e) < 0 ? -1 : compare_kernels(plan, y, moved, c, e);
    for (size_t d = 0; moved && d < c->design_count; d++)
        free(moved[d]);
    free(moved);
    return ret;
}
