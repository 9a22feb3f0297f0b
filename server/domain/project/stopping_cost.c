#include "server/domain/project/stopping_internal.h"

#include <math.h>

#include "base/array.h"

/* A replay simulates nothing, so the profiled time is used as the cost. If the profile's unit is not a time, the
 * cost is one. */
static void replay_costs(const struct run_results *r, struct stopping_costs *c)
{
    double scale = (r->plan.unit == PROFILE_NS ? 1e-9 : 1) * (double)r->design_count;

    for (size_t h = 0; h < r->plan.stratum_count; h++) {
        c->seconds[h] = scale * r->plan.strata[h].mean;
        c->spent_s += c->seconds[h] * (double)r->plan.strata[h].samples;
    }
}

/* Strata without a measured cost: the plan's cost, scaled by the ratio in the measured strata. */
static void fill_unmeasured(const struct run_results *r, struct stopping_costs *c)
{
    double measured = 0, planned = 0, scale;

    for (size_t h = 0; h < r->plan.stratum_count; h++) {
        if (c->seconds[h] > 0) {
            measured += c->seconds[h];
            planned += r->plan.strata[h].cost;
        }
    }
    scale = measured > 0 && planned > 0 ? measured / planned : (double)r->design_count;
    for (size_t h = 0; h < r->plan.stratum_count; h++)
        if (!(c->seconds[h] > 0))
            c->seconds[h] = fmax(r->plan.strata[h].cost * scale, 1e-9);
}

int stopping_costs_load(const struct run_results *r, struct db *db, struct stopping_costs *c, struct err *e)
{
    struct db_rows q;

    c->seconds = mem_zalloc(r->plan.stratum_count + 1, sizeof *c->seconds, e);
    if (!c->seconds)
        return -1;
    if (r->run.engine == ENGINE_REPLAY) {
        replay_costs(r, c);
        return 0;
    }
    if (repo_interim_costs(db, r->run.id, &q, e) < 0)
        return -1;
    for (int i = 0; i < q.count; i++)
        if ((size_t)db_get_i64(&q, i, 0) < r->plan.stratum_count)
            c->seconds[db_get_i64(&q, i, 0)] = db_get_double(&q, i, 1);
    db_rows_release(&q);
    fill_unmeasured(r, c);
    return repo_interim_spent(db, r->run.id, &c->spent_s, e);
}

double stopping_budget_left(const struct rule_row *rule, const struct run_results *r,
                            const struct stopping_costs *c)
{
    double left = INFINITY;

    if (rule->budget_in == SPEND_SECONDS)
        left = rule->budget - c->spent_s;
    else if (rule->budget_in == SPEND_MONEY)
        left = rule->budget / rule->price_per_s - c->spent_s;
    else if (rule->budget_in == SPEND_JOBS)
        left = rule->budget - (double)r->run.jobs;
    return left > 0 ? left : 0;
}
