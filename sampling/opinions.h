/* sampling/opinions.h: the same results by every estimator: which one was used, what the others say, do they
 * disagree?
 *
 * Expansion, combined ratio, difference and regression (sampling/estimator_aux.h), each with its own interval. Two
 * disagree when neither interval holds the other's total: then the samples are an unlucky draw of what the profile
 * shows, or the results do not follow the profile as the estimator takes for granted. */
#ifndef VIVACE_SAMPLING_OPINIONS_H
#define VIVACE_SAMPLING_OPINIONS_H

#include "sampling/bootstrap.h"
#include "sampling/projection.h"

enum { OPINIONS = 4 };
struct opinion {
    enum projection_estimator estimator; /* PROJECT_EXPANSION, _RATIO, _DIFFERENCE, _REGRESSION */
    const char *why_not;                 /* NULL; else nothing below holds */
    double value, half_width, df;
    const char *warning; /* of the projection, or NULL */
    bool used;           /* it is what the projection went by */
    bool disagrees;      /* with the projection */
};
struct opinions {
    struct opinion each[OPINIONS];
    struct bootstrap bootstrap; /* of the projection, beside its t interval */
    bool disagree;              /* one of the others does, or the bootstrap */
};
/* `p` was made from the same plan, results and options. An interval that is not known disagrees with nothing. */
int opinions_make(const struct plan *plan, const double *y, const struct projection_options *options,
                  const struct projection *p, struct opinions *out, struct err *e);

#endif
