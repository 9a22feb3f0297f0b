/* server/api/handlers/labels.c: names, tags and notes that users give to runs and plans; archiving and deleting
 * them. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/labels.h"
#include "server/api/handlers/lists.h"
#include "server/api/handlers/runs.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_label.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_run.h"
#include "wire/json.h"

#define NAME_MAX_BYTES 200
#define NOTE_MAX_BYTES 4000
#define TAG_MAX_BYTES  40
#define TAGS_MAX       16

static const char *const names[] = {[LABELLED_RUN] = "run", [LABELLED_PLAN] = "plan"};

void label_filter_ask(const struct request *req, struct label_filter *out)
{
    const char *tag = request_query(req, "tag"), *archived = request_query(req, "archived");

    *out = (struct label_filter){.tag = tag && tag[0] ? tag : NULL,
                                 .archived = archived && strcmp(archived, "true") == 0};
}

static int missing(const struct request *req, enum labelled what, struct err *e)
{
    return err_set(e, ERR_NOT_FOUND, "there is no %s %.40s", names[what], req->param[0]);
}

/* Reads the list of tags into an array literal. Tags have no comma, because lists of them are written with commas.
 */
static int read_tags(const json_t *list, struct strbuf *out, struct err *e)
{
    char tag[TAG_MAX_BYTES + 1];

    if (json_array_size(list) > TAGS_MAX)
        return err_set(e, ERR_INVALID, "`tags` has more than %d tags", TAGS_MAX);
    db_array_begin(out);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));

        if (!text || !text[0] || strlen(text) > TAG_MAX_BYTES || strchr(text, ','))
            return err_set(e, ERR_INVALID, "`tags` must be a list of texts of 1 to %d bytes without commas",
                           TAG_MAX_BYTES);
        snprintf(tag, sizeof tag, "%s", text);
        text_sanitize(tag);
        db_array_add(out, tag);
    }
    db_array_end(out);
    return out->failed ? err_no_memory(e) : 0;
}

struct read_label {
    char name[NAME_MAX_BYTES + 1], note[NOTE_MAX_BYTES + 1];
    struct strbuf tags;
    bool archived;
    struct label_change change; /* points into the others */
};

static int read_label(const json_t *body, struct read_label *l, struct err *e)
{
    static const char *const known[] = {"name", "tags", "note", "archived", NULL};
    const json_t *tags = NULL;
    int named, noted, archived;

    if (json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
        (named = json_opt_copy(body, "name", l->name, sizeof l->name, e)) < 0 ||
        (noted = json_opt_copy(body, "note", l->note, sizeof l->note, e)) < 0 ||
        json_opt_array(body, "tags", &tags, e) < 0 ||
        (archived = json_opt_bool(body, "archived", &l->archived, e)) < 0)
        return -1;
    text_sanitize(l->name);
    if (tags && read_tags(tags, &l->tags, e) < 0)
        return -1;
    l->change = (struct label_change){.name = named ? l->name : NULL, /* null is as if it were absent */
                                      .tags = tags ? l->tags.text : NULL,
                                      .note = noted ? l->note : NULL,
                                      .archived = archived ? &l->archived : NULL};
    return 0;
}

static int need_plan(struct db *db, const struct request *req, struct err *e)
{
    char profile[UUID_TEXT];
    int found;

    if (need_id("plan", req->param[0], e) < 0)
        return -1;
    found = repo_plan_profile(db, req->param[0], req->credential.team_id, profile, e);
    return found > 0 ? 0 : found < 0 ? -1 : missing(req, LABELLED_PLAN, e);
}

static int need_object(struct db *db, enum labelled what, const struct request *req, struct err *e)
{
    struct run_row run;

    return what == LABELLED_RUN ? run_of_request(db, req, &run, e) : need_plan(db, req, e);
}

struct changing {
    struct app *app;
    enum labelled what;
    const struct request *req;
    const struct label_change *change;
    int found;
};

