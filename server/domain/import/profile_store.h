/* server/domain/import/profile_store.h: profiles in PostgreSQL: a row, its kernel table, chunks of 65 536
 * launches, and features where it has some. */
#ifndef VIVACE_SERVER_PROFILE_STORE_H
#define VIVACE_SERVER_PROFILE_STORE_H

#include "base/err.h"
#include "sampling/profile.h"
#include "server/store/db/db.h"

/* Reads a whole profile. *out was initialised by the caller and is filled only on 0. ERR_NOT_FOUND when there is
 * none (or its import has not finished). About 24 bytes of memory a launch. */
int profile_load(struct db *db, const char *profile_id, struct profile *out, struct err *e) MUST_CHECK;

#endif
