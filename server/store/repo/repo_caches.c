#include "server/store/repo/repo_caches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "server/store/repo/sql/statements.h"

_Static_assert(CACHE_ERROR_BEFORE == 16, "schema/0011 and cache_first_window (sql/caches.sql) begin there");

/* --- Requests --- */

static int request_check(struct db *db, const struct db_stmt *stmt, const char *run, int64_t launches,
                         const char *by, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, launches);
    db_text(&p, by);
    db_time(&p, now);
    return db_query(db, stmt, &p, NULL, e);
}

int repo_caches_request(struct db *db, const char *run, int64_t launches, const char *by, wall_us now,
                        struct err *e)
{
    return request_check(db, &sql_caches_request, run, launches, by, now, e);
}

int repo_caches_request_usual(struct db *db, const char *run, int64_t launches, const char *by, wall_us now,
                              struct err *e)
{
    return request_check(db, &sql_caches_request_usual, run, launches, by, now, e);
}

int repo_caches_requests(struct db *db, struct db_rows *out, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, &sql_caches_requests, &none, out, e);
}

void cache_run_read(const struct db_rows *r, int row, struct cache_run *out)
{
    snprintf(out->run, sizeof out->run, "%s", db_get(r, row, 0));
    snprintf(out->traces, sizeof out->traces, "%s", db_get(r, row, 1));
    out->team = db_get_i64(r, row, 2);
    out->launches = db_get_i64(r, row, 3);
    out->of = db_get_u64(r, row, 4);
    snprintf(out->simulator, sizeof out->simulator, "%s", db_get(r, row, 5));
    out->looks_back = db_get_u64(r, row, 6);
}

int repo_caches_chosen(struct db *db, const char *run, const char *why_not, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_text(&p, why_not);
    db_time(&p, now);
    return db_query(db, &sql_caches_chosen, &p, NULL, e);
}

int repo_caches_widen(struct db *db, const char *run, unsigned still, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, still);
    return db_query(db, &sql_caches_widen, &p, NULL, e);
}

/* --- Choice of launches --- */

int repo_caches_forget(struct db *db, const char *run, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int removed;

    db_text(&p, run);
    if (db_query(db, &sql_caches_forget, &p, &q, e) < 0)
        return -1;
    removed = q.affected > 0;
    db_rows_release(&q);
    return removed;
}

int repo_caches_candidates(struct db *db, const struct cache_run *run, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run->run);
    db_i64(&p, run->launches);
    db_i64(&p, (int64_t)run->looks_back);
    return db_query(db, &sql_caches_candidates, &p, out, e);
}

void cache_totals_release(struct cache_totals *t)
{
    free(t->totals);
    *t = (struct cache_totals){.version = 0};
}

int repo_caches_totals(struct db *db, const char *run, int64_t design, struct cache_totals *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct cache_totals){.version = 0};
    db_text(&p, run);
    db_i64(&p, design);
    if (db_query(db, &sql_caches_totals, &p, &q, e) < 0)
        return -1;
    out->totals = mem_zalloc((size_t)q.count + 1, sizeof *out->totals, e);
    if (out->totals && q.count > 0) {
        for (int i = 0; i < q.count; i++)
            out->totals[i] = db_get_double(&q, i, 2);
        out->strata = (struct cache_strata){out->totals, (size_t)q.count, db_get_double(&q, 0, 0)};
        out->version = db_get_i64(&q, 0, 1);
    }
    db_rows_release(&q);
    return out->totals ? 0 : -1;
}

int repo_caches_put(struct db *db, const struct cache_launch *l, wall_us now, struct err *e)
{
    struct db_params failed = DB_PARAMS_INIT, p = DB_PARAMS_INIT;

    db_text(&failed, l->run);
    db_i64(&failed, l->launch);
    db_i64(&failed, (int64_t)l->looks_back);
    db_text(&p, l->run);
    db_i64(&p, l->launch);
    db_i64(&p, l->stratum);
    db_text(&p, l->trace);
    db_i64(&p, l->before);
    db_i64(&p, l->missing);
    db_text(&p, l->why);
    db_time(&p, now);
    db_i64(&p, (int64_t)l->looks_back);
    return db_query(db, &sql_caches_clear_failed, &failed, NULL, e) < 0 ||
                   db_query(db, &sql_caches_put, &p, NULL, e) < 0
               ? -1
               : 0;
}

