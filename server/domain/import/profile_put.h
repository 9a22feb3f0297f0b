/* server/domain/import/profile_put.h: a profile goes into the database out of a scratch file (profile_file.h),
 * which is read from the front to the end, so that a large one is never whole in memory. */
#ifndef VIVACE_SERVER_IMPORT_PROFILE_PUT_H
#define VIVACE_SERVER_IMPORT_PROFILE_PUT_H

#include "server/store/db/db.h"
#include "server/domain/import/profile_file.h"

struct profile_owner {
    const char *id; /* of the profile */
    int64_t team;
    const char *import, *blob; /* what it came from, or NULL */
    const char *name;
};
/* Row, kernels, chunks and features, which nobody sees before repo_profile_ready(). In the transaction that is
 * open, or some at a time in transactions of their own. */
int profile_put(struct db *db, struct profile_file *file, const struct profile_owner *owner, wall_us now,
                struct err *e) MUST_CHECK;

#endif
