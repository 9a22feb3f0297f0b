#include "server/store/repo/repo_watch.h"

#include "server/store/repo/credential.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>

const char *const watched_rechecks[WATCHED_RECHECKS] = {"waiting", "agree", "differ", "failed"};
const char *const watched_settings[WATCHED_SETTINGS] = {"fsync", "full_page_writes", "autovacuum"};

int repo_watch_snapshot(struct db *db, struct watch_snapshot *out, struct err *e)
{
    struct db_rows r;

    *out = (struct watch_snapshot){.age_s = 0};
    if (db_query(db, &sql_watch_snapshot, NULL, &r, e) < 0)
        return -1;
    if (r.count) {
        double age = db_get_double(&r, 0, 0);

        out->age_s = age > 0 ? age : 0; /* NaN: the session ended during the query */
        out->pid = (int)db_get_i64(&r, 0, 1);
        snprintf(out->program, sizeof out->program, "%s", db_get(&r, 0, 2));
        snprintf(out->user, sizeof out->user, "%s", db_get(&r, 0, 3));
        snprintf(out->state, sizeof out->state, "%s", db_get(&r, 0, 4));
    }
    db_rows_release(&r);
    return 0;
}

int repo_watch_facts(struct db *db, wall_us now, struct watch_facts *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    double waits;

    db_time(&p, now);
    db_i64(&p, 1 << SCOPE_WORKER);
    if (db_query(db, &sql_watch_facts, &p, &r, e) < 0)
        return -1;
    waits = db_get_double(&r, 0, 1);
    *out = (struct watch_facts){.clock = db_get_time(&r, 0, 0),
                                .oldest_ready_s = waits > 0 ? waits : 0,
                                .alive = (uint64_t)db_get_i64(&r, 0, 2),
                                .stranded = (uint64_t)db_get_i64(&r, 0, 3),
                                .quarantined = (uint64_t)db_get_i64(&r, 0, 4),
                                .stored_bytes = (uint64_t)db_get_i64(&r, 0, 9)};
    for (int i = 0; i < WATCHED_RECHECKS; i++)
        out->rechecks[i] = (uint64_t)db_get_i64(&r, 0, 5 + i);
    for (int i = 0; i < WATCHED_SETTINGS; i++)
        out->setting_on[i] = db_get_bool(&r, 0, 10 + i);
    out->tokens_expiring = (uint64_t)db_get_i64(&r, 0, 10 + WATCHED_SETTINGS);
    out->token_left_s = db_get_double(&r, 0, 11 + WATCHED_SETTINGS);
    db_rows_release(&r);
    return 0;
}

int repo_watch_tables(struct db *db, struct watch_table out[WATCHED_TABLES], size_t *count, struct err *e)
{
    struct db_rows r;

    if (db_query(db, &sql_watch_tables, NULL, &r, e) < 0)
        return -1;
    *count = 0;
    for (int i = 0; i < r.count && i < WATCHED_TABLES; i++) {
        struct watch_table *t = &out[(*count)++];

        snprintf(t->name, sizeof t->name, "%s", db_get(&r, i, 0));
        t->dead_rows = (uint64_t)db_get_i64(&r, i, 1);
    }
    db_rows_release(&r);
    return 0;
}
