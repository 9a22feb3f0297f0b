/* server/api/handlers/traces.c: lists the stored traces of a plan, and binds new traces to its launches. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_trace.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/domain/tasks/trace_binding.h"
#include "server/domain/tasks/trace_pack.h"
#include "wire/json.h"

#define NAME_LENGTH_MAX 120
#define TRACES_MAX      10000 /* in one request; clients send more in several requests */

static int find_plan(struct db *db, const struct request *req, char *profile, struct err *e)
{
    int found;

    if (need_id("plan", req->param[0], e) < 0)
        return -1;
    found = repo_plan_profile(db, req->param[0], req->credential.team_id, profile, e);
    return found > 0 ? 0 : found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no plan %.40s", req->param[0]);
}

/* GET /plans/{plan}/traces */
int plan_traces_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    char profile[UUID_TEXT];

    (void)app;
    if (find_plan(db, req, profile, e) < 0 || repo_trace_json(db, req->param[0], &rep->body, e) < 0)
        return -1;
    return reply_body_json(rep, 200, e);
}

/* POST /plans/{plan}/traces {"traces":[{"sha256","context","order","name","grid","block"}]} */
int plan_traces_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"traces", NULL};
    json_t *body, *answer = NULL;
    struct binding_request q = {.plan = req->param[0], .team = req->credential.team_id};
    char profile[UUID_TEXT];
    int ret;

    if (find_plan(db, req, profile, e) < 0)
        return -1;
    q.profile = profile;
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret = !body || json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
                  json_need_array(body, "traces", &q.traces, e) < 0
              ? -1
              : 0;
    if (ret == 0 && json_array_size(q.traces) > TRACES_MAX)
        ret = err_set(e, ERR_TOO_LARGE, "at most %d traces in one call", TRACES_MAX);
    if (ret == 0)
        ret = trace_binding_run(&app->farm, db, &q, &answer, e);
    json_decref(body);
    return ret < 0 ? -1 : reply_json(rep, 200, answer, e);
}

/* POST /profiles/{profile}/traces?name: the body is a .vtrace of its launches */
int profile_traces_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *name = request_query(req, "name");
    char shown[NAME_LENGTH_MAX + 1];
    struct trace_pack t = {.profile = req->param[0],
                           .file = req->body_path,
                           .name = shown,
                           .sha256 = req->body_sha256,
                           .bytes = req->body_length,
                           .team = req->credential.team_id};
    struct json_obj o;

    snprintf(shown, sizeof shown, "%s", name && *name ? name : "the file");
    text_sanitize(shown);
    if (need_id("profile", t.profile, e) < 0)
        return -1;
    if (req->body_length == 0)
        return err_set(e, ERR_INVALID, "%s is empty", shown);
    if (trace_pack_attach(&app->farm, db, &t, e) < 0)
        return -1;
    o = json_obj_begin();
    json_put_str(&o, "profile", t.profile);
    json_put_str(&o, "sha256", t.has);
    json_put_u64(&o, "launches", t.launches);
    json_put_u64(&o, "of", t.of);
    json_put_u64(&o, "before", t.before);
    json_put(&o, "stays", json_boolean(t.stays));
    return reply_json(rep, 200, json_obj_end(&o), e);
}
