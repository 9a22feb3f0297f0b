/* server/store/repo/repo_idempotency.h: idempotency keys and the stored answers of requests that a client may
 * repeat. */
#ifndef VIVACE_SERVER_DB_REPO_IDEMPOTENCY_H
#define VIVACE_SERVER_DB_REPO_IDEMPOTENCY_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

#define IDEMPOTENCY_KEPT_US (INT64_C(24) * 3600 * 1000000)

struct idempotent_key {
    int64_t team;
    const char *key;
    const unsigned char *request; /* 32 bytes: hash of the request */
    const char *holder;           /* id of the server that processes the request */
    wall_us until;                /* after this time another server may process it */
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

/* Reserves the key. NEW: this server has the key until `until`, and must call _end or _drop. ANSWERED: *answer is
 * set. MADE: the requested object exists (answer->made), but its answer was lost. OTHER: another request has used
 * the key. On -1 the database may have reserved the key, so the caller must treat it as NEW. */
int repo_idempotency_begin(struct db *db, const struct idempotent_key *k, wall_us now, enum idempotent_state *state,
                           struct idempotent_answer *answer, struct err *e) MUST_CHECK;
/* Records the id of the object that the request with this key has created, in the transaction that creates it. A
 * repeated request then finds the object even if the answer was lost. once NULL: the request has no key.
 * ERR_CONFLICT: another server processes the request now. */
int repo_idempotency_made(struct db *db, const struct idempotent_key *once, const char *id,
                          struct err *e) MUST_CHECK;
int repo_idempotency_end(struct db *db, const struct idempotent_key *k, const struct idempotent_answer *answer,
                         struct err *e) MUST_CHECK;
/* Deletes a key without an answer, unless the request has created an object or another request has reserved the
 * key. */
int repo_idempotency_drop(struct db *db, const struct idempotent_key *k, struct err *e) MUST_CHECK;
/* _expire deletes the keys of requests that are older than that time. _resume frees the keys that this server had
 * reserved when it was killed. */
int repo_idempotency_expire(struct db *db, wall_us before, struct err *e) MUST_CHECK;
int repo_idempotency_resume(struct db *db, const char *holder, struct err *e) MUST_CHECK;

#endif
