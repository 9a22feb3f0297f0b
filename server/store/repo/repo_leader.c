#include "server/store/repo/repo_leader.h"
#include "server/store/repo/sql/statements.h"

int repo_leader_hold(struct db *db, const char *name, const char *holder, wall_us now, wall_us until, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int held;

    db_text(&p, name);
    db_text(&p, holder);
    db_time(&p, now);
    db_time(&p, until);
    if (db_query(db, &sql_leader_hold, &p, &q, e) < 0)
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
    return db_query(db, &sql_leader_leave, &p, NULL, e);
}

int repo_leader_vacuum(struct db *db, struct err *e)
{
    return db_exec_text(db, "VACUUM (SKIP_LOCKED) job", e);
}
