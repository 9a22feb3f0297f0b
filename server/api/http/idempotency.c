#include "server/api/http/idempotency.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/log.h"
#include "server/api/app.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_idempotency.h"
#include "server/store/threads/executor.h"
#include "server/api/http/http_internal.h"
#include "server/domain/import/importer.h"

#define RUNNING_MOST_US (INT64_C(15) * 60 * 1000000) /* planning a large profile takes minutes */
#define ANSWER_MAX      ((size_t)1 << 20)            /* bytes; longer answers are not stored */

static int check_key(const char *key, struct err *e)
{
    size_t n = strlen(key);

    for (size_t i = 0; i < n; i++)
        if (key[i] < 0x21 || key[i] > 0x7e)
            n = 0;
    return n > 0 && n <= 128
               ? 0
               : err_set(e, ERR_MALFORMED, "Idempotency-Key: 1 to 128 printable characters without spaces");
}

/* Hash of the request: method, path with query, body. A body in a file is represented by its hash. */
static int hash_request(const struct request *req, unsigned char hash[SHA256_BYTES], struct err *e)
{
    struct sha256 *h = sha256_new(e);
    const char *parts[] = {req->method, req->target, req->body_sha256};

    if (!h)
        return -1;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        sha256_update(h, parts[i], strlen(parts[i]) + 1);
    if (!req->body_path)
        sha256_update(h, req->body, req->body_length);
    sha256_final(h, hash);
    sha256_free(h);
    return 0;
}

static bool worth_keeping(int ret, const struct reply *rep)
{
    return ret == 0 && !rep->parked && rep->file < 0 && rep->body.length <= ANSWER_MAX &&
           (rep->status == 0 || (rep->status >= 200 && rep->status < 300)) && !rep->content_type;
}

/* --- Ending the request: until then, repeated requests must wait --- */

struct ending {
    struct app *app;
    struct idempotent_key key;
    char key_text[129], holder[UUID_TEXT];
    bool keep;
    struct idempotent_answer answer;
};

static void ending_free(struct ending *x)
{
    strbuf_release(&x->answer.body);
    free(x);
}

/* The key will be dropped, unless the caller sets `keep`. */
static struct ending *ending_new(struct app *app, const struct idempotent_key *k, struct err *e)
{
    struct ending *x = mem_zalloc(1, sizeof *x, e);

    if (!x)
        return NULL;
    x->app = app;
    x->key = *k;
    snprintf(x->key_text, sizeof x->key_text, "%s", k->key);
    snprintf(x->holder, sizeof x->holder, "%s", k->holder);
    x->key.key = x->key_text;
    x->key.holder = x->holder;
    x->answer = (struct idempotent_answer){.body = STRBUF_INIT};
    return x;
}

static int write_end(struct db *db, const struct ending *x, struct err *e)
{
    return x->keep ? repo_idempotency_end(db, &x->key, &x->answer, e) : repo_idempotency_drop(db, &x->key, e);
}

/* Retries until the database is back. If the server stops before, the next start does it. */
static void end_later(struct db *db, void *ctx)
{
    const struct timespec pause = {.tv_nsec = 500000000};
    struct ending *x = ctx;
    struct err e;

    while (!atomic_load(&x->app->farm.stopping) && write_end(db, x, &e) < 0) {
        nanosleep(&pause, NULL);
        if (executor_submit(x->app->farm.db_executor, end_later, x, &e) == 0)
            return; /* other tasks run meanwhile */
    }
    ending_free(x);
}

static void end(struct app *app, struct db *db, const struct idempotent_key *k, int ret, const struct reply *rep)
{
    struct err e = {0};
    struct ending *x = ending_new(app, k, &e);

    if (!x)
        goto failed;
    x->keep = worth_keeping(ret, rep);
    x->answer = (struct idempotent_answer){.status = rep->status        ? rep->status
                                                     : rep->body.length ? 200
                                                                        : 204,
                                           .body = STRBUF_INIT};
    if (x->keep) {
        snprintf(x->answer.location, sizeof x->answer.location, "%.*s", (int)sizeof x->answer.location - 1,
                 rep->location);
        strbuf_add(&x->answer.body, rep->body.text, rep->body.length);
    }
    if (write_end(db, x, &e) < 0 && executor_submit(app->farm.db_executor, end_later, x, &e) == 0)
        return;
    ending_free(x);
    if (!e.text[0])
        return;
failed:
    log_warn("http", "a reply could not be stored for repeated requests", "error=%s",
             log_quote(e.text, (char[300]){0}, 300));
}

