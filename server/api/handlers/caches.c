/* server/api/handlers/caches.c: the error of the cache state at the start of launches of a run. People request
 * the measurement, and workers make it. */
#include <string.h>

#include "base/log.h"
#include "server/store/repo/repo_caches.h"
#include "server/store/repo/repo_event.h"
#include "server/api/handlers/caches.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/runs.h"
#include "server/domain/tasks/cache_checks.h"
#include "server/domain/tasks/cache_counts.h"
#include "server/domain/tasks/trace_pack.h"
#include "simcore/record/recording.h"

int cache_check_read(const json_t *body, int64_t *out, struct err *e)
{
    uint64_t n = 0;
    int given = json_opt_u64(body, "cache_check", &n, e);

    if (given < 0)
        return -1;
    if (n > CACHE_ERROR_MAX)
        return err_set(e, ERR_INVALID, "`cache_check` must be a number of launches, 0 to %d", CACHE_ERROR_MAX);
    *out = given ? (int64_t)n : CACHE_CHECK_USUAL;
    return 0;
}

struct asking {
    struct app *app;
    const struct request *req;
    const char *run;
    int64_t launches;
};

static int ask(struct db *db, void *ctx, struct err *e)
{
    const struct asking *a = ctx;
    const char *by = a->req->credential.name;
    wall_us now = clock_now(a->app->clock);

    if (repo_caches_request(db, a->run, a->launches, by, now, e) < 0)
        return -1;
    return repo_event_emit(db, a->run, now, "info", EVENT(caches_requested, .by = by, .launches = a->launches), e);
}

/* POST /runs/{run}/cache-check {"launches":5} */
int run_cache_check_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                         struct err *e)
{
    static const char *const known[] = {"launches", NULL};
    struct asking a = {.app = app, .req = req};
    uint64_t launches = CACHE_LAUNCHES_USUAL;
    struct run_row run;
    json_t *body;
    int ret;

    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    body =
        json_read_text(req->body_length ? req->body : "{}", req->body_length ? req->body_length : 2, "the body", e);
    ret = body && json_need_object(body, "the body", e) == 0 && json_refuse_unknown(body, known, e) == 0 &&
                  json_opt_u64(body, "launches", &launches, e) >= 0
              ? 0
              : -1;
    json_decref(body);
    if (ret < 0)
        return -1;
    if (launches < 1 || launches > CACHE_ERROR_MAX)
        return err_set(e, ERR_INVALID, "`launches` is 1 to %d", CACHE_ERROR_MAX);
    if (run.engine == ENGINE_REPLAY)
        return err_set(e, ERR_CONFLICT, "a replay simulates nothing, so it has no cache state to check");
    a.run = run.id;
    a.launches = (int64_t)launches;
    if (db_transaction(db, ask, &a, e) < 0)
        return -1;
    ret = answer_run(db, run.id, 202, rep, e);
    trace_pack_kick(&app->farm);
    return ret;
}

/* --- Requests from workers --- */

static uint64_t cycles_of(const struct recording_report *r, const char *design_sha256, struct err *e)
{
    struct recording *rec = NULL;
    uint64_t cycles = 0;

    if (recording_parse(r->bytes, r->n, "the recording", &rec, e) < 0)
        return 0;
    if (strcmp(rec->about.design_sha256, design_sha256) != 0)
        err_set(e, ERR_INVALID, "the recording is of another design");
    else if (rec->cycles == 0)
        err_set(e, ERR_INVALID, "the recording has no cycles");
    else
        cycles = rec->cycles;
    recording_free(rec);
    return cycles;
}

static int end_check(struct app *app, struct db *db, const struct recording_report *r, const struct db_rows *q,
                     struct err *e)
{
    enum outcome_budget budget = attempt_outcome_budget(r->outcome);
    struct cache_end end = {.task = {.id = r->id.job,
                                     .attempt = r->id.attempt,
                                     .why = r->message ? r->message : attempt_outcome_name(r->outcome),
                                     .again = budget != BUDGET_PERMANENT}};
    struct err wrong;

    if (r->outcome == OUTCOME_OK)
        end.cycles = cycles_of(r, db_get(q, 0, 0), &wrong);
    if (r->outcome == OUTCOME_OK && end.cycles == 0) { /* a retry would end the same way */
        end.task.why = wrong.text;
        end.task.again = false;
        log_warn("caches", "a check is refused", "check=%s attempt=%u", r->id.job, r->id.attempt);
    }
    end.task.done = end.cycles > 0;
    return cache_checks_end(&app->farm, db, db_get(q, 0, 1), &end, e);
}

int cache_check_end(struct app *app, struct db *db, const struct recording_report *r, struct err *e)
{
    struct db_rows q;
    int found = repo_caches_leased(db, r->id.job, r->id.attempt, r->session, &q, e);

    if (found <= 0)
        return found;
    found = end_check(app, db, r, &q, e);
    db_rows_release(&q);
    return found < 0 ? -1 : 1;
}
