/* server/store/repo/repo_idempotency.h: answers kept for requests that may be repeated (schema/0115). */
#ifndef VIVACE_SERVER_DB_REPO_IDEMPOTENCY_H
#define VIVACE_SERVER_DB_REPO_IDEMPOTENCY_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

#define IDEMPOTENCY_KEPT_US (INT64_C(24) * 3600 * 1000000)

struct idempotent_key {
    int64_t team;
    const char *key;
    const unsigned char *request; /* 32 bytes: hash of what was asked */
    const char *holder;           /* the server that answers it */
    wall_us until;                /* when it has given up, so that another may answer */
};
enum idempotent_state {
    IDEMPOTENT_NEW,
    IDEMPOTENT_RUNNING,
    IDEMPOTENT_ANSWERED,
    IDEMPOTENT_MADE,
    IDEMPOTENT_OTHER
};
struct idempotent_answer {
    int status;
    char made[UUID_TEXT];
    char location[160];
    struct strbuf body; /* the caller releases it */
};

/* NEW: the key is ours until `until`, and end or drop must follow. -1: the same, since the database may have taken
 * the key and only its answer was lost. ANSWERED: *answer is filled. MADE: what was
 * asked for exists, answer->made; only the answer was lost. OTHER: the key belongs to another request. */
int repo_idempotency_begin(struct db *db, const struct idempotent_key *k, wall_us now, enum idempotent_state *state,
                           struct idempotent_answer *answer, struct err *e) MUST_CHECK;
/* Inside the transaction that makes something: what the request of this key has made, so that its repetition finds
 * it whatever becomes of the answer. ERR_CONFLICT: somebody else answers the request by now. NULL: it has no key.
 */
int repo_idempotency_made(struct db *db, const struct idempotent_key *once, const char *id,
                          struct err *e) MUST_CHECK;
int repo_idempotency_end(struct db *db, const struct idempotent_key *k, const struct idempotent_answer *answer,
                         struct err *e) MUST_CHECK;
/* Without an answer: deleted, unless something was made, or another request holds the key by now. */
int repo_idempotency_drop(struct db *db, const struct idempotent_key *k, struct err *e) MUST_CHECK;
/* Forgets answers begun before, and what this holder was answering when it was killed. */
int repo_idempotency_expire(struct db *db, wall_us before, struct err *e) MUST_CHECK;
int repo_idempotency_resume(struct db *db, const char *holder, struct err *e) MUST_CHECK;

#endif
