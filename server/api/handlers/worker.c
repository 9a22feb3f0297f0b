/* server/api/handlers/worker.c: requests of workers. Except for the first, the dispatcher answers them later. */
#include <string.h>

#include "base/log.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_access.h"
#include "server/store/repo/repo_claim.h"
#include "server/store/repo/repo_event.h"
#include "server/domain/queue/dispatcher.h"
#include "server/api/handlers/handlers.h"
#include "server/domain/queue/sweeper.h"
#include "wire/json.h"

static int say_worker(struct app *app, struct db *db, const char *id, const char *name, struct err *e)
{
    struct json_obj o = json_obj_begin();
    struct strbuf data = STRBUF_INIT;
    struct event_row row = {.at = clock_now(app->clock), .topic = "farm", .kind = "worker.state"};
    json_t *v;
    int ret;

    json_put_str(&o, "id", id);
    json_put_str(&o, "name", name);
    json_put_str(&o, "state", "alive");
    v = json_obj_end(&o);
    if (v)
        json_write_text(v, false, &data);
    json_decref(v);
    row.params = data.text;
    ret = !v || data.failed ? err_no_memory(e) : repo_event_put(db, &row, e);
    strbuf_release(&data);
    return ret;
}

/* A restarted worker has lost the jobs that it ran. They return to the queue at once, not after the lease
 * timeout. */
static int replace_session(struct app *app, struct db *db, const struct session_request *r, const char *id,
                           struct err *e)
{
    wall_us now = clock_now(app->clock);
    int replaced =
        r->replaces[0] && uuid_valid(r->replaces) ? repo_session_replace(db, r->replaces, id, r->name, now, e) : 0;

    if (replaced <= 0)
        return replaced;
    log_info("worker", "a worker was started again", "name=%s session=%s before=%s", r->name, id, r->replaces);
    if (sweep_dead(db, now, e) < 0)
        return -1;
    dispatcher_wake(app->farm.dispatcher);
    return 0;
}

/* POST /worker/sessions */
int worker_sessions_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                         struct err *e)
{
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    struct session_answer answer = {.heartbeat_s = (uint32_t)app->config->heartbeat_s,
                                    .dead_after_s = (uint32_t)app->config->dead_after_s};
    struct session_request r;
    int ret = body ? session_request_from_json(body, &r, e) : -1;

    json_decref(body);
    if (ret < 0)
        return -1;
    if (strpbrk(r.simulator, "\\|"))
        return err_set(e, ERR_INVALID, "`simulator` is a version");
    uuid_make(app->clock, answer.session);
    ret = repo_token_left(db, req->credential.token_id, clock_now(app->clock), &answer.token_left_s, e);
    answer.token_ends = ret > 0;
    if (ret < 0 || repo_farm_id(db, answer.farm, e) < 0 ||
        repo_session_open(db, answer.session, &r, req->credential.token_id, clock_now(app->clock), e) < 0 ||
        say_worker(app, db, answer.session, r.name, e) < 0 || replace_session(app, db, &r, answer.session, e) < 0)
        return -1;
    return reply_json(rep, 201, session_answer_to_json(&answer), e);
}

/* Parses the body into a request of its kind. */
static int read_hot(const struct request *req, struct hot_request *h, struct err *e)
{
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    int ret = -1;

    if (body && h->kind == HOT_CLAIM)
        ret = claim_request_from_json(body, &h->u.claim, e);
    else if (body && h->kind == HOT_BEAT)
        ret = heartbeat_request_from_json(body, &h->u.beat, e);
    else if (body)
        ret = complete_request_from_json(body, &h->u.complete, e);
    json_decref(body);
    return ret;
}

static int hand_over(struct app *app, const struct request *req, enum hot_kind kind, struct reply *rep,
                     struct err *e)
{
    struct hot_request *h = dispatcher_request(app->farm.dispatcher, kind, e);

    if (!h)
        return -1;
    snprintf(h->request_id, sizeof h->request_id, "%s", req->id);
    if (read_hot(req, h, e) < 0 || !(h->parked = reply_park(req, rep, e))) {
        dispatcher_drop(app->farm.dispatcher, h);
        return -1;
    }
    h->token = req->credential.token_id;
    if (kind == HOT_COMPLETE)
        h->u.complete.token = h->token;
    if (kind == HOT_CLAIM)
        h->until_us = clock_monotonic_us() + (uint64_t)h->u.claim.wait_s * 1000000;
    dispatcher_submit(app->farm.dispatcher, h);
    return 0;
}

int worker_claim_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)db;
    return hand_over(app, req, HOT_CLAIM, rep, e);
}

int worker_heartbeat_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                          struct err *e)
{
    (void)db;
    return hand_over(app, req, HOT_BEAT, rep, e);
}

int worker_complete_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                         struct err *e)
{
    (void)db;
    return hand_over(app, req, HOT_COMPLETE, rep, e);
}
