/* server/api/handlers/recordings.c: time series of a result. People request them, and workers send them. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "server/store/repo/repo_claim.h"
#include "server/store/repo/repo_recording.h"
#include "server/store/repo/repo_result.h"
#include "server/api/handlers/caches.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/api/handlers/series.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/plan/design_store.h"
#include "simcore/record/recording.h"
#include "wire/recording_report.h"

/* Finds a result of the caller's team; ERR_NOT_FOUND otherwise. */
static int find_result(struct db *db, const struct request *req, struct result_brief *out, struct err *e)
{
    int found;

    if (need_id("result", req->param[0], e) < 0)
        return -1;
    found = repo_result_brief(db, req->param[0], req->credential.team_id, out, e);
    return found > 0 ? 0 : found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no result %.40s", req->param[0]);
}

static int answer_state(struct db *db, const char *result, int status, struct reply *rep, struct err *e)
{
    int found = repo_recording_json(db, result, &rep->body, e);

    if (found == 0)
        strbuf_adds(&rep->body, "null");
    return found < 0 ? -1 : reply_body_json(rep, status, e);
}

/* POST /results/{result}/series: simulates the launch once more and records its time series. */
int result_series_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *version = design_store_simulator(app->farm.designs);
    struct result_brief r;
    int asked;

    if (find_result(db, req, &r, e) < 0)
        return -1;
    if (r.replay)
        return err_set(e, ERR_CONFLICT, "this result is a replayed duration, so there was no simulation to record");
    if (r.discarded)
        return err_set(e, ERR_CONFLICT, "this result was discarded because it was wrong");
    if (r.projected)
        return err_set(e, ERR_CONFLICT,
                       "this result was projected inside its launch, so there is no series of the whole launch");
    if (!r.traced) {
        err_set(e, ERR_CONFLICT, "the trace of this result is not stored any more");
        return err_hint(e, "Push the trace again, then ask again.");
    }
    if (strcmp(r.simulator, version) != 0) {
        err_set(e, ERR_CONFLICT, "this result is from simulator %s, and the farm now has %s", r.simulator, version);
        return err_hint(e, "Run the plan again: its results will be from this version.");
    }
    asked = repo_recording_ask(db, req->param[0], req->credential.name, clock_now(app->clock), e);
    if (asked < 0)
        return -1;
    if (asked)
        dispatcher_wake(app->farm.dispatcher);
    return answer_state(db, req->param[0], asked ? 202 : 200, rep, e);
}

/* GET /results/{result}/series?name&from&to&columns&format */
int result_series_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct strbuf bytes = STRBUF_INIT;
    struct recording *r = NULL;
    struct result_brief brief;
    int found;

    (void)app;
    if (find_result(db, req, &brief, e) < 0)
        return -1;
    found = repo_recording_bytes(db, req->param[0], &bytes, e);
    if (found == 0) {
        found = err_set(e, ERR_NOT_FOUND, "no series of this result were recorded");
        err_hint(e, "POST to this address requests a recording from a worker.");
    } else if (found > 0) {
        found = recording_parse(bytes.text, bytes.length, "the recording", &r, e);
    }
    if (found == 0)
        found = series_reply(r, &bytes, req, rep, e);
    recording_free(r);
    strbuf_release(&bytes);
    return found;
}

/* --- Reports from workers --- */

/* A recording counts only if it belongs to this result: the same design and the same cycles. */
static int check_recording(const struct recording_report *r, const struct db_rows *q, struct err *e)
{
    struct recording *rec = NULL;
    int ret;

    if (r->n > RECORDING_BYTES_MAX)
        return err_set(e, ERR_TOO_LARGE, "the recording has %zu bytes, more than %zu", r->n, RECORDING_BYTES_MAX);
    ret = recording_parse(r->bytes, r->n, "the recording", &rec, e);
    if (ret < 0)
        return -1;
    if (strcmp(rec->about.design_sha256, db_get(q, 0, 0)) != 0)
        ret = err_set(e, ERR_INVALID, "the recording is of another design");
    else if (rec->cycles != (uint64_t)db_get_i64(q, 0, 1))
        ret = err_set(e, ERR_INVALID, "the recording has %llu cycles, the result %s",
                      (unsigned long long)rec->cycles, db_get(q, 0, 1));
    recording_free(rec);
    return ret;
}

static int end_recording(struct app *app, struct db *db, const struct recording_report *r, const struct db_rows *q,
                         struct err *e)
{
    enum outcome_budget budget = attempt_outcome_budget(r->outcome);
    struct task_end end = {.id = r->id.job,
                           .attempt = r->id.attempt,
                           .why = r->message ? r->message : attempt_outcome_name(r->outcome),
                           .again = budget != BUDGET_PERMANENT};
    struct err wrong;

    if (r->outcome == OUTCOME_OK && check_recording(r, q, &wrong) == 0) {
        end.done = true;
    } else if (r->outcome == OUTCOME_OK) { /* a retry would end the same way */
        end.why = wrong.text;
        end.again = false;
        log_warn("recording", "a recording is refused", "task=%s attempt=%u", r->id.job, r->id.attempt);
    }
    return repo_recording_end(db, &end, end.done ? r->bytes : NULL, r->n, clock_now(app->clock), e);
}

/* 1: the report ended a lease. 0: no request for this recording exists any more. */
static int take_recording(struct app *app, struct db *db, const struct recording_report *r, struct err *e)
{
    struct db_rows q;
    int found = repo_recording_leased(db, r->id.job, r->id.attempt, r->session, &q, e);

    if (found == 0)
        return cache_check_end(app, db, r, e);
    if (found > 0) {
        found = end_recording(app, db, r, &q, e) < 0 ? -1 : 1;
        db_rows_release(&q);
    }
    return found;
}

/* POST /worker/recordings: 204 also for a recording that is no longer requested. */
int worker_recordings_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                           struct err *e)
{
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    struct recording_report r = {.n = 0};
    int ret = body ? recording_report_from_json(body, &r, e) : -1;

    json_decref(body);
    if (ret < 0)
        return -1;
    if (uuid_valid(r.id.job) && uuid_valid(r.session)) {
        ret = repo_session_is_of(db, r.session, req->credential.token_id, e);
        if (ret == 0)
            ret = err_set(e, ERR_FORBIDDEN, "the lease does not belong to a session of this token");
        else if (ret > 0)
            ret = take_recording(app, db, &r, e);
    }
    if (ret > 0)
        dispatcher_wake(app->farm.dispatcher); /* another job may be next */
    recording_report_release(&r);
    return ret < 0 ? -1 : reply_empty(rep, 204);
}
