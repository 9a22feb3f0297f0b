/* server/api/handlers/discards.c: discards results that were found to be wrong. */
#include <string.h>

#include "base/hash.h"
#include "server/store/repo/repo_discard.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/domain/run/again.h"
#include "wire/json.h"

#define WHY_MAX 200 /* bytes */

struct discard_request {
    struct discard_choice choice;
    const char *why;
    bool dry_run;
};

static int check_choice(const struct discard_choice *c, struct err *e)
{
    if (!c->worker && !c->simulator && !c->from && !c->to && !c->result && !c->quarantined)
        return err_set(e, ERR_INVALID,
                       "give at least one of `worker`, `from`, `to`, `simulator`, `result` and `quarantined`, to "
                       "choose results");
    if ((c->from && need_time("from", c->from, e) < 0) || (c->to && need_time("to", c->to, e) < 0))
        return -1;
    if (c->result && !uuid_valid(c->result) && !sha256_hex_valid(c->result))
        return err_set(e, ERR_INVALID, "`result` must be the id or the key of a result (64 hex digits)");
    return 0;
}

static int read_request(const json_t *body, struct discard_request *w, struct err *e)
{
    static const char *const known[] = {"worker",      "simulator", "from",    "to", "result",
                                        "quarantined", "why",       "dry_run", NULL};
    struct discard_choice *c = &w->choice;

    if (json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
        json_opt_str(body, "worker", &c->worker, e) < 0 || json_opt_str(body, "simulator", &c->simulator, e) < 0 ||
        json_opt_str(body, "from", &c->from, e) < 0 || json_opt_str(body, "to", &c->to, e) < 0 ||
        json_opt_str(body, "result", &c->result, e) < 0 || json_opt_str(body, "why", &w->why, e) < 0 ||
        json_opt_bool(body, "dry_run", &w->dry_run, e) < 0 ||
        json_opt_bool(body, "quarantined", &c->quarantined, e) < 0 || check_choice(c, e) < 0)
        return -1;
    if (!w->dry_run && (!w->why || !w->why[0]))
        return err_set(e, ERR_INVALID, "`why` is missing: runs that used the results show this reason");
    if (w->why && strlen(w->why) > WHY_MAX)
        return err_set(e, ERR_INVALID, "`why` has more than %d bytes", WHY_MAX);
    return 0;
}

/* The criteria that chose the results, for the list. */
static int write_choice(const struct discard_choice *c, struct strbuf *out, struct err *e)
{
    const char *const pairs[][2] = {{"worker", c->worker},
                                    {"simulator", c->simulator},
                                    {"from", c->from},
                                    {"to", c->to},
                                    {"result", c->result}};
    struct json_obj o = json_obj_begin();
    json_t *v;

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i][1])
            json_put_str(&o, pairs[i][0], pairs[i][1]);
    if (c->quarantined)
        json_put_bool(&o, "quarantined", true);
    v = json_obj_end(&o);
    if (v)
        json_write_text(v, false, out);
    json_decref(v);
    return v && !out->failed ? 0 : err_no_memory(e);
}

static int choose(struct db *db, const struct discard_choice *c, struct strbuf *ids, struct err *e)
{
    int64_t count;

    if (repo_discard_choose(db, c, ids, &count, e) < 0) /* PostgreSQL checks the time of day */
        return e->code == ERR_INVALID ? wrong_time(c->from ? "from" : "to", c->from ? c->from : c->to, e) : -1;
    if (count == 0)
        return err_set(e, ERR_NOT_FOUND, "no valid or quarantined result matches");
    if (count > DISCARD_MAX)
        return err_set(e, ERR_INVALID,
                       "more than %d results match: narrow `from` and `to`, and discard them in several calls",
                       DISCARD_MAX);
    return 0;
}

static int discard(struct app *app, struct db *db, const struct request *req, const struct discard_request *w,
                   struct reply *rep, struct err *e)
{
    struct strbuf ids = STRBUF_INIT, cost = STRBUF_INIT, chosen = STRBUF_INIT;
    struct discard d = {.by = req->credential.name, .why = w->why, .at = clock_now(app->clock)};
    char id[UUID_TEXT];
    json_t *answer = NULL;
    int ret;

    uuid_make(app->clock, id);
    d.id = id;
    ret = write_choice(&w->choice, &chosen, e) < 0 || choose(db, &w->choice, &ids, e) < 0 ||
                  repo_discard_cost_json(db, ids.text, &cost, e) < 0
              ? -1
              : 0;
    d.chosen = chosen.text;
    if (ret == 0)
        answer = json_read_text(cost.text, cost.length, "the cost", e);
    if (ret == 0 && !w->dry_run)
        ret = again_discard(&app->farm, db, &d, ids.text, e);
    if (ret == 0 && answer && !w->dry_run) {
        snprintf(rep->about, sizeof rep->about, "%s", id);
        json_object_set_new(answer, "id", json_string(id));
    }
    strbuf_release(&ids);
    strbuf_release(&cost);
    strbuf_release(&chosen);
    if (ret == 0 && answer)
        return reply_json(rep, w->dry_run ? 200 : 201, answer, e);
    json_decref(answer);
    return -1;
}

/* POST /discards {"worker":"w-17","from":"2026-11-01","why":"its memory is bad","dry_run":true} */
int discards_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    struct discard_request w = {.why = NULL};
    int ret = body && read_request(body, &w, e) == 0 ? discard(app, db, req, &w, rep, e) : -1;

    json_decref(body);
    return ret;
}

/* GET /discards?after&limit */
int discards_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    char after[128];
    struct db_rows rows;
    uint64_t limit;

    if (list_ask(app, req, "discards", &limit, after, e) < 0 ||
        repo_discard_list(db, after[0] ? after : NULL, limit + 1, &rows, e) < 0)
        return -1;
    return list_answer(app, "discards", &rows, 1, limit, rep, e);
}

/* GET /discards/{discard} */
int discard_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int found = uuid_valid(req->param[0]) ? repo_discard_find(db, req->param[0], &rep->body, e) : 0;

    (void)app;
    if (found < 0)
        return -1;
    if (!found)
        return err_set(e, ERR_NOT_FOUND, "no results were discarded with this id");
    return reply_body_json(rep, 200, e);
}
