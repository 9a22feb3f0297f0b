/* server/store/repo/repo_share.h: share links, and the stored documents of frozen links. */
#ifndef VIVACE_SERVER_DB_REPO_SHARE_H
#define VIVACE_SERVER_DB_REPO_SHARE_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"

struct share_row {
    const char *id; /* public id */
    int64_t team;
    const unsigned char *sha256;
    const char *kind, *object, *name, *made_by;
    const char *question, *runs; /* of a comparison: JSON, and its runs as an array literal; NULL: of others */
    bool hide_names, frozen;
    wall_us created_at, expires_at;
};
int repo_share_put(struct db *db, const struct share_row *s, int64_t *id, struct err *e) MUST_CHECK;
/* The credential of a share link's secret. Returns 1, or 0 when the link is unknown or expired. */
int repo_share_by_secret(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now,
                         struct credential *out, struct err *e) MUST_CHECK;
/* Counts one use of the link. */
int repo_share_opened(struct db *db, int64_t share, wall_us now, struct err *e) MUST_CHECK;
/* Times of a link in ISO 8601: its expiry, and the moment whose data it shows. frozen_at is empty if the link
 * shows current data. */
struct share_times {
    char expires_at[24], frozen_at[24], discarded_at[24]; /* "": never */
};
int repo_share_times(struct db *db, int64_t share, struct share_times *out, struct err *e) MUST_CHECK;
/* Appends the question of a link that shows a comparison, as JSON. 1: found, 0: the link shows another object. */
int repo_share_question(struct db *db, int64_t share, struct strbuf *out, struct err *e) MUST_CHECK;
/* Rows: JSON, id; the newest last. */
int repo_share_list(struct db *db, int64_t team, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e) MUST_CHECK;
int repo_share_delete(struct db *db, const char *id, int64_t team, struct err *e) MUST_CHECK; /* 1 or 0 */
/* Returns 1 when the run uses the plan. */
int repo_share_run_of_plan(struct db *db, const char *run, const char *plan, struct err *e) MUST_CHECK;

int repo_share_document_put(struct db *db, int64_t share, const char *address, const char *body,
                            struct err *e) MUST_CHECK;
int repo_share_document(struct db *db, int64_t share, const char *address, struct strbuf *out,
                        struct err *e) MUST_CHECK; /* 1: found, 0: none */

#endif
