/* server/store/repo/repo_upload.h: uploads on their way, piece by piece. */
#ifndef VIVACE_SERVER_DB_REPO_UPLOAD_H
#define VIVACE_SERVER_DB_REPO_UPLOAD_H

#include "server/store/db/db.h"
#include "server/store/repo/repo_idempotency.h"

#define UPLOAD_PIECE_BYTES (UINT64_C(8) << 20)

struct upload {
    char id[UUID_TEXT], name[256], workload[208], sha256[65]; /* sha256 "": not promised */
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
    uint64_t uploads_most; /* unfinished ones of a team at once */
    uint64_t quota_bytes;  /* of a team that has none of its own */
};
/* Whether the team may store this number of further bytes: ERR_RATE_LIMITED (too many unfinished uploads),
 * ERR_TOO_LARGE (more than its quota), ERR_NO_SPACE (more than is left of it). Inside a transaction the answer
 * holds until its end. */
int repo_storage_admit(struct db *db, int64_t team, uint64_t bytes, const struct storage_limits *l,
                       struct err *e) MUST_CHECK;
/* Admits and reserves; errors as above. */
int repo_upload_put(struct db *db, const struct upload *u, int64_t team, const struct storage_limits *l,
                    const struct idempotent_key *once, wall_us now, struct err *e) MUST_CHECK;
/* ERR_NOT_FOUND when this team has none of that id. */
int repo_upload_get(struct db *db, const char *id, int64_t team, struct upload *out, struct err *e) MUST_CHECK;
/* Numbers of the pieces that are durable, ascending, one a row. */
int repo_upload_received(struct db *db, const char *id, struct db_rows *out, struct err *e) MUST_CHECK;
/* 1 and its hash (65 bytes) when the piece is there, 0 when not. */
int repo_upload_piece(struct db *db, const char *id, uint64_t piece, char *sha256, struct err *e) MUST_CHECK;
int repo_upload_piece_put(struct db *db, const char *id, uint64_t piece, const char *sha256,
                          struct err *e) MUST_CHECK;
int repo_upload_finish(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* 1 when there was one. */
int repo_upload_delete(struct db *db, const char *id, int64_t team, struct err *e) MUST_CHECK;
/* Its bytes are a blob now, or gone: gives the reservation back and forgets the pieces. */
int repo_upload_settle(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* Removes finished uploads begun before whose import is over. */
int repo_upload_forget(struct db *db, wall_us before, struct err *e) MUST_CHECK;
/* 1 or 0, whatever its state. */
int repo_upload_exists(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* Uploads that are over and whose pieces may still be stored: id and count of pieces, some rows. */
int repo_upload_gone(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;
int repo_upload_removed(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* Ids of open uploads begun before; they are removed from the database. */
int repo_upload_expire(struct db *db, wall_us before, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
