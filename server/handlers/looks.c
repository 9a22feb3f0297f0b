/* server/handlers/looks.c: when a run is over: its rule, more of it later, and what somebody says to its
 * extensions. */
#include "server/handlers/looks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "server/db/repo_archive.h"
#include "server/db/repo_event.h"
#include "server/db/repo_job.h"
#include "server/db/repo_plan.h"
#include "server/handlers/handlers.h"
#include "server/handlers/runs.h"
#include "server/queue/dispatcher.h"
#include "server/run/looker.h"

/* --- The rule in a request --- */

const char *const rule_members[] = {"until",   "confidence", "resolve",  "baseline", "budget",
                                    "approve", "looks",      "failures", NULL};

static int share(const json_t *body, const char *name, double *out, struct err *e)
{
    int given = json_opt_double(body, name, out, e);

    if (given > 0 && !(*out > 0 && *out < 1))
        return err_set(e, ERR_INVALID, "`%s` must lie between 0 and 1; 0.02 is 2 %%", name);
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
        return err_set(e, ERR_INVALID, "`budget` is one of seconds, jobs and money, above 0");
    if (json_opt_double(b, "price_per_s", &rule->price_per_s, e) < 0)
        return -1;
    if ((rule->budget_in == SPEND_MONEY) != (rule->price_per_s > 0))
        return err_set(e, ERR_INVALID, "`money` and `price_per_s`, of a second of simulation, come together");
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
    uint32_t baseline = 0, looks = LOOKS_MOST;
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
        json_opt_u32(body, "looks", 1, LOOKS_MOST, &looks, e) < 0 ||
        one_of(body, "approve", "auto", "ask", &rule->ask, e) < 0 ||
        one_of(body, "failures", "redraw", "drop", &drop, e) < 0)
        return -1;
    if (rule->confidence > 0 && !(rule->confidence >= 0.5 && rule->confidence <= 0.9999))
        return err_set(e, ERR_INVALID, "`confidence` must lie between 0.5 and 0.9999");
    if (rule->error == 0 && rule->resolve == 0)
        return err_set(e, ERR_INVALID,
                       "a rule needs `until`, how narrow totals shall be, or `resolve`, how narrow "
                       "differences between designs shall be");
    if (rule->resolve > 0 && designs < 2)
        return err_set(e, ERR_INVALID, "`resolve` is about differences between designs, and this run has one");
    rule->baseline = (int)baseline;
    rule->looks = (int)looks;
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

static int last_about(const struct look_past *past, bool differences)
{
    int last = 0;

    for (size_t i = 0; i < past->count; i++)
        if (past->promises[i].difference == differences && past->promises[i].number > last)
            last = past->promises[i].number;
    return last;
}

/* The number of the last look at totals, or at differences, where whatever was looked at later would be wider than
 * what it saw: a promise spends its level with the look that keeps it, and with the last that a rule has. One that
 * was kept may be left behind while others go on, wider than it was: it must have no more to reach. 0: there is
 * level left where it is needed, or there was no such look. */
static int spent_up(const struct look_past *past, bool differences, double wanted, double level)
{
    const double most = 0.9;
    int last = last_about(past, differences);
    bool left = false, narrower = false;

    for (size_t i = 0; i < past->count; i++) {
        const struct look_past_promise *m = &past->promises[i];

        if (m->number != last || m->difference != differences)
            continue;
        if (m->spent.spent <= most * level)
            left = true;
        else
            narrower = narrower || wanted * fabs(m->value) < m->wanted * (1 - 1e-9);
    }
    return left && !narrower ? 0 : last;
}

static int check_spent(const struct extension *x, const struct look_past *past, const struct rule_row *rule,
                       struct err *e)
{
    const char *const words[] = {"until", "resolve"};
    const double wanted[] = {rule->error, rule->resolve};

    for (int differences = 0; differences < 2; differences++) {
        double level = (1 - rule->confidence) / (differences ? (double)(x->designs - 1) : 1);
        int look = wanted[differences] > 0 ? spent_up(past, differences, wanted[differences], level) : 0;

        if (!look)
            continue;
        err_set(
            e, ERR_CONFLICT,
            "look %d of this run has spent its level on %s, so every later interval would be wider than its own",
            look, differences ? "the differences" : "the totals");
        return err_hint(
            e,
            "`vivace run %s --gpu … --%s %.3g%%` starts a run with a level of its own; what was simulated is not "
            "simulated again.",
            x->run->plan, words[differences], 100 * wanted[differences]);
    }
    return 0;
}

