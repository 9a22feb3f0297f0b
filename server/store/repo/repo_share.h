/* server/store/repo/repo_share.h: share links and what frozen ones show. */
#ifndef VIVACE_SERVER_DB_REPO_SHARE_H
#define VIVACE_SERVER_DB_REPO_SHARE_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"

struct share_row {
    const char *id; /* shown outside */
    int64_t team;
    const unsigned char *sha256;
    const char *kind, *object, *name, *made_by;
    bool hide_names, frozen;
    wall_us created_at, expires_at;
};
int repo_share_put(struct db *db, const struct share_row *s, int64_t *id, struct err *e) MUST_CHECK;
/* The credential of who has the link: 1, 0 unknown or expired. */
int repo_share_by_secret(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now,
                         struct credential *out, struct err *e) MUST_CHECK;
/* It was opened once more. */
int repo_share_opened(struct db *db, int64_t share, wall_us now, struct err *e) MUST_CHECK;
/* Until when it is good, and which moment it shows: ISO 8601; frozen_at is empty for one that shows the present. */
struct share_times {
    char expires_at[24], frozen_at[24], discarded_at[24]; /* "": never */
};
int repo_share_times(struct db *db, int64_t share, struct share_times *out, struct err *e) MUST_CHECK;
/* JSON, id: newest last. */
int repo_share_list(struct db *db, int64_t team, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e) MUST_CHECK;
int repo_share_delete(struct db *db, const char *id, int64_t team, struct err *e) MUST_CHECK; /* 1, 0 */
/* Whether the run was made of the plan. */
int repo_share_run_of_plan(struct db *db, const char *run, const char *plan, struct err *e) MUST_CHECK;

int repo_share_document_put(struct db *db, int64_t share, const char *address, const char *body,
                            struct err *e) MUST_CHECK;
int repo_share_document(struct db *db, int64_t share, const char *address, struct strbuf *out,
                        struct err *e) MUST_CHECK; /* 1, 0 */

#endif
