/* server/api/handlers/interim.c: the stopping rule of a run, extensions of a run, and the user's answer to a
 * proposed extension. The API calls an interim analysis a look. */
#include "server/api/handlers/interim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "server/store/repo/repo_archive.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/runs.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/run/extension.h"
#include "server/domain/project/stopping.h"

/* --- The rule in a request --- */

const char *const rule_members[] = {"until",   "confidence", "resolve",  "baseline", "budget",
                                    "approve", "looks",      "failures", NULL};

static int share(const json_t *body, const char *name, double *out, struct err *e)
{
    int given = json_opt_double(body, name, out, e);

    if (given > 0 && !(*out > 0 && *out < 1))
        return err_set(e, ERR_INVALID, "`%s` must be between 0 and 1; 0.02 is 2 %%", name);
    return given;
}

/* {"seconds":14400}, {"jobs":500} or {"money":20,"price_per_s":0.0008} */
static int read_budget(const json_t *body, struct rule_row *rule, struct err *e)
{
    static const char *const known[] = {"seconds", "jobs", "money", "price_per_s", NULL};
    const json_t *b = json_object_get(body, "budget");
    int kinds = 0;

    if (!b || json_is_null(b))
        return 0;
    if (json_need_object(b, "`budget`", e) < 0 || json_refuse_unknown(b, known, e) < 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        int given = json_opt_double(b, known[i], &rule->budget, e);

        if (given < 0)
            return -1;
        kinds += given;
        rule->budget_in = given ? (enum spend_unit)(SPEND_SECONDS + i) : rule->budget_in;
    }
    if (kinds != 1 || !(rule->budget > 0 && rule->budget <= 1e12))
        return err_set(e, ERR_INVALID, "`budget` must be one of seconds, jobs and money, above 0");
    if (json_opt_double(b, "price_per_s", &rule->price_per_s, e) < 0)
        return -1;
    if ((rule->budget_in == SPEND_MONEY) != (rule->price_per_s > 0))
        return err_set(
            e, ERR_INVALID,
            "`money` needs `price_per_s`, the price of a second of simulation, and `price_per_s` needs `money`");
    return 0;
}

static int one_of(const json_t *body, const char *name, const char *usual, const char *other, bool *is_other,
                  struct err *e)
{
    const char *text = usual;

    if (json_opt_str(body, name, &text, e) < 0)
        return -1;
    *is_other = strcmp(text, other) == 0;
    return *is_other || strcmp(text, usual) == 0 ? 0
                                                 : err_set(e, ERR_INVALID, "`%s` is %s or %s", name, usual, other);
}

int rule_read(const json_t *body, size_t designs, struct rule_row *rule, bool *given, struct err *e)
{
    uint32_t baseline = 0, analyses = INTERIM_MAX;
    bool drop;

    *rule = (struct rule_row){.error = 0};
    *given = false;
    for (const char *const *name = rule_members; *name; name++)
        *given |= json_object_get(body, *name) && !json_is_null(json_object_get(body, *name));
    if (!*given)
        return 0;
    if (share(body, "until", &rule->error, e) < 0 || share(body, "resolve", &rule->resolve, e) < 0 ||
        share(body, "confidence", &rule->confidence, e) < 0 || read_budget(body, rule, e) < 0 ||
        json_opt_u32(body, "baseline", 0, designs ? (uint32_t)designs - 1 : 0, &baseline, e) < 0 ||
        json_opt_u32(body, "looks", 1, INTERIM_MAX, &analyses, e) < 0 ||
        one_of(body, "approve", "auto", "ask", &rule->ask, e) < 0 ||
        one_of(body, "failures", "redraw", "drop", &drop, e) < 0)
        return -1;
    if (rule->confidence > 0 && !(rule->confidence >= 0.5 && rule->confidence <= 0.9999))
        return err_set(e, ERR_INVALID, "`confidence` must be between 0.5 and 0.9999");
    if (rule->error == 0 && rule->resolve == 0)
        return err_set(
            e, ERR_INVALID,
            "a rule needs `until` (error of totals) or `resolve` (error of differences between designs)");
    if (rule->resolve > 0 && designs < 2)
        return err_set(e, ERR_INVALID, "`resolve` needs at least two designs, and this run has one");
    rule->baseline = (int)baseline;
    rule->analyses = (int)analyses;
    rule->redraw = !drop;
    return 0;
}

