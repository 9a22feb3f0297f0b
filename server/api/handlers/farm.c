/* server/api/handlers/farm.c: an overview of the farm, and its workers. */
#include "server/store/repo/repo_activity.h"
#include "server/store/repo/repo_claim.h"
#include "server/store/repo/repo_run.h"
#include "server/domain/plan/design_store.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"

#define DEAD_SHOWN_US (INT64_C(3600) * 1000000) /* dead workers stay in the list for an hour */

/* GET /farm */
int farm_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)req;
    if (repo_farm_json(db, design_store_simulator(app->farm.designs), clock_now(app->clock), &rep->body, e) < 0)
        return -1;
    return reply_body_json(rep, 200, e);
}

/* GET /workers?after&limit */
int workers_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    char after[128];
    struct db_rows rows;
    uint64_t limit;

    if (list_ask(app, req, "workers", &limit, after, e) < 0 || (after[0] && need_id("worker", after, e) < 0) ||
        repo_run_workers(db, clock_now(app->clock) - DEAD_SHOWN_US, after, limit, &rows, e) < 0)
        return -1;
    return list_answer(app, "workers", &rows, 1, limit, rep, e);
}

#define ACTIVITY_S     3600
#define ACTIVITY_MAX_S 86400

/* GET /farm/activity?seconds=3600: the workers' activity, waiting jobs, slow jobs. */
int farm_activity_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    uint64_t seconds;

    if (request_query_u64(req, "seconds", 60, ACTIVITY_MAX_S, ACTIVITY_S, &seconds, e) < 0 ||
        repo_activity_json(db, req->credential.team_id, clock_now(app->clock), (int64_t)seconds, &rep->body, e) < 0)
        return -1;
    return reply_body_json(rep, 200, e);
}

/* GET /workers/{worker}/attempts?seconds=3600: the attempts of one worker that ended recently. */
int worker_attempts_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    uint64_t seconds;
    struct db_rows rows;

    if (need_id("worker", req->param[0], e) < 0 ||
        request_query_u64(req, "seconds", 60, ACTIVITY_MAX_S, ACTIVITY_S, &seconds, e) < 0 ||
        repo_activity_worker(db, req->param[0], req->credential.team_id, clock_now(app->clock), (int64_t)seconds,
                             &rows, e) < 0)
        return -1;
    return list_answer(app, "attempts", &rows, 0, UINT32_MAX, rep, e);
}