/* 1: *rep is the stored answer. 0: run the handler, because the key is new; or, if `made` is set, show that
 * object again. */
static int begin(struct app *app, struct db *db, const struct idempotent_key *k, struct reply *rep,
                 char made[UUID_TEXT], struct err *e)
{
    struct idempotent_answer a = {.body = STRBUF_INIT};
    enum idempotent_state state;

    if (repo_idempotency_begin(db, k, clock_now(app->clock), &state, &a, e) < 0) {
        struct ending *x = ending_new(app, k, &(struct err){0});

        /* the key may be stored although the database's answer was lost */
        if (x && executor_submit(app->farm.db_executor, end_later, x, &(struct err){0}) < 0)
            ending_free(x);
        strbuf_release(&a.body);
        return -1;
    }
    switch (state) {
    case IDEMPOTENT_NEW: return 0;
    case IDEMPOTENT_RUNNING:
        rep->retry_after_s = 1; /* distinguishes this from permanent conflicts */
        err_set(e, ERR_CONFLICT, "a request with this Idempotency-Key is in progress");
        return err_hint(e, "Send it again in a moment to get its reply.");
    case IDEMPOTENT_OTHER:
        err_set(e, ERR_INVALID, "this Idempotency-Key was used for another request");
        return err_hint(e, "Use a new key for a new request.");
    case IDEMPOTENT_MADE:
        snprintf(made, UUID_TEXT, "%s", a.made);
        strbuf_release(&a.body);
        return 0;
    case IDEMPOTENT_ANSWERED: break;
    }
    rep->status = a.status;
    snprintf(rep->location, sizeof rep->location, "%s", a.location);
    strbuf_release(&rep->body);
    rep->body = a.body;
    return 1;
}

/* --- Objects whose answer was lost --- */

static int show_made(struct app *app, struct db *db, const struct route *route, const struct request *req,
                     const char *id, struct reply *rep, struct err *e)
{
    struct request shown = *req;

    for (const struct made_kind *kind = app->http->options.made; kind->makes; kind++) {
        if (kind->makes != route->handler)
            continue;
        snprintf(shown.param[0], sizeof shown.param[0], "%s", id);
        if (kind->shows(app, db, &shown, rep, e) < 0)
            return -1;
        rep->status = 201;
        snprintf(rep->location, sizeof rep->location, "%s%s", kind->at, id);
        return 0;
    }
    return err_set(e, ERR_INTERNAL, "no reply can be made for what %s created", req->path);
}

int idempotency_handle(struct app *app, struct db *db, const struct route *route, const struct request *req,
                       struct reply *rep, struct err *e)
{
    const char *key = request_header(req, "Idempotency-Key");
    unsigned char hash[SHA256_BYTES];
    char holder[UUID_TEXT];
    struct idempotent_key k = {.team = req->credential.team_id,
                               .key = key,
                               .request = hash,
                               .holder = holder,
                               .until = clock_now(app->clock) + RUNNING_MOST_US};
    struct request keyed = *req;
    char made[UUID_TEXT] = "";
    int ret;

    if (!key || !db || route->scope != SCOPE_WRITE || strcmp(req->method, "POST") != 0)
        return route->handler(app, db, req, rep, e);
    if (check_key(key, e) < 0 || hash_request(req, hash, e) < 0 ||
        importer_holder(app->config->state, holder, e) < 0)
        return -1;
    ret = begin(app, db, &k, rep, made, e);
    if (ret)
        return ret < 0 ? -1 : 0;
    keyed.once = &k;
    ret = made[0] ? show_made(app, db, route, &keyed, made, rep, e) : route->handler(app, db, &keyed, rep, e);
    end(app, db, &k, ret, rep);
    return ret;
}

int idempotency_resume(struct app *app, struct err *e)
{
    char holder[UUID_TEXT];
    struct db *db = NULL;
    int ret;

    if (importer_holder(app->config->state, holder, e) < 0 || db_open(app->farm.store.conninfo, &db, e) < 0)
        return -1;
    ret = repo_idempotency_resume(db, holder, e);
    db_close(db);
    return ret;
}
