/* Gaussian naive Bayes: log P(c | x) = log(n_c / n) - sum over columns of
 * (log(2 pi v_cd) + (x_d - m_cd)^2 / v_cd) / 2 + constant; m and v: mean and population variance of the class.
 *
 * Assumptions: columns are independent and normal within a class. One-hot columns are not; the method is robust to
 * that (Domingos and Pazzani, Machine Learning 29, 1997). 1e-9 of the greatest variance is added to each, as
 * scikit-learn does, so that a column that is constant within a class causes no division by 0. */
#include "sampling/cluster/classify.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/math/portable_math.h"

#define SMOOTHING 1e-9
#define TWO_PI    6.283185307179586

static double greatest_variance(const struct points *p, struct standard *s, struct err *e)
{
    double most = 0;

    if (standard_fit(p, s, e) < 0)
        return -1;
    for (size_t d = 0; d < p->dims; d++)
        most = fmax(most, s->sd[d] * s->sd[d]);
    standard_release(s);
    return most > 0 ? most : 1; /* no column varies: only the priors matter */
}

static void class_moments(const struct training *t, double add, const double *weight, struct bayes *out)
{
    const struct points *p = &t->points;

    for (size_t i = 0; i < p->count; i++)
        for (size_t d = 0; d < p->dims; d++)
            out->mean[t->class_of[i] * p->dims + d] +=
                (double)p->weight[i] * point(p, i)[d] / weight[t->class_of[i]];
    for (size_t i = 0; i < p->count; i++) {
        for (size_t d = 0; d < p->dims; d++) {
            size_t at = t->class_of[i] * p->dims + d;
            double off = point(p, i)[d] - out->mean[at];

            out->variance[at] += (double)p->weight[i] * off * off / weight[t->class_of[i]];
        }
    }
    for (size_t i = 0; i < out->classes * out->dims; i++)
        out->variance[i] += add;
}

int bayes_fit(const struct training *t, double smoothing, struct bayes *out, struct err *e)
{
    const struct points *p = &t->points;
    double *weight = mem_zalloc(t->classes, sizeof *weight, e), all = 0, most;
    struct standard s;
    int ret = -1;

    *out = (struct bayes){p->dims, t->classes, mem_zalloc(t->classes * p->dims, sizeof(double), e),
                          mem_zalloc(t->classes * p->dims, sizeof(double), e),
                          mem_zalloc(t->classes, sizeof(double), e)};
    if (!weight || !out->mean || !out->variance || !out->log_prior)
        goto out;
    most = greatest_variance(p, &s, e);
    if (most < 0)
        goto out;
    for (size_t i = 0; i < p->count; i++) {
        weight[t->class_of[i]] += (double)p->weight[i];
        all += (double)p->weight[i];
    }
    class_moments(t, smoothing * most, weight, out);
    for (size_t c = 0; c < t->classes; c++)
        out->log_prior[c] = portable_log(weight[c] / all);
    ret = 0;
out:
    free(weight);
    if (ret < 0)
        bayes_release(out);
    return ret;
}

double bayes_log_posterior(const struct bayes *b, size_t class, const double *x)
{
    const double *m = b->mean + class * b->dims, *v = b->variance + class * b->dims;
    double sum = 0;

    for (size_t d = 0; d < b->dims; d++)
        sum += portable_log(TWO_PI * v[d]) + (x[d] - m[d]) * (x[d] - m[d]) / v[d];
    return b->log_prior[class] - sum / 2;
}

void bayes_release(struct bayes *b)
{
    free(b->mean);
    free(b->variance);
    free(b->log_prior);
    *b = (struct bayes){0};
}

int classify_bayes(const struct training *t, const struct points *queries, uint32_t *label, struct err *e)
{
    double *score = mem_zalloc(t->classes, sizeof *score, e);
    struct bayes b = {0};
    int ret = score ? bayes_fit(t, SMOOTHING, &b, e) : -1;

    for (size_t i = 0; ret == 0 && i < queries->count; i++) {
        for (size_t c = 0; c < t->classes; c++)
            score[c] = bayes_log_posterior(&b, c, point(queries, i));
        label[i] = greatest(score, t->classes);
    }
    free(score);
    bayes_release(&b);
    return ret;
}
