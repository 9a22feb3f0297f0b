#include "server/domain/run/extension.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/store/repo/repo_job.h"
#include "server/store/repo/repo_pack.h"
#include "server/store/repo/repo_trace.h"
#include "server/store/event/event.h"
#include "server/domain/project/stopping.h"
#include "server/domain/plan/plan_cache.h"

/* --- Whether a run can be extended --- */

/* A plan without support for interim analyses would end the rule at its first one. */
static int may_analyze(struct db *db, const struct run_row *run, struct err *e)
{
    struct plan plan;
    int ret;

    plan_init(&plan);
    ret = plan_cache_load(db, run->plan, &plan, e) < 0 || interim_possible(&plan, e) < 0 ? -1 : 0;
    plan_release(&plan);
    return ret;
}

int extension_allowed(struct db *db, const struct run_row *run, struct err *e)
{
    bool open = strcmp(run->state, "running") == 0 || strcmp(run->state, "paused") == 0;

    if (!open && strcmp(run->state, "done") != 0)
        return err_set(e, ERR_CONFLICT, "the run is %s, so it cannot be extended", run->state);
    if (!open && run->dropped)
        return err_set(e, ERR_CONFLICT,
                       "the jobs of this old run were deleted; start another run, which reuses all results");
    return may_analyze(db, run, e);
}

/* --- The rule --- */

/* Errors inside launches do not shrink with more samples. Checks that they leave enough room for the sampling
 * error. */
int extension_fits_inside(double inside_kernels, const struct rule_row *rule, struct err *e)
{
    if (!(inside_kernels > 0))
        return 0;
    if (rule->resolve > 0)
        return err_set(e, ERR_INVALID,
                       "a run with `inside_kernels` cannot resolve differences: more samples do not reduce the "
                       "error inside launches, which differs between designs");
    if (inside_kernels <= rule->error / 2)
        return 0;
    err_set(e, ERR_INVALID,
            "`inside_kernels` is %.3g %%; it must be at most %.3g %%, half of the run's target error",
            100 * inside_kernels, 50 * rule->error);
    return err_hint(e, "The errors inside launches may all have the same sign, so they add to the sampling error.");
}

static int last_about(const struct interim_past *past, bool differences)
{
    int last = 0;

    for (size_t i = 0; i < past->count; i++)
        if (past->promises[i].difference == differences && past->promises[i].number > last)
            last = past->promises[i].number;
    return last;
}

/* Whether the promises have spent their level, so that later intervals would be wider than the last ones. A
 * promise spends its level at the analysis that meets it, and at the last analysis of a rule. A promise that was
 * met may stay as it is while others continue, unless the new rule asks for a smaller half-width. Returns the
 * number of the last interim analysis of totals, or of differences. 0: there is enough level, or there was no
 * such analysis. */
static int spent_up(const struct interim_past *past, bool differences, double wanted, double level)
{
    const double most = 0.9;
    int last = last_about(past, differences);
    bool left = false, narrower = false;

    for (size_t i = 0; i < past->count; i++) {
        const struct interim_past_promise *m = &past->promises[i];

        if (m->number != last || m->difference != differences)
            continue;
        if (m->spent.spent <= most * level)
            left = true;
        else
            narrower = narrower || wanted * fabs(m->value) < m->wanted * (1 - 1e-9);
    }
    return left && !narrower ? 0 : last;
}

static int check_spent(const struct run_row *run, int64_t designs, const struct interim_past *past,
                       const struct rule_row *rule, struct err *e)
{
    const char *const words[] = {"until", "resolve"};
    const double wanted[] = {rule->error, rule->resolve};

    for (int differences = 0; differences < 2; differences++) {
        double level = (1 - rule->confidence) / (differences ? (double)(designs - 1) : 1);
        int analysis = wanted[differences] > 0 ? spent_up(past, differences, wanted[differences], level) : 0;

        if (!analysis)
            continue;
        err_set(e, ERR_CONFLICT,
                "interim analysis %d of this run has spent its level on %s, so every later interval would be wider",
                analysis, differences ? "the differences" : "the totals");
        return err_hint(e,
                        "`vivace run create %s --gpu … --%s %.3g%%` starts a run with a level of its own; it "
                        "reuses all results.",
                        run->plan, words[differences], 100 * wanted[differences]);
    }
    return 0;
}

