#include "server/db/repo_design.h"

#include <stdio.h>

extern const struct db_stmt repo_design_stmts[];
const struct db_stmt repo_design_stmts[] = {
    {"design_put",
     "INSERT INTO design (sha256, name, builtin, clock_hz, sms, gpu_names, json, seen_at, created_at)"
     " VALUES ($1, $2, $3::boolean, $4::float8, $5::integer, $6::text[], $7, $8::timestamptz, $8::timestamptz)"
     " ON CONFLICT (sha256) DO UPDATE SET seen_at = excluded.seen_at, builtin = design.builtin OR excluded.builtin"
     " RETURNING created_at = $8::timestamptz"},
    {"design_find", "SELECT sha256, name, clock_hz, sms, json FROM design WHERE sha256 = $1 OR name = $1"
                    " ORDER BY sha256 = $1 DESC, seen_at DESC, builtin DESC LIMIT 1"},
    {"design_list",
     "SELECT json_build_object('id', sha256, 'name', name, 'builtin', builtin, 'clock_hz', clock_hz, 'sms', sms,"
     "       'gpu_names', gpu_names)::text"
     "  FROM (SELECT DISTINCT ON (name) * FROM design ORDER BY name, seen_at DESC, builtin DESC) d"
     " ORDER BY builtin DESC, name"},
    {NULL, NULL},
};

int repo_design_put(struct db *db, const struct design_row *row, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int fresh;

    db_text(&p, row->sha256);
    db_text(&p, row->name);
    db_bool(&p, row->builtin);
    db_double(&p, row->clock_hz);
    db_i64(&p, row->sms);
    db_text(&p, row->gpu_names);
    db_text(&p, row->json);
    db_time(&p, now);
    if (db_query(db, "design_put", &p, &q, e) < 0)
        return -1;
    fresh = q.count > 0 && db_get_bool(&q, 0, 0);
    db_rows_release(&q);
    return fresh;
}

int repo_design_find(struct db *db, const char *hash_or_name, struct design_row *row, struct strbuf *text,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    *row = (struct design_row){.builtin = false};
    db_text(&p, hash_or_name);
    if (db_query(db, "design_find", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        snprintf(row->sha256, sizeof row->sha256, "%s", db_get(&q, 0, 0));
        snprintf(row->name, sizeof row->name, "%s", db_get(&q, 0, 1));
        row->clock_hz = db_get_double(&q, 0, 2);
        row->sms = db_get_i64(&q, 0, 3);
        if (text)
            strbuf_adds(text, db_get(&q, 0, 4));
    }
    db_rows_release(&q);
    return text && text->failed ? err_no_memory(e) : found;
}

int repo_design_list(struct db *db, struct db_rows *out, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, "design_list", &none, out, e);
}
