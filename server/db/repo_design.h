/* server/db/repo_design.h: GPU designs by hash; the latest one of a name answers to it. */
#ifndef VIVACE_SERVER_DB_REPO_DESIGN_H
#define VIVACE_SERVER_DB_REPO_DESIGN_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/db/db.h"

struct design_row {
    char sha256[SHA256_HEX], name[128];
    double clock_hz;
    int64_t sms;
    const char *gpu_names; /* array literal of texts */
    const char *json;
    bool builtin;
};
/* Stores it, or stamps it as seen now. 1: it is new, 0: it was there. */
int repo_design_put(struct db *db, const struct design_row *row, wall_us now, struct err *e) MUST_CHECK;
/* By hash or name; 1 found. *row: hash, name and clock; json goes to `text` when that is not NULL. */
int repo_design_find(struct db *db, const char *hash_or_name, struct design_row *row, struct strbuf *text,
                     struct err *e) MUST_CHECK;
/* Rows: JSON text. */
int repo_design_list(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
