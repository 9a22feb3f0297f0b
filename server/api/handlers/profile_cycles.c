/* server/api/handlers/profile_cycles.c: GET /profiles/{profile}/cycles?design: the profile with estimated cycles
 * instead of its counts. The estimates use the farm's results for this profile (sampling/plan/pilot.h). */
#include <stdio.h>

#include "server/api/app.h"
#include "server/store/repo/repo_design.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/profiles.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/plan/design_store.h"
#include "server/domain/plan/farm_cycles.h"
#include "wire/features_json.h"

static int find_design(struct db *db, const struct request *req, struct design_row *row, struct err *e)
{
    const char *name = request_query(req, "design");
    int found;

    if (!name || !*name)
        return err_set(e, ERR_INVALID,
                       "`design` is missing: name the GPU design from whose results the cycles are estimated");
    found = repo_design_find(db, name, req->credential.team_id, row, NULL, e);
    return found > 0 ? 0 : found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no design %.100s", name);
}

static int into_body(void *body, const char *text, size_t n, struct err *e)
{
    struct strbuf *b = body;

    strbuf_add(b, text, n);
    return b->failed ? err_no_memory(e) : 0;
}

int profile_cycles_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct design_row design;
    struct cycles_source of = {.profile = req->param[0],
                               .design = design.sha256,
                               .design_name = design.name,
                               .simulator = design_store_simulator(app->farm.designs)};
    struct profile profile;
    char note[400];
    int ret = -1;

    profile_init(&profile);
    if (need_profile(db, req, e) == 0 && find_design(db, req, &design, e) == 0 &&
        profile_load(db, req->param[0], &profile, e) == 0 &&
        farm_cycles(db, &of, &profile, note, sizeof note, e) == 0 &&
        cycles_to_json(&profile, note, into_body, &rep->body, e) == 0)
        ret = 0;
    profile_release(&profile);
    if (ret < 0)
        return -1;
    snprintf(rep->content_disposition, sizeof rep->content_disposition, "attachment; filename=\"cycles-%.8s.json\"",
             req->param[0]);
    return reply_body_json(rep, 200, e);
}
