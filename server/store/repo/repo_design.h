/* server/store/repo/repo_design.h: GPU designs by hash. A team knows the built-in ones and those that
 * it has sent. A built-in design's name means that design; of another name, what the team sent last answers to it.
 */
#ifndef VIVACE_SERVER_DB_REPO_DESIGN_H
#define VIVACE_SERVER_DB_REPO_DESIGN_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"

struct design_row {
    char sha256[SHA256_HEX], name[128];
    double clock_hz;
    int64_t sms;
    const char *gpu_names; /* array literal of texts */
    const char *json;
    bool builtin;
};
/* Stores it; a built-in one is stamped as seen now. Who may see another is what repo_design_own() says. */
int repo_design_put(struct db *db, const struct design_row *row, wall_us now, struct err *e) MUST_CHECK;
/* The team has sent it. 1: it is new to the team, 0: it was known. */
int repo_design_own(struct db *db, const char *sha256, int64_t team, wall_us now, struct err *e) MUST_CHECK;
/* By hash or name; 1 found. *row: hash, name and clock; json goes to `text` when that is not NULL. */
int repo_design_find(struct db *db, const char *hash_or_name, int64_t team, struct design_row *row,
                     struct strbuf *text, struct err *e) MUST_CHECK;
/* Whosever it is: for workers, which have the hash from a lease. */
int repo_design_by_hash(struct db *db, const char *sha256, struct design_row *row, struct strbuf *text,
                        struct err *e) MUST_CHECK;
/* 1: a built-in design has this name; the one that a server carried last. */
int repo_design_builtin(struct db *db, const char *name, char sha256[SHA256_HEX], struct err *e) MUST_CHECK;
/* Rows: hash, name, team's slug: designs of teams that have a built-in one's name, and so answer to their hash
 * alone. They were sent before that was refused, or before there was a built-in one of the name. */
int repo_design_outnamed(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows: JSON text. */
int repo_design_list(struct db *db, int64_t team, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
