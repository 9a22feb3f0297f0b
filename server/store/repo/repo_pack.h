/* server/store/repo/repo_pack.h: profiles that have their traces with them, and what runs of theirs miss
 * (schema/0200). */
#ifndef VIVACE_SERVER_DB_REPO_PACK_H
#define VIVACE_SERVER_DB_REPO_PACK_H

#include "base/hash.h"
#include "server/store/db/db.h"
#include "server/store/event/event.h"

/* In place of the file `was` ("": none). ERR_CONFLICT: it has another one, or was deleted. */
int repo_pack_set(struct db *db, const char *profile, const char *was, const char *sha256, uint64_t launches,
                  struct err *e) MUST_CHECK;
int repo_pack_get(struct db *db, const char *profile, char sha256[SHA256_HEX],
                  struct err *e) MUST_CHECK; /* or "" */
/* The profile of this import gets the traces that came with it, if any did. */
int repo_pack_adopt(struct db *db, const char *profile, const char *import, struct err *e) MUST_CHECK;
int repo_pack_of_import(struct db *db, const char *import, const char *sha256, uint64_t launches,
                        struct err *e) MUST_CHECK;
/* The number of launches of the profile in that file. */
int repo_pack_count(struct db *db, const char *profile, const char *sha256, uint64_t launches,
                    struct err *e) MUST_CHECK;
/* Launches cannot be cut out of that file: nobody counts on it (traces_launches becomes NULL). 1: somebody did
 * until now. */
int repo_pack_uncount(struct db *db, const char *profile, const char *sha256, struct err *e) MUST_CHECK;
/* 1: its file is known to have all its launches. */
int repo_pack_whole(struct db *db, const char *profile, struct err *e) MUST_CHECK;

/* Plans of open runs that drew launches whose traces are not here, where the profile has a file of them. */
struct pack_plan {
    char plan[UUID_TEXT], profile[UUID_TEXT], sha256[SHA256_HEX];
    int64_t team;
    uint64_t launches; /* of the profile */
};
int repo_pack_plans(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;
void pack_plan_read(const struct db_rows *r, int row, struct pack_plan *out);
/* Rows: the plan's open runs that have no event of that kind. */
int repo_pack_without(struct db *db, const char *plan, enum event_kind kind, struct db_rows *out,
                      struct err *e) MUST_CHECK;
/* Rows: context, launch order; what the plan drew and nothing is bound to. */
int repo_pack_missing(struct db *db, const char *plan, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
