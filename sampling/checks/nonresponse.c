/* Shares of the total in launches that could not be simulated; formulas, assumption: nonresponse.h. */
#include "sampling/checks/nonresponse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

struct tried {
    double failed, failed_value; /* launches, and the sum of their profiled values */
    double done, done_value;
};

static int count_all(const struct plan *plan, const double *y, const struct not_done *failed, size_t count,
                     struct tried *t, struct err *e)
{
    for (size_t i = 0; i < plan->sample_count; i++) {
        struct tried *h = &t[plan->samples[i].stratum];

        h->done += !isnan(y[i]);
        h->done_value += isnan(y[i]) ? 0 : (double)plan->samples[i].value;
    }
    for (size_t i = 0; i < count; i++) {
        if (failed[i].stratum >= plan->stratum_count)
            return err_set(e, ERR_INVALID, "stratum %u is not in the plan", failed[i].stratum);
        t[failed[i].stratum].failed++;
        t[failed[i].stratum].failed_value += (double)failed[i].value;
    }
    return 0;
}

int nonresponse_make(const struct plan *plan, const double *y, const struct projection *p,
                     const struct not_done *failed, size_t count, struct nonresponse *out, struct err *e)
{
    struct tried *t = mem_zalloc(plan->stratum_count, sizeof *t, e);
    double share = 0, profiled = 0;
    int ret = t ? count_all(plan, y, failed, count, t, e) : -1;

    ASSERT(p->stratum_count == plan->stratum_count);
    *out = (struct nonresponse){.count = count};
    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++) {
        double part = t[h].failed / (t[h].failed + t[h].done), of_total = p->strata[h].total / p->value * part;

        if (!(t[h].failed > 0))
            continue;
        share += of_total;
        if (t[h].done_value > 0)
            profiled += of_total * (t[h].failed_value / t[h].failed / (t[h].done_value / t[h].done) - 1);
    }
    free(t);
    if (ret < 0)
        return -1;
    out->share = out->if_twice = share;
    out->if_profiled = profiled;
    if (count)
        snprintf(out->sentence, sizeof out->sentence,
                 "%zu drawn launches could not be simulated, and similar launches represent them, %.2g %% of the "
                 "total. That is right if failing is independent of a launch's time within its stratum. If they "
                 "took twice as long, the total would be %.2g %% larger",
                 count, 100 * share, 100 * share);
    return 0;
}
