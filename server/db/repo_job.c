#include "server/db/repo_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/db/repo_archive.h"

extern const struct db_stmt repo_job_stmts[];
const struct db_stmt repo_job_stmts[] = {
    /* $1 ids */
    {"job_lock",
     "SELECT j.id, j.run_id, j.session_id, j.state, j.attempt, j.failures, j.troubles, j.losses, j.memory_class,"
     "       j.time_class, j.leased_at, encode(j.key, 'hex'), r.engine = 'cycle', j.trace_sha256, d.design_sha256,"
     "       r.simulator, d.name, w.name, s.invocation"
     "  FROM job j JOIN run r ON r.id = j.run_id JOIN run_design d ON d.run_id = j.run_id AND d.number = j.design"
     "  JOIN sample s ON s.plan_id = r.plan_id AND s.number = j.sample"
     "  LEFT JOIN worker_session w ON w.id = j.session_id"
     " WHERE j.id = ANY($1::uuid[]) ORDER BY j.id FOR UPDATE OF j"},
    {"job_write",
     "UPDATE job j SET state = c.state, ready_at = c.ready_at, session_id = NULL, leased_at = NULL,"
     "       deadline_at = NULL, failures = c.failures, troubles = c.troubles, losses = c.losses,"
     "       memory_class = c.memory_class, time_class = c.time_class, result_id = c.result, failure = c.failure,"
     "       failure_text = c.failure_text, finished_at = c.finished_at,"
     "       waits_on = CASE WHEN c.state = 'ready' THEN j.waits_on END"
     "  FROM unnest($1::uuid[], $2::job_state[], $3::timestamptz[], $4::smallint[], $5::smallint[], $6::smallint[],"
     "              $7::smallint[], $8::smallint[], $9::uuid[], $10::text[], $11::text[], $12::timestamptz[])"
     "       AS c(id, state, ready_at, failures, troubles, losses, memory_class, time_class, result, failure,"
     "            failure_text, finished_at)"
     " WHERE j.id = c.id"},
    /* $1 leaders, $2 their results; the rows are locked before they are changed, in order of id */
    {"job_waiting_done",
     "WITH w AS (SELECT f.id, d.result FROM unnest($1::uuid[], $2::uuid[]) d(leader, result)"
     "             JOIN job f ON f.waits_on = d.leader ORDER BY f.id FOR UPDATE OF f),"
     "     done AS (UPDATE job f SET state = 'done', result_id = w.result, cached = true, waits_on = NULL,"
     "                     finished_at = $3::timestamptz FROM w WHERE f.id = w.id RETURNING f.run_id)"
     " UPDATE run r SET version = version + 1, cached = cached + c.n"
     "   FROM (SELECT run_id, count(*) AS n FROM done GROUP BY run_id) c WHERE r.id = c.run_id"},
    {"job_waiting_failed",
     "WITH w AS (SELECT f.id, d.failure FROM unnest($1::uuid[], $2::text[]) d(leader, failure)"
     "             JOIN job f ON f.waits_on = d.leader ORDER BY f.id FOR UPDATE OF f),"
     "     failed AS (UPDATE job f SET state = 'failed', failure = w.failure, waits_on = NULL,"
     "                       failure_text = 'the same simulation failed in another job', finished_at = "
     "$3::timestamptz"
     "                  FROM w WHERE f.id = w.id RETURNING f.run_id)"
     " UPDATE run r SET version = version + 1 WHERE r.id IN (SELECT run_id FROM failed)"},
    /* $1 keys as hex: live leaders, reached by the unique index on live keys */
    {"job_done_by_keys",
     "WITH k AS (SELECT DISTINCT decode(x, 'hex') AS key FROM unnest($1::text[]) x),"
     "     l AS (SELECT j.id, t.id AS result FROM k JOIN result t ON t.key = k.key"
     "             JOIN job j ON j.key = k.key AND j.state IN ('ready', 'leased') AND j.waits_on IS NULL"
     "            ORDER BY j.id FOR UPDATE OF j),"
     "     done AS (UPDATE job j SET state = 'done', result_id = l.result, cached = true, session_id = NULL,"
     "                     leased_at = NULL, deadline_at = NULL, finished_at = $2::timestamptz"
     "                FROM l WHERE j.id = l.id RETURNING j.id, j.run_id, j.result_id),"
     "     touched AS (UPDATE run r SET version = version + 1, cached = cached + c.n"
     "                   FROM (SELECT run_id, count(*) AS n FROM done GROUP BY run_id) c WHERE r.id = c.run_id)"
     " SELECT id, result_id FROM done"},
    {"attempt_put",
     "INSERT INTO attempt (job_id, number, worker, session_id, started_at, ended_at, outcome, message, last_lines,"
     "                     host_seconds, cpu_seconds, peak_bytes)"
     " SELECT * FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::uuid[], $5::timestamptz[],"
     "                      $6::timestamptz[], $7::text[], $8::text[], $9::text[], $10::double precision[],"
     "                      $11::double precision[], $12::bigint[])"
     " ON CONFLICT DO NOTHING"},
    {"job_dead_sessions",
     "SELECT count(DISTINCT session_id) FROM attempt WHERE job_id = $1::uuid AND outcome = 'lost'"},

    /* One job a sample and design. Within a stratum the order is shuffled by the plan's seed, so that what is done
     * so far is a fair sample; the first sample of each stratum comes before the second of any. */
    {"job_create",
     "INSERT INTO job (id, run_id, seq, sample, design, trace_sha256, key)"
     " SELECT uuid_at($2::timestamptz), r.id,"
     "        (row_number() OVER (ORDER BY s.turn, s.stratum, d.number)) - 1, s.number, d.number, b.trace_sha256,"
     "        CASE r.engine WHEN 'replay' THEN result_key_replay(f.sha256, s.invocation)"
     "                      ELSE result_key_cycle(b.trace_sha256, d.design_sha256, r.simulator) END"
     "   FROM run r JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id"
     "   JOIN run_design d ON d.run_id = r.id"
     "   JOIN (SELECT plan_id, number, stratum, invocation, row_number() OVER (PARTITION BY plan_id, stratum"
     "                ORDER BY md5(plan_id::text || ':' || number)) AS turn FROM sample) s ON s.plan_id = p.id"
     "   LEFT JOIN trace_binding b ON b.profile_id = f.id AND b.invocation = s.invocation AND r.engine = 'cycle'"
     "  WHERE r.id = $1::uuid"},
    {"job_bind_traces",
     "UPDATE job j SET trace_sha256 = b.trace_sha256,"
     "       key = result_key_cycle(b.trace_sha256, d.design_sha256, r.simulator)"
     "  FROM run r JOIN plan p ON p.id = r.plan_id JOIN run_design d ON d.run_id = r.id"
     "  JOIN sample s ON s.plan_id = p.id"
     "  JOIN trace_binding b ON b.profile_id = p.profile_id AND b.invocation = s.invocation"
     " WHERE r.id = $1::uuid AND r.engine = 'cycle' AND j.run_id = r.id AND j.state = 'blocked' AND j.key IS NULL"
     "   AND j.design = d.number AND j.sample = s.number"},
    {"job_long_work",
     "SELECT set_config('statement_timeout', '120s', true)"}, /* a million rows take longer than 10 s */
    {"job_admission_lock", "SELECT pg_advisory_xact_lock(7214001)"},
    {"job_admit_cached",
     "WITH hit AS (UPDATE job j SET state = 'done', result_id = t.id, cached = true, finished_at = $2::timestamptz"
     "               FROM result t WHERE j.run_id = $1::uuid AND j.state = 'blocked' AND t.key = j.key"
     "          RETURNING j.run_id)"
     " UPDATE run r SET version = version + 1, cached = cached + c.n"
     "   FROM (SELECT run_id, count(*) AS n FROM hit GROUP BY run_id) c WHERE r.id = c.run_id RETURNING c.n"},
    {"job_lock_leaders",
     "SELECT j.id FROM job j WHERE j.state IN ('ready', 'leased') AND j.waits_on IS NULL"
     "   AND j.key IN (SELECT key FROM job WHERE run_id = $1::uuid AND state = 'blocked' AND key IS NOT NULL)"
     " ORDER BY j.id FOR UPDATE"},
    {"job_admit",
     "WITH mine AS (SELECT id, key, first_value(id) OVER (PARTITION BY key ORDER BY seq) AS first"
     "                FROM job WHERE run_id = $1::uuid AND state = 'blocked' AND key IS NOT NULL)"
     " UPDATE job j SET state = 'ready', ready_at = $2::timestamptz,"
     "        waits_on = coalesce(l.id, CASE WHEN m.first <> m.id THEN m.first END)"
     "   FROM mine m LEFT JOIN job l ON l.key = m.key AND l.state IN ('ready', 'leased') AND l.waits_on IS NULL"
     "  WHERE j.id = m.id"},
    /* One waiting job of each broken group takes the lead: the leader is gone, or rests in a run that is paused. */
    {"job_heal_resting",
     "WITH pick AS (SELECT DISTINCT ON (w.waits_on) w.waits_on AS leader, w.id FROM job w"
     "                JOIN run wr ON wr.id = w.run_id AND wr.state = 'running'"
     "                JOIN job l ON l.id = w.waits_on AND l.state = 'ready' AND l.waits_on IS NULL"
     "                JOIN run lr ON lr.id = l.run_id AND lr.state <> 'running'"
     "               WHERE w.waits_on IS NOT NULL ORDER BY w.waits_on, w.id)"
     " UPDATE job j SET waits_on = p.id FROM pick p"
     "  WHERE j.id = p.leader OR (j.waits_on = p.leader AND j.id <> p.id)"},
    {"job_heal_promote",
     "WITH pick AS (SELECT DISTINCT ON (w.key) w.key, w.id FROM job w JOIN run r ON r.id = w.run_id"
     "                LEFT JOIN job l ON l.id = w.waits_on"
     "               WHERE w.waits_on IS NOT NULL"
     "                 AND (l.id IS NULL OR l.waits_on IS NOT NULL OR l.state NOT IN ('ready', 'leased'))"
     "               ORDER BY w.key, r.state = 'running' DESC, w.id)"
     " UPDATE job j SET waits_on = NULL FROM pick p WHERE j.id = p.id"
     "    AND NOT EXISTS (SELECT 1 FROM job o WHERE o.key = p.key AND o.state IN ('ready', 'leased')"
     "                       AND o.waits_on IS NULL)"},
    {"job_heal_follow",
     "UPDATE job j SET waits_on = o.id FROM job o"
     " WHERE j.waits_on IS NOT NULL AND j.waits_on <> o.id AND o.key = j.key AND o.state IN ('ready', 'leased')"
     "   AND o.waits_on IS NULL"},

    {"job_cancel_slice",
     "UPDATE job SET state = 'cancelled', session_id = NULL, leased_at = NULL, deadline_at = NULL, waits_on = NULL,"
     "       finished_at = $2::timestamptz"
     " WHERE id IN (SELECT id FROM job WHERE run_id = $1::uuid AND state IN ('blocked', 'ready', 'leased')"
     "               ORDER BY id LIMIT 1000 FOR UPDATE)"},
    {"job_retry", "UPDATE job SET state = 'blocked', failures = 0, troubles = 0, losses = 0, failure = NULL, "
                  "failure_text = NULL,"
                  "       finished_at = NULL WHERE id = $1::uuid AND state = 'failed' RETURNING run_id"},
    {"job_archived", "SELECT run_id FROM job_archive WHERE id = $1::uuid AND state = 'failed'"},
    {"job_forget_losses",
     "UPDATE attempt SET outcome = 'lost before retry' WHERE job_id = $1::uuid AND outcome = 'lost'"},

    {"job_counts", "SELECT state, count(*) FROM " JOBS_OF_ALL " j WHERE run_id = $1::uuid GROUP BY state"},
    {"job_find",
     "SELECT j.run_id FROM " JOBS_OF_ALL " j JOIN run r ON r.id = j.run_id JOIN plan p ON p.id = r.plan_id"
     "  JOIN profile f ON f.id = p.profile_id WHERE j.id = $1::uuid AND f.team_id = $2::bigint"},
    {NULL, NULL},
};

