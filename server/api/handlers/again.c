/* server/api/handlers/again.c: simulates a run again although it has results. */
#include <string.h>

#include "server/api/handlers/handlers.h"
#include "server/api/handlers/runs.h"
#include "server/api/http/audit.h"
#include "server/domain/run/again.h"
#include "server/domain/plan/design_store.h"
#include "wire/json.h"

/* POST /runs/{run}/restart {"simulator":"new"}. A client may name an exact version instead of "new", to get no
 * other version. */
int run_restart_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"simulator", NULL};
    const char *present = design_store_simulator(app->farm.designs), *wanted = NULL;
    struct audit_part audited = {app, "run.restart", req};
    const struct again_asked asked = {req->credential.name, audit_done_too, &audited};
    struct run_row run;
    json_t *body;
    int ret;

    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret = body && json_need_object(body, "the body", e) == 0 && json_refuse_unknown(body, known, e) == 0
              ? json_need_str(body, "simulator", &wanted, e)
              : -1;
    if (ret == 0 && strcmp(wanted, "new") != 0 && strcmp(wanted, present) != 0)
        ret = err_set(e, ERR_INVALID, "`simulator` must be \"new\" or the version that the farm has, %s", present);
    json_decref(body);
    if (ret < 0 || again_restart(&app->farm, db, &asked, run.id, present, e) < 0)
        return -1;
    return answer_run(db, run.id, 200, rep, e);
}
