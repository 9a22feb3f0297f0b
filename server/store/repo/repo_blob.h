/* server/store/repo/repo_blob.h: rows of stored blobs, of the teams that own them, and of blobs that are being
 * stored or removed. */
#ifndef VIVACE_SERVER_DB_REPO_BLOB_H
#define VIVACE_SERVER_DB_REPO_BLOB_H

#include "server/store/db/db.h"

/* Announces that the bytes of this blob are about to be stored. ERR_BUSY: the same bytes are being removed. */
int repo_blob_announce(struct db *db, const char *sha256, wall_us now, struct err *e) MUST_CHECK;
/* Inserts the row of an announced blob whose bytes are durable, and the team's ownership. It may be repeated. Runs
 * three statements, so call it inside a transaction. */
int repo_blob_put(struct db *db, const char *sha256, uint64_t bytes, int64_t team, wall_us now,
                  struct err *e) MUST_CHECK;
/* Returns 1 with the length when this team owns the blob and its bytes are not damaged, else 0. bytes may be
 * NULL. */
int repo_blob_of_team(struct db *db, const char *sha256, int64_t team, uint64_t *bytes, struct err *e) MUST_CHECK;
/* Returns 1 when a session with this token has leased a job whose trace is this blob or uses it as a program. */
int repo_blob_of_lease(struct db *db, const char *sha256, int64_t token, struct err *e) MUST_CHECK;
/* Records that the blob is in use now. An unreferenced blob is kept for some time after this. Writes at most once
 * an hour. */
int repo_blob_touch(struct db *db, const char *sha256, wall_us now, struct err *e) MUST_CHECK;

/* --- Garbage collection --- Blobs that nothing refers to (no profile or its traces, no bound or claimable trace,
 * no upload) and that were not used since `before`. Rows of both: sha256, bytes. */
int repo_blob_unreferenced(struct db *db, wall_us before, struct db_rows *out, struct err *e) MUST_CHECK;
/* Deletes at most 1000 such rows and the rows of their traces, and notes that their bytes must be removed. *count:
 * the number. Call inside a transaction. */
int repo_blob_condemn(struct db *db, wall_us before, wall_us now, int64_t *count, struct err *e) MUST_CHECK;
/* Marks bytes for removal that were announced before that time and never got a row. */
int repo_blob_condemn_stale(struct db *db, wall_us before, struct err *e) MUST_CHECK;
/* For bytes in the store: 1 when they must be removed (they have no row and are not announced), else 0. */
int repo_blob_is_orphan(struct db *db, const char *sha256, struct err *e) MUST_CHECK; /* only checks */
int repo_blob_condemn_orphan(struct db *db, const char *sha256, wall_us now, struct err *e) MUST_CHECK;
/* Rows: at most 1000 hashes after `after` whose bytes must be removed. */
int repo_blob_going(struct db *db, const char *after, struct db_rows *out, struct err *e) MUST_CHECK;
/* Locks the note that these bytes must be removed. Returns 1, or 0 when there is no such note. Call inside the
 * transaction that removes the bytes and then calls repo_blob_gone(). */
int repo_blob_going_lock(struct db *db, const char *sha256, struct err *e) MUST_CHECK;
int repo_blob_gone(struct db *db, const char *sha256, struct err *e) MUST_CHECK;

/* --- Scrubbing --- Rows: sha256, bytes of at most 100 blobs that were not checked since `before`, the longest
 * unchecked first. */
int repo_blob_to_scrub(struct db *db, wall_us before, struct db_rows *out, struct err *e) MUST_CHECK;
int repo_blob_scrubbed(struct db *db, const char *sha256, bool sound, wall_us now, struct err *e) MUST_CHECK;

#endif
