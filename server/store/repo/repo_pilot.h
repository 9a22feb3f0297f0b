/* server/store/repo/repo_pilot.h: pilots: runs that simulate one launch of each shape, to estimate cycles for a
 * plan (server/domain/run/pilots.h). */
#ifndef VIVACE_SERVER_DB_REPO_PILOT_H
#define VIVACE_SERVER_DB_REPO_PILOT_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"

#define PILOT_OPEN "starting,simulating,planning"

struct pilot_row {
    char id[UUID_TEXT], profile[UUID_TEXT], design[SHA256_HEX], design_name[128], state[16], by[200];
    char pilot_plan[UUID_TEXT], run[UUID_TEXT], cycles[UUID_TEXT]; /* "": does not exist yet, or was deleted */
    char run_state[16];                                            /* "": there is no run */
    char simulator[48];                                            /* simulator version of the run */
    char workload[UUID_TEXT];
    int64_t team;
    int64_t stuck; /* number of jobs that wait for traces that nothing can produce, when no other jobs remain */
};
/* Inserts a pilot with its plan. Call inside a transaction. wanted: JSON. */
struct pilot_new {
    const char *id, *profile, *design, *design_name, *wanted, *pilot_plan, *by;
};
int repo_pilot_put(struct db *db, const struct pilot_new *p, wall_us now, struct err *e) MUST_CHECK;
/* Returns 1, or 0 when it is not in this team. team < 0: any team. wanted: the JSON is appended; may be NULL. */
int repo_pilot_find(struct db *db, const char *id, int64_t team, struct pilot_row *out, struct strbuf *wanted,
                    struct err *e) MUST_CHECK;
/* Rows: ids of the pilots that can make progress now, the oldest first, at most 100. */
int repo_pilot_due(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;

/* Changes the state from one of `from` (comma-separated) to `to`. Returns 1, or 0 when the state is another one or
 * the values are set already. NULL members are not changed. */
struct pilot_move {
    const char *from, *to;
    const char *run, *cycles, *plan, *note;
    const char *problem, *hint; /* NULL: sets them to none */
};
int repo_pilot_move(struct db *db, const char *id, const struct pilot_move *m, wall_us now,
                    struct err *e) MUST_CHECK;
/* Restarts a failed or cancelled pilot. It continues with its cycles, or with those of a finished run, else with a
 * new run. Returns 1, or 0 when it is in another state. */
int repo_pilot_retry(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* The failure text of the run's first failed job. Returns 1, or 0 when no job has failed. */
int repo_pilot_failure(struct db *db, const char *run, struct strbuf *out, struct err *e) MUST_CHECK;

/* Rows: launches of the profile with a bound trace. */
int repo_pilot_traced(struct db *db, const char *profile, struct db_rows *out, struct err *e) MUST_CHECK;
/* Finds a ready profile of estimated cycles with this hash in the workload. id: UUID_TEXT bytes. Returns 1, or 0
 * when there is none. */
int repo_pilot_cycles(struct db *db, const char *workload, const char *sha256, char *id, struct err *e) MUST_CHECK;
/* Gives the profile `to` the bound traces and the file of traces of `from`. Both have the same launches. */
int repo_pilot_share_traces(struct db *db, const char *from, const char *to, wall_us now, struct err *e) MUST_CHECK;

/* The pilot as in the API: returns 1, or 0 when this team has no pilot with that id. */
int repo_pilot_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;
/* Rows: JSON text, id; newest first, after that id ("": the first page). */
int repo_pilot_list(struct db *db, const char *profile, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e) MUST_CHECK;

#endif
