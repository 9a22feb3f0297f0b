#include "server/domain/project/run_domains.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

#define RATIOS_MAX 256 /* of an answer; each one reads all samples */

static int estimate(struct run_domains *out, const struct run_results *r, const struct run_levels *l,
                    const struct domain_counts *counts, enum domain_kind kind, struct err *e)
{
    for (size_t d = 0; d < r->design_count; d++) {
        struct design_domains *to = &out->designs[d];

        if (run_total_make(r, l, d, &to->total, e) < 0 ||
            domain_estimates_of(counts, kind, run_results_of(r, d), &to->total, &to->parts, &out->count, e) < 0)
            return -1;
    }
    return 0;
}

static int compare_design(struct run_domains *out, size_t d, size_t count, const struct domain_counts *counts,
                          const struct bounded_values *values, const double *within, struct err *e)
{
    const struct domain_pair pair = {.a = values[out->baseline],
                                     .b = values[d],
                                     .within = {within[out->baseline], within[d]},
                                     .level = out->ratio_level,
                                     .count = count};

    out->designs[d].compared = mem_zalloc(out->count + 1, sizeof *out->designs[d].compared, e);
    return out->designs[d].compared
               ? domain_compare(counts, out->designs[d].parts, out->count, &pair, out->designs[d].compared, e)
               : -1;
}

static int compare(struct run_domains *out, const struct run_results *r, const struct domain_counts *counts,
                   struct err *e)
{
    size_t most = RATIOS_MAX / (r->design_count - 1), n = out->count < most ? out->count : most;
    struct results_seconds s;
    double *within = mem_zalloc(r->design_count, sizeof *within, e);
    int ret = run_results_bounded_seconds(r, &s, e);

    out->ratio_level = 1 - (1 - r->run.confidence) / (double)((r->design_count - 1) * (n > 0 ? n : 1));
    if (ret == 0)
        ret = within ? run_results_within(r, within, e) : -1;
    for (size_t d = 0; ret == 0 && d < r->design_count; d++)
        if (d != out->baseline)
            ret = compare_design(out, d, n, counts, s.values, within, e);
    results_seconds_release(&s);
    free(within);
    return ret;
}

int run_domains_make(struct run_domains *out, const struct run_results *r, const struct run_levels *l,
                     const struct domain_view *v, enum domain_kind kind, size_t baseline, struct err *e)
{
    struct domain_counts *counts = domain_counts_new(v, &r->plan, e);
    int ret = -1;

    *out = (struct run_domains){.design_count = r->design_count,
                                .baseline = baseline,
                                .ratio_level = NAN,
                                .designs = mem_zalloc(r->design_count + 1, sizeof *out->designs, e)};
    if (counts && out->designs)
        ret = estimate(out, r, l, counts, kind, e);
    if (ret == 0 && r->design_count > 1)
        ret = compare(out, r, counts, e);
    domain_counts_free(counts);
    return ret;
}

void run_domains_release(struct run_domains *d)
{
    for (size_t i = 0; d->designs && i < d->design_count; i++) {
        projection_release(&d->designs[i].total);
        free(d->designs[i].parts);
        free(d->designs[i].compared);
    }
    free(d->designs);
    *d = (struct run_domains){.design_count = 0};
}