void job_rows_release(struct job_rows *r)
{
    free(r->items);
    *r = (struct job_rows){0};
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct job_row *)a)->id, ((const struct job_row *)b)->id);
}

struct job_row *job_rows_find(const struct job_rows *r, const char *id)
{
    size_t low = 0, high = r->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = strcmp(r->items[mid].id, id);

        if (order == 0)
            return &r->items[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static void copy(char *out, size_t size, const char *s)
{
    snprintf(out, size, "%s", s);
}

static int read_row(const struct db_rows *q, int i, struct job_row *r, struct err *e)
{
    copy(r->id, sizeof r->id, db_get(q, i, 0));
    copy(r->run, sizeof r->run, db_get(q, i, 1));
    copy(r->session, sizeof r->session, db_get(q, i, 2));
    if (job_state_from_name(db_get(q, i, 3), &r->state) < 0)
        return err_set(e, ERR_INTERNAL, "job %s has the unknown state %s", r->id, db_get(q, i, 3));
    r->attempt = (int)db_get_i64(q, i, 4);
    r->budgets.failures = (int)db_get_i64(q, i, 5);
    r->budgets.troubles = (int)db_get_i64(q, i, 6);
    r->budgets.losses = (int)db_get_i64(q, i, 7);
    r->budgets.memory_class = (int)db_get_i64(q, i, 8);
    r->budgets.time_class = (int)db_get_i64(q, i, 9);
    r->leased_at = db_get_time(q, i, 10);
    copy(r->key, sizeof r->key, db_get(q, i, 11));
    r->cycle = db_get_bool(q, i, 12);
    copy(r->trace_sha256, sizeof r->trace_sha256, db_get(q, i, 13));
    copy(r->design_sha256, sizeof r->design_sha256, db_get(q, i, 14));
    copy(r->simulator, sizeof r->simulator, db_get(q, i, 15));
    copy(r->design, sizeof r->design, db_get(q, i, 16));
    copy(r->worker, sizeof r->worker, db_get(q, i, 17));
    r->invocation = (uint64_t)db_get_i64(q, i, 18);
    return 0;
}

int repo_job_lock(struct db *db, const char *ids, struct job_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret = 0;

    *out = (struct job_rows){0};
    db_text(&p, ids);
    if (db_query(db, "job_lock", &p, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        out->items = mem_zalloc((size_t)q.count, sizeof *out->items, e);
        ret = out->items ? 0 : -1;
    }
    for (int i = 0; ret == 0 && i < q.count; i++) {
        ret = read_row(&q, i, &out->items[i], e);
        out->count = (size_t)i + 1;
    }
    db_rows_release(&q);
    if (ret < 0)
        job_rows_release(out);
    else if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_id);
    return ret;
}

/* Columns of a bulk statement: array literals that grow row by row. */
#define COLUMNS_MOST 12
struct columns {
    size_t count;
    struct strbuf text[COLUMNS_MOST];
};

static void columns_begin(struct columns *c, size_t count)
{
    c->count = count;
    for (size_t i = 0; i < count; i++) {
        c->text[i] = (struct strbuf)STRBUF_INIT;
        db_array_begin(&c->text[i]);
    }
}

static void add_time(struct strbuf *b, wall_us at)
{
    char text[CLOCK_RFC3339];

    if (at)
        clock_format(at, text);
    db_array_add(b, at ? text : NULL);
}

static int columns_run(struct columns *c, struct db *db, const char *stmt, const wall_us *last, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    bool failed = false;
    int ret;

    for (size_t i = 0; i < c->count; i++) {
        db_array_end(&c->text[i]);
        failed = failed || c->text[i].failed;
        db_text(&p, c->text[i].text);
    }
    if (last)
        db_time(&p, *last);
    ret = failed ? err_no_memory(e) : db_query(db, stmt, &p, NULL, e);
    for (size_t i = 0; i < c->count; i++)
        strbuf_release(&c->text[i]);
    return ret;
}

int repo_job_write(struct db *db, const struct job_rows *rows, struct err *e)
{
    struct columns c;
    size_t n = 0;

    columns_begin(&c, 12);
    for (size_t i = 0; i < rows->count; i++) {
        const struct job_row *r = &rows->items[i];

        if (!r->changed)
            continue;
        n++;
        db_array_add(&c.text[0], r->id);
        db_array_add(&c.text[1], job_state_name(r->state));
        add_time(&c.text[2], r->ready_at);
        db_array_add_i64(&c.text[3], r->budgets.failures);
        db_array_add_i64(&c.text[4], r->budgets.troubles);
        db_array_add_i64(&c.text[5], r->budgets.losses);
        db_array_add_i64(&c.text[6], r->budgets.memory_class);
        db_array_add_i64(&c.text[7], r->budgets.time_class);
        db_array_add(&c.text[8], r->state == JOB_DONE ? r->result : NULL);
        db_array_add(&c.text[9], r->state == JOB_FAILED ? r->failure : NULL);
        db_array_add(&c.text[10], r->state == JOB_FAILED ? r->failure_text : NULL);
        add_time(&c.text[11], r->finished_at);
    }
    if (n == 0) {
        for (size_t i = 0; i < c.count; i++)
            strbuf_release(&c.text[i]);
        return 0;
    }
    return columns_run(&c, db, "job_write", NULL, e);
}

static int release_waiting(struct db *db, const struct job_rows *rows, enum job_state state, wall_us now,
                           struct err *e)
{
    struct columns c;
    size_t n = 0;

    columns_begin(&c, 2);
    for (size_t i = 0; i < rows->count; i++) {
        const struct job_row *r = &rows->items[i];

        if (!r->changed || r->state != state)
            continue;
        n++;
        db_array_add(&c.text[0], r->id);
        db_array_add(&c.text[1], state == JOB_DONE ? r->result : r->failure);
    }
    if (n == 0) {
        strbuf_release(&c.text[0]);
        strbuf_release(&c.text[1]);
        return 0;
    }
    return columns_run(&c, db, state == JOB_DONE ? "job_waiting_done" : "job_waiting_failed", &now, e);
}

int repo_job_release_waiting(struct db *db, const struct job_rows *rows, wall_us now, struct err *e)
{
    if (release_waiting(db, rows, JOB_DONE, now, e) < 0)
        return -1;
    return release_waiting(db, rows, JOB_FAILED, now, e);
}

int repo_job_done_by_keys(struct db *db, const char *keys, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    struct columns c;

    db_text(&p, keys);
    db_time(&p, now);
    if (db_query(db, "job_done_by_keys", &p, &q, e) < 0)
        return -1;
    columns_begin(&c, 2);
    for (int i = 0; i < q.count; i++) {
        db_array_add(&c.text[0], db_get(&q, i, 0));
        db_array_add(&c.text[1], db_get(&q, i, 1));
    }
    db_rows_release(&q);
    return columns_run(&c, db, "job_waiting_done", &now, e);
}

int repo_attempt_put(struct db *db, const struct attempt_row *rows, size_t count, struct err *e)
{
    struct columns c;

    if (count == 0)
        return 0;
    columns_begin(&c, 12);
    for (size_t i = 0; i < count; i++) {
        const struct attempt_row *r = &rows[i];

        db_array_add(&c.text[0], r->job);
        db_array_add_i64(&c.text[1], r->number);
        db_array_add(&c.text[2], r->worker);
        db_array_add(&c.text[3], r->session);
        add_time(&c.text[4], r->started_at);
        add_time(&c.text[5], r->ended_at);
        db_array_add(&c.text[6], r->outcome);
        db_array_add(&c.text[7], r->message);
        db_array_add(&c.text[8], r->last_lines);
        db_array_add_double(&c.text[9], r->host_seconds);
        db_array_add_double(&c.text[10], r->cpu_seconds);
        db_array_add_i64(&c.text[11], r->peak_bytes);
    }
    return columns_run(&c, db, "attempt_put", NULL, e);
}

/* A statement with one id; *out (if wanted) is the first column of the first row. Returns rows written. */
static int64_t with_id(struct db *db, const char *stmt, const char *id, const wall_us *now, int64_t *out,
                       struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int64_t affected;

    db_text(&p, id);
    if (now)
        db_time(&p, *now);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    affected = q.affected;
    if (out)
        *out = q.count > 0 ? db_get_i64(&q, 0, 0) : 0;
    db_rows_release(&q);
    return affected;
}

int repo_job_dead_sessions(struct db *db, const char *job, int *out, struct err *e)
{
    int64_t n = 0;

    if (with_id(db, "job_dead_sessions", job, NULL, &n, e) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

int repo_job_admission_lock(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, "job_admission_lock", &none, NULL, e);
}

int repo_job_create(struct db *db, const char *run, wall_us now, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    if (db_query(db, "job_long_work", &none, NULL, e) < 0)
        return -1;
    return with_id(db, "job_create", run, &now, NULL, e) < 0 ? -1 : 0;
}

int repo_job_bind_traces(struct db *db, const char *run, struct err *e)
{
    return with_id(db, "job_bind_traces", run, NULL, NULL, e) < 0 ? -1 : 0;
}

int repo_job_admit(struct db *db, const char *run, wall_us now, int64_t *admitted, struct err *e)
{
    int64_t before, after, ready;

    if (repo_job_admission_lock(db, e) < 0 || with_id(db, "job_admit_cached", run, &now, &before, e) < 0 ||
        /* From here on no leader of these keys can end; what ended meanwhile has left its result. */
        with_id(db, "job_lock_leaders", run, NULL, NULL, e) < 0 ||
        with_id(db, "job_admit_cached", run, &now, &after, e) < 0)
        return -1;
    ready = with_id(db, "job_admit", run, &now, NULL, e);
    if (ready < 0)
        return -1;
    if (admitted)
        *admitted = before + after + ready;
    return 0;
}

int repo_job_heal(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    if (repo_job_admission_lock(db, e) < 0 || db_query(db, "job_heal_resting", &none, NULL, e) < 0 ||
        db_query(db, "job_heal_promote", &none, NULL, e) < 0)
        return -1;
    return db_query(db, "job_heal_follow", &none, NULL, e);
}

int repo_job_cancel_slice(struct db *db, const char *run, wall_us now, int64_t *cancelled, struct err *e)
{
    *cancelled = with_id(db, "job_cancel_slice", run, &now, NULL, e);
    return *cancelled < 0 ? -1 : 0;
}

/* The run that the statement names for a job: 1, or 0 where it names none. */
static int run_of(struct db *db, const char *stmt, const char *job, char run[UUID_TEXT], struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, job);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        copy(run, UUID_TEXT, db_get(&q, 0, 0));
    db_rows_release(&q);
    return found;
}

/* 1: its run came back from the archive. */
static int bring_back(struct db *db, const char *job, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;
    char run[UUID_TEXT];
    int found = run_of(db, "job_archived", job, run, e);

    if (found <= 0)
        return found;
    return db_query(db, "job_long_work", &none, NULL, e) < 0 || repo_archive_return(db, run, e) < 0 ? -1 : 1;
}

int repo_job_retry(struct db *db, const char *job, wall_us now, struct err *e)
{
    char run[UUID_TEXT];
    int found = run_of(db, "job_retry", job, run, e);

    if (found == 0 && (found = bring_back(db, job, e)) > 0)
        found = run_of(db, "job_retry", job, run, e);
    if (found <= 0)
        return found;
    if (with_id(db, "job_forget_losses", job, NULL, NULL, e) < 0 || repo_job_admit(db, run, now, NULL, e) < 0)
        return -1;
    return 1;
}

static void read_counts(const struct db_rows *q, struct job_counts *out)
{
    enum job_state s;

    for (int i = 0; i < q->count; i++) {
        if (job_state_from_name(db_get(q, i, 0), &s) == 0)
            out->of[s] = db_get_i64(q, i, 1);
    }
}

int repo_job_counts(struct db *db, const char *run, struct job_counts *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct job_counts){{0}};
    db_text(&p, run);
    if (db_query(db, "job_counts", &p, &q, e) < 0)
        return -1;
    read_counts(&q, out);
    db_rows_release(&q);
    return 0;
}

int repo_job_find(struct db *db, const char *job, int64_t team, char *run, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, job);
    db_i64(&p, team);
    if (db_query(db, "job_find", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found && run)
        copy(run, UUID_TEXT, db_get(&q, 0, 0));
    db_rows_release(&q);
    return found;
}
