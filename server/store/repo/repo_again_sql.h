/* server/store/repo/repo_again_sql.h: SQL of jobs that have results which are not to count any more. */
#ifndef VIVACE_SERVER_DB_REPO_AGAIN_SQL_H
#define VIVACE_SERVER_DB_REPO_AGAIN_SQL_H

#include "server/store/repo/repo_run_sql.h"

/* Members of WITH. runs: an array. What is worked out of their results, and what was measured beside them, is made
 * anew. */
#define RESULTS_FORGOTTEN(runs)                                                                                    \
    "answers AS (DELETE FROM run_answer WHERE run_id = ANY(" runs ")),"                                            \
    " totals AS (DELETE FROM projection WHERE run_id = ANY(" runs ")),"                                            \
    " points AS (DELETE FROM projection_point WHERE run_id = ANY(" runs ")),"                                      \
    " differences AS (DELETE FROM comparison WHERE run_id = ANY(" runs ")),"                                       \
    " checks AS (DELETE FROM task WHERE run_id = ANY(" runs ")),"                                                  \
    " errors AS (DELETE FROM cache_error WHERE run_id = ANY(" runs ")),"                                           \
    " pending AS (UPDATE cache_wish SET " CACHE_WISH_ANEW " WHERE run_id = ANY(" runs "))"
/* For UPDATE job SET state = …, finished_at = …: without lease and result, with fresh attempts. */
#define JOB_LETS_GO                                                                                                \
    "session_id = NULL, leased_at = NULL, deadline_at = NULL, waits_on = NULL, result_id = NULL, cached = false,"  \
    " failures = 0, troubles = 0, losses = 0"
#define JOB_ANEW JOB_LETS_GO ", failure = NULL, failure_text = NULL"

#endif
