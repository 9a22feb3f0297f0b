#include "server/store/repo/repo_job_list.h"

#include <stdio.h>

#include "server/store/repo/repo_archive.h"

/* Who has it, or had it last. */
#define JOB_WORKER                                                                                                 \
    "coalesce((SELECT w.name FROM worker_session w WHERE w.id = j.session_id), (SELECT a.worker "                  \
    "FROM " ATTEMPTS_OF_ALL " a WHERE a.job_id = j.id ORDER BY a.number DESC LIMIT 1))"
#define JOB_JSON                                                                                                   \
    "'id', j.id, 'run', j.run_id, 'invocation', s.invocation, 'stratum', s.stratum, 'design', d.name,"             \
    "'state', j.state, 'attempt', j.attempt, 'cached', j.cached, 'waits_on', j.waits_on,"                          \
    "'worker', " JOB_WORKER ","                                                                                    \
    "'failure', CASE WHEN j.failure IS NOT NULL THEN json_build_object('class', j.failure, 'detail', "             \
    "j.failure_text) END, 'dropped', j.state = 'failed' AND EXISTS (SELECT FROM run_passed_over x WHERE"           \
    "   x.run_id = j.run_id AND x.invocation = s.invocation AND NOT x.replaced),"                                  \
    "'ready_at', api_time(j.ready_at), 'deadline_at', api_time(j.deadline_at), 'finished_at', "                    \
    "api_time(j.finished_at),"                                                                                     \
    "'trace', j.trace_sha256, 'result', j.result_id"
#define JOB_FACTS                                                                                                  \
    " j JOIN run r ON r.id = j.run_id JOIN sample s ON s.plan_id = r.plan_id AND s.number = j.sample"              \
    " JOIN run_design d ON d.run_id = j.run_id AND d.number = j.design"

/* $1 run, $2 design, $3 after, $4 limit, $5 stratum. Each part is read in the order of an index and ends
 * when it is full, whatever the planner knows of a table that has just grown: facts are looked up for what is
 * shown. */
#define PART(table, where)                                                                                         \
    "(SELECT j.* FROM " table " j WHERE j.run_id = $1::uuid AND j.seq > $3::integer" where                         \
    "   AND ($2::text IS NULL OR EXISTS (SELECT FROM run_design WHERE run_id = $1::uuid AND name = $2))"           \
    "   AND ($2::text IS NULL OR j.design = (SELECT number FROM run_design WHERE run_id = $1::uuid AND name = "    \
    "$2))"                                                                                                         \
    "   AND ($5::bigint < 0 OR EXISTS (SELECT FROM sample s WHERE s.number = j.sample AND s.stratum = $5::bigint"  \
    "     AND s.plan_id = (SELECT plan_id FROM run WHERE id = $1::uuid))) ORDER BY j.seq LIMIT $4::bigint)"
#define PAGE(parts)                                                                                                \
    "SELECT json_build_object(" JOB_JSON ")::text, j.seq FROM (SELECT * FROM (" parts                              \
    ") u ORDER BY seq LIMIT $4::bigint)" JOB_FACTS " ORDER BY j.seq"
/* $6 worker, $7 state. */
#define OF_WORKER                                                                                                  \
    " AND j.id IN (SELECT id FROM c) AND " JOB_WORKER " = $6 AND ($7::text IS NULL OR j.state = $7::job_state)"
/* Where none is in the state, the planner, which may not have seen that yet, would walk all jobs. Of `job` alone: a
 * run that is archived has no tally. */
#define ANY(state) "(SELECT coalesce(sum(" state "), 0) > 0 FROM job_tally WHERE run_id = $1::uuid)"
#define IN_STATE(state)                                                                                            \
    PAGE(PART("job", " AND j.state = '" state                                                                      \
                     "' AND " ANY(state)) " UNION ALL " PART("job_archive", " AND j.state = '" state "'"))

extern const struct db_stmt repo_job_list_stmts[];
const struct db_stmt repo_job_list_stmts[] = {
    {"job_list", PAGE(PART("job", "") " UNION ALL " PART("job_archive", ""))},
    {"job_list_blocked", IN_STATE("blocked")},
    /* Those that wait are looked for where any do: before the first ANALYZE the planner takes nearly all to wait.
     */
    {"job_list_ready",
     PAGE(PART("job", " AND j.state = 'ready' AND j.waits_on IS NULL AND " ANY("ready")) " UNION ALL " PART(
         "job",
         " AND j.state = 'ready' AND j.waits_on IS NOT NULL AND EXISTS (SELECT FROM (SELECT waits_on FROM job"
         "     WHERE waits_on IS NOT NULL ORDER BY waits_on LIMIT 1) z)"))},
    {"job_list_leased",
     PAGE(PART("(SELECT * FROM job WHERE state = 'leased' AND session_id IS NOT NULL OFFSET 0)", ""))},
    {"job_list_done", IN_STATE("done")},
    {"job_list_failed", IN_STATE("failed")},
    {"job_list_cancelled", IN_STATE("cancelled")},
    /* Only jobs that the worker has, or has had, are looked at. */
    {"job_list_of_worker",
     "WITH c AS MATERIALIZED (SELECT j.id FROM job j JOIN worker_session v ON v.id = j.session_id WHERE v.name = $6"
     "   AND j.state = 'leased' UNION SELECT a.job_id FROM " ATTEMPTS_OF_ALL
     " a WHERE a.worker = $6) " PAGE(PART("job", OF_WORKER) " UNION ALL " PART("job_archive", OF_WORKER))},
    {"job_json",
     "SELECT json_build_object(" JOB_JSON
     ", 'attempts', (SELECT coalesce(json_agg(json_build_object('number', a.number,"
     "   'worker', a.worker, 'started_at', api_time(a.started_at), 'ended_at', "
     "api_time(a.ended_at), 'outcome', a.outcome,"
     "   'message', a.message, 'last_lines', a.last_lines, 'host_seconds', a.host_seconds, "
     "'cpu_seconds', a.cpu_seconds,"
     "   'peak_bytes', a.peak_bytes) ORDER BY a.number), '[]') FROM " ATTEMPTS_OF_ALL " a WHERE a.job_id = "
     "j.id))::text FROM " JOBS_OF_ALL JOB_FACTS " WHERE j.id = $1::uuid"},
    {NULL, NULL},
};

int repo_job_list(struct db *db, const char *run, const struct job_filter *of, int64_t after, uint64_t limit,
                  struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    char stmt[40];

    if (of->worker)
        snprintf(stmt, sizeof stmt, "job_list_of_worker");
    else
        snprintf(stmt, sizeof stmt, "job_list%s%.20s", of->state ? "_" : "", of->state ? of->state : "");
    db_text(&p, run);
    db_text(&p, of->design);
    db_i64(&p, after);
    db_i64(&p, (int64_t)limit);
    db_i64(&p, of->stratum);
    if (of->worker) {
        db_text(&p, of->worker);
        db_text(&p, of->state);
    }
    return db_query(db, stmt, &p, out, e);
}

int repo_job_json(struct db *db, const char *job, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, job);
    return db_text_of(db, "job_json", &p, out, e);
}
