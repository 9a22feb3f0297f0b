/* server/api/handlers/search.c: finds the team's objects by part of their name. */
#include <string.h>

#include "server/store/repo/repo_search.h"
#include "server/api/handlers/handlers.h"

#define EACH     8   /* results of each kind: enough for a list of suggestions */
#define TEXT_MAX 200 /* bytes of the search text */

/* GET /search?q= */
int search_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *text = request_query(req, "q");

    (void)app;
    if (!text || !*text || strlen(text) > TEXT_MAX) {
        err_set(e, ERR_INVALID, "`q` must be 1 to %d bytes of a name", TEXT_MAX);
        return err_hint(e, "Complete lists: /workloads, /plans, /runs, /designs.");
    }
    if (repo_search_json(db, req->credential.team_id, text, EACH, &rep->body, e) < 0)
        return -1;
    return reply_body_json(rep, 200, e);
}
