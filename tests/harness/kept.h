/* tests/harness/kept.h: what a sampling method costs where it keeps its promise: the coarsest setting (the error
 * that it plans for) at which, drawn again and again and held against designs, it is within the error asked for
 * often enough, and its interval holds.
 *
 * "Within": the half-width of a draw's interval is; of a method without one, which shows nobody how far it is off,
 * its actual error is. */
#ifndef VIVACE_TESTS_HARNESS_KEPT_H
#define VIVACE_TESTS_HARNESS_KEPT_H

#include "sampling/method.h"

#define KEPT_SHARE    0.90 /* of the draws that are within the error */
#define KEPT_COVERAGE 0.94 /* of the intervals that hold */

enum { KEPT_ERRORS = 3 };
extern const double kept_errors[KEPT_ERRORS]; /* asked for: 5, 2, 1 % */

/* The values that a simulator would answer, a launch each; draw i is held against design i % count. */
struct kept_designs {
    double *const *y;
    size_t count;
};

struct kept_score {
    double setting; /* NaN: there is none, up to a census */
    double cost;    /* profiled time of the launches drawn, each once, as a share of all; mean */
    double within;
    double covered; /* NaN: no interval */
    bool chosen;    /* launches are chosen, not drawn */
};
bool kept_promise(const struct kept_score *s);

/* One setting (params->error), for each of kept_errors; out[KEPT_ERRORS]. Repeats: of a method that chooses instead
 * of drawing, one for each design; fewer of one that draws very many, or makes its plan anew for each. */
int kept_at(const struct method *m, const struct profile *p, const struct plan_params *params,
            const struct kept_designs *on, unsigned repeats, struct kept_score *out, struct err *e);
/* The coarsest setting for each of kept_errors, on steps of a fourth root of 2; params->error does not count. A
 * method that chooses is given none coarser than the error, as one of many would be right by luck. Where there is
 * none: the finest that was tried, setting NaN. */
int kept_coarsest(const struct method *m, const struct profile *p, const struct plan_params *params,
                  const struct kept_designs *on, unsigned repeats, struct kept_score *out, struct err *e);

#endif