/* Stores the label and an event, so that other pages that show the object read it again. */
static int change_body(struct db *db, void *ctx, struct err *e)
{
    struct changing *c = ctx;
    const char *id = c->req->param[0];
    char topic[UUID_TEXT + 8], kind[16], params[UUID_TEXT + 16];
    struct event_row row = {clock_now(c->app->clock), topic, kind, NULL, params};

    c->found = repo_label_change(db, c->what, id, c->req->credential.team_id, c->change, row.at, e);
    if (c->found <= 0)
        return c->found;
    snprintf(topic, sizeof topic, "%s:%.36s", names[c->what], id);
    snprintf(kind, sizeof kind, "%s.label", names[c->what]);
    snprintf(params, sizeof params, "{\"%s\":\"%.36s\"}", names[c->what], id);
    return repo_event_put(db, &row, e);
}

/* PATCH {"name":"L2 x2","tags":["paper"],"note":"…","archived":true}: all members are optional */
static int change(struct app *app, struct db *db, enum labelled what, const struct request *req, struct reply *rep,
                  struct err *e)
{
    struct read_label l = {.tags = STRBUF_INIT};
    struct changing c = {app, what, req, &l.change, 0};
    json_t *body;
    int ret = -1;

    if (need_object(db, what, req, e) < 0)
        return -1;
    body = json_read_text(req->body, req->body_length, "the body", e);
    if (body && read_label(body, &l, e) == 0 && db_transaction(db, change_body, &c, e) == 0)
        ret = c.found ? reply_empty(rep, 204) : missing(req, what, e);
    strbuf_release(&l.tags);
    json_decref(body);
    return ret;
}

int run_patch(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    return change(app, db, LABELLED_RUN, req, rep, e);
}

int plan_patch(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    return change(app, db, LABELLED_PLAN, req, rep, e);
}

/* GET …/dependents: what is deleted with it, or shows nothing afterwards. */
static int dependents(struct app *app, struct db *db, enum labelled what, const struct request *req,
                      struct reply *rep, struct err *e)
{
    if (need_object(db, what, req, e) < 0)
        return -1;
    strbuf_adds(&rep->body, "{\"items\":");
    if (repo_label_dependents(db, what, req->param[0], req->credential.team_id, clock_now(app->clock), &rep->body,
                              e) < 0)
        return -1;
    strbuf_adds(&rep->body, "}");
    return reply_body_json(rep, 200, e);
}

int run_dependents_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    return dependents(app, db, LABELLED_RUN, req, rep, e);
}

int plan_dependents_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    return dependents(app, db, LABELLED_PLAN, req, rep, e);
}

static int delete_run(struct db *db, void *ctx, struct err *e)
{
    const struct request *req = ctx;
    int gone = repo_label_delete(db, LABELLED_RUN, req->param[0], req->credential.team_id, e);

    return gone < 0 ? -1 : !gone; /* 1: nothing is deleted, nothing to commit */
}

/* DELETE /runs/{run}: its jobs, attempts and projections go; results stay on the farm and count for other runs. */
int run_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct request asked = *req;
    struct run_row run;
    int ret;

    (void)app;
    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    ret = db_transaction(db, delete_run, &asked, e);
    if (ret <= 0)
        return ret < 0 ? -1 : reply_empty(rep, 204);
    err_set(e, ERR_CONFLICT, "the run is %s, so it cannot be deleted", run.state);
    return err_hint(e, "Cancel it first, or wait for its end.");
}

static int delete_plan(struct db *db, void *ctx, struct err *e)
{
    const struct request *req = ctx;
    int gone = repo_label_delete(db, LABELLED_PLAN, req->param[0], req->credential.team_id, e);

    if (gone != 0)
        return gone < 0 ? -1 : 0;
    err_set(e, ERR_CONFLICT, "a run of the plan is not over, so the plan cannot be deleted");
    return err_hint(e, "Cancel its open runs first, or wait for their end.");
}

int plan_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct request asked = *req;

    (void)app;
    if (need_plan(db, req, e) < 0 || db_transaction(db, delete_plan, &asked, e) < 0)
        return -1;
    return reply_empty(rep, 204);
}
