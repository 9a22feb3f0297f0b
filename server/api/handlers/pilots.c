/* server/api/handlers/pilots.c: a pilot simulates one launch of each shape, then makes a plan from the simulated
 * cycles (server/domain/run/pilots.h). */
#include <stdio.h>

#include "server/api/http/audit.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/api/handlers/profiles.h"
#include "server/domain/operate/watch.h"
#include "server/domain/run/pilots.h"

static int no_pilot(const char *id, struct err *e)
{
    return err_set(e, ERR_NOT_FOUND, "there is no pilot %.40s", id);
}

static int answer_pilot(struct db *db, const struct request *req, const char *id, int status, struct reply *rep,
                        struct err *e)
{
    int found = repo_pilot_json(db, id, req->credential.team_id, &rep->body, e);

    if (found <= 0)
        return found < 0 ? -1 : no_pilot(id, e);
    return reply_body_json(rep, status, e);
}

static int pilot_of_request(struct db *db, const struct request *req, struct pilot_row *p, struct err *e)
{
    int found;

    if (need_id("pilot", req->param[0], e) < 0)
        return -1;
    found = repo_pilot_find(db, req->param[0], req->credential.team_id, p, NULL, e);
    return found > 0 ? 0 : found < 0 ? -1 : no_pilot(req->param[0], e);
}

static int read_request(const json_t *body, struct pilot_request *q, struct err *e)
{
    static const char *const known[] = {"design", "plan", NULL};

    if (json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
        json_opt_str(body, "design", &q->design, e) < 0)
        return -1;
    if (!q->design || !*q->design)
        return err_set(e, ERR_INVALID, "`design` is missing: name the GPU design on which the pilot is simulated");
    if (json_opt_member(body, "plan", &q->plan, e) < 0)
        return -1;
    return q->plan ? json_need_object(q->plan, "`plan`", e) : 0;
}

/* POST /profiles/{profile}/pilots {"design":"v100","plan":{"method","error", ...: as for a plan}} */
int pilots_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct pilot_request q = {
        .profile = req->param[0], .team = req->credential.team_id, .by = req->credential.name, .once = req->once};
    char id[UUID_TEXT];
    json_t *body;
    int ret;

    if (need_profile(db, req, e) < 0 || watch_room(&app->farm, e) < 0)
        return -1;
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret = body ? read_request(body, &q, e) : -1;
    if (ret == 0)
        ret = pilot_begin(&app->farm, db, &q, id, e);
    json_decref(body);
    if (ret < 0)
        return -1;
    snprintf(rep->location, sizeof rep->location, "/api/v1/pilots/%s", id);
    return answer_pilot(db, req, id, 201, rep, e);
}

/* GET /profiles/{profile}/pilots: the newest first. */
int pilots_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct db_rows rows;
    char after[128];
    uint64_t limit;

    if (need_profile(db, req, e) < 0 || list_ask(app, req, "pilots", &limit, after, e) < 0 ||
        repo_pilot_list(db, req->param[0], after, limit + 1, &rows, e) < 0)
        return -1;
    return list_answer(app, "pilots", &rows, 1, limit, rep, e);
}

/* GET /pilots/{pilot} */
int pilot_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    if (need_id("pilot", req->param[0], e) < 0)
        return -1;
    return answer_pilot(db, req, req->param[0], 200, rep, e);
}

/* POST /pilots/{pilot}/cancel: cancels the pilot and its run. */
int pilot_cancel_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct audit_part audited = {app, "pilot.cancel", req};
    const struct pilot_word word = {req->credential.name, audit_done_too, &audited};
    struct pilot_row p;

    if (pilot_of_request(db, req, &p, e) < 0 || pilot_cancel(&app->farm, db, p.id, &word, e) < 0)
        return -1;
    return answer_pilot(db, req, p.id, 200, rep, e);
}

/* POST /pilots/{pilot}/retry: a failed or cancelled pilot continues with the results that it has. */
int pilot_retry_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct pilot_row p;

    if (pilot_of_request(db, req, &p, e) < 0 || pilot_again(&app->farm, db, &p, e) < 0)
        return -1;
    return answer_pilot(db, req, p.id, 200, rep, e);
}
