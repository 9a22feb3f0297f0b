#include "server/store/repo/repo_task.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "server/store/repo/sql/statements.h"

static const char *const kind_names[] = {
#define X(name, text) text,
    TASK_KIND_MAP(X)
#undef X
};

int repo_task_waiting(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_any(db, &sql_task_waiting, &none, e);
}

static void read_lease(const struct db_rows *q, const struct claim_limits *limits, wall_us now, struct lease *l)
{
    const char *kind = db_get(q, 0, 10);

    *l = (struct lease){.engine = ENGINE_CYCLE,
                        .record = strcmp(kind, kind_names[TASK_RECHECK]) != 0,
                        .warmed = strcmp(kind, kind_names[TASK_CACHE_CHECK]) == 0};
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
    l->allow_foreign_isa = true; /* a result exists, so its run has allowed what the launch needs */
    /* Memory for a larger memory class of the job, and for the table of intervals of a recording. */
    l->limits.memory_bytes = (uint64_t)limits->memory_bytes * 2;
    l->limits.cycles = limits->cycles;
    clock_format(now + (wall_us)l->limits.time_s * 1000000, l->deadline_at);
}

int repo_task_take(struct db *db, const struct session_row *session, const struct claim_limits *limits, wall_us now,
                   struct lease_list *leases, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    size_t capacity = leases->count;
    struct db_rows q;
    int ret = 0;

    db_time(&p, now);
    db_text(&p, session->id);
    db_text(&p, session->simulator);
    db_i64(&p, limits->time_s);
    if (db_query(db, &sql_task_take, &p, &q, e) < 0)
        return -1;
    if (q.count > 0)
        ret = array_reserve((void **)&leases->items, &capacity, leases->count + 1, sizeof *leases->items, e);
    if (q.count > 0 && ret == 0)
        read_lease(&q, limits, now, &leases->items[leases->count++]);
    db_rows_release(&q);
    return ret;
}

int repo_task_give_up(struct db *db, enum task_kind kind, const char *simulator, const char *why, wall_us now,
                      struct db_rows *runs, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    db_text(&p, kind_names[kind]);
    db_text(&p, simulator);
    db_text(&p, why);
    return db_query(db, &sql_task_give_up, &p, runs, e);
}

int repo_task_held(struct db *db, const struct db_stmt *stmt, const char *task, uint32_t attempt,
                   const char *session, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, task);
    db_i64(&p, attempt);
    db_text(&p, session);
    if (db_query(db, stmt, &p, out, e) < 0)
        return -1;
    if (out->count > 0)
        return 1;
    db_rows_release(out);
    return 0;
}

void task_end_params(struct db_params *p, const struct task_end *end, wall_us now)
{
    db_text(p, end->id);
    db_i64(p, end->attempt);
    db_bool(p, end->done);
    db_text(p, end->why);
    db_bool(p, end->again);
    db_time(p, now);
}
