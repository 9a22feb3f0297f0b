/* Formulas and sources: spread_model.h. */
#include "sampling/sequential/spread_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

#define BEFOREHAND_DF  2.0  /* weight of the prior scale = 1 */
#define CV_MIN         1e-4 /* minimum, so that every spread can be scaled */
#define EXCESS_MAX     6.0  /* a stratum's variance counts at most this many times the fitted one */
#define KERNELS_DIFFER 0.4  /* relative spread of kernels' ratios on another GPU (docs/sampling.md) */
#define SHAPES_DIFFER  1.0  /* the same for cycles per instruction of strata */
enum { ROUNDS = 20 };

/* Sums over strata of y and x, and the sampling variance of y. */
struct sums {
    double top, bottom, luck;
};

struct fit {
    const struct plan *plan;
    const struct gathered *g;
    struct spread_model *m;
    size_t *kernel;       /* per stratum: index of the first stratum of its kernel */
    struct sums *kernels; /* per kernel, at that index */
    double *most;         /* per stratum: maximum of its variance in the fit */
};

/* The size that a stratum's spread is relative to: `scale` if set, otherwise the mean of its results. */
static double own_size(const struct aux_stratum *s)
{
    return s->scale > 0 ? s->scale : fabs(aux_mean(s->y, s->n));
}

/* The planned relative spread; if the plan has none, that of the profile. */
static double expected_cv(const struct plan *plan, const struct gathered *g, size_t h)
{
    const struct aux_stratum *s = &g->strata[h];
    double cv = g->slopes[h].b != 0 || s->scale > 0 ? s->residual_cv : s->planned_cv;

    ASSERT(h < g->count && plan->strata[h].mean > 0);
    return fmax(cv > 0 ? cv : plan->strata[h].sd / plan->strata[h].mean, CV_MIN);
}

static double left_out(const struct aux_stratum *s) /* share of launches not simulated */
{
    ASSERT((double)s->n <= s->population);
    return 1 - (double)s->n / s->population;
}

/* --- means --- */

static struct sums sums_of(const struct fit *f, size_t h)
{
    const struct aux_stratum *s = &f->g->strata[h];
    double total = s->n ? s->population * own_size(s) : 0;

    return s->n ? (struct sums){total, (double)f->plan->strata[h].total,
                                total * total * f->m->cv2[h] * left_out(s) / (double)s->n}
                : (struct sums){0};
}

static void spread_model_add(struct sums *to, struct sums x, double sign)
{
    to->top += sign * x.top;
    to->bottom += sign * x.bottom;
    to->luck += sign * x.luck;
}

/* Shrinkage estimate of a value with sampling variance `luck`, among values with spread `differ` around `towards`.
 */
static double drawn(double own, double towards, double luck, double differ)
{
    ASSERT(!(luck < 0));
    return luck > 0 || differ > 0 ? (differ * differ * own + luck * towards) / (differ * differ + luck) : towards;
}

/* y / x of a kernel's other strata, shrunk towards that of all others; 0: there are none. */
static double ratio_without(struct sums all, struct sums kernel, struct sums own)
{
    double common, luck;

    spread_model_add(&all, own, -1);
    spread_model_add(&kernel, own, -1);
    common = all.bottom > 1e-9 * own.bottom ? all.top / all.bottom : 0;
    if (!(kernel.bottom > 1e-9 * own.bottom) || !(kernel.top > 0))
        return common;
    luck = fmax(kernel.luck, 0) / (kernel.top * kernel.top);
    return drawn(kernel.top / kernel.bottom, common, luck, KERNELS_DIFFER);
}

