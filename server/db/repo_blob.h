/* server/db/repo_blob.h: what is stored, and who has sent it. */
#ifndef VIVACE_SERVER_DB_REPO_BLOB_H
#define VIVACE_SERVER_DB_REPO_BLOB_H

#include "server/db/db.h"

/* The row of a blob whose file is durable, and that this team has sent it. Doing it again is fine. */
int repo_blob_put(struct db *db, const char *sha256, uint64_t bytes, int64_t team, wall_us now,
                  struct err *e) MUST_CHECK;
/* 1 with its length when this team has sent it, 0 otherwise. bytes may be NULL. */
int repo_blob_of_team(struct db *db, const char *sha256, int64_t team, uint64_t *bytes, struct err *e) MUST_CHECK;

#endif
