#include "server/store/repo/repo_pack.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>

static int about(struct db *db, const struct db_stmt *stmt, const char *a, const char *b, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, a);
    db_text(&p, b);
    return db_query(db, stmt, &p, NULL, e);
}

int repo_pack_set(struct db *db, const char *profile, const char *was, const char *sha256, uint64_t launches,
                  struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int set;

    db_text(&p, profile);
    db_text(&p, sha256);
    db_text(&p, was);
    db_i64(&p, (int64_t)launches);
    set = db_any(db, &sql_pack_set, &p, e);
    if (set != 0)
        return set < 0 ? -1 : 0;
    return err_set(e, ERR_CONFLICT,
                   "the profile's file of traces was replaced meanwhile, or the profile was deleted: send this "
                   "again if it exists");
}

int repo_pack_get(struct db *db, const char *profile, char sha256[SHA256_HEX], struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, profile);
    if (db_query(db, &sql_pack_get, &p, &q, e) < 0)
        return -1;
    snprintf(sha256, SHA256_HEX, "%s", q.count ? db_get(&q, 0, 0) : "");
    db_rows_release(&q);
    return 0;
}

int repo_pack_adopt(struct db *db, const char *profile, const char *import, struct err *e)
{
    return about(db, &sql_pack_adopt, profile, import, e);
}

static int counted(struct db *db, const struct db_stmt *stmt, const char *id, const char *sha256, uint64_t launches,
                   struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, sha256);
    db_i64(&p, (int64_t)launches);
    return db_query(db, stmt, &p, NULL, e);
}

int repo_pack_of_import(struct db *db, const char *import, const char *sha256, uint64_t launches, struct err *e)
{
    return counted(db, &sql_pack_of_import, import, sha256, launches, e);
}

int repo_pack_count(struct db *db, const char *profile, const char *sha256, uint64_t launches, struct err *e)
{
    return counted(db, &sql_pack_count, profile, sha256, launches, e);
}

int repo_pack_uncount(struct db *db, const char *profile, const char *sha256, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_text(&p, sha256);
    return db_any(db, &sql_pack_uncount, &p, e);
}

int repo_pack_whole(struct db *db, const char *profile, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    return db_any(db, &sql_pack_whole, &p, e);
}

int repo_pack_plans(struct db *db, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    return db_query(db, &sql_pack_plans, &p, out, e);
}

void pack_plan_read(const struct db_rows *r, int row, struct pack_plan *out)
{
    snprintf(out->plan, sizeof out->plan, "%s", db_get(r, row, 0));
    snprintf(out->profile, sizeof out->profile, "%s", db_get(r, row, 1));
    snprintf(out->sha256, sizeof out->sha256, "%s", db_get(r, row, 2));
    out->team = db_get_i64(r, row, 3);
    out->launches = db_get_u64(r, row, 4);
}

int repo_pack_missing(struct db *db, const char *plan, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, plan);
    return db_query(db, &sql_pack_missing, &p, out, e);
}

int repo_pack_without(struct db *db, const char *plan, enum event_kind kind, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, plan);
    db_text(&p, event_kind_name(kind));
    return db_query(db, &sql_pack_without, &p, out, e);
}
