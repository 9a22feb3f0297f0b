#include "tests/scenario/checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/store/db/db.h"
#include "server/domain/project/run_projection.h"
#include "tests/scenario/database.h"
#include "tests/scenario/farm.h"
#include "tests/scenario/worker.h"
#include "tests/scenario/world.h"

#define ALL_JOBS "(SELECT * FROM job UNION ALL SELECT * FROM job_archive)"

void check_none(const char *promise, const char *run, const char *sql)
{
    PGresult *q = run ? ask(sql, run) : ask(sql, NULL);

    for (int i = 0; i < PQntuples(q) && i < 3; i++) {
        char row[300] = "";

        for (int c = 0; c < PQnfields(q); c++)
            snprintf(row + strlen(row), sizeof row - strlen(row), " %s=%s", PQfname(q, c), PQgetvalue(q, i, c));
        broken("%s:%s", promise, row);
    }
    PQclear(q);
}

void check_run(const char *run, bool cancel_acknowledged, bool cancel_asked)
{
    check_none("a run has ended", run,
               "SELECT id, state FROM run WHERE id = $1::uuid AND state NOT IN ('done', 'failed', 'cancelled')");
    check_none("each job is there exactly once", run,
               "SELECT r.id, r.jobs, count(j.id), count(DISTINCT j.seq) FROM run r LEFT JOIN " ALL_JOBS
               " j ON j.run_id = r.id"
               " WHERE r.id = $1::uuid AND r.dropped_at IS NULL GROUP BY r.id, r.jobs"
               " HAVING r.jobs <> count(j.id) OR r.jobs <> count(DISTINCT j.seq)");
    check_none("no job of an ended run is left over", run,
               "SELECT j.id, j.state, r.state AS run_state FROM job j JOIN run r ON r.id = j.run_id"
               " WHERE r.id = $1::uuid AND j.state IN ('blocked', 'ready', 'leased')");
    check_none("a done job has a result of its key", run,
               "SELECT j.id, j.result_id FROM " ALL_JOBS
               " j LEFT JOIN result t ON t.id = j.result_id AND t.key = j.key"
               " WHERE j.run_id = $1::uuid AND j.state = 'done' AND t.id IS NULL");
    check_none("a done run has results, a failed one has none", run,
               "SELECT r.id, r.state, count(j.id) FROM run r LEFT JOIN " ALL_JOBS
               " j ON j.run_id = r.id AND j.state = 'done'"
               " WHERE r.id = $1::uuid AND r.state <> 'cancelled' GROUP BY r.id HAVING (r.state = 'done') <> "
               "(count(j.id) > 0)");
    check_none("the run counts its results right", run,
               "SELECT r.id, r.state, r.done, r.cached, count(j.id) FILTER (WHERE j.state = 'done') AS is_done,"
               "       count(j.id) FILTER (WHERE j.cached) AS is_cached FROM run r LEFT JOIN " ALL_JOBS
               " j ON j.run_id = r.id WHERE r.id = $1::uuid GROUP BY r.id"
               " HAVING r.done <> count(j.id) FILTER (WHERE j.state = 'done')"
               "     OR r.cached <> count(j.id) FILTER (WHERE j.cached)");
    if (cancel_acknowledged)
        check_none("cancelled jobs stay cancelled", run,
                   "SELECT id, state FROM run WHERE id = $1::uuid AND state <> 'cancelled'");
    if (!cancel_asked)
        check_none("no user cancelled it", run,
                   "SELECT id, state FROM run WHERE id = $1::uuid AND state = 'cancelled'");
}

/* --- Projections --- */

static PGresult *projections_of(const char *run)
{
    return ask("SELECT (to_jsonb(p) - 'version' - 'computed_at')::text, coalesce(to_jsonb(c)::text, '')"
               "  FROM projection p LEFT JOIN comparison c ON c.run_id = p.run_id AND c.design = p.design"
               " WHERE p.run_id = $1::uuid ORDER BY p.design",
               run);
}

static bool same(const PGresult *a, const PGresult *b)
{
    if (PQntuples(a) != PQntuples(b))
        return false;
    for (int i = 0; i < PQntuples(a); i++)
        for (int c = 0; c < PQnfields(a); c++)
            if (strcmp(PQgetvalue(a, i, c), PQgetvalue(b, i, c)) != 0)
                return false;
    return true;
}

void check_projection(const char *run)
{
    PGresult *before, *after;
    struct db *db = NULL;
    struct run_renewed done;
    struct err e;

    if (ask_number("SELECT count(*) FROM run WHERE id = $1::uuid AND state = 'done'", run) == 0)
        return;
    before = projections_of(run);
    /* the confidence levels are fixed when a projection becomes complete; the new one keeps them */
    PQclear(
        ask("WITH d AS (UPDATE projection SET value = NULL, half_width = NULL, value_s = NULL, half_width_s = NULL,"
            "       df = NULL, done = 0, planned = 0, complete = false, strata = '[]', level_note = NULL"
            "      WHERE run_id = $1::uuid),"
            "     c AS (DELETE FROM comparison WHERE run_id = $1::uuid)"
            " UPDATE run SET version = version + 1 WHERE id = $1::uuid RETURNING 1",
            run));
    if (db_open(database_conninfo(), &db, &e) < 0 || run_projection_renew(db, &clock_system, run, &done, &e) < 0)
        broken("the projection of run %s cannot be made again: %s", run, e.text);
    db_close(db);
    after = projections_of(run);
    if (PQntuples(before) == 0 || !same(before, after))
        broken("the projection of run %s is not that of its results: %.200s instead of %.200s", run,
               PQntuples(before) ? PQgetvalue(before, 0, 0) : "nothing",
               PQntuples(after) ? PQgetvalue(after, 0, 0) : "nothing");
    PQclear(before);
    PQclear(after);
}

