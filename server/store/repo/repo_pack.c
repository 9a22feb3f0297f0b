#include "server/store/repo/repo_pack.h"

#include <stdio.h>

#define UNBOUND "NOT EXISTS (SELECT FROM trace_binding b WHERE b.profile_id = f.id AND b.invocation = s.invocation)"

extern const struct db_stmt repo_pack_stmts[];
const struct db_stmt repo_pack_stmts[] = {
    {"pack_set", "UPDATE profile SET traces_sha256 = $2::text, traces_launches = $4::bigint WHERE id = $1::uuid"
                 "   AND coalesce(traces_sha256, '') = $3::text RETURNING 1"},
    {"pack_get", "SELECT coalesce(traces_sha256, '') FROM profile WHERE id = $1::uuid"},
    {"pack_adopt", "UPDATE profile f SET traces_sha256 = b.sha256, traces_launches = i.traces_launches FROM import "
                   "i JOIN blob b ON b.sha256 = "
                   "i.traces_sha256 WHERE f.id = $1::uuid AND i.id = $2::uuid"},
    {"pack_of_import",
     "UPDATE import SET traces_sha256 = $2::text, traces_launches = $3::bigint WHERE id = $1::uuid"},
    {"pack_count",
     "UPDATE profile SET traces_launches = $3::bigint WHERE id = $1::uuid AND traces_sha256 = $2::text"
     "   AND traces_launches IS DISTINCT FROM $3::bigint"},
    {"pack_uncount", "UPDATE profile SET traces_launches = NULL WHERE id = $1::uuid AND traces_sha256 = $2::text"
                     "   AND traces_launches IS NOT NULL RETURNING 1"},
    {"pack_whole", "SELECT 1 FROM profile f WHERE id = $1::uuid AND " PACK_WHOLE},
    {"pack_plans", "SELECT p.id, f.id, f.traces_sha256, f.team_id, f.invocations FROM plan p"
                   "  JOIN profile f ON f.id = p.profile_id"
                   " WHERE f.traces_sha256 IS NOT NULL AND p.id IN (SELECT r.plan_id FROM run r"
                   "       WHERE r.state IN ('running', 'paused') AND r.engine = 'cycle')"
                   "   AND EXISTS (SELECT FROM sample s WHERE s.plan_id = p.id AND " UNBOUND ")"
                   " ORDER BY p.id"},
    {"pack_without", "SELECT r.id FROM run r"
                     " WHERE r.plan_id = $1::uuid AND r.state IN ('running', 'paused') AND r.engine = 'cycle'"
                     "   AND NOT EXISTS (SELECT FROM event v WHERE v.topic = 'run:' || r.id"
                     "       AND v.severity IS NOT NULL AND v.kind = $2::text)"
                     " ORDER BY r.id"},
    {"pack_missing", "SELECT s.context_number, s.launch_order FROM sample s JOIN plan p ON p.id = s.plan_id"
                     "  JOIN profile f ON f.id = p.profile_id WHERE s.plan_id = $1::uuid AND " UNBOUND
                     " ORDER BY s.context_number, s.launch_order"},
    {NULL, NULL},
};

static int about(struct db *db, const char *stmt, const char *a, const char *b, struct err *e)
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
    set = db_any(db, "pack_set", &p, e);
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
    if (db_query(db, "pack_get", &p, &q, e) < 0)
        return -1;
    snprintf(sha256, SHA256_HEX, "%s", q.count ? db_get(&q, 0, 0) : "");
    db_rows_release(&q);
    return 0;
}

int repo_pack_adopt(struct db *db, const char *profile, const char *import, struct err *e)
{
    return about(db, "pack_adopt", profile, import, e);
}

static int counted(struct db *db, const char *stmt, const char *id, const char *sha256, uint64_t launches,
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
    return counted(db, "pack_of_import", import, sha256, launches, e);
}

int repo_pack_count(struct db *db, const char *profile, const char *sha256, uint64_t launches, struct err *e)
{
    return counted(db, "pack_count", profile, sha256, launches, e);
}

int repo_pack_uncount(struct db *db, const char *profile, const char *sha256, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_text(&p, sha256);
    return db_any(db, "pack_uncount", &p, e);
}

int repo_pack_whole(struct db *db, const char *profile, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    return db_any(db, "pack_whole", &p, e);
}

int repo_pack_plans(struct db *db, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    return db_query(db, "pack_plans", &p, out, e);
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
    return db_query(db, "pack_missing", &p, out, e);
}

int repo_pack_without(struct db *db, const char *plan, enum event_kind kind, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, plan);
    db_text(&p, event_kind_name(kind));
    return db_query(db, "pack_without", &p, out, e);
}
