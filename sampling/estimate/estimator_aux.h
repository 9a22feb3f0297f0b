/* sampling/estimate/estimator_aux.h: estimating a total, optionally with an auxiliary variable x that is known for
 * every launch.
 *
 * Per stratum: N members whose x sum to X, and a sample of (x, y). All estimators here have one form,
 *     total = sum over strata of N (mean y + b (X / N - mean x)),
 *     variance = sum over strata of N (N - n) / n * S^2 of the residuals y - b x,
 * and differ only in the slope b: 0 (expansion), a ratio, a number fixed in advance, or a regression's. Formulas:
 * Cochran, Sampling Techniques, 1977, ch. 5 (expansion), 6 (ratio), 7 (regression), 8 (systematic samples);
 * Sarndal, Swensson, Wretman, Model Assisted Survey Sampling, 1992, ch. 6 (difference). */
#ifndef VIVACE_SAMPLING_ESTIMATOR_AUX_H
#define VIVACE_SAMPLING_ESTIMATOR_AUX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum aux_estimator {
    AUX_EXPANSION,      /* b = 0 */
    AUX_RATIO,          /* combined: b = sum N mean y / sum N mean x over a group; safe with few samples each */
    AUX_RATIO_SEPARATE, /* b = mean y / mean x of each stratum: needs about five samples, as its bias falls with 1/n
                         */
    AUX_DIFFERENCE,     /* b fixed before any result is known: exactly unbiased */
    AUX_REGRESSION /* b by least squares over a group's strata; costs the group a degree of freedom; the uncertainty
                      of the slope itself is not included (Cochran 1977, ch. 7: for large samples) */
};
/* Where S^2 comes from. */
enum aux_spread {
    AUX_SAMPLES,    /* sum (residual - mean)^2 / (n - 1) */
    AUX_SUCCESSIVE, /* samples in launch order: sum (residual - the one before)^2 / 2 (n - 1) */
    AUX_MODEL /* with two or more samples as AUX_SAMPLES; for a single sample S is model_sd (only with b = 0: the
                 model does not give the spread of residuals around a slope) */
};
struct aux_stratum {
    double population; /* N */
    double x_total;    /* X; not used by expansion */
    size_t n;
    const double *x, *y;   /* of the sample; x may be NULL for expansion */
    size_t group;          /* strata that share a ratio or slope: the index of the first of them */
    bool with_replacement; /* no finite-population correction */
    double least_spread;   /* minimum of S, as a share of the mean of y */
    bool unlike;           /* its samples may be unlike all its launches in x: aux_imbalance() counts */
    enum aux_spread spread;
    double model_sd; /* of y; AUX_MODEL */
    /* AUX_MODEL, single samples: additional spread, its degrees of freedom, and this stratum's share of the
     * variance that shares these degrees of freedom (sampling/estimate/assisted.h); 0: not known. */
    double residual_sd, residual_df, residual_share;
    /* Relative spreads that the plan was sized with: of y, and of residuals around a slope
     * (sampling/estimate/steady.h); 0: not known. They are relative to `scale`, or to the mean of y if `scale` is
     * 0. For differences residual_cv is the spread that sizes expect. */
    double planned_cv, residual_cv, scale;
    /* Pooled spread of the residuals, and their minimum spread (sampling/estimate/common_spread.h); 0: not used. */
    double common_sd, least_common_sd;
    double expected_cv; /* the common spread is relative to this share of `scale`; 0: to `scale` */
    bool keeps_excess;  /* a spread above the common one is not shrunk */
    bool common_noise;  /* the variance of the total is at least that of the pooled spread
                           (sampling/estimate/ratio.h) */
    bool own_factors;   /* its members change by different factors on another GPU, in addition to common noise */
};
struct aux_slope {
    double b;
    double lost; /* degrees of freedom that finding b costs this stratum */
};
struct aux_estimate {
    double value;
    double variance; /* NaN where a stratum that is not taken whole has too few samples */
    double df; /* Satterthwaite's, from the strata's residuals, or steady_df() if that is less; infinite if there is
                  no sampling error */
};

/* A slope for each stratum; `kappa` is that of AUX_DIFFERENCE. Every stratum has samples. */
int aux_slopes(enum aux_estimator kind, const struct aux_stratum *s, size_t count, double kappa,
               struct aux_slope *out, struct err *e);
/* slopes NULL: all 0. */
struct aux_estimate aux_total(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count);
struct aux_estimate estimate_expansion(const struct aux_stratum *s, size_t count);
/* Slopes and total at once. */
int aux_estimate(enum aux_estimator kind, const struct aux_stratum *s, size_t count, double kappa,
                 struct aux_estimate *out, struct err *e);

/* t times the standard error; NaN when that is not known. */
double aux_half_width(const struct aux_estimate *x, double level);

/* A stratum's contribution to the variance of the total, and its degrees of freedom (infinite: known, not
 * estimated). */
struct aux_doubt {
    double variance, df;
};
struct aux_doubt aux_doubt(const struct aux_stratum *s, const struct aux_slope *slope);
/* sum of squares of the residuals y - b x around their mean (AUX_SUCCESSIVE: half that of their steps) */
double aux_residual_squares(const struct aux_stratum *s, double b);
/* The error of a stratum's mean that its samples show: b (mean x of all - mean x of the sample), with b the slope
 * of the samples, at most in proportion to the size. 0: the samples do not differ in x. */
double aux_imbalance(const struct aux_stratum *s);

/* Satterthwaite's degrees of freedom of a sum of variances, term after term. */
struct aux_sum {
    double variance, below;
};
void aux_sum_add(struct aux_sum *sum, double variance, double df);
double aux_sum_df(const struct aux_sum *sum);

/* Whether the stratum has sampling error: not taken whole, and its samples show a spread. */
bool aux_left_to_chance(const struct aux_stratum *s);
double aux_mean(const double *v, size_t n);

#endif
