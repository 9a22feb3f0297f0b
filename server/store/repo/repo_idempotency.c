#include "server/store/repo/repo_idempotency.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name_key(struct db_params *p, const struct idempotent_key *k)
{
    db_i64(p, k->team);
    db_text(p, k->key);
}

static int read_answer(const struct db_rows *r, enum idempotent_state *state, struct idempotent_answer *a,
                       struct err *e)
{
    unsigned char *bytes = NULL;
    size_t n = 0;

    *state = !db_get_bool(r, 0, 0)                          ? IDEMPOTENT_OTHER
             : !db_is_null(r, 0, 1)                         ? IDEMPOTENT_ANSWERED
             : db_is_null(r, 0, 4) || !db_get_bool(r, 0, 5) ? IDEMPOTENT_RUNNING
                                                            : IDEMPOTENT_MADE;
    snprintf(a->made, sizeof a->made, "%s", db_get(r, 0, 4));
    if (*state != IDEMPOTENT_ANSWERED)
        return 0;
    a->status = (int)db_get_i64(r, 0, 1);
    snprintf(a->location, sizeof a->location, "%s", db_get(r, 0, 2));
    if (db_get_bytes(r, 0, 3, &bytes, &n, e) < 0)
        return -1;
    strbuf_add(&a->body, bytes, n);
    free(bytes);
    return a->body.failed ? err_no_memory(e) : 0;
}

int repo_idempotency_begin(struct db *db, const struct idempotent_key *k, wall_us now, enum idempotent_state *state,
                           struct idempotent_answer *answer, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, q = DB_PARAMS_INIT;
    struct db_rows r;
    int ret = 0;

    name_key(&p, k);
    db_bytes(&p, k->request, 32);
    db_text(&p, k->holder);
    db_time(&p, now);
    db_time(&p, k->until);
    if (db_query(db, &sql_idempotency_begin, &p, &r, e) < 0)
        return -1;
    *state = r.affected ? IDEMPOTENT_NEW : IDEMPOTENT_RUNNING;
    db_rows_release(&r);
    if (*state == IDEMPOTENT_NEW)
        return 0;
    name_key(&q, k);
    db_bytes(&q, k->request, 32);
    db_time(&q, now);
    if (db_query(db, &sql_idempotency_look, &q, &r, e) < 0)
        return -1;
    if (r.count) /* otherwise the row was deleted in between, and RUNNING makes the client retry */
        ret = read_answer(&r, state, answer, e);
    db_rows_release(&r);
    return ret;
}

int repo_idempotency_made(struct db *db, const struct idempotent_key *once, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int ours;

    if (!once)
        return 0;
    name_key(&p, once);
    db_text(&p, id);
    ours = db_any(db, &sql_idempotency_made, &p, e);
    if (ours < 0)
        return -1;
    return ours ? 0 : err_set(e, ERR_CONFLICT, "a repetition of this request is being answered instead");
}

int repo_idempotency_end(struct db *db, const struct idempotent_key *k, const struct idempotent_answer *answer,
                         struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    name_key(&p, k);
    db_i64(&p, answer->status);
    db_text(&p, answer->location);
    db_bytes(&p, answer->body.text, answer->body.length);
    return db_query(db, &sql_idempotency_end, &p, NULL, e);
}

int repo_idempotency_drop(struct db *db, const struct idempotent_key *k, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    name_key(&p, k);
    db_text(&p, k->holder);
    db_time(&p, k->until);
    return db_query(db, &sql_idempotency_drop, &p, NULL, e);
}

int repo_idempotency_expire(struct db *db, wall_us before, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, &sql_idempotency_expire, &p, NULL, e);
}

int repo_idempotency_resume(struct db *db, const char *holder, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, holder);
    return db_query(db, &sql_idempotency_resume, &p, NULL, e);
}
