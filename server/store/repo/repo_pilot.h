/* server/store/repo/repo_pilot.h: pilots that the farm makes (server/domain/run/pilots.h). */
#ifndef VIVACE_SERVER_DB_REPO_PILOT_H
#define VIVACE_SERVER_DB_REPO_PILOT_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"

#define PILOT_OPEN "starting,simulating,planning"

struct pilot_row {
    char id[UUID_TEXT], profile[UUID_TEXT], design[SHA256_HEX], design_name[128], state[16], by[200];
    char pilot_plan[UUID_TEXT], run[UUID_TEXT], cycles[UUID_TEXT]; /* "": not made yet, or deleted */
    char run_state[16];                                            /* "" without a run */
    char simulator[48];                                            /* of the run */
    char workload[UUID_TEXT];
    int64_t team;
    int64_t stuck; /* jobs of its run that wait for traces which nobody cuts, while no other job is left */
};
/* With its plan; inside a transaction. wanted: JSON. */
struct pilot_new {
    const char *id, *profile, *design, *design_name, *wanted, *pilot_plan, *by;
};
int repo_pilot_put(struct db *db, const struct pilot_new *p, wall_us now, struct err *e) MUST_CHECK;
/* 1 found, 0 not in this team; team < 0: any. wanted: appended to, unless NULL. */
int repo_pilot_find(struct db *db, const char *id, int64_t team, struct pilot_row *out, struct strbuf *wanted,
                    struct err *e) MUST_CHECK;
/* Rows: ids of those that something can be done for now, the oldest first, at most 100. */
int repo_pilot_due(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;

/* From one of these states (comma-separated) to another: 1; 0: it is in none of them, or has already what this
 * brings. Members that are NULL stay. */
struct pilot_move {
    const char *from, *to;
    const char *run, *cycles, *plan, *note;
    const char *problem, *hint; /* NULL: none (any more) */
};
int repo_pilot_move(struct db *db, const char *id, const struct pilot_move *m, wall_us now,
                    struct err *e) MUST_CHECK;
/* A failed or cancelled one begins again with what it has: with its cycles, or those of a run that is done, else
 * with a new run. 1, or 0: it is in another state. */
int repo_pilot_retry(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* Why the first of a run's failed jobs failed: 1, or 0 when none has. */
int repo_pilot_failure(struct db *db, const char *run, struct strbuf *out, struct err *e) MUST_CHECK;

/* Rows: launches of the profile with a trace of their own. */
int repo_pilot_traced(struct db *db, const char *profile, struct db_rows *out, struct err *e) MUST_CHECK;
/* A ready profile of estimated cycles with this hash in the workload: 1 and its id (UUID_TEXT bytes), 0. */
int repo_pilot_cycles(struct db *db, const char *workload, const char *sha256, char *id, struct err *e) MUST_CHECK;
/* The profile `to` gets the traces of `from`, whose launches are the same: what is bound, and the file. */
int repo_pilot_share_traces(struct db *db, const char *from, const char *to, wall_us now, struct err *e) MUST_CHECK;

/* The API's JSON: 1, or 0 when this team has none of that id. */
int repo_pilot_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;
/* Rows: JSON text, id; the newest first, after that id ("": from the newest). */
int repo_pilot_list(struct db *db, const char *profile, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e) MUST_CHECK;

#endif
