/* server/api/handlers/jobs.c: one job: its attempts, its retry, and the replacement or removal of its launch. */
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"
#include "server/store/repo/repo_job_list.h"
#include "server/store/repo/repo_passed_over.h"
#include "server/store/repo/repo_run.h"
#include "server/domain/queue/dispatcher.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/api/handlers/runs.h"
#include "server/domain/run/sample_replace.h"
#include "server/domain/tasks/trace_pack.h"

static int find_job(struct db *db, const struct request *req, char *run, struct err *e)
{
    int found;

    if (need_id("job", req->param[0], e) < 0)
        return -1;
    found = repo_job_find(db, req->param[0], req->credential.team_id, run, e);
    return found > 0 ? 0 : found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no job %.40s", req->param[0]);
}

static int answer_job(struct db *db, const char *job, struct reply *rep, struct err *e)
{
    return repo_job_json(db, job, &rep->body, e) < 0 ? -1 : reply_body_json(rep, 200, e);
}

/* GET /jobs/{job} */
int job_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    return find_job(db, req, NULL, e) < 0 ? -1 : answer_job(db, req->param[0], rep, e);
}

struct retry {
    struct app *app;
    const char *job, *run, *by;
    bool done;
};

static int retry_body(struct db *db, void *ctx, struct err *e)
{
    struct retry *r = ctx;
    wall_us now = clock_now(r->app->clock);
    int changed = repo_job_retry(db, r->job, now, e);

    r->done = changed > 0;
    if (changed <= 0)
        return changed;
    if (repo_passed_over_forget(db, r->job, e) < 0 || repo_run_take_up(db, r->run, e) < 0)
        return -1;
    return repo_event_emit(db, r->run, now, "info", EVENT(job_retried, .by = r->by), e);
}

/* POST /jobs/{job}/retry: queues a failed job again with a full retry budget. */
int job_retry_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct retry r = {.app = app, .job = req->param[0], .by = req->credential.name};
    char run[UUID_TEXT];

    if (find_job(db, req, run, e) < 0)
        return -1;
    r.run = run;
    if (db_transaction(db, retry_body, &r, e) < 0)
        return -1;
    if (!r.done)
        return err_set(e, ERR_CONFLICT, "the job has not failed, so it cannot be tried again");
    dispatcher_wake(app->farm.dispatcher);
    return answer_job(db, r.job, rep, e);
}

static int remove_launch(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                         int (*how)(struct db *, const struct sample_removal *, struct err *), struct err *e)
{
    char id[UUID_TEXT];
    struct run_row run;
    struct sample_removal t = {.clock = app->clock, .run = &run, .job = req->param[0], .by = req->credential.name};
    int found;

    if (find_job(db, req, id, e) < 0)
        return -1;
    found = repo_run_find(db, id, req->credential.team_id, &run, e);
    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no job %.40s", t.job);
    if (how(db, &t, e) < 0)
        return -1;
    trace_pack_kick(&app->farm);
    dispatcher_wake(app->farm.dispatcher);
    return answer_run(db, id, 200, rep, e);
}

/* POST /jobs/{job}/redraw: replaces the launch of a failed job by another launch of its stratum. */
int job_redraw_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    return remove_launch(app, db, req, rep, sample_replace, e);
}

/* POST /jobs/{job}/drop: removes the launch of a failed job from its run. */
int job_drop_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    return remove_launch(app, db, req, rep, sample_drop, e);
}