/* --- POST /runs/{run}/extend --- */

struct extension {
    struct app *app;
    const struct run_row *run;
    struct rule_row rule;
    int64_t designs;
    const char *by;
};

static int prepare(struct db *db, const struct extension *x, const struct interim_past *past, struct rule_row *rule,
                   wall_us now, struct err *e)
{
    if (extension_rule(db, x->run, x->designs, past, rule, e) < 0)
        return -1;
    if (strcmp(past->answer, "waiting") == 0 &&
        repo_interim_answer(db, x->run->id, past->analyses, "waiting", "undone", x->by, now, e) < 0)
        return -1;
    return repo_interim_put_rule(db, x->run->id, rule, e);
}

static int extend_body(struct db *db, void *ctx, struct err *e)
{
    const struct extension *x = ctx;
    struct rule_row rule = x->rule;
    wall_us now = clock_now(x->app->clock);
    struct interim_past past;
    int ret;

    if (repo_job_admission_lock(db, e) < 0 || repo_interim_past(db, x->run->id, &past, e) < 0)
        return -1;
    ret = prepare(db, x, &past, &rule, now, e);
    interim_past_release(&past);
    if (ret < 0)
        return -1;
    if (repo_archive_return(db, x->run->id, e) < 0 || repo_run_take_up(db, x->run->id, e) < 0)
        return -1;
    return repo_event_emit(db, x->run->id, now, "info", EVENT(run_extended, .by = x->by), e);
}

/* Reads the run and the rule from the request. */
static int read_extension(struct db *db, const struct request *req, struct run_row *run, struct extension *x,
                          struct err *e)
{
    bool given = false;
    json_t *body;
    int ret;

    if (run_of_request(db, req, run, e) < 0 || extension_allowed(db, run, e) < 0 ||
        repo_run_designs(db, run->id, &x->designs, e) < 0)
        return -1;
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret = !body || json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, rule_members, e) < 0
              ? -1
              : rule_read(body, (size_t)x->designs, &x->rule, &given, e);
    json_decref(body);
    return ret == 0 && !given ? err_set(e, ERR_INVALID, "`until` or `resolve` is missing") : ret;
}

int run_extend_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct run_row run;
    struct extension x = {.app = app, .run = &run, .by = req->credential.name};

    if (read_extension(db, req, &run, &x, e) < 0 || db_transaction(db, extend_body, &x, e) < 0)
        return -1;
    return answer_run(db, run.id, 200, rep, e);
}

/* POST /runs/{run}/extend/cost: the same body, and nothing is changed. */
int run_extend_cost_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                         struct err *e)
{
    struct run_row run;
    struct extension x = {.app = app, .run = &run, .by = req->credential.name};
    json_t *cost;

    if (read_extension(db, req, &run, &x, e) < 0 || extension_cost(db, app->clock, &run, &x.rule, &cost, e) < 0)
        return -1;
    return reply_json(rep, 200, cost, e);
}

/* --- POST /runs/{run}/looks/{look}/accept, …/undo --- */

struct answer {
    struct app *app;
    const struct run_row *run;
    const char *by;
    int number;
    bool accept;
};

