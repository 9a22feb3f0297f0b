/* server/handlers/profile_cycles.c: GET /profiles/{profile}/cycles?design: the profile with estimated cycles in the
 * place of its counts, from what the farm has simulated of it (sampling/pilot.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/pilot.h"
#include "server/app.h"
#include "server/db/repo_design.h"
#include "server/db/repo_result.h"
#include "server/handlers/handlers.h"
#include "server/handlers/profiles.h"
#include "server/import/profile_store.h"
#include "server/run/design_store.h"
#include "wire/features_json.h"

static int find_design(struct db *db, const struct request *req, struct design_row *row, struct err *e)
{
    const char *name = request_query(req, "design");
    int found;

    if (!name || !*name)
        return err_set(e, ERR_INVALID,
                       "`design` is missing: the GPU design whose results the cycles are estimated from");
    found = repo_design_find(db, name, req->credential.team_id, row, NULL, e);
    return found > 0 ? 0 : found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no design %.100s", name);
}

/* What the farm has simulated; the caller frees it. */
static struct pilot_launch *results(struct app *app, struct db *db, const char *profile,
                                    const struct design_row *design, size_t *count, struct err *e)
{
    const char *simulator = design_store_simulator(app->designs);
    struct pilot_launch *out;
    struct db_rows rows;

    if (repo_result_cycles(db, profile, design->sha256, simulator, &rows, e) < 0)
        return NULL;
    *count = (size_t)rows.count;
    out = mem_zalloc(*count + 1, sizeof *out, e);
    for (size_t i = 0; out && i < *count; i++)
        out[i] = (struct pilot_launch){(uint64_t)db_get_i64(&rows, (int)i, 0), db_get_double(&rows, (int)i, 1),
                                       db_get_double(&rows, (int)i, 2)};
    db_rows_release(&rows);
    if (out && *count == 0) {
        free(out);
        err_set(e, ERR_CONFLICT, "simulator %s has no result of this profile's launches on %s yet", simulator,
                design->name);
        err_hint(e, "Run a plan of it on %s first: what it simulates is what cycles are estimated from.",
                 design->name);
        return NULL;
    }
    return out;
}

static int into_body(void *body, const char *text, size_t n, struct err *e)
{
    struct strbuf *b = body;

    strbuf_add(b, text, n);
    return b->failed ? err_no_memory(e) : 0;
}

/* How much of it rests on what. */
static void note(const struct pilot_outcome *o, size_t launches, const struct design_row *design, char *out,
                 size_t size)
{
    snprintf(out, size,
             "estimated from %zu launches simulated on %s: of %zu of %zu shapes; %.3g %% of the cycles are scaled "
             "by other "
             "shapes of the same kernel, %.3g %% by other kernels",
             launches, design->name, o->measured, o->shapes, 100 * o->from_name, 100 * o->from_others);
}

int profile_cycles_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct pilot_launch *launches = NULL;
    struct pilot_outcome outcome;
    struct design_row design;
    struct profile profile;
    size_t count = 0;
    char text[400];
    int ret = -1;

    profile_init(&profile);
    if (need_profile(db, req, e) < 0 || find_design(db, req, &design, e) < 0 ||
        profile_load(db, req->param[0], &profile, e) < 0 || pilot_check(&profile, e) < 0)
        goto out;
    launches = results(app, db, req->param[0], &design, &count, e);
    if (!launches || pilot_scale(&profile, launches, count, design.name, &outcome, e) < 0)
        goto out;
    note(&outcome, count, &design, text, sizeof text);
    if (cycles_to_json(&profile, text, into_body, &rep->body, e) < 0)
        goto out;
    snprintf(rep->content_disposition, sizeof rep->content_disposition, "attachment; filename=\"cycles-%.8s.json\"",
             req->param[0]);
    ret = reply_body_json(rep, 200, e);
out:
    free(launches);
    profile_release(&profile);
    return ret;
}
