#include "server/store/repo/repo_leader.h"

extern const struct db_stmt repo_leader_stmts[];
const struct db_stmt repo_leader_stmts[] = {
    {"leader_hold", "INSERT INTO leader AS l (name, holder, term, expires_at) VALUES ($1, $2, 1, $4::timestamptz)"
                    " ON CONFLICT (name) DO UPDATE SET holder = $2, expires_at = $4::timestamptz,"
                    "        term = l.term + CASE WHEN l.holder = $2 THEN 0 ELSE 1 END"
                    "  WHERE l.holder = $2 OR l.expires_at < $3::timestamptz"},
    {"leader_leave", "UPDATE leader SET expires_at = $3::timestamptz WHERE name = $1 AND holder = $2"},
    {NULL, NULL},
};

int repo_leader_hold(struct db *db, const char *name, const char *holder, wall_us now, wall_us until, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int held;

    db_text(&p, name);
    db_text(&p, holder);
    db_time(&p, now);
    db_time(&p, until);
    if (db_query(db, "leader_hold", &p, &q, e) < 0)
        return -1;
    held = q.affected > 0;
    db_rows_release(&q);
    return held;
}

int repo_leader_leave(struct db *db, const char *name, const char *holder, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, name);
    db_text(&p, holder);
    db_time(&p, now - 1);
    return db_query(db, "leader_leave", &p, NULL, e);
}

int repo_leader_vacuum(struct db *db, struct err *e)
{
    return db_exec_text(db, "VACUUM (SKIP_LOCKED) job", e);
}
