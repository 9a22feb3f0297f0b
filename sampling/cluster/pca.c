/* Principal components: eigenvectors of the covariance matrix sum(w x x') / sum(w), greatest eigenvalue first
 * (Pearson 1901; Hotelling 1933).
 *
 * Eigenvalues by cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5): each zeroes one
 * pair of off-diagonal elements. A dozen columns take a few sweeps, and only sums, products, quotients and roots
 * are used, so every machine computes the same digits. */
#include "sampling/cluster/pca.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { SWEEPS_MAX = 64 }; /* convergence is quadratic: ten are plenty */

static void covariance(const struct points *p, double *a)
{
    double n = 0;

    for (size_t i = 0; i < p->count; i++) {
        const double *x = point(p, i);
        double w = (double)p->weight[i];

        n += w;
        for (size_t r = 0; r < p->dims; r++)
            for (size_t c = 0; c <= r; c++)
                a[r * p->dims + c] += w * x[r] * x[c];
    }
    for (size_t r = 0; r < p->dims; r++)
        for (size_t c = 0; c <= r; c++)
            a[c * p->dims + r] = a[r * p->dims + c] /= n;
}

/* Rotates rows and columns p and q so that a[p][q] becomes 0; v collects the rotations, an eigenvector a row. */
static void rotate(double *a, double *v, size_t n, size_t p, size_t q)
{
    double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;

    for (size_t k = 0; k < n; k++) {
        double kp = a[k * n + p], kq = a[k * n + q];

        a[k * n + p] = c * kp - s * kq;
        a[k * n + q] = s * kp + c * kq;
    }
    for (size_t k = 0; k < n; k++) {
        double pk = a[p * n + k], qk = a[q * n + k], vp = v[p * n + k], vq = v[q * n + k];

        a[p * n + k] = c * pk - s * qk;
        a[q * n + k] = s * pk + c * qk;
        v[p * n + k] = c * vp - s * vq;
        v[q * n + k] = s * vp + c * vq;
    }
    a[p * n + q] = a[q * n + p] = 0;
}

/* On return the diagonal of a holds the eigenvalues, the rows of v the vectors, in no order. */
static void jacobi(double *a, double *v, size_t n)
{
    double trace = 0;
    bool turned = true;

    for (size_t i = 0; i < n; i++) {
        v[i * n + i] = 1;
        trace += a[i * n + i];
    }
    for (int sweep = 0; turned && sweep < SWEEPS_MAX; sweep++) {
        turned = false;
        for (size_t p = 0; p < n; p++) {
            for (size_t q = p + 1; q < n; q++) {
                if (fabs(a[p * n + q]) <= DBL_EPSILON * DBL_EPSILON * trace)
                    continue; /* too small to change any share of the variance */
                rotate(a, v, n, p, q);
                turned = true;
            }
        }
    }
}

/* Greatest eigenvalue first; of equal ones, the earlier first. */
static void order_components(const double *a, const double *v, struct pca *out)
{
    size_t n = out->dims;
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        double value = fmax(a[i * n + i], 0); /* eigenvalues of a covariance are >= 0 except for rounding */
        size_t at = i;

        for (; at > 0 && out->explained[at - 1] < value; at--) {
            out->explained[at] = out->explained[at - 1];
            memcpy(out->vectors + at * n, out->vectors + (at - 1) * n, n * sizeof *v);
        }
        out->explained[at] = value;
        memcpy(out->vectors + at * n, v + i * n, n * sizeof *v);
        sum += value;
    }
    for (size_t i = 0; i < n && sum > 0; i++)
        out->explained[i] /= sum;
}

int pca_fit(const struct points *p, double share, struct pca *out, struct err *e)
{
    size_t n = p->dims;
    double *a = mem_zalloc(n * n, sizeof *a, e), *v = mem_zalloc(n * n, sizeof *v, e), sum = 0;
    int ret = -1;

    *out = (struct pca){n, 0, mem_zalloc(n, sizeof(double), e), mem_zalloc(n * n, sizeof(double), e)};
    if (!a || !v || !out->explained || !out->vectors)
        goto out;
    covariance(p, a);
    jacobi(a, v, n);
    order_components(a, v, out);
    while (out->kept < n && out->explained[out->kept] > 0 && sum <= share)
        sum += out->explained[out->kept++];
    ret = 0;
out:
    free(a);
    free(v);
    if (ret < 0)
        pca_release(out);
    return ret;
}

int pca_apply(const struct pca *a, const struct points *p, struct points *out, struct err *e)
{
    *out = (struct points){p->count, a->kept, mem_zalloc(p->count * a->kept, sizeof(double), e),
                           mem_zalloc(p->count, sizeof(uint64_t), e)};
    if (!out->x || !out->weight) {
        points_release(out);
        return -1;
    }
    for (size_t i = 0; i < p->count; i++)
        for (size_t c = 0; c < a->kept; c++)
            for (size_t d = 0; d < p->dims; d++)
                point(out, i)[c] += a->vectors[c * a->dims + d] * point(p, i)[d];
    memcpy(out->weight, p->weight, p->count * sizeof *p->weight);
    return 0;
}

void pca_release(struct pca *a)
{
    free(a->explained);
    free(a->vectors);
    *a = (struct pca){0};
}
