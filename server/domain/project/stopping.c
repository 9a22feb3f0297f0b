#include "server/domain/project/stopping_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/sequential/plan_resize.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/plan/plan_cache.h"
#include "wire/json.h"

/* --- Evaluating the rule --- */

struct judging {
    const struct run_results *r;
    struct db *db;
    struct clock *clock;
    struct verdict *v;
    struct stopping_costs costs;
    struct interim_past past;
    struct strata strata;
    uint64_t *skipped_launches; /* launches that are skipped because they cannot be simulated */
    size_t passed_over_count;
    uint64_t *room; /* per stratum: launches that are not skipped */
};

static void judging_release(struct judging *j)
{
    free(j->costs.seconds);
    interim_past_release(&j->past);
    strata_release(&j->strata);
    free(j->skipped_launches);
    free(j->room);
}

static int load_strata(struct judging *j, struct err *e)
{
    return profile_load(j->db, j->r->run.profile, &j->v->profile, e) < 0
               ? -1
               : plan_strata(&j->r->plan, &j->v->profile, &j->strata, e);
}

/* Adds launches to the skipped ones. Rows: launch, stratum. */
static int pass_over(struct judging *j, const struct db_rows *q, struct err *e)
{
    uint64_t *grown = realloc(j->skipped_launches, (j->passed_over_count + (size_t)q->count + 1) * sizeof *grown);

    if (!grown)
        return err_no_memory(e);
    j->skipped_launches = grown;
    for (int i = 0; i < q->count; i++) {
        size_t h = (size_t)db_get_i64(q, i, 1);

        grown[j->passed_over_count++] = (uint64_t)db_get_i64(q, i, 0);
        if (h < j->r->plan.stratum_count && j->room[h] > 0)
            j->room[h]--;
    }
    return 0;
}

static void take_back(struct judging *j, const struct db_rows *q)
{
    j->passed_over_count -= (size_t)q->count;
    for (int i = 0; i < q->count; i++)
        if ((size_t)db_get_i64(q, i, 1) < j->r->plan.stratum_count)
            j->room[db_get_i64(q, i, 1)]++;
}

static int load_passed_over(struct judging *j, struct err *e)
{
    struct db_rows q;
    int ret;

    j->room = mem_zalloc(j->r->plan.stratum_count + 1, sizeof *j->room, e);
    if (!j->room || repo_interim_skipped(j->db, j->r->run.id, &q, e) < 0)
        return -1;
    for (size_t h = 0; h < j->r->plan.stratum_count; h++)
        j->room[h] = j->r->plan.strata[h].population;
    ret = pass_over(j, &q, e);
    db_rows_release(&q);
    return ret;
}

/* Makes the next plan, with n[h] samples of stratum h, or all of its launches if there are fewer. It skips
 * launches that cannot be simulated. */
static int make_next(struct judging *j, uint64_t *n, struct err *e)
{
    const struct skipped_launches over = {j->skipped_launches, j->passed_over_count};

    for (size_t h = 0; h < j->r->plan.stratum_count; h++)
        n[h] = n[h] < j->room[h] ? n[h] : j->room[h];
    if (plan_resize_strata(&j->r->plan, &j->v->profile, &j->strata, n, &over, RNG_DRAW, &j->v->next.plan, e) < 0)
        return -1;
    return plan_store_prepare(&j->v->next, j->clock, e);
}

/* Replaces launches that have failed since the last evaluation. 1: done; 0: nothing to replace, or a stratum has
 * no other launch. */
static int redraw(struct judging *j, const struct db_rows *failed, struct err *e)
{
    size_t strata = j->r->plan.stratum_count;
    uint64_t *n;
    int ret;

    if (!j->v->rule.redraw || failed->count == 0)
        return 0;
    if (pass_over(j, failed, e) < 0)
        return -1;
    for (size_t h = 0; h < strata; h++) {
        if (j->room[h] > 0)
            continue;
        take_back(j, failed); /* no launch of the stratum can replace it */
        return 0;
    }
    n = mem_zalloc(strata + 1, sizeof *n, e);
    for (size_t h = 0; n && h < strata; h++)
        n[h] = j->r->plan.strata[h].samples;
    ret = n ? make_next(j, n, e) : -1;
    free(n);
    j->v->kind = VERDICT_REDRAW;
    return ret < 0 ? -1 : 1;
}

