/* sampling/allocate/cost_solve.h: seconds = sum of coefficient x column, all coefficients >= 0; used by cost_fit.c
 * and cost_model.c only.
 *
 * Least squares of relative residuals: the scatter of a simulation's time grows with the time. With few columns the
 * non-negative optimum is the best of the non-negative ordinary solutions over all subsets of columns (Lawson and
 * Hanson, Solving Least Squares Problems, 1974, ch. 23). Outliers (e.g. a machine that swapped) get less weight:
 * Huber's weights, residuals in units of 1.4826 times their median, at 1.345 (Huber, Annals of Mathematical
 * Statistics 35, 1964), iterated. */
#ifndef VIVACE_SAMPLING_COST_SOLVE_H
#define VIVACE_SAMPLING_COST_SOLVE_H

#include <stddef.h>

#include "base/err.h"

enum { COST_COLUMNS = 3 };
struct cost_row {
    double x[COST_COLUMNS]; /* >= 0; columns that are not used: 0 */
    double seconds;         /* > 0 */
};
/* Columns that are 0 in all rows get 0. count >= 1. *typical_error: median of |fitted - measured| / measured. */
int cost_solve(const struct cost_row *rows, size_t count, double out[COST_COLUMNS], double *typical_error,
               struct err *e);
double cost_of_row(const struct cost_row *row, const double by[COST_COLUMNS]);

#endif