static void find_means(struct fit *f)
{
    double own_differs = f->plan->unit == PROFILE_NS ? 0 : SHAPES_DIFFER;
    struct sums all = {0};

    memset(f->kernels, 0, f->g->count * sizeof *f->kernels);
    for (size_t h = 0; h < f->g->count; h++) {
        spread_model_add(&all, sums_of(f, h), 1);
        spread_model_add(&f->kernels[f->kernel[h]], sums_of(f, h), 1);
    }
    for (size_t h = 0; h < f->g->count; h++) {
        const struct aux_stratum *s = &f->g->strata[h];
        double ratio = ratio_without(all, f->kernels[f->kernel[h]], sums_of(f, h));
        double others = ratio * f->plan->strata[h].mean;

        if (!s->n || !(others > 0))
            f->m->mean[h] = s->n ? own_size(s) : others;
        else
            f->m->mean[h] = drawn(own_size(s), others, f->m->cv2[h] * left_out(s) / (double)s->n, own_differs);
        ASSERT(!(f->m->mean[h] < 0));
    }
}

/* --- spreads --- */

/* Degrees of freedom of a stratum's variance; 0: none. */
static double seen_on(const struct fit *f, size_t h)
{
    const struct aux_stratum *s = &f->g->strata[h];
    double df = s->n > 1 ? (double)s->n - 1 - f->g->slopes[h].lost : 0;

    return f->m->mean[h] > 0 ? fmax(df, 0) : 0;
}

/* Weighted least squares of v on p and 1 with coefficients >= 0. */
struct normal_equations {
    double w, wp, wpp, wv, wpv;
};

static void add_point(struct normal_equations *q, double weight, double p, double v)
{
    ASSERT(!(weight < 0));
    q->w += weight;
    q->wp += weight * p;
    q->wpp += weight * p * p;
    q->wv += weight * v;
    q->wpv += weight * p * v;
}

static void spread_model_solve(const struct normal_equations *q, double *scale2, double *noise2)
{
    double det = q->w * q->wpp - q->wp * q->wp;

    if (det > 1e-12 * q->w * q->wpp) {
        *scale2 = (q->w * q->wpv - q->wp * q->wv) / det;
        *noise2 = (q->wpp * q->wv - q->wp * q->wpv) / det;
    } else { /* all have the same planned spread: only the scale is fitted */
        *scale2 = q->wpv / q->wpp;
        *noise2 = 0;
    }
    if (*noise2 < 0) {
        *noise2 = 0;
        *scale2 = q->wpv / q->wpp;
    } else if (*scale2 < 0) {
        *scale2 = 0;
        *noise2 = q->wv / q->w;
    }
    ASSERT(!(*scale2 < 0) && !(*noise2 < 0));
}

static void set_spreads(struct fit *f)
{
    for (size_t h = 0; h < f->g->count; h++) {
        double p = f->m->planned_cv[h];

        f->m->cv2[h] = f->m->scale2 * p * p + f->m->noise2;
        ASSERT(!(f->m->cv2[h] < 0));
    }
}

static double seen_cv2(const struct fit *f, size_t h, double df)
{
    ASSERT(df > 0 && f->m->mean[h] > 0);
    return aux_residual_squares(&f->g->strata[h], f->g->slopes[h].b) / df / (f->m->mean[h] * f->m->mean[h]);
}

/* Normal equations of the strata's variances against planned ones, weighted by the current fit; `most`: maximum per
 * stratum. */
static struct normal_equations equations(const struct fit *f, const double *most)
{
    struct normal_equations q = {0};
    double planned = 0, all = 0, fitted;

    for (size_t h = 0; h < f->g->count; h++) {
        double df = seen_on(f, h), p = f->m->planned_cv[h], v;

        fitted = f->m->cv2[h];
        if (!(df > 0) || !(fitted > 0))
            continue;
        v = seen_cv2(f, h, df);
        add_point(&q, df / (fitted * fitted), p * p, most ? fmin(v, most[h]) : v);
        planned += df * p * p;
        all += df;
    }
    if (!(all > 0))
        return q;
    planned /= all;
    fitted = f->m->scale2 * planned + f->m->noise2;
    add_point(&q, BEFOREHAND_DF / (fitted * fitted), planned, planned);
    return q;
}

