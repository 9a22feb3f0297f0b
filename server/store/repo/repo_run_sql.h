/* server/store/repo/repo_run_sql.h: a run that is over goes on, because somebody asked for more of it or a result
 * came late. Every statement that takes up runs does it by these, for rows `r` that it has locked: r(id, goes_on:
 * it runs again, anew: it has other results than it ended with, or will have). Whoever locks runs does so after
 * their jobs, and FOR NO KEY UPDATE: checks of the cache state, which refer to the run, are written by others who
 * hold its cache_wish. What else a run has said or decided (its looks, the events about half of it and its promise)
 * stays, and the next projection writes its other columns. */
#ifndef VIVACE_SERVER_DB_REPO_RUN_SQL_H
#define VIVACE_SERVER_DB_REPO_RUN_SQL_H

/* For UPDATE run SET … FROM r WHERE run.id = r.id. */
#define RUN_GOES_ON                                                                                                \
    "state = CASE WHEN r.goes_on THEN 'running' ELSE run.state END,"                                               \
    " finished_at = CASE WHEN r.goes_on THEN NULL ELSE run.finished_at END"
/* Launches whose caches are to be warmed are chosen from its results, when it is over: again from the first window.
 */
#define CACHE_WISH_ANEW "chosen_at = NULL, why_not = NULL, still = 0, looks_back = DEFAULT"
/* A member of WITH. */
#define RUN_CACHES_ANEW                                                                                            \
    "wishes AS (UPDATE cache_wish SET " CACHE_WISH_ANEW                                                            \
    " WHERE chosen_at IS NOT NULL AND run_id = ANY(ARRAY(SELECT id FROM r WHERE r.anew)))"

#endif