/* The looks that were taken count: a promise that is looked at ever again is none. */
static int check_looks(const struct look_past *past, struct rule_row *rule, struct err *e)
{
    if (past->looks >= LOOKS_MOST) {
        err_set(e, ERR_CONFLICT, "the run was looked at %d times, and no level is left for more", past->looks);
        return err_hint(e, "Start a run on a plan with a smaller error: results that are here are not simulated "
                           "again.");
    }
    rule->looks = past->looks + rule->looks < LOOKS_MOST ? past->looks + rule->looks : LOOKS_MOST;
    return 0;
}

/* What an extension says of a budget comes on top of what was spent. */
static int add_spent(struct db *db, const struct extension *x, struct rule_row *rule, struct err *e)
{
    double spent;

    if (repo_look_spent(db, x->run->id, &spent, e) < 0)
        return -1;
    if (rule->budget_in == SPEND_SECONDS)
        rule->budget += spent;
    else if (rule->budget_in == SPEND_MONEY)
        rule->budget += spent * rule->price_per_s;
    else if (rule->budget_in == SPEND_JOBS)
        rule->budget += (double)x->run->jobs;
    return 0;
}

static int prepare(struct db *db, const struct extension *x, const struct look_past *past, struct rule_row *rule,
                   wall_us now, struct err *e)
{
    if (rule->confidence == 0)
        rule->confidence = x->run->confidence;
    if (check_spent(x, past, rule, e) < 0 || check_looks(past, rule, e) < 0 || add_spent(db, x, rule, e) < 0)
        return -1;
    if (strcmp(past->answer, "waiting") == 0 &&
        repo_look_answer(db, x->run->id, past->looks, "waiting", "undone", x->by, now, e) < 0)
        return -1;
    return repo_look_put_rule(db, x->run->id, rule, e);
}

static int extend_body(struct db *db, void *ctx, struct err *e)
{
    const struct extension *x = ctx;
    struct rule_row rule = x->rule;
    wall_us now = clock_now(x->app->clock);
    struct look_past past;
    int ret;

    if (repo_job_admission_lock(db, e) < 0 || repo_look_past(db, x->run->id, &past, e) < 0)
        return -1;
    ret = prepare(db, x, &past, &rule, now, e);
    look_past_release(&past);
    if (ret < 0)
        return -1;
    if (repo_archive_return(db, x->run->id, e) < 0 || repo_run_take_up(db, x->run->id, e) < 0)
        return -1;
    return repo_event_say(db, x->run->id, now, "info", e, "%s asked for more: it is looked at again.", x->by);
}

/* A plan that cannot be looked at would end the rule at its first look. */
static int may_look(struct db *db, const struct run_row *run, struct err *e)
{
    struct plan plan;
    int ret;

    plan_init(&plan);
    ret = repo_plan_load(db, run->plan, &plan, e) < 0 || look_possible(&plan, e) < 0 ? -1 : 0;
    plan_release(&plan);
    return ret;
}

static int may_extend(struct db *db, const struct run_row *run, struct err *e)
{
    bool open = strcmp(run->state, "running") == 0 || strcmp(run->state, "paused") == 0;

    if (!open && strcmp(run->state, "done") != 0)
        return err_set(e, ERR_CONFLICT, "the run is %s, so it cannot be extended", run->state);
    if (!open && run->dropped)
        return err_set(e, ERR_CONFLICT,
                       "the jobs of this old run were deleted; start another one, what was simulated is not "
                       "simulated again");
    return may_look(db, run, e);
}

int run_extend_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct run_row run;
    struct extension x = {.app = app, .run = &run, .by = req->credential.name};
    bool given = false;
    json_t *body;
    int ret;

    if (run_of_request(db, req, &run, e) < 0 || may_extend(db, &run, e) < 0 ||
        repo_run_designs(db, run.id, &x.designs, e) < 0)
        return -1;
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret = !body || json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, rule_members, e) < 0
              ? -1
              : rule_read(body, (size_t)x.designs, &x.rule, &given, e);
    json_decref(body);
    if (ret == 0 && !given)
        ret = err_set(e, ERR_INVALID, "what shall it reach? `until` or `resolve` is missing");
    if (ret == 0)
        ret = db_transaction(db, extend_body, &x, e);
    return ret < 0 ? -1 : answer_run(db, run.id, 200, rep, e);
}

/* --- POST /runs/{run}/looks/{look}/accept, …/undo --- */