/* Costs in jobs, for a budget in jobs: one job for each sample and design. */
static double *cost_of_jobs(const struct run_results *r, struct err *e)
{
    double *costs = mem_zalloc(r->plan.stratum_count + 1, sizeof *costs, e);

    for (size_t h = 0; costs && h < r->plan.stratum_count; h++)
        costs[h] = (double)r->design_count;
    return costs;
}

static int take(struct judging *j, const double *costs, struct err *e)
{
    const struct rule_row *rule = &j->v->rule;
    struct interim_rule wanted = stopping_rule(rule);
    size_t strata = j->r->plan.stratum_count;
    const double **y = mem_zalloc(j->r->design_count + 1, sizeof *y, e);
    double *values = y ? run_results_seconds(j->r, y, e) : NULL;
    struct interim_shape *shapes = mem_zalloc(strata + 1, sizeof *shapes, e);
    double *within = mem_zalloc(j->r->design_count + 1, sizeof *within, e);
    struct interim_spent *past = stopping_past(&j->past, j->past.analyses, &wanted, j->r->design_count, e);
    int ret = -1;

    wanted.budget = stopping_budget_left(rule, j->r, &j->costs);
    wanted.costs = costs;
    wanted.within = within;
    if (values && shapes && past && within && run_results_within(j->r, within, e) == 0) {
        plan_shapes(&j->strata, shapes);
        ret = interim_analyze(&j->r->plan, y, j->r->design_count, &wanted, past, (unsigned)j->past.analyses + 1,
                              shapes, &j->v->analysis, e);
    }
    free(y);
    free(values);
    free(shapes);
    free(within);
    free(past);
    return ret;
}

/* [{"stratum":4,"kernel":"…","from":88,"to":124}, …] */
static int list_changes(struct judging *j, struct err *e)
{
    const struct plan *plan = &j->r->plan, *next = &j->v->next.plan;
    json_t *list = json_array();
    int ret = 0;

    j->v->extra_s = 0;
    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++) {
        uint64_t from = plan->strata[h].samples, to = next->strata[h].samples;
        struct json_obj o;

        if (to == from)
            continue;
        j->v->extra_s += (double)(to - from) * j->costs.seconds[h];
        o = json_obj_begin();
        json_put_u64(&o, "stratum", h);
        json_put_str(&o, "kernel", plan->strata[h].kernel_name);
        json_put_u64(&o, "from", from);
        json_put_u64(&o, "to", to);
        ret = json_push(list, json_obj_end(&o)) < 0 ? err_no_memory(e) : 0;
    }
    if (ret == 0)
        json_write_text(list, false, &j->v->changes);
    json_decref(list);
    return ret == 0 && j->v->changes.failed ? err_no_memory(e) : ret;
}

static int analysis(struct judging *j, struct err *e)
{
    double *jobs = j->v->rule.budget_in == SPEND_JOBS ? cost_of_jobs(j->r, e) : NULL;
    int ret = j->v->rule.budget_in == SPEND_JOBS && !jobs ? -1 : take(j, jobs ? jobs : j->costs.seconds, e);

    free(jobs);
    if (ret < 0)
        return -1;
    j->v->kind = VERDICT_ANALYZED;
    j->v->unit = isnan(j->r->seconds_per_unit[0]) ? run_results_unit(j->r) : "s";
    j->v->spent_s = j->costs.spent_s;
    if (j->v->analysis.decision == INTERIM_MORE &&
        (make_next(j, j->v->analysis.next, e) < 0 || list_changes(j, e) < 0))
        return -1;
    j->v->reason = stopping_decision(j->v, j->r);
    return j->v->reason ? 0 : err_no_memory(e);
}

