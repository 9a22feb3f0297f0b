/* One linear fit per kind of job, and its prediction error; formulas, sources: cost_model.h. Assumes: jobs of a
 * kind differ only in size, and future jobs resemble past ones. */
#include "sampling/allocate/cost_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum { PARTS = 5 };

struct fitter {
    struct cost_row *rows; /* usable jobs by kind, then in the caller's order */
    struct cost_row *seen; /* rows used by a fit */
    size_t *first;         /* of each kind, and one behind the last */
    double *off;           /* |predicted - measured| / measured of a kind */
    size_t count, kinds;
};

static int fitter_init(struct fitter *f, const struct cost_job *jobs, size_t count, size_t kinds, struct err *e)
{
    f->kinds = kinds;
    f->rows = mem_zalloc(count, sizeof *f->rows, e);
    f->seen = mem_zalloc(count, sizeof *f->seen, e);
    f->off = mem_zalloc(count, sizeof *f->off, e);
    f->first = mem_zalloc(kinds + 1, sizeof *f->first, e);
    if (!f->rows || !f->seen || !f->off || !f->first)
        return -1;
    for (size_t k = 0; k < kinds; k++) {
        f->first[k] = f->count;
        for (size_t i = 0; i < count; i++)
            if (jobs[i].kind == k && jobs[i].seconds > 0 && isfinite(jobs[i].seconds) &&
                jobs[i].instructions >= 0 && jobs[i].blocks >= 0)
                f->rows[f->count++] = (struct cost_row){{1, jobs[i].instructions, jobs[i].blocks}, jobs[i].seconds};
    }
    f->first[kinds] = f->count;
    ASSERT(f->count <= count); /* a job has one kind */
    return f->count < 2
               ? err_set(
                     e, ERR_INVALID,
                     "the cost of simulations cannot be fitted: %zu jobs have a time, and at least two are needed",
                     f->count)
               : 0;
}

static void fitter_release(struct fitter *f)
{
    free(f->rows);
    free(f->seen);
    free(f->off);
    free(f->first);
}

/* Copies rows from .. to without the cross-validation part `hidden` (PARTS: all rows). */
static size_t gather_rows(struct fitter *f, size_t from, size_t to, size_t hidden)
{
    size_t n = 0;

    ASSERT(from <= to && to <= f->count);
    for (size_t i = from; i < to; i++)
        if (i % PARTS != hidden)
            f->seen[n++] = f->rows[i];
    return n;
}

/* The coefficients of a kind from rows that are not hidden; *fitted: the kind had enough rows for a fit. */
static int fit_kind(struct fitter *f, size_t kind, size_t hidden, double by[COST_COLUMNS], bool *fitted,
                    struct err *e)
{
    size_t n = gather_rows(f, f->first[kind], f->first[kind + 1], hidden), all, own = 0;
    double ignored, factor = 1;

    *fitted = f->first[kind + 1] - f->first[kind] >= OF_A_KIND_MIN;
    if (*fitted)
        return cost_solve(f->seen, n, by, &ignored, e);
    all = gather_rows(f, 0, f->count, hidden);
    if (cost_solve(f->seen, all, by, &ignored, e) < 0)
        return -1;
    n = gather_rows(f, f->first[kind], f->first[kind + 1], hidden);
    for (size_t i = 0; i < n; i++)
        if (cost_of_row(&f->seen[i], by) > 0)
            f->off[own++] = f->seen[i].seconds / cost_of_row(&f->seen[i], by);
    qsort(f->off, own, sizeof *f->off, double_compare);
    if (own)
        factor = own % 2 ? f->off[own / 2] : (f->off[own / 2 - 1] + f->off[own / 2]) / 2;
    ASSERT(!(factor < 0) && own <= n);
    for (int c = 0; c < COST_COLUMNS; c++)
        by[c] *= factor;
    return 0;
}

static int judge_kind(struct fitter *f, size_t kind, struct cost_kind *out, struct err *e)
{
    double *off = mem_zalloc(out->jobs + 1, sizeof *off, e), by[COST_COLUMNS];
    size_t n = 0;
    int ret = off ? 0 : -1;

    out->typical = out->ninety = NAN;
    for (size_t part = 0; ret == 0 && out->jobs > 1 && part < PARTS; part++) {
        bool fitted;

        ret = fit_kind(f, kind, part, by, &fitted, e);
        for (size_t i = f->first[kind]; ret == 0 && i < f->first[kind + 1]; i++)
            if (i % PARTS == part)
                off[n++] = fabs(cost_of_row(&f->rows[i], by) / f->rows[i].seconds - 1);
    }
    ASSERT(n <= out->jobs);
    if (ret == 0 && n) {
        qsort(off, n, sizeof *off, double_compare);
        out->typical = off[(n - 1) / 2];
        out->ninety = off[(9 * n + 9) / 10 - 1];
        ASSERT(!(out->typical < 0) && !(out->typical > out->ninety));
    }
    free(off);
    return ret;
}

int cost_model_fit(const struct cost_job *jobs, size_t count, size_t kinds, struct cost_model *out, struct err *e)
{
    struct fitter f = {0};
    int ret = fitter_init(&f, jobs, count, kinds, e);

    *out = (struct cost_model){.kind_count = kinds};
    out->kinds = ret == 0 ? mem_zalloc(kinds, sizeof *out->kinds, e) : NULL;
    for (size_t k = 0; out->kinds && ret == 0 && k < kinds; k++) {
        out->kinds[k].jobs = f.first[k + 1] - f.first[k];
        ret = fit_kind(&f, k, PARTS, out->kinds[k].by, &out->kinds[k].its_own, e);
        if (ret == 0)
            ret = judge_kind(&f, k, &out->kinds[k], e);
    }
    fitter_release(&f);
    if (ret == 0 && out->kinds)
        return 0;
    cost_model_release(out);
    return -1;
}

double cost_model_seconds(const struct cost_model *m, uint32_t kind, double instructions, double blocks)
{
    return cost_of_row(&(struct cost_row){{1, instructions, blocks}, 1}, m->kinds[kind].by);
}

void cost_model_release(struct cost_model *m)
{
    free(m->kinds);
    *m = (struct cost_model){0};
}