static int no_such(const struct answer *a, const struct interim_past *past, struct err *e)
{
    if (past->analyses == 0) {
        err_set(e, ERR_NOT_FOUND, "the run has had no interim analysis yet");
        return err_hint(e, "`vivace run show %s` shows its state.", a->run->id);
    }
    if (a->number != past->analyses)
        return err_set(e, ERR_CONFLICT, "interim analysis %d is not the last one: that is %d", a->number,
                       past->analyses);
    if (!past->next_plan[0])
        return err_set(e, ERR_CONFLICT,
                       "interim analysis %d requested no more launches: there is nothing to accept or undo",
                       a->number);
    if (strcmp(a->run->state, "running") != 0 && strcmp(a->run->state, "paused") != 0)
        return err_set(e, ERR_CONFLICT, "the run is %s", a->run->state);
    return a->accept
               ? err_set(e, ERR_CONFLICT, "the extension of interim analysis %d needs no answer", a->number)
               : err_set(e, ERR_CONFLICT, "the extension of interim analysis %d was undone already", a->number);
}

static int accept(struct db *db, const struct answer *a, const struct interim_past *past, wall_us now,
                  struct err *e)
{
    int changed = repo_interim_answer(db, a->run->id, a->number, "waiting", "accepted", a->by, now, e);

    if (changed <= 0)
        return changed < 0 ? -1 : no_such(a, past, e);
    if (stopping_go_on(db, a->run->id, past->plan, past->next_plan, now, e) < 0)
        return -1;
    return repo_event_emit(db, a->run->id, now, "info", EVENT(look_accepted, .by = a->by, .look = a->number), e);
}

/* The plan before the extension is current again. Results that the extension has simulated stay stored but do
 * not count: the user may have seen them before the decision to undo, and the choice would bias the estimate. */
static int undo(struct db *db, const struct answer *a, const struct interim_past *past, wall_us now, struct err *e)
{
    bool waits = strcmp(past->answer, "waiting") == 0;
    int changed = repo_interim_answer(db, a->run->id, a->number, past->answer, "undone", a->by, now, e);
    char ids[UUID_TEXT + 4];

    snprintf(ids, sizeof ids, "{%s}", a->run->id);
    if (changed <= 0)
        return changed < 0 ? -1 : no_such(a, past, e);
    if (repo_interim_settle(db, a->run->id, e) < 0 || repo_job_live_lock(db, a->run->id, e) < 0 ||
        repo_run_touch(db, ids, e) < 0 ||
        (!waits && (stopping_go_on(db, a->run->id, past->next_plan, past->plan, now, e) < 0 ||
                    repo_job_reconcile(db, e) < 0)))
        return -1;
    return repo_event_emit(db, a->run->id, now, "info", EVENT(look_undone, .by = a->by, .look = a->number), e);
}

static int answer_body(struct db *db, void *ctx, struct err *e)
{
    const struct answer *a = ctx;
    wall_us now = clock_now(a->app->clock);
    struct interim_past past;
    bool open = strcmp(a->run->state, "running") == 0 || strcmp(a->run->state, "paused") == 0;
    int ret;

    if (repo_job_admission_lock(db, e) < 0 || repo_interim_past(db, a->run->id, &past, e) < 0)
        return -1;
    if (!open || a->number != past.analyses || !past.next_plan[0] || strcmp(past.answer, "undone") == 0)
        ret = no_such(a, &past, e);
    else
        ret = a->accept ? accept(db, a, &past, now, e) : undo(db, a, &past, now, e);
    interim_past_release(&past);
    return ret;
}

static int answer_analysis(struct app *app, struct db *db, const struct request *req, bool accept,
                           struct reply *rep, struct err *e)
{
    struct run_row run;
    struct answer a = {.app = app, .run = &run, .by = req->credential.name, .accept = accept};
    char *end;

    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    a.number = (int)strtol(req->param[1], &end, 10);
    if (*end || a.number < 1 || a.number > INTERIM_MAX)
        return err_set(e, ERR_NOT_FOUND, "the run has no interim analysis %.20s", req->param[1]);
    if (db_transaction(db, answer_body, &a, e) < 0)
        return -1;
    dispatcher_wake(app->farm.dispatcher);
    return answer_run(db, run.id, 200, rep, e);
}

int run_interim_accept_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                            struct err *e)
{
    return answer_analysis(app, db, req, true, rep, e);
}

int run_interim_undo_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                          struct err *e)
{
    return answer_analysis(app, db, req, false, rep, e);
}
