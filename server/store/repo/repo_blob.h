/* server/store/repo/repo_blob.h: what is stored, who has sent it, and what is on its way in or out (schema/0112).
 */
#ifndef VIVACE_SERVER_DB_REPO_BLOB_H
#define VIVACE_SERVER_DB_REPO_BLOB_H

#include "server/store/db/db.h"

/* Says that the bytes of this blob are about to be made durable. ERR_BUSY while the same bytes are being removed.
 */
int repo_blob_announce(struct db *db, const char *sha256, wall_us now, struct err *e) MUST_CHECK;
/* The row of a blob whose bytes are durable and were announced, and that this team has sent it. Doing it again is
 * fine. Three statements: for use inside a transaction. */
int repo_blob_put(struct db *db, const char *sha256, uint64_t bytes, int64_t team, wall_us now,
                  struct err *e) MUST_CHECK;
/* 1 with its length when this team has sent it and its bytes are sound, 0 otherwise. bytes may be NULL. */
int repo_blob_of_team(struct db *db, const char *sha256, int64_t team, uint64_t *bytes, struct err *e) MUST_CHECK;
/* 1: a session that came with this token holds a job whose trace it is, or a program of such a trace. */
int repo_blob_of_lease(struct db *db, const char *sha256, int64_t token, struct err *e) MUST_CHECK;
/* It is wanted now: what nothing refers to yet is kept a while longer. Writes at most once an hour. */
int repo_blob_touch(struct db *db, const char *sha256, wall_us now, struct err *e) MUST_CHECK;

/* --- Collecting --- What nothing refers to: no profile, nor as its traces, no bound or claimable trace, no upload,
 * and nobody asked for it since `before`. Rows of both: sha256, bytes. */
int repo_blob_unreferenced(struct db *db, wall_us before, struct db_rows *out, struct err *e) MUST_CHECK;
/* Removes at most 1000 such rows, and those of their traces, and writes down that their bytes are to go. Answers
 * how many. Inside a transaction. */
int repo_blob_condemn(struct db *db, wall_us before, wall_us now, int64_t *count, struct err *e) MUST_CHECK;
/* Bytes that were announced before and never got a row are to go too. */
int repo_blob_condemn_stale(struct db *db, wall_us before, struct err *e) MUST_CHECK;
/* Bytes found in the store: 1 when they are to go (no row, nobody brings them), 0 when not. */
int repo_blob_is_orphan(struct db *db, const char *sha256, struct err *e) MUST_CHECK; /* the same, only asking */
int repo_blob_condemn_orphan(struct db *db, const char *sha256, wall_us now, struct err *e) MUST_CHECK;
/* At most 1000 hashes after `after` whose bytes are to go. */
int repo_blob_going(struct db *db, const char *after, struct db_rows *out, struct err *e) MUST_CHECK;
/* Locks the note that these bytes are to go: 1, or 0 when there is none (any more). Inside the transaction that
 * removes the bytes and then calls repo_blob_gone(). */
int repo_blob_going_lock(struct db *db, const char *sha256, struct err *e) MUST_CHECK;
int repo_blob_gone(struct db *db, const char *sha256, struct err *e) MUST_CHECK;

/* --- Scrubbing --- At most 100 blobs not looked at since `before`, least recent first: sha256, bytes. */
int repo_blob_to_scrub(struct db *db, wall_us before, struct db_rows *out, struct err *e) MUST_CHECK;
int repo_blob_scrubbed(struct db *db, const char *sha256, bool sound, wall_us now, struct err *e) MUST_CHECK;

#endif
