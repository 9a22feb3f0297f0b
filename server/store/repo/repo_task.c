#include "server/store/repo/repo_task.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

/* The lease of task t is over without a report, $1 being now: its worker vanished or took too long. */
#define LOST                                                                                                       \
    "(t.state = 'leased' AND (t.deadline_at < $1::timestamptz OR NOT EXISTS"                                       \
    "  (SELECT FROM worker_session w WHERE w.id = t.session_id AND w.state = 'alive')))"
#define OPEN "t.state IN ('ready', 'leased')"

extern const struct db_stmt repo_task_stmts[];
const struct db_stmt repo_task_stmts[] = {
    {"task_waiting",
     "SELECT 1 FROM task t WHERE " OPEN
     "   AND (t.not_worker IS NULL OR EXISTS (SELECT FROM worker_session w WHERE w.state = 'alive'"
     "      AND w.name <> t.not_worker AND w.simulator = t.simulator AND 'cycle' = ANY(w.engines))) LIMIT 1"},
    /* Four times as long as expected: another worker may be slower, and replayed launches may be longer. */
    {"task_take",
     "WITH p AS (SELECT t.*, greatest($4::bigint, 60 + ceil(4 * t.expected_s)::bigint) AS time_s FROM task t"
     "            WHERE " OPEN " AND t.simulator = $3 AND t.attempt < " TASK_ATTEMPTS_MAX
     "              AND (t.state = 'ready' OR " LOST ")"
     "              AND (t.not_worker IS NULL"
     "                   OR t.not_worker <> (SELECT name FROM worker_session WHERE id = $2::uuid))"
     "            ORDER BY t.kind, t.made_at, t.id LIMIT 1 FOR UPDATE OF t SKIP LOCKED),"
     "     taken AS (UPDATE task SET state = 'leased', attempt = p.attempt + 1, session_id = $2::uuid,"
     "                      deadline_at = $1::timestamptz + make_interval(secs => p.time_s)"
     "                 FROM p WHERE task.id = p.id)"
     " SELECT p.id, p.attempt + 1, p.trace_sha256, b.bytes, p.design_sha256, d.name, x.program_sha256, q.bytes,"
     "        p.time_s, p.inside_kernels, p.kind FROM p LEFT JOIN blob b ON b.sha256 = p.trace_sha256"
     "   LEFT JOIN design d ON d.sha256 = p.design_sha256"
     "   LEFT JOIN trace x ON x.sha256 = p.trace_sha256 AND p.kind <> 'cache_check'"
     "   LEFT JOIN blob q ON q.sha256 = x.program_sha256"},
    {"task_give_up",
     "WITH over AS (UPDATE task t SET state = 'failed', session_id = NULL, deadline_at = NULL,"
     "      finished_at = $1::timestamptz, why = CASE WHEN t.simulator <> $3::text THEN $4::text"
     "         ELSE 'three workers took it, and none reported how it ended' END"
     "    WHERE " OPEN " AND t.kind = $2::task_kind AND ((t.simulator <> $3::text AND (t.state = 'ready' OR " LOST
     ") AND NOT EXISTS (SELECT FROM worker_session v WHERE v.state = 'alive' AND v.simulator = t.simulator))"
     "       OR (t.attempt >= " TASK_ATTEMPTS_MAX " AND " LOST ")) RETURNING t.run_id)"
     " SELECT DISTINCT run_id FROM over"},
    {NULL, NULL},
};

static const char *const kind_names[] = {
#define X(name, text) text,
    TASK_KIND_MAP(X)
#undef X
};

int repo_task_waiting(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_any(db, "task_waiting", &none, e);
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
    /* Its job may have needed a larger class, and the table of intervals of a recording is added. */
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
    if (db_query(db, "task_take", &p, &q, e) < 0)
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
    return db_query(db, "task_give_up", &p, runs, e);
}

int repo_task_held(struct db *db, const char *stmt, const char *task, uint32_t attempt, const char *session,
                   struct db_rows *out, struct err *e)
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
