/* Simple random sampling without replacement: every invocation has the same chance. The yardstick. */
#include <math.h>

#include "sampling/allocate.h"
#include "sampling/method.h"

static int stratify(const struct profile *p, const struct plan_params *params, struct strata *out, struct err *e)
{
    uint64_t total = profile_total(p);
    struct alloc_outcome outcome;
    struct alloc_stratum s;
    struct moments m;

    if (groups_make(p, GROUP_ALL, &out->groups, e) < 0)
        return -1;
    m = moments_of(&out->groups, 0, out->groups.run_count);
    s = (struct alloc_stratum){
        .population = m.count, .sd = moments_sd(&m), .cost = moments_mean(&m), .least = m.count < 2 ? 1 : 2};
    if (params->share > 0) {
        s.n = (uint64_t)llround(params->share * (double)m.count);
        s.n = s.n < s.least ? s.least : s.n > m.count ? m.count : s.n;
        outcome = allocation_outcome(&s, 1, params->confidence);
    } else {
        struct alloc_goal goal = {params->error * (double)total, params->confidence, 1};

        if (allocate_interval(&s, 1, &goal, &outcome, e) < 0)
            return -1;
    }
    out->promised_error = outcome.half_width / (double)total;
    out->planned_df = outcome.df;
    out->promise_valid = true;
    return strata_add(out, p, 0, 0, 0, out->groups.run_count, s.n, e);
}

const struct method method_srs = {
    .name = "srs",
    .title = "Random",
    .sentence = "Simple random sampling without replacement over all invocations, as many as the error needs (or a "
                "given share).",
    .stratify = stratify,
};
