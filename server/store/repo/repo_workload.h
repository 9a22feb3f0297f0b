/* server/store/repo/repo_workload.h: workloads and their profiles, as the API shows them. */
#ifndef VIVACE_SERVER_DB_REPO_WORKLOAD_H
#define VIVACE_SERVER_DB_REPO_WORKLOAD_H

#include "base/strbuf.h"
#include "server/store/db/list_order.h"

/* The workload of that name, made when it is not there, taken out of the archive when it is. id: UUID_TEXT bytes,
 * filled with a new id by the caller. */
int repo_workload_named(struct db *db, char *id, int64_t team, const char *name, wall_us now,
                        struct err *e) MUST_CHECK;
/* Which workloads a list shows: like: part of the name, "" for all; state: one that workload_state() of the schema
 * answers, "" for all; archived: those that were put away, else the others. Columns of the order: name, kernels,
 * launches, total (GPU time), created. */
struct workload_ask {
    const char *like, *state;
    const char *first; /* SQL array of ids that come before all others */
    bool archived;
    struct list_order order; /* newest first: its key is created_at */
};
/* id, name, created_at as JSON text and as the cursor's text, JSON of the latest profile or NULL, state, whether it
 * is archived; with a column the key of the cursor. What has no such value is last. */
int repo_workload_list(struct db *db, int64_t team, const struct workload_ask *ask, struct db_rows *out,
                       struct err *e) MUST_CHECK;
/* The same columns for one; no row when this team has none of that id. */
int repo_workload_get(struct db *db, const char *id, int64_t team, struct db_rows *out, struct err *e) MUST_CHECK;
/* JSON array of all its profiles, newest first. */
int repo_workload_profiles(struct db *db, const char *id, struct strbuf *out, struct err *e) MUST_CHECK;
/* Another name and whether it is put away; NULL leaves either as it is. 1 when there was one; ERR_CONFLICT: the
 * team has another one of that name. */
int repo_workload_change(struct db *db, const char *id, int64_t team, const char *name, const bool *archived,
                         wall_us now, struct err *e) MUST_CHECK;
/* 1 when there was one. */
int repo_workload_delete(struct db *db, const char *id, int64_t team, struct err *e) MUST_CHECK;

#endif
