/* sampling/sequential/alpha_spending.h: group-sequential bounds: one significance level shared by several interim
 * analyses
 * ("analyses") of growing data.
 *
 * Z_k = (estimate - truth) / standard error at analysis k. Estimates of nested samples have the covariance of
 * independent increments, cov(Z_j, Z_k) = sqrt(I_j / I_k) for j < k with I = 1 / variance (also in finite
 * populations: the covariance of the means of n_j and of n_k samples is the variance of the latter). Bounds c_k are
 * found such that
 *
 *     P(|Z_1| <= c_1, ..., |Z_(k-1)| <= c_(k-1), |Z_k| > c_k) = spent_k - spent_(k-1)
 *
 * so that the intervals estimate +- c_k standard errors all contain the truth with probability 1 - (the last
 * `spent`) (repeated confidence intervals: Jennison and Turnbull, J. Royal Statistical Society B 51, 1989). Spent
 * is a function of information, not of the number of analyses (Lan and DeMets, Biometrika 70, 1983): alpha(t) =
 * alpha t^8, of the power family of Kim and DeMets (Biometrika 74, 1987), which spends nearly all of alpha at the
 * last analysis. An early analysis that does not stop the run costs little. Probabilities by recursive integration
 * (Armitage, McPherson, Rowe, J. Royal Statistical Society A 132, 1969). */
#ifndef VIVACE_SAMPLING_ALPHA_SPENDING_H
#define VIVACE_SAMPLING_ALPHA_SPENDING_H

#include <stddef.h>

/* The part of `level` (e.g. 0.05) that is spent at the information fraction t; t above 1 counts as 1. */
double spending(double level, double t);

struct alpha_spending_analysis {
    double information; /* in any unit; increasing */
    double bound;       /* c_k > 0 */
};

/* State after the analyses so far: the density of Z at the last analysis, restricted to the case that no analysis
 * exceeded its bound. All zero: no analysis yet. */
enum { SPENDING_STEPS = 48 };
struct alpha_spending_past {
    size_t analyses;
    double information, edge;           /* information of the last analysis; edge: its bound */
    double density[SPENDING_STEPS + 1]; /* at equal steps from 0 to edge; the density is an even function */
};
void alpha_spending_add(struct alpha_spending_past *past, const struct alpha_spending_analysis *analysis);
/* The bound c of the next analysis, such that the probability of first exceeding a bound there is `share`. */
double alpha_spending_bound(const struct alpha_spending_past *past, double information, double share);

#endif