struct answer {
    struct app *app;
    const struct run_row *run;
    const char *by;
    int number;
    bool accept;
};

static int no_such(const struct answer *a, const struct look_past *past, struct err *e)
{
    if (past->looks == 0) {
        err_set(e, ERR_NOT_FOUND, "the run was not looked at yet");
        return err_hint(e, "`vivace run show %s` says where it stands.", a->run->id);
    }
    if (a->number != past->looks)
        return err_set(e, ERR_CONFLICT, "look %d is not the last one, that is look %d", a->number, past->looks);
    if (!past->next_plan[0])
        return err_set(e, ERR_CONFLICT, "look %d asked for no more launches: there is nothing to accept or undo",
                       a->number);
    if (strcmp(a->run->state, "running") != 0 && strcmp(a->run->state, "paused") != 0)
        return err_set(e, ERR_CONFLICT, "the run is %s", a->run->state);
    return a->accept ? err_set(e, ERR_CONFLICT, "the extension of look %d waits for no answer", a->number)
                     : err_set(e, ERR_CONFLICT, "the extension of look %d was undone already", a->number);
}

static int accept(struct db *db, const struct answer *a, const struct look_past *past, wall_us now, struct err *e)
{
    int changed = repo_look_answer(db, a->run->id, a->number, "waiting", "accepted", a->by, now, e);

    if (changed <= 0)
        return changed < 0 ? -1 : no_such(a, past, e);
    if (looker_go_on(db, a->run->id, past->plan, past->next_plan, now, e) < 0)
        return -1;
    return repo_event_say(db, a->run->id, now, "info", e, "%s accepted the extension of look %d.", a->by,
                          a->number);
}

/* The plan that was looked at counts again: what the extension had simulated stays known, but is no part of the
 * answer, because who undoes it may have seen it. */
static int undo(struct db *db, const struct answer *a, const struct look_past *past, wall_us now, struct err *e)
{
    bool waits = strcmp(past->answer, "waiting") == 0;
    int changed = repo_look_answer(db, a->run->id, a->number, past->answer, "undone", a->by, now, e);
    char ids[UUID_TEXT + 4];

    snprintf(ids, sizeof ids, "{%s}", a->run->id);
    if (changed <= 0)
        return changed < 0 ? -1 : no_such(a, past, e);
    if (repo_look_settle(db, a->run->id, e) < 0 || repo_job_live_lock(db, a->run->id, e) < 0 ||
        repo_run_touch(db, ids, e) < 0 ||
        (!waits &&
         (looker_go_on(db, a->run->id, past->next_plan, past->plan, now, e) < 0 || repo_job_heal(db, e) < 0)))
        return -1;
    return repo_event_say(db, a->run->id, now, "info", e,
                          "%s undid the extension of look %d: the run ends with what it "
                          "had.",
                          a->by, a->number);
}

static int answer_body(struct db *db, void *ctx, struct err *e)
{
    const struct answer *a = ctx;
    wall_us now = clock_now(a->app->clock);
    struct look_past past;
    bool open = strcmp(a->run->state, "running") == 0 || strcmp(a->run->state, "paused") == 0;
    int ret;

    if (repo_job_admission_lock(db, e) < 0 || repo_look_past(db, a->run->id, &past, e) < 0)
        return -1;
    if (!open || a->number != past.looks || !past.next_plan[0] || strcmp(past.answer, "undone") == 0)
        ret = no_such(a, &past, e);
    else
        ret = a->accept ? accept(db, a, &past, now, e) : undo(db, a, &past, now, e);
    look_past_release(&past);
    return ret;
}

static int answer_look(struct app *app, struct db *db, const struct request *req, bool accept, struct reply *rep,
                       struct err *e)
{
    struct run_row run;
    struct answer a = {.app = app, .run = &run, .by = req->credential.name, .accept = accept};
    char *end;

    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    a.number = (int)strtol(req->param[1], &end, 10);
    if (*end || a.number < 1 || a.number > LOOKS_MOST)
        return err_set(e, ERR_NOT_FOUND, "the run has no look %.20s", req->param[1]);
    if (db_transaction(db, answer_body, &a, e) < 0)
        return -1;
    dispatcher_wake(app->dispatcher);
    return answer_run(db, run.id, 200, rep, e);
}

int run_look_accept_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                         struct err *e)
{
    return answer_look(app, db, req, true, rep, e);
}

int run_look_undo_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    return answer_look(app, db, req, false, rep, e);
}