static void check_values(void)
{
    PGresult *q = ask("SELECT trace_sha256, design_sha256, value::bigint FROM result WHERE engine = 'cycle'");

    for (int i = 0; i < PQntuples(q); i++)
        if (strtoull(PQgetvalue(q, i, 2), NULL, 10) != cycles_of(PQgetvalue(q, i, 0), PQgetvalue(q, i, 1)))
            broken("the result of trace %.8s has another value than the simulation gave", PQgetvalue(q, i, 0));
    PQclear(q);
}

/* --- The farm --- */

void check_keys(int64_t stored, size_t answered)
{
    if (stored != (int64_t)answered)
        broken("%zu runs were answered for, %" PRId64 " exist", answered, stored);
}

/* Every acknowledged upload accepts pieces. */
static void check_uploads(void)
{
    PGresult *q = ask("SELECT id FROM upload WHERE state = 'open' AND NOT known", NULL);

    for (int i = 0; i < PQntuples(q); i++) {
        char path[400];

        snprintf(path, sizeof path, "%s/staging/upload-%s", farm_files(), PQgetvalue(q, i, 0));
        if (access(path, W_OK) < 0)
            broken("upload %s has no file", PQgetvalue(q, i, 0));
    }
    PQclear(q);
}

void check_farm(void)
{
    check_values();
    check_uploads();
    check_none("no job waits for an ended job", NULL,
               "SELECT id, run_id, waits_on FROM job WHERE waits_on IS NOT NULL");
    check_none(
        "a job succeeds once", NULL,
        "SELECT job_id, count(*) FROM (SELECT job_id, outcome FROM attempt UNION ALL"
        "  SELECT job_id, outcome FROM attempt_archive) a WHERE outcome = 'ok' GROUP BY job_id HAVING count(*) > "
        "1");
    check_none("no attempt has a number that was not given out", NULL,
               "SELECT a.job_id, a.number, j.attempt FROM attempt a JOIN job j ON j.id = a.job_id WHERE a.number > "
               "j.attempt");
    check_none("jobs by state are counted right", NULL,
               "SELECT c.run_id, c.n::text, t.n::text FROM (SELECT run_id, ARRAY[count(*) FILTER (WHERE state ="
               "    'blocked'), count(*) FILTER (WHERE state = 'ready'), count(*) FILTER (WHERE state = 'leased'),"
               "    count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed'),"
               "    count(*) FILTER (WHERE state = 'cancelled')] AS n FROM " ALL_JOBS " j GROUP BY run_id) c"
               "  LEFT JOIN (SELECT run_id, ARRAY[sum(blocked), sum(ready), sum(leased), sum(done), sum(failed),"
               "    sum(cancelled)] AS n FROM job_tally GROUP BY run_id) t USING (run_id)"
               "  JOIN run r ON r.id = run_id WHERE r.archived_at IS NULL AND t.n IS DISTINCT FROM c.n");
    check_none("the same simulation gave the same result", NULL, "SELECT id FROM result WHERE disputed");
    check_none("a simulation that succeeded is not done again", NULL,
               "SELECT j.key, count(*) FROM attempt a JOIN job j ON j.id = a.job_id JOIN result t ON t.key = j.key"
               " WHERE a.outcome = 'ok' AND a.started_at > t.created_at GROUP BY j.key HAVING count(*) > 0");
    check_none(
        "storage is counted right", NULL,
        "SELECT s.team_id, s.stored_bytes, s.reserved_bytes, s.open_uploads FROM team_storage s WHERE "
        "s.stored_bytes <>"
        "  (SELECT coalesce(sum(bytes), 0) FROM blob_owner o WHERE o.team_id = s.team_id) OR s.open_uploads <>"
        "  (SELECT count(*) FROM upload u WHERE u.team_id = s.team_id AND u.state = 'open') OR s.reserved_bytes <>"
        "  (SELECT coalesce(sum(reserved_bytes), 0) FROM upload u WHERE u.team_id = s.team_id)");
}

void check_archive(void)
{
    check_none(
        "jobs of runs that are over leave the queue", NULL,
        "SELECT r.id, r.state, count(*) FROM run r JOIN job j ON j.run_id = r.id WHERE r.finished_at IS NOT NULL"
        " GROUP BY r.id");
    check_none(
        "an archived run has its counts", NULL,
        "SELECT r.id, r.ended_counts::text, count(j.id) FROM run r LEFT JOIN job_archive j ON j.run_id = r.id"
        " WHERE r.archived_at IS NOT NULL GROUP BY r.id HAVING (r.ended_counts ->> 'done')::bigint <>"
        "   count(j.id) FILTER (WHERE j.state = 'done') OR count(j.id) <> r.jobs");
}
