/* server/store/repo/repo_profile.h: rows of profile, kernel, profile_chunk and profile_feature. */
#ifndef VIVACE_SERVER_DB_REPO_PROFILE_H
#define VIVACE_SERVER_DB_REPO_PROFILE_H

#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/profile_rows.h"

/* Deletes the rows of an interrupted import. */
int repo_profile_clear(struct db *db, const char *import_id, struct err *e) MUST_CHECK;
/* Inserts the row. The profile is not ready yet, so it is not visible. */
int repo_profile_put(struct db *db, const char *id, int64_t team, const char *import_id, const char *blob,
                     const char *name, const struct profile_facts *f, const struct strbuf *tables, wall_us now,
                     struct err *e) MUST_CHECK;
/* Inserts rows of the kernel table, numbered from `first` on. */
int repo_profile_kernels_put(struct db *db, const char *id, uint64_t first, const struct kernel_facts *kernels,
                             size_t count, struct err *e) MUST_CHECK;
int repo_profile_chunk_put(struct db *db, const char *id, uint64_t chunk, uint64_t rows,
                           const struct strbuf *columns, struct err *e) MUST_CHECK;
/* Replaces the profile's features. Empty bytes: none. Call inside a transaction. */
int repo_profile_features_put(struct db *db, const char *id, const struct strbuf *bytes, struct err *e) MUST_CHECK;
/* Replaces *out by the features; empty if there are none. Runs its own transaction. */
int repo_profile_features(struct db *db, const char *id, struct strbuf *out, struct err *e) MUST_CHECK;
/* Returns 1 and the hash (SHA256_HEX bytes) when the profile belongs to this team and is ready, else 0. */
int repo_profile_sha256(struct db *db, const char *id, int64_t team, char *out, struct err *e) MUST_CHECK;
/* Sets the hash after a change of the features. Returns 1, or 0 when the hash was not `before`. Readers of
 * features wait until the transaction ends. */
int repo_profile_featured(struct db *db, const char *id, const char *before, const char *after, const char *text,
                          struct err *e) MUST_CHECK;
/* Returns 1 when a run of one of its plans is not over. */
int repo_profile_in_use(struct db *db, const char *id, struct err *e) MUST_CHECK;
int repo_profile_ready(struct db *db, const char *id, const char *workload, struct err *e) MUST_CHECK;

/* Row: format, gpu_name, unit, has_times, launches, kernels, kernel_shapes, tables. No row when the profile does
 * not exist. */
int repo_profile_get(struct db *db, const char *id, struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows: name, mangled_name, grid, block, registers, shared_bytes, name_id, in the order of their numbers, from
 * `first` on. */
int repo_profile_kernels(struct db *db, const char *id, uint64_t first, uint64_t most, struct db_rows *out,
                         struct err *e) MUST_CHECK;
int repo_profile_chunk(struct db *db, const char *id, uint64_t chunk, struct db_rows *out,
                       struct err *e) MUST_CHECK;

/* The profile as in the API: returns 1, or 0 when this team has no profile with that id. */
int repo_profile_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;
/* Returns 1 when the profile belongs to this team and is ready. */
int repo_profile_of_team(struct db *db, const char *id, int64_t team, struct err *e) MUST_CHECK;
/* Rows: JSON, total, index, name; sorted by total, largest first, after (total, index). after_total "": the first
 * page. */
int repo_profile_kernels_json(struct db *db, const char *id, const char *after_total, const char *after_index,
                              uint64_t limit, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
