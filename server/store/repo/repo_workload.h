/* server/store/repo/repo_workload.h: workloads and their profiles, for the API. */
#ifndef VIVACE_SERVER_DB_REPO_WORKLOAD_H
#define VIVACE_SERVER_DB_REPO_WORKLOAD_H

#include "base/strbuf.h"
#include "server/store/db/list_order.h"

/* Finds the workload with that name, or creates it. An archived one is restored. id: UUID_TEXT bytes; the caller
 * sets it to a new id. */
int repo_workload_named(struct db *db, char *id, int64_t team, const char *name, wall_us now,
                        struct err *e) MUST_CHECK;
/* Filter of a list. like: a part of the name, "" for all. state: a value of workload_state() of the schema, "" for
 * all. archived: only archived workloads, else only the others. Sort columns: name, kernels, launches, total (GPU
 * time), created. */
struct workload_ask {
    const char *like, *state;
    const char *first; /* SQL array of ids that are listed before all others */
    bool archived;
    struct list_order order; /* without a column: newest first, with created_at as its key */
};
/* Columns: id, name, created_at as JSON text and as the cursor's text, JSON of the latest profile or NULL, state,
 * archived, and the sort key if the order has a column. Rows without a sort key are last. */
int repo_workload_list(struct db *db, int64_t team, const struct workload_ask *ask, struct db_rows *out,
                       struct err *e) MUST_CHECK;
/* The columns of repo_workload_list() for one workload. No row when this team has no workload with that id. */
int repo_workload_get(struct db *db, const char *id, int64_t team, struct db_rows *out, struct err *e) MUST_CHECK;
/* JSON array of all its profiles, newest first. */
int repo_workload_profiles(struct db *db, const char *id, struct strbuf *out, struct err *e) MUST_CHECK;
/* Changes the name and the archived state; NULL: not changed. Returns 1 when the workload existed. ERR_CONFLICT:
 * the team has another workload with that name. */
int repo_workload_change(struct db *db, const char *id, int64_t team, const char *name, const bool *archived,
                         wall_us now, struct err *e) MUST_CHECK;
/* Returns 1 when the workload existed. */
int repo_workload_delete(struct db *db, const char *id, int64_t team, struct err *e) MUST_CHECK;

#endif
