/* server/db/repo_upload.h: uploads on their way, piece by piece. */
#ifndef VIVACE_SERVER_DB_REPO_UPLOAD_H
#define VIVACE_SERVER_DB_REPO_UPLOAD_H

#include "server/db/db.h"

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

/* ERR_RATE_LIMITED when the team has `most` unfinished ones already. */
int repo_upload_put(struct db *db, const struct upload *u, int64_t team, uint64_t most, wall_us now,
                    struct err *e) MUST_CHECK;
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
/* Ids of open uploads begun before; they are removed from the database. */
int repo_upload_expire(struct db *db, wall_us before, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
