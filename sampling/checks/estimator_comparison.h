/* sampling/checks/estimator_comparison.h: compares the estimators: projects the same results with each of them and
 * reports disagreement.
 *
 * Expansion, combined ratio, difference and regression (sampling/estimate/estimator_aux.h), each with its own
 * interval. Two disagree if neither interval contains the other's total. Then the samples are an unlucky draw, or
 * the results do not follow the profile as the estimator assumes. */
#ifndef VIVACE_SAMPLING_ESTIMATOR_COMPARISON_H
#define VIVACE_SAMPLING_ESTIMATOR_COMPARISON_H

#include "sampling/checks/bootstrap.h"
#include "sampling/estimate/projection.h"

enum { OPINIONS = 4 };
struct opinion {
    enum projection_estimator estimator; /* PROJECT_EXPANSION, _RATIO, _DIFFERENCE, _REGRESSION */
    const char *why_not;                 /* NULL; otherwise the reason, and the fields below are not valid */
    double value, half_width, df;
    const char *warning; /* of the projection, or NULL */
    bool used;           /* the projection used this estimator */
    bool disagrees;      /* with the projection */
};
struct opinions {
    struct opinion each[OPINIONS];
    struct bootstrap bootstrap; /* of the projection, beside its t interval */
    bool disagree;              /* another estimator or the bootstrap disagrees */
};
/* `p` was made from the same plan, results and options. An estimator without an interval never disagrees. */
int opinions_make(const struct plan *plan, const double *y, const struct projection_options *options,
                  const struct projection *p, struct opinions *out, struct err *e);

#endif
