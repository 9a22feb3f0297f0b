/* server/store/repo/repo_upload.h: unfinished uploads, which are sent in pieces. */
#ifndef VIVACE_SERVER_DB_REPO_UPLOAD_H
#define VIVACE_SERVER_DB_REPO_UPLOAD_H

#include "server/store/db/db.h"
#include "server/store/repo/repo_idempotency.h"

#define UPLOAD_PIECE_BYTES (UINT64_C(8) << 20)

struct upload {
    char id[UUID_TEXT], name[256], workload[208], sha256[65]; /* sha256 "": the client has not announced it */
    uint64_t bytes;
    bool known, finished;
};
static inline uint64_t upload_pieces(const struct upload *u)
{
    return (u->bytes + UPLOAD_PIECE_BYTES - 1) / UPLOAD_PIECE_BYTES;
}
static inline uint64_t upload_piece_length(const struct upload *u, uint64_t piece)
{
    uint64_t from = piece * UPLOAD_PIECE_BYTES;

    return u->bytes - from < UPLOAD_PIECE_BYTES ? u->bytes - from : UPLOAD_PIECE_BYTES;
}

struct storage_limits {
    uint64_t uploads_max; /* maximum number of unfinished uploads of a team */
    uint64_t quota_bytes; /* for a team without its own quota */
};
/* Checks that the team may store this number of additional bytes: ERR_RATE_LIMITED (too many unfinished uploads),
 * ERR_TOO_LARGE (more than its quota), ERR_NO_SPACE (more than the rest of its quota). Inside a transaction the
 * result is valid until its end. */
int repo_storage_admit(struct db *db, int64_t team, uint64_t bytes, const struct storage_limits *l,
                       struct err *e) MUST_CHECK;
/* Checks and reserves the space; errors as above. */
int repo_upload_put(struct db *db, const struct upload *u, int64_t team, const struct storage_limits *l,
                    const struct idempotent_key *once, wall_us now, struct err *e) MUST_CHECK;
/* ERR_NOT_FOUND: this team has no upload with that id. */
int repo_upload_get(struct db *db, const char *id, int64_t team, struct upload *out, struct err *e) MUST_CHECK;
/* Rows: numbers of the durable pieces, ascending. */
int repo_upload_received(struct db *db, const char *id, struct db_rows *out, struct err *e) MUST_CHECK;
/* Returns 1 and the piece's hash (65 bytes) when the piece is stored, else 0. */
int repo_upload_piece(struct db *db, const char *id, uint64_t piece, char *sha256, struct err *e) MUST_CHECK;
int repo_upload_piece_put(struct db *db, const char *id, uint64_t piece, const char *sha256,
                          struct err *e) MUST_CHECK;
int repo_upload_finish(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* Returns 1 when the upload existed. */
int repo_upload_delete(struct db *db, const char *id, int64_t team, struct err *e) MUST_CHECK;
/* Releases the reservation and deletes the rows of the pieces. The upload's bytes are a blob now, or removed. */
int repo_upload_settle(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* Deletes finished uploads that began before that time and whose import is over. */
int repo_upload_forget(struct db *db, wall_us before, struct err *e) MUST_CHECK;
/* Returns 1 when the upload exists in any state, else 0. */
int repo_upload_exists(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* Rows: id and number of pieces of some ended uploads whose pieces may still be stored. */
int repo_upload_gone(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;
int repo_upload_removed(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* Rows: ids of open uploads that began before that time. They are deleted from the database. */
int repo_upload_expire(struct db *db, wall_us before, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
