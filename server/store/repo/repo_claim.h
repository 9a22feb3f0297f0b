/* server/store/repo/repo_claim.h: worker sessions, and leases of jobs. Only the dispatcher, the sweeper and the
 * pages about the farm use it. */
#ifndef VIVACE_SERVER_DB_REPO_CLAIM_H
#define VIVACE_SERVER_DB_REPO_CLAIM_H

#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/job_state.h"

/* token: the id of the worker's token; 0: a session of an account. */
int repo_session_open(struct db *db, const char *id, const struct session_request *r, int64_t token, wall_us now,
                      struct err *e) MUST_CHECK;
/* The id of this farm. */
int repo_farm_id(struct db *db, char id[UUID_TEXT], struct err *e) MUST_CHECK;
/* The worker `name` was restarted, so its previous session `old` expires at once. Returns 1 if that session was
 * alive and was opened with the token of session `id`, or with a token that is no longer valid. */
int repo_session_replace(struct db *db, const char *old, const char *id, const char *name, wall_us now,
                         struct err *e) MUST_CHECK;

struct session_row {
    char id[UUID_TEXT], simulator[WIRE_VERSION];
    int64_t token; /* the token that opened it; 0: a session of an account */
    bool engines[ENGINE_COUNT];
    uint32_t slots;
};
struct session_rows {
    size_t count;
    struct session_row *items;
};
/* Ids of sessions in requests, each with the token of the request. */
struct session_names {
    struct strbuf ids, tokens; /* as array literals */
};
void session_names_begin(struct session_names *n);
/* Ignores an id that is not a UUID. */
void session_names_add(struct session_names *n, const char *id, int64_t token);
void session_names_release(struct session_names *n);
/* Records a heartbeat at `now` for these sessions. Returns those that are alive and were opened with their token.
 * Releases the list of names. */
int repo_session_beat(struct db *db, struct session_names *names, wall_us now, struct session_rows *out,
                      struct err *e) MUST_CHECK;
/* Returns 1 when this token opened the session, else 0; -1 on an error. */
int repo_session_is_of(struct db *db, const char *id, int64_t token, struct err *e) MUST_CHECK;
/* The commit of this transaction does not wait for the disk, so a crash may lose it. Only for heartbeats, never
 * for leases: after a lost lease, two workers would get the same attempt number (the fence). */
int repo_session_need_not_last(struct db *db, struct err *e) MUST_CHECK;
void session_rows_release(struct session_rows *r);
/* Ends the sessions (array literal of uuids) whose workers have reported their end. */
int repo_session_end(struct db *db, const char *ids, struct err *e) MUST_CHECK;
/* Rows: id, attempt of the jobs and tasks in the list (array literal) that are still leased. */
int repo_session_still_leased(struct db *db, const char *jobs, struct db_rows *out, struct err *e) MUST_CHECK;

/* Runs with ready jobs, and their constant properties. */
struct claimable_run {
    char id[UUID_TEXT], plan[UUID_TEXT];
    int64_t team;
    enum job_engine engine;
    enum profile_unit unit; /* unit of the values in replay */
    char simulator[WIRE_VERSION];
    int priority, jobs;
    double share; /* share of the run's team */
    double inside_kernels;
    bool allow_foreign_isa;
};
struct claimable_runs {
    size_t count;
    struct claimable_run *items; /* oldest first */
};
int repo_claim_runs(struct db *db, wall_us now, struct claimable_runs *out, struct err *e) MUST_CHECK;
/* Rows: team, number of leased jobs, sum of the seconds since their leases began; one row for each run with leased
 * jobs. */
int repo_claim_loads(struct db *db, wall_us now, struct db_rows *out, struct err *e) MUST_CHECK;
void claimable_runs_release(struct claimable_runs *r);

/* Leases at most `most` ready jobs of the run after `cursor` to a session, in order. Skips locked jobs. Appends
 * them to `leases` and moves *cursor behind the last one. */
struct claim_limits {
    int64_t time_s, memory_bytes;
    uint64_t cycles;
};
int repo_claim_take(struct db *db, const struct claimable_run *run, const char *session,
                    const struct claim_limits *limits, wall_us now, size_t most, int64_t *cursor,
                    struct lease_list *leases, struct err *e) MUST_CHECK;

/* --- Expiry of sessions and leases --- */
/* Expires sessions without a heartbeat since `not_seen_since`, and those whose last heartbeat is later than
 * `not_after`, by a clock that was set back since; a living worker has sent another one. *count: the number. */
int repo_worker_session_expire(struct db *db, wall_us not_seen_since, wall_us not_after, int64_t *count,
                               struct err *e) MUST_CHECK;
/* Rows: ids of at most 1000 jobs that were leased to these sessions before that time and are not in `listed`. Both
 * lists are array literals. */
int repo_claim_unlisted(struct db *db, const char *sessions, const char *listed, wall_us leased_before,
                        struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows: ids of at most 1000 jobs that are leased to dead sessions (dead = true), or whose deadline was before that
 * time. */
int repo_claim_stale(struct db *db, bool dead, wall_us deadline_before, struct db_rows *out,
                     struct err *e) MUST_CHECK;

/* The overview of the farm, as in the API. */
int repo_farm_json(struct db *db, const char *simulator, wall_us now, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
