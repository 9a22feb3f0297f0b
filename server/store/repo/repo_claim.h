/* server/store/repo/repo_claim.h: worker sessions, and jobs on their way to them. Only the dispatcher, the sweeper
 * and the pages about the farm use it. */
#ifndef VIVACE_SERVER_DB_REPO_CLAIM_H
#define VIVACE_SERVER_DB_REPO_CLAIM_H

#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/job_state.h"

/* token: what the worker came with; 0: a person's session. */
int repo_session_open(struct db *db, const char *id, const struct session_request *r, int64_t token, wall_us now,
                      struct err *e) MUST_CHECK;
/* Which farm this is. */
int repo_farm_id(struct db *db, char id[UUID_TEXT], struct err *e) MUST_CHECK;
/* The worker `name` was started anew: its session before, `old`, is dead at once. 1: it was alive until now, and of
 * the token of the session `id` or of one that is no longer valid. */
int repo_session_replace(struct db *db, const char *old, const char *id, const char *name, wall_us now,
                         struct err *e) MUST_CHECK;

struct session_row {
    char id[UUID_TEXT], simulator[WIRE_VERSION];
    int64_t token; /* what opened it; 0: a person's session */
    bool engines[ENGINE_COUNT];
    uint32_t slots;
};
struct session_rows {
    size_t count;
    struct session_row *items;
};
/* Sessions as requests name them, each with the token that the request came with. */
struct session_names {
    struct strbuf ids, tokens; /* array literals */
};
void session_names_begin(struct session_names *n);
/* What is no id of a session is left out. */
void session_names_add(struct session_names *n, const char *id, int64_t token);
void session_names_release(struct session_names *n);
/* Stamps `now` on these sessions and gives back those that are alive and of that token. Ends the list of names. */
int repo_session_beat(struct db *db, struct session_names *names, wall_us now, struct session_rows *out,
                      struct err *e) MUST_CHECK;
/* Whether this token opened the session: 1 or 0; -1 on error. */
int repo_session_is_of(struct db *db, const char *id, int64_t token, struct err *e) MUST_CHECK;
/* This transaction may be lost in a crash: nothing waits for the disk. For beats, never for leases: a lease that is
 * dropped would give its attempt number, the fence, to two workers. */
int repo_session_need_not_last(struct db *db, struct err *e) MUST_CHECK;
void session_rows_release(struct session_rows *r);
/* These sessions (array literal of uuids) have said that they end. */
int repo_session_end(struct db *db, const char *ids, struct err *e) MUST_CHECK;
/* What is still leased of these jobs: text "job attempt" a row. */
int repo_session_still_leased(struct db *db, const char *jobs, struct db_rows *out, struct err *e) MUST_CHECK;

/* Runs that have something to claim, with what never changes of them. */
struct claimable_run {
    char id[UUID_TEXT], plan[UUID_TEXT];
    int64_t team;
    enum job_engine engine;
    enum profile_unit unit; /* of replayed values */
    char simulator[WIRE_VERSION];
    int priority, jobs;
    double share; /* of its team */
    double inside_kernels;
};
struct claimable_runs {
    size_t count;
    struct claimable_run *items; /* oldest first */
};
int repo_claim_runs(struct db *db, wall_us now, struct claimable_runs *out, struct err *e) MUST_CHECK;
/* Rows: team, jobs leased, seconds for which they have been running in all; one a run that has some. */
int repo_claim_loads(struct db *db, wall_us now, struct db_rows *out, struct err *e) MUST_CHECK;
void claimable_runs_release(struct claimable_runs *r);

/* Leases up to `most` ready jobs of the run behind `cursor` to a session, in order, skipping those that somebody
 * has locked. They are added to `leases`; *cursor moves behind the last of them. */
struct claim_limits {
    int64_t time_s, memory_bytes;
    uint64_t cycles;
};
int repo_claim_take(struct db *db, const struct claimable_run *run, const char *session,
                    const struct claim_limits *limits, wall_us now, size_t most, int64_t *cursor,
                    struct lease_list *leases, struct err *e) MUST_CHECK;

/* --- Sweeping --- */
/* Marks sessions dead that were not seen since, or were seen after `not_after` (by a clock that was set back: who
 * lives has been seen again by now); *count of them. */
int repo_worker_session_expire(struct db *db, wall_us not_seen_since, wall_us not_after, int64_t *count,
                               struct err *e) MUST_CHECK;
/* Ids of up to 1000 jobs leased to these sessions before that moment, less those listed; array literals. */
int repo_claim_unlisted(struct db *db, const char *sessions, const char *listed, wall_us leased_before,
                        struct db_rows *out, struct err *e) MUST_CHECK;
/* Ids of up to 1000 jobs leased to dead sessions (dead = true), or past their deadline since then. */
int repo_claim_stale(struct db *db, bool dead, wall_us deadline_before, struct db_rows *out,
                     struct err *e) MUST_CHECK;

/* The farm at a glance, as the API shows it. */
int repo_farm_json(struct db *db, const char *simulator, wall_us now, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