static void fit_round(struct fit *f)
{
    struct normal_equations q = equations(f, NULL);
    double scale2, noise2;

    if (!(q.w > 0))
        return;
    spread_model_solve(&q, &scale2, &noise2);
    for (size_t h = 0; h < f->g->count; h++)
        f->most[h] = EXCESS_MAX * (scale2 * f->m->planned_cv[h] * f->m->planned_cv[h] + noise2);
    q = equations(f, f->most);
    spread_model_solve(&q, &f->m->scale2, &f->m->noise2);
    set_spreads(f);
}

static double excess_of(const struct fit *f)
{
    double sum = 0, all = 0;

    for (size_t h = 0; h < f->g->count; h++) {
        double df = seen_on(f, h), p = f->m->planned_cv[h];

        if (!(df > 0))
            continue;
        ASSERT(p >= CV_MIN);
        sum += df * f->m->cv2[h] / (p * p);
        all += df;
    }
    return all > 0 ? sum / all : 1;
}

/* --- tails --- */

/* Sum over strata of fourth powers of standardised residuals. Its expectation is `weight` times the wanted moment
 * plus `even`; `luck`: its variance for normal values. */
struct tail_sums {
    double fourth, weight, even, luck;
};

static void add_tails(const struct fit *f, size_t h, struct tail_sums *sums)
{
    const struct aux_stratum *s = &f->g->strata[h];
    double b = f->g->slopes[h].b, sd = f->m->mean[h] * sqrt(f->m->cv2[h]), n = (double)s->n;
    double mean_x = b != 0 ? aux_mean(s->x, s->n) : 0, mean_y = aux_mean(s->y, s->n);

    for (size_t i = 0; i < s->n; i++)
        sums->fourth += pow((s->y[i] - mean_y - (b != 0 ? b * (s->x[i] - mean_x) : 0)) / sd, 4);
    sums->weight += (n - 1) * (n * n - 3 * n + 3) / (n * n);
    sums->even += 3 * (n - 1) * (2 * n - 3) / (n * n);
    sums->luck += 96 * (n - 1) * (n - 1) * (n - 1) / (n * n);
}

static double kurtosis_of(const struct fit *f)
{
    struct tail_sums sums = {0};

    for (size_t h = 0; h < f->g->count; h++)
        if (seen_on(f, h) > 0 && f->m->cv2[h] > 0 && !f->g->strata[h].own_factors)
            add_tails(f, h, &sums);
    return sums.weight > 0 ? fmax((sums.fourth - sums.even - sqrt(sums.luck)) / sums.weight - 3, 0) : 0;
}

/* --- the whole model --- */

void spread_model_release(struct spread_model *m)
{
    free(m->mean);
    free(m->cv2);
    free(m->planned_cv);
    *m = (struct spread_model){0};
}

int spread_model_fit(const struct plan *plan, const struct gathered *g, struct spread_model *out, struct err *e)
{
    struct fit f = {.plan = plan, .g = g, .m = out};
    int ret = -1;

    *out = (struct spread_model){.scale2 = 1};
    out->mean = mem_zalloc(g->count, sizeof *out->mean, e);
    out->cv2 = mem_zalloc(g->count, sizeof *out->cv2, e);
    out->planned_cv = mem_zalloc(g->count, sizeof *out->planned_cv, e);
    f.kernel = mem_zalloc(g->count, sizeof *f.kernel, e);
    f.kernels = mem_zalloc(g->count, sizeof *f.kernels, e);
    f.most = mem_zalloc(g->count, sizeof *f.most, e);
    if (!out->mean || !out->cv2 || !out->planned_cv || !f.kernel || !f.kernels || !f.most ||
        gather_kernels(plan, f.kernel, e) < 0)
        goto out;
    for (size_t h = 0; h < g->count; h++)
        out->planned_cv[h] = expected_cv(plan, g, h);
    set_spreads(&f);
    for (int round = 0; round < ROUNDS; round++) {
        find_means(&f);
        fit_round(&f);
    }
    find_means(&f);
    out->excess = excess_of(&f);
    out->kurtosis = kurtosis_of(&f);
    ASSERT(!(out->excess < 0) && out->kurtosis >= 0);
    ret = 0;
out:
    free(f.kernel);
    free(f.kernels);
    free(f.most);
    return ret;
}