/* Earlier interim analyses count: the maximum number limits their sum. */
static int check_interim(const struct interim_past *past, struct rule_row *rule, struct err *e)
{
    if (past->analyses >= INTERIM_MAX) {
        err_set(e, ERR_CONFLICT, "the run has had %d interim analyses, and no confidence level is left for more",
                past->analyses);
        return err_hint(e, "Start a run of a plan with a smaller error; it reuses all results.");
    }
    rule->analyses = past->analyses + rule->analyses < INTERIM_MAX ? past->analyses + rule->analyses : INTERIM_MAX;
    return 0;
}

/* Adds the budget that was spent to the budget of an extension. */
static int add_spent(struct db *db, const struct run_row *run, struct rule_row *rule, struct err *e)
{
    double spent;

    if (repo_interim_spent(db, run->id, &spent, e) < 0)
        return -1;
    if (rule->budget_in == SPEND_SECONDS)
        rule->budget += spent;
    else if (rule->budget_in == SPEND_MONEY)
        rule->budget += spent * rule->price_per_s;
    else if (rule->budget_in == SPEND_JOBS)
        rule->budget += (double)run->jobs;
    return 0;
}

int extension_rule(struct db *db, const struct run_row *run, int64_t designs, const struct interim_past *past,
                   struct rule_row *rule, struct err *e)
{
    if (rule->confidence == 0)
        rule->confidence = run->confidence;
    return extension_fits_inside(run->inside_kernels, rule, e) < 0 ||
                   check_spent(run, designs, past, rule, e) < 0 || check_interim(past, rule, e) < 0
               ? -1
               : add_spent(db, run, rule, e);
}

/* --- The cost of an extension --- */

struct costing {
    struct db *db;
    const struct run_row *run;
    const struct rule_row *rule;
    struct run_results results;
    struct verdict verdict;
    struct err why_not; /* .text: why the cost is unknown */
};

/* Number of new launches without a trace. Zero if the engine needs no traces, or if the profile's trace file has
 * them. */
static int missing_traces(struct costing *c, int64_t *out, struct err *e)
{
    const struct plan *next = &c->verdict.next.plan;
    struct strbuf launches = STRBUF_INIT;
    int ret = c->run->engine == ENGINE_REPLAY ? 1 : repo_pack_whole(c->db, c->run->profile, e);

    *out = 0;
    if (ret != 0)
        return ret < 0 ? -1 : 0;
    db_array_begin(&launches);
    for (size_t i = 0; i < next->sample_count; i++)
        db_array_add_u64(&launches, next->samples[i].launch);
    db_array_end(&launches);
    ret = launches.failed ? err_no_memory(e) : repo_trace_unbound(c->db, c->run->plan, launches.text, out, e);
    strbuf_release(&launches);
    return ret;
}

static int put_jobs(struct costing *c, struct json_obj *o, struct err *e)
{
    const struct run_results *r = &c->results;
    size_t extra = c->verdict.next.plan.sample_count - r->plan.sample_count;
    json_t *designs = json_array();
    int64_t missing;
    int ret = 0;

    for (size_t d = 0; d < r->design_count; d++) {
        struct json_obj one = json_obj_begin();

        json_put_str(&one, "design", r->designs[d].name);
        json_put_u64(&one, "jobs", extra);
        ret |= json_push(designs, json_obj_end(&one));
    }
    json_put(o, "designs", designs);
    if (ret != 0)
        return err_no_memory(e);
    if (missing_traces(c, &missing, e) < 0)
        return -1;
    json_put_u64(o, "samples", extra);
    json_put_u64(o, "jobs", extra * r->design_count);
    json_put_u64(o, "missing_traces", (uint64_t)missing);
    json_put_double(o, "expected_s", r->run.engine == ENGINE_REPLAY ? NAN : c->verdict.extra_s);
    return 0;
}

static int put_nothing(const struct costing *c, struct json_obj *o)
{
    bool known = !c->why_not.text[0];

    json_put(o, "designs", json_array());
    json_put(o, "samples", known ? json_integer(0) : json_null());
    json_put(o, "jobs", known ? json_integer(0) : json_null());
    json_put(o, "missing_traces", known ? json_integer(0) : json_null());
    json_put(o, "expected_s", json_null());
    return 0;
}

