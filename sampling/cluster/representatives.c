/* One chosen member for each cluster: total = sum(N_h y of the chosen one), or by instructions. No variance: a
 * launch chosen by a rule gives no information about the others. Assumes: all launches of a cluster are equal to
 * it. */
#include "sampling/cluster/representatives.h"

#include <math.h>

int strata_of_representatives(const struct profile *p, const uint32_t *label, size_t labels, const uint32_t *chosen,
                              struct strata *out, struct err *e)
{
    bool whole = true;

    if (groups_make_labelled(p, label, labels, &out->groups, e) < 0)
        return -1;
    for (size_t g = 0; g < out->groups.count; g++) {
        const struct group *group = &out->groups.items[g];

        whole = whole && runs_rows(&out->groups, group->run_begin, group->run_end) == 1;
        if (strata_add_chosen(out, p, g, 0, group->run_begin, group->run_end, &chosen[group->key], 1, e) < 0)
            return -1;
    }
    out->representative = true;
    out->variance = PLAN_VARIANCE_NONE;
    out->promised_error = NAN;
    out->promise_valid = false;
    out->planned_df = whole ? INFINITY : 0;
    return 0;
}

int need_instructions(const struct profile *p, struct err *e)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->value[i] && !p->features->instructions[i])
            return err_set(e, ERR_INVALID,
                           "launch %zu took time but has no instructions in its features; a projection by "
                           "instructions would miss its time",
                           i);
    return 0;
}
