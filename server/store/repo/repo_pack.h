/* server/store/repo/repo_pack.h: files that contain the traces of a profile, and the launches of runs whose traces
 * are missing. */
#ifndef VIVACE_SERVER_DB_REPO_PACK_H
#define VIVACE_SERVER_DB_REPO_PACK_H

#include "base/hash.h"
#include "server/store/db/db.h"
#include "server/store/event/event.h"

/* Replaces the file `was` ("": none) of the profile. ERR_CONFLICT: the profile has another file or was deleted. */
int repo_pack_set(struct db *db, const char *profile, const char *was, const char *sha256, uint64_t launches,
                  struct err *e) MUST_CHECK;
int repo_pack_get(struct db *db, const char *profile, char sha256[SHA256_HEX],
                  struct err *e) MUST_CHECK; /* "": none */
/* Gives the profile the traces that were uploaded with this import, if there are any. */
int repo_pack_adopt(struct db *db, const char *profile, const char *import, struct err *e) MUST_CHECK;
int repo_pack_of_import(struct db *db, const char *import, const char *sha256, uint64_t launches,
                        struct err *e) MUST_CHECK;
/* Sets the number of the profile's launches in that file. */
int repo_pack_count(struct db *db, const char *profile, const char *sha256, uint64_t launches,
                    struct err *e) MUST_CHECK;
/* Records that launches cannot be extracted from that file (traces_launches becomes NULL). Returns 1 when that was
 * not known before. */
int repo_pack_uncount(struct db *db, const char *profile, const char *sha256, struct err *e) MUST_CHECK;
/* Returns 1 when the file contains all launches of the profile. */
int repo_pack_whole(struct db *db, const char *profile, struct err *e) MUST_CHECK;

/* Plans of open runs with sampled launches whose traces are missing, and whose profile has a file of traces. */
struct pack_plan {
    char plan[UUID_TEXT], profile[UUID_TEXT], sha256[SHA256_HEX];
    int64_t team;
    uint64_t launches; /* number of launches in the profile */
};
int repo_pack_plans(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;
void pack_plan_read(const struct db_rows *r, int row, struct pack_plan *out);
/* Rows: the plan's open runs without an event of that kind. */
int repo_pack_without(struct db *db, const char *plan, enum event_kind kind, struct db_rows *out,
                      struct err *e) MUST_CHECK;
/* Rows: context, launch order of the plan's sampled launches without a bound trace. */
int repo_pack_missing(struct db *db, const char *plan, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