/* JSON null where no decision is known. */
static void put_reason(const struct costing *c, struct json_obj *o)
{
    struct strbuf reason = STRBUF_INIT;

    event_text(c->why_not.text[0] ? NULL : c->verdict.reason, &reason);
    json_put(o, "reason", reason.failed ? NULL : json_str_or_null(reason.text));
    strbuf_release(&reason);
}

static int put_cost(struct costing *c, struct json_obj *o, struct err *e)
{
    bool known = !c->why_not.text[0], more = known && c->verdict.analysis.decision == INTERIM_MORE;

    json_put_str(o, "run", c->run->id);
    json_put_double(o, "until", c->rule->error > 0 ? c->rule->error : NAN);
    json_put_double(o, "resolve", c->rule->resolve > 0 ? c->rule->resolve : NAN);
    json_put_u64(o, "baseline", (uint64_t)c->rule->baseline);
    json_put_str(o, "decision", known ? interim_decision_name(c->verdict.analysis.decision) : NULL);
    put_reason(c, o);
    json_put(o, "looks_left",
             more ? json_integer(c->verdict.rule.analyses - (int)c->verdict.analysis.number) : json_null());
    json_put_str(o, "why_not", known ? NULL : c->why_not.text);
    return more ? put_jobs(c, o, e) : put_nothing(c, o);
}

/* A refusal is part of the answer here. */
static int refused(struct costing *c, const struct err *e)
{
    if (e->code != ERR_CONFLICT && e->code != ERR_INVALID && e->code != ERR_UNSUPPORTED)
        return -1;
    c->why_not = *e;
    return 0;
}

/* The cost for a run whose jobs have all ended. */
static int preview(struct costing *c, struct clock *clock, struct err *e)
{
    struct interim_past past = {.analyses = 0};
    struct rule_row rule = *c->rule;
    int ret = repo_interim_past(c->db, c->run->id, &past, e);

    if (ret == 0 && extension_rule(c->db, c->run, (int64_t)c->results.design_count, &past, &rule, e) < 0)
        ret = refused(c, e);
    if (ret == 0 && !c->why_not.text[0] &&
        stopping_preview(&c->results, c->db, clock, &rule, &past, &c->verdict, e) < 0)
        ret = refused(c, e);
    interim_past_release(&past);
    return ret;
}

static int is_open(struct costing *c, struct err *e)
{
    struct job_counts n;

    if (repo_job_counts(c->db, c->run->id, &n, e) < 0)
        return -1;
    return n.of[JOB_BLOCKED] + n.of[JOB_READY] + n.of[JOB_LEASED] > 0;
}

json_t *extension_refused(const char *run, const struct rule_row *given, const char *why)
{
    struct run_row row = {.version = 0};
    struct costing c = {.run = &row, .rule = given};
    struct json_obj o = json_obj_begin();
    struct err ignored;

    snprintf(row.id, sizeof row.id, "%s", run);
    snprintf(c.why_not.text, sizeof c.why_not.text, "%s", why);
    return put_cost(&c, &o, &ignored) < 0 ? json_null() : json_obj_end(&o);
}

int extension_cost(struct db *db, struct clock *clock, const struct run_row *run, const struct rule_row *given,
                   json_t **out, struct err *e)
{
    struct costing c = {.db = db, .run = run, .rule = given, .verdict = VERDICT_INIT};
    struct json_obj o = json_obj_begin();
    int ret = run_results_load(&c.results, db, run, RUN_RESULTS_NOW, e), open = ret == 0 ? is_open(&c, e) : -1;

    if (open < 0)
        ret = -1;
    else if (open)
        err_set(&c.why_not, ERR_CONFLICT,
                "the run is still being simulated; the cost is known when its jobs have ended");
    else
        ret = preview(&c, clock, e);
    if (ret == 0)
        ret = put_cost(&c, &o, e);
    *out = json_obj_end(&o);
    verdict_release(&c.verdict);
    run_results_release(&c.results);
    if (ret < 0)
        json_decref(*out);
    else if (!*out)
        ret = err_no_memory(e);
    return ret;
}
