/* server/api/handlers/imports.c: the progress of an import, and its result. */
#include "server/store/repo/repo_import.h"
#include "server/api/handlers/handlers.h"

int import_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int found;

    (void)app;
    if (!uuid_valid(req->param[0]))
        return err_set(e, ERR_NOT_FOUND, "there is no import with this id");
    found = repo_import_json(db, req->param[0], req->credential.team_id, &rep->body, e);
    if (found < 0)
        return -1;
    return found ? reply_body_json(rep, 200, e) : err_set(e, ERR_NOT_FOUND, "there is no import with this id");
}
