/* Non-negative relative least squares with Huber's weights; formulas, sources: cost_solve.h. Assumes: seconds
 * scatter in proportion to themselves, and jobs share machines of about the same speed. */
#include "sampling/allocate/cost_solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

#define MAD_TO_SD 1.4826 /* of normal residuals */
#define HUBER     1.345  /* 95 % as efficient as least squares where residuals are normal */
#define SINGULAR  1e-12
enum { ROUNDS = 30 };

double cost_of_row(const struct cost_row *row, const double by[COST_COLUMNS])
{
    double sum = 0;

    for (int c = 0; c < COST_COLUMNS; c++)
        sum += by[c] * row->x[c];
    return sum;
}

static double residual(const struct cost_row *row, const double by[COST_COLUMNS])
{
    ASSERT_HOT(row->seconds > 0);
    return cost_of_row(row, by) / row->seconds - 1;
}

/* Normal equations of sum(weight (sum(b x / s) - 1)^2). */
struct normal {
    double a[COST_COLUMNS][COST_COLUMNS], right[COST_COLUMNS], all;
};

static void add_up(const struct cost_row *rows, const double *weight, size_t count, struct normal *out)
{
    *out = (struct normal){.all = 0};
    for (size_t i = 0; i < count; i++) {
        out->all += weight[i];
        for (int c = 0; c < COST_COLUMNS; c++) {
            double x = rows[i].x[c] / rows[i].seconds;

            out->right[c] += weight[i] * x;
            for (int d = 0; d < COST_COLUMNS; d++)
                out->a[c][d] += weight[i] * x * rows[i].x[d] / rows[i].seconds;
        }
    }
}

/* The ordinary optimum over the columns of `subset`, by elimination; 0: the columns are linearly dependent. */
static int solve_subset(const struct normal *n, unsigned subset, double out[COST_COLUMNS])
{
    int used[COST_COLUMNS] = {0}, count = 0;
    double m[COST_COLUMNS][COST_COLUMNS + 1];

    ASSERT(subset < 1u << COST_COLUMNS);
    memset(out, 0, COST_COLUMNS * sizeof *out);
    for (int c = 0; c < COST_COLUMNS; c++)
        if (subset >> c & 1)
            used[count++] = c;
    for (int r = 0; r < count; r++) {
        for (int c = 0; c < count; c++)
            m[r][c] = n->a[used[r]][used[c]];
        m[r][count] = n->right[used[r]];
    }
    for (int p = 0; p < count; p++) { /* positive definite: needs no pivoting */
        if (!(m[p][p] > SINGULAR * n->a[used[p]][used[p]]))
            return 0;
        for (int r = p + 1; r < count; r++)
            for (int c = count; c >= p; c--)
                m[r][c] -= m[r][p] / m[p][p] * m[p][c];
    }
    for (int p = count - 1; p >= 0; p--) {
        double sum = m[p][count];

        for (int c = p + 1; c < count; c++)
            sum -= m[p][c] * out[used[c]];
        out[used[p]] = sum / m[p][p];
    }
    return 1;
}

static double cost_solve_squares(const struct normal *n, const double by[COST_COLUMNS])
{
    double sum = n->all;

    for (int c = 0; c < COST_COLUMNS; c++) {
        sum -= 2 * by[c] * n->right[c];
        for (int d = 0; d < COST_COLUMNS; d++)
            sum += by[c] * by[d] * n->a[c][d];
    }
    return sum;
}

/* The best of all subsets whose coefficients are not negative. Larger subsets are tried first and win ties. */
static void cost_solve_system(const struct normal *n, double out[COST_COLUMNS])
{
    double best = INFINITY;

    memset(out, 0, COST_COLUMNS * sizeof *out);
    for (unsigned subset = (1U << COST_COLUMNS) - 1; subset; subset--) {
        double by[COST_COLUMNS], sum;
        int fits = solve_subset(n, subset, by);

        for (int c = 0; c < COST_COLUMNS; c++)
            fits &= by[c] >= 0;
        sum = fits ? cost_solve_squares(n, by) : INFINITY;
        if (sum < best) {
            best = sum;
            memcpy(out, by, sizeof by);
        }
    }
}

static double median_residual(const struct cost_row *rows, size_t count, const double by[COST_COLUMNS],
                              double *scratch)
{
    ASSERT(count > 0);
    for (size_t i = 0; i < count; i++)
        scratch[i] = fabs(residual(&rows[i], by));
    qsort(scratch, count, sizeof *scratch, double_compare);
    return count % 2 ? scratch[count / 2] : (scratch[count / 2 - 1] + scratch[count / 2]) / 2;
}

int cost_solve(const struct cost_row *rows, size_t count, double out[COST_COLUMNS], double *typical_error,
               struct err *e)
{
    double *weight = mem_zalloc(count, sizeof *weight, e), *scratch = mem_zalloc(count, sizeof *scratch, e);
    int ret = weight && scratch ? 0 : -1;
    struct normal n;

    ASSERT(count > 0);
    for (size_t i = 0; ret == 0 && i < count; i++)
        weight[i] = 1;
    for (int round = 0; ret == 0 && round <= ROUNDS; round++) {
        double scale;

        add_up(rows, weight, count, &n);
        cost_solve_system(&n, out);
        scale = MAD_TO_SD * median_residual(rows, count, out, scratch);
        if (!(scale > 1e-12))
            break;
        for (size_t i = 0; i < count; i++)
            weight[i] = fmin(1, HUBER * scale / fmax(fabs(residual(&rows[i], out)), 1e-300));
    }
    if (ret == 0)
        *typical_error = median_residual(rows, count, out, scratch);
    free(weight);
    free(scratch);
    return ret;
}
