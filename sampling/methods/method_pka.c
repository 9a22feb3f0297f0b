/* PKA, the selection of kernels (Avalos Baddouh et al., "Principal Kernel Analysis", MICRO 2021):
 * sampling/cluster/pks.h on twelve metrics, one representative per group, projection = sum over groups of
 * (launches) (value of the representative). If only the first launches were measured in detail, the others are
 * labelled from name and shape (sampling/cluster/two_level.h).
 *
 * Assumptions are listed there. The representative is the first launch, often with cold caches, and gives no
 * variance: no interval. Where text and code of the paper differ, the text is followed: twelve metrics, k up to 20,
 * the smallest k within the error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/methods/method.h"
#include "sampling/cluster/pks.h"
#include "sampling/cluster/representatives.h"
#include "sampling/cluster/two_level.h"

static void read_metrics(const struct features *f, uint64_t i, double *x)
{
    for (int m = 0; m < FEATURE_COUNT; m++)
        x[m] = f->metrics[m][i];
}

/* Reports how k was found, and the share of launches that were classified. */
static void pka_report(const struct pks *s, const struct two_level *l, const struct plan_params *params,
                       struct strata *out)
{
    static const char *const by[] = {
        [PLAN_BAYES] = "naive Bayes", [PLAN_SGD] = "logistic regression", [PLAN_MLP] = "a perceptron"};
    double all = (double)(l->measured + l->exact + l->classified), tolerance = 100 * params->error;
    int n = snprintf(out->note, sizeof out->note,
                     "k = %zu projects the measured launches with an error of %+.2f %%", s->k, 100 * s->error);

    if (s->within > 1)
        n += snprintf(out->note + n, sizeof out->note - (size_t)n,
                      "; of k = 1 .. %zu, %zu stay within %g %%, with errors from %+.2f to %+.2f %%", s->tried,
                      s->within, tolerance, 100 * s->low, 100 * s->high);
    if (l->exact + l->classified)
        snprintf(out->note + n, sizeof out->note - (size_t)n,
                 "; two levels: %.1f %% of launches measured, %.1f %% labelled by name and shape, %.1f %% by %s",
                 100 * (double)l->measured / all, 100 * (double)l->exact / all, 100 * (double)l->classified / all,
                 by[params->classifier]);
    if (!s->within)
        snprintf(out->caution, sizeof out->caution,
                 "No k up to %zu projects the profile to within %g %%; k = %zu has the smallest error.", s->tried,
                 tolerance, s->k);
    else if (s->k > 1)
        snprintf(
            out->caution, sizeof out->caution,
            "k was chosen among %zu values by the error of the same total that is estimated. Expect a larger error "
            "on another run or GPU.",
            s->k);
}

static int label_all(const struct profile *p, const struct plan_params *params, const struct feature_rows *rows,
                     const struct pks *s, struct strata *out, struct err *e)
{
    uint64_t known = p->features->known;
    uint32_t *label = mem_zalloc(p->count, sizeof *label, e);
    struct two_level l;
    int ret = -1;

    if (!label)
        return -1;
    for (uint64_t i = 0; i < known; i++)
        label[i] = rows->of[i] == GROUP_NOWHERE ? GROUP_NOWHERE : s->group[rows->of[i]];
    if (two_level_label(p, known, s->k, params->classifier, label, &l, e) == 0) {
        pka_report(s, &l, params, out);
        ret = strata_of_representatives(p, label, s->k, s->first, out, e);
    }
    free(label);
    return ret;
}

static int pka_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                        struct err *e)
{
    struct feature_rows rows;
    struct pks s = {0};
    int ret = -1;

    if (feature_rows_make(p, p->features->known, FEATURE_COUNT, read_metrics, &rows, e) < 0)
        return -1;
    if (pks_select(&rows, p->value, params->error, &s, e) == 0)
        ret = label_all(p, params, &rows, &s, out, e);
    feature_rows_release(&rows);
    pks_release(&s);
    return ret;
}

const struct method method_pka = {
    .name = "pka",
    .title = "PKA",
    .takes = TAKES_CLASSIFIER,
    .sentence =
        "As published at MICRO 2021: clusters launches by twelve metrics into the fewest groups that project the "
        "profile within the error, and takes the first launch of each. It promises no interval.",
    .needs = NEEDS_METRICS | NEEDS_PREFIX,
    .labels = true,
    .stratify = pka_stratify,
};
