/* server/store/repo/repo_job_sql.h: SQL that statements about jobs share. */
#ifndef VIVACE_SERVER_DB_REPO_JOB_SQL_H
#define VIVACE_SERVER_DB_REPO_JOB_SQL_H

/* The id of the job that others with this key wait for, found by an index; NULL: there is none. */
#define LIVE_LEADER(key)                                                                                           \
    "(SELECT l.id FROM job l WHERE l.key = " key " AND l.state IN ('ready', 'leased') AND l.waits_on IS NULL)"

#endif
