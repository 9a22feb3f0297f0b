#include "server/db/side_lease.h"

#include <string.h>

#include "base/array.h"

static void read_lease(const struct db_rows *q, const struct claim_limits *limits, wall_us now, enum side_kind kind,
                       struct lease *l)
{
    *l = (struct lease){.engine = ENGINE_CYCLE, .record = kind != SIDE_PLAIN, .warmed = kind == SIDE_WARMED};
    snprintf(l->job, sizeof l->job, "%s", db_get(q, 0, 0));
    l->attempt = (uint32_t)db_get_i64(q, 0, 1);
    snprintf(l->trace_sha256, sizeof l->trace_sha256, "%s", db_get(q, 0, 2));
    l->trace_bytes = (uint64_t)db_get_i64(q, 0, 3);
    snprintf(l->design_sha256, sizeof l->design_sha256, "%s", db_get(q, 0, 4));
    snprintf(l->design_name, sizeof l->design_name, "%s", db_get(q, 0, 5));
    snprintf(l->program_sha256, sizeof l->program_sha256, "%s", db_get(q, 0, 6));
    l->program_bytes = (uint64_t)db_get_i64(q, 0, 7);
    l->limits.time_s = (uint64_t)db_get_i64(q, 0, 8);
    l->inside_kernels = db_get_double(q, 0, 9);
    /* Its job may have needed a larger class, and a recording's table of intervals comes on top. */
    l->limits.memory_bytes = (uint64_t)limits->memory_bytes * 2;
    l->limits.cycles = limits->cycles;
    clock_format(now + (wall_us)l->limits.time_s * 1000000, l->deadline_at);
}

int side_lease_take(struct db *db, const char *stmt, const struct session_row *session,
                    const struct claim_limits *limits, wall_us now, enum side_kind kind, struct lease_list *leases,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    size_t capacity = leases->count;
    struct db_rows q;
    int ret = 0;

    db_time(&p, now);
    db_text(&p, session->id);
    db_text(&p, session->simulator);
    db_i64(&p, limits->time_s);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    if (q.count > 0)
        ret = array_reserve((void **)&leases->items, &capacity, leases->count + 1, sizeof *leases->items, e);
    if (q.count > 0 && ret == 0)
        read_lease(&q, limits, now, kind, &leases->items[leases->count++]);
    db_rows_release(&q);
    return ret;
}

int side_lease_held(struct db *db, const char *stmt, const char *id, uint32_t attempt, const char *session,
                    struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, attempt);
    db_text(&p, session);
    if (db_query(db, stmt, &p, out, e) < 0)
        return -1;
    if (out->count > 0)
        return 1;
    db_rows_release(out);
    return 0;
}
