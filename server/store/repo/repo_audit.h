/* server/store/repo/repo_audit.h: the audit log. Rows are only added, and are deleted after a year. */
#ifndef VIVACE_SERVER_DB_REPO_AUDIT_H
#define VIVACE_SERVER_DB_REPO_AUDIT_H

#include "server/store/db/db.h"

struct audit_row {
    wall_us at;
    int64_t team; /* 0: an action on the farm */
    char actor[64], credential[64], address[46], object[96], request_id[37];
    const char *action;
    int outcome; /* HTTP status of the answer */
};
int repo_audit_put(struct db *db, const struct audit_row *row, struct err *e) MUST_CHECK;
/* Rows, newest first: JSON, id, and the columns of audit_columns. team 0: all teams. after "": the first page.
 * action, since (a timestamp) NULL: any. */
extern const char *const audit_columns[]; /* ends with NULL */
int repo_audit_list(struct db *db, int64_t team, const char *action, const char *since, const char *after,
                    uint64_t limit, struct db_rows *out, struct err *e) MUST_CHECK;
/* Deletes a batch of the rows that are older than that time. */
int repo_audit_expire(struct db *db, wall_us before, struct err *e) MUST_CHECK;

#endif
