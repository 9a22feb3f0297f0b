/* server/store/repo/repo_design.h: GPU designs by hash. A team can use the built-in designs and those that it has
 * uploaded. The name of a built-in design always means that design. Any other name means the last design of that
 * name that the team uploaded. */
#ifndef VIVACE_SERVER_DB_REPO_DESIGN_H
#define VIVACE_SERVER_DB_REPO_DESIGN_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"

struct design_row {
    char sha256[SHA256_HEX], name[128];
    double clock_hz;
    int64_t sms;
    const char *gpu_names; /* array literal of text */
    const char *json;
    bool builtin;
};
/* Stores a design. Sets the time of a built-in design to now. repo_design_own() makes another design visible to a
 * team. */
int repo_design_put(struct db *db, const struct design_row *row, wall_us now, struct err *e) MUST_CHECK;
/* Records that the team has uploaded the design. Returns 1 when it is new to the team, else 0. */
int repo_design_own(struct db *db, const char *sha256, int64_t team, wall_us now, struct err *e) MUST_CHECK;
/* Finds a design by hash or name. Returns 1 when found. *row: hash, name and clock. text: receives the JSON unless
 * NULL. */
int repo_design_find(struct db *db, const char *hash_or_name, int64_t team, struct design_row *row,
                     struct strbuf *text, struct err *e) MUST_CHECK;
/* A design of any team, for workers, which have its hash from a lease. */
int repo_design_by_hash(struct db *db, const char *sha256, struct design_row *row, struct strbuf *text,
                        struct err *e) MUST_CHECK;
/* Returns 1 when a built-in design has this name: the one from the last server start. */
int repo_design_builtin(struct db *db, const char *name, char sha256[SHA256_HEX], struct err *e) MUST_CHECK;
/* Rows: hash, name, team's slug of team designs with the name of a built-in design. They can be found only by
 * their hash. They were uploaded before that was refused, or before the built-in design existed. */
int repo_design_outnamed(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows: JSON text. */
int repo_design_list(struct db *db, int64_t team, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
