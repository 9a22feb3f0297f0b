/* tests/harness/kept.h: the cost of a sampling method at which it keeps its promise. It is the cost at the coarsest
 * setting (the error that the plan is made for) at which repeated draws, compared with designs, are within the
 * requested error and have intervals that cover the truth, both often enough.
 *
 * A draw is "within" when the half-width of its interval is at most the requested error. For a method without an
 * interval, its actual error must be at most the requested error. */
#ifndef VIVACE_TESTS_HARNESS_KEPT_H
#define VIVACE_TESTS_HARNESS_KEPT_H

#include "sampling/methods/method.h"

#define KEPT_SHARE    0.90 /* least share of draws that are within the error */
#define KEPT_COVERAGE 0.94 /* least share of intervals that cover the truth */

enum { KEPT_ERRORS = 3 };
extern const double kept_errors[KEPT_ERRORS]; /* requested errors: 5, 2, 1 % */

/* The simulated value of each launch on each design. Draw i is compared with design i % count. */
struct kept_designs {
    double *const *y;
    size_t count;
};

struct kept_score {
    double setting; /* NaN: no setting keeps the promise, down to a census */
    double cost;    /* profiled time of the distinct launches drawn, as a share of the total; mean over draws */
    double within;
    double covered; /* NaN: no interval */
    bool chosen;    /* the method chooses launches deterministically instead of drawing them */
};
bool kept_promise(const struct kept_score *s);

/* Scores one setting (params->error) for each of kept_errors; out[KEPT_ERRORS]. A deterministic method is scored
 * once for each design. A method that draws very many samples, or makes its plan again for each draw, gets fewer
 * repeats. */
int kept_at(const struct method *m, const struct profile *p, const struct plan_params *params,
            const struct kept_designs *on, unsigned repeats, struct kept_score *out, struct err *e);
/* Finds the coarsest setting for each of kept_errors, in steps of the fourth root of 2; params->error is ignored. A
 * deterministic method gets no setting coarser than the error, since one of many settings would be right by chance.
 * Where no setting keeps the promise: the score of the finest setting tried, with setting NaN. */
int kept_coarsest(const struct method *m, const struct profile *p, const struct plan_params *params,
                  const struct kept_designs *on, unsigned repeats, struct kept_score *out, struct err *e);

#endif