static int judge(struct judging *j, struct err *e)
{
    struct db_rows failed;
    int ret;

    if (repo_interim_failed(j->db, j->r->run.id, &failed, e) < 0)
        return -1;
    j->v->failed = (size_t)failed.count;
    if (2 * j->v->failed > j->r->plan.sample_count) {
        j->v->kind = VERDICT_GIVE_UP;
        snprintf(j->v->problem, sizeof j->v->problem, "more than half of its launches could not be simulated");
        ret = 0;
    } else {
        ret = load_strata(j, e) < 0 || stopping_costs_load(j->r, j->db, &j->costs, e) < 0 ||
                      load_passed_over(j, e) < 0
                  ? -1
                  : redraw(j, &failed, e);
        if (ret == 0)
            ret = analysis(j, e);
    }
    db_rows_release(&failed);
    return ret < 0 ? -1 : 0;
}

bool stopping_give_up(struct verdict *v, const struct err *why)
{
    if (why->code != ERR_INVALID && why->code != ERR_UNSUPPORTED)
        return false;
    v->kind = VERDICT_GIVE_UP;
    snprintf(v->problem, sizeof v->problem, "%s", why->text);
    return true;
}

int stopping_evaluate(const struct run_results *r, struct db *db, struct clock *clock, struct verdict *out,
                      struct err *e)
{
    struct judging j = {.r = r, .db = db, .clock = clock, .v = out};
    int ret = repo_interim_rule(db, r->run.id, &out->rule, e);

    if (ret <= 0 || out->rule.settled)
        return ret < 0 ? -1 : 0;
    out->goes_on = true;
    ret = repo_interim_past(db, r->run.id, &j.past, e);
    /* While an extension waits for approval, or the run is paused, nothing is decided. */
    if (ret == 0 && strcmp(j.past.answer, "waiting") != 0 && strcmp(r->run.state, "running") == 0)
        ret = judge(&j, e);
    if (ret < 0 && stopping_give_up(out, e))
        ret = 0;
    judging_release(&j);
    return ret;
}

int stopping_preview(const struct run_results *r, struct db *db, struct clock *clock, const struct rule_row *rule,
                     const struct interim_past *past, struct verdict *out, struct err *e)
{
    struct judging j = {.r = r, .db = db, .clock = clock, .v = out, .past = *past};
    int ret;

    out->rule = *rule;
    ret = load_strata(&j, e) < 0 || stopping_costs_load(r, db, &j.costs, e) < 0 || load_passed_over(&j, e) < 0
              ? -1
              : analysis(&j, e);
    j.past = (struct interim_past){.analyses = 0}; /* the caller owns it */
    judging_release(&j);
    return ret;
}

void verdict_release(struct verdict *v)
{
    interim_release(&v->analysis);
    plan_store_release(&v->next);
    profile_release(&v->profile);
    strbuf_release(&v->changes);
    json_decref(v->reason);
}

/* --- The start of a run --- */

int stopping_pilot(struct db *db, const struct stopping_pilot_request *request, struct profile *profile,
                   struct plan_store *out, double *confidence, struct err *e)
{
    struct plan plan;
    uint64_t *n = NULL;
    bool smaller = false;
    int ret = -1;

    plan_init(&plan);
    profile_init(profile);
    if (plan_cache_load(db, request->plan, &plan, e) < 0 || interim_possible(&plan, e) < 0 ||
        profile_load(db, request->profile, profile, e) < 0)
        goto out;
    *confidence = plan.params.confidence;
    n = mem_zalloc(plan.stratum_count + 1, sizeof *n, e);
    if (!n || interim_pilot(&plan, n, e) < 0)
        goto out;
    for (size_t h = 0; h < plan.stratum_count; h++)
        smaller |= n[h] < plan.strata[h].samples;
    ret = 0;
    if (smaller &&
        (plan_resize(&plan, profile, n, NULL, &out->plan, e) < 0 || plan_store_prepare(out, request->clock, e) < 0))
        ret = -1;
out:
    free(n);
    plan_release(&plan);
    return ret;
}
