/* server/domain/import/profile_store.h: profiles in PostgreSQL: one row, its kernel table, chunks of 65 536
 * launches, and features if it has them. */
#ifndef VIVACE_SERVER_PROFILE_STORE_H
#define VIVACE_SERVER_PROFILE_STORE_H

#include "base/err.h"
#include "sampling/profile/profile.h"
#include "server/store/db/db.h"

/* Reads a whole profile. The caller initializes *out, which is filled only on 0. ERR_NOT_FOUND: no such profile,
 * or its import has not finished. Needs about 24 bytes of memory per launch. */
int profile_load(struct db *db, const char *profile_id, struct profile *out, struct err *e) MUST_CHECK;

#endif