/* --- Workers --- */

int repo_caches_leased(struct db *db, const char *check, uint32_t attempt, const char *session, struct db_rows *out,
                       struct err *e)
{
    return repo_task_held(db, &sql_caches_leased, check, attempt, session, out, e);
}

int repo_caches_end(struct db *db, const struct cache_end *end, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    task_end_params(&p, &end->task, now);
    db_double(&p, end->task.done ? (double)end->cycles : NAN);
    return db_query(db, &sql_caches_end, &p, NULL, e);
}

/* --- Measured errors --- */

/* Reads the window and the pairs from the rows. */
static void read_pairs(const struct db_rows *q, struct cache_pairs *out)
{
    out->window.whole = q->count > 0;
    for (int i = 0; i < q->count; i++) {
        int64_t missing = db_get_i64(q, i, 4);

        out->items[i] =
            (struct cache_pair){(size_t)db_get_i64(q, i, 0), db_get_double(q, i, 1), db_get_double(q, i, 2)};
        out->window.wanted += (uint64_t)(db_get_i64(q, i, 3) + missing);
        out->window.missing += (uint64_t)missing;
        out->window.whole = out->window.whole && db_get_bool(q, i, 5);
    }
}

int repo_caches_pairs(struct db *db, const char *run, int64_t design, uint64_t looks_back, struct cache_pairs *out,
                      struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct cache_pairs){.window.before = looks_back};
    db_text(&p, run);
    db_i64(&p, design);
    db_i64(&p, (int64_t)looks_back);
    if (db_query(db, &sql_caches_pairs, &p, &q, e) < 0)
        return -1;
    out->n = (size_t)q.count;
    out->items = mem_zalloc(out->n + 1, sizeof *out->items, e);
    if (out->items)
        read_pairs(&q, out);
    db_rows_release(&q);
    return out->items ? 0 : -1;
}

int repo_caches_known(struct db *db, const char *run, int64_t design, struct cache_known *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct cache_known){.launches = 0};
    db_text(&p, run);
    db_i64(&p, design);
    if (db_query(db, &sql_caches_known, &p, &q, e) < 0)
        return -1;
    if (q.count > 0)
        *out = (struct cache_known){db_get_u64(&q, 0, 0), db_get_double(&q, 0, 1), db_get_u64(&q, 0, 2)};
    db_rows_release(&q);
    return 0;
}

int repo_caches_count(struct db *db, const struct cache_count *c, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, c->run);
    db_i64(&p, c->design);
    db_i64(&p, (int64_t)c->error.launches);
    db_i64(&p, (int64_t)c->window.missing);
    db_double(&p, c->error.share);
    db_double(&p, c->error.relative);
    db_i64(&p, c->version);
    db_time(&p, now);
    db_i64(&p, (int64_t)c->window.before);
    db_i64(&p, (int64_t)c->window.wanted);
    db_bool(&p, c->window.whole);
    db_bool(&p, cache_window_settled(&c->window));
    return db_query(db, &sql_caches_count, &p, NULL, e);
}

int repo_caches_lock(struct db *db, const char *run, struct cache_check_request *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct cache_check_request){.chosen = false};
    db_text(&p, run);
    if (db_query(db, &sql_caches_lock, &p, &q, e) < 0)
        return -1;
    if (q.count > 0)
        *out = (struct cache_check_request){db_get_bool(&q, 0, 0), db_get_u64(&q, 0, 1),
                                            (unsigned)db_get_u64(&q, 0, 2), db_get_i64(&q, 0, 3)};
    db_rows_release(&q);
    return 0;
}

int repo_caches_errors(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_query(db, &sql_caches_errors, &p, out, e);
}

int repo_caches_states(struct db *db, const char *run, uint64_t looks_back, uint64_t *open, uint64_t *failed,
                       struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    db_i64(&p, (int64_t)looks_back);
    if (db_query(db, &sql_caches_states, &p, &q, e) < 0)
        return -1;
    *open = db_get_u64(&q, 0, 0);
    *failed = db_get_u64(&q, 0, 1);
    db_rows_release(&q);
    return 0;
}
