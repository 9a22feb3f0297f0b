/* server/domain/import/profile_put.h: copies a profile from a scratch file (profile_file.h) into the database.
 * The file is read from start to end, so a large profile is never completely in memory. */
#ifndef VIVACE_SERVER_IMPORT_PROFILE_PUT_H
#define VIVACE_SERVER_IMPORT_PROFILE_PUT_H

#include "server/store/db/db.h"
#include "server/domain/import/profile_file.h"

struct profile_owner {
    const char *id; /* of the profile */
    int64_t team;
    const char *import, *blob; /* the import and the blob that it comes from; NULL: none */
    const char *name;
};
/* Stores row, kernels, chunks and features. They are invisible until repo_profile_ready(). Uses the open
 * transaction, or one transaction per part if none is open. */
int profile_put(struct db *db, struct profile_file *file, const struct profile_owner *owner, wall_us now,
                struct err *e) MUST_CHECK;

#endif
