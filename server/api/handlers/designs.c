/* server/api/handlers/designs.c: GPU designs. */
#include "server/store/repo/repo_design.h"
#include "server/api/handlers/access_json.h"
#include "server/domain/plan/design_store.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "wire/json.h"

/* GET /designs */
int designs_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct db_rows rows;

    if (repo_design_list(db, req->credential.team_id, &rows, e) < 0)
        return -1;
    return list_answer(app, "designs", &rows, 0, UINT32_MAX, rep, e);
}

/* POST /designs: the body is the design file. 201 when the design is new to the team, 200 when the team has it
 * already. */
int designs_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct json_obj o = json_obj_begin();
    struct design_row row;
    int fresh =
        design_store_add(app->farm.designs, db, req->body, req->body_length, req->credential.team_id, &row, e);

    if (fresh < 0) {
        json_decref(o.object);
        return -1;
    }
    snprintf(rep->location, sizeof rep->location, "/api/v1/designs/%s", row.sha256);
    json_put_str(&o, "id", row.sha256);
    json_put_str(&o, "name", row.name);
    json_put_double(&o, "clock_hz", row.clock_hz);
    json_put_u64(&o, "sms", (uint64_t)row.sms);
    return reply_json(rep, fresh ? 201 : 200, json_obj_end(&o), e);
}

/* GET /designs/{design}: its JSON text, by hash or name. A worker has no team, so it uses the hash from its
 * lease. */
int design_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct design_row row;
    const struct credential *c = &req->credential;
    int found = repo_design_find(db, req->param[0], c->team_id, &row, &rep->body, e);

    if (found == 0 && credential_has(c, SCOPE_WORKER))
        found = repo_design_by_hash(db, req->param[0], &row, &rep->body, e);
    (void)app;
    if (found < 0)
        return -1;
    if (!found)
        return err_set(e, ERR_NOT_FOUND, "there is no GPU design `%.80s`", req->param[0]);
    snprintf(rep->etag, sizeof rep->etag, "%s", row.sha256);
    return reply_body_json(rep, 200, e);
}
