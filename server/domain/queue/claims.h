/* server/domain/queue/claims.h: decides which worker gets which job. Fairness is decided here, in memory. The
 * database guarantees correctness. */
#ifndef VIVACE_SERVER_CLAIMS_H
#define VIVACE_SERVER_CLAIMS_H

#include "server/store/repo/repo_claim.h"

struct claims; /* state that is kept between batches: runs, cursors, job durations */
struct claims *claims_new(struct clock *clock, const struct claim_limits *limits, struct err *e);
void claims_free(struct claims *c);
/* The next batch reads runs and cursors again. */
void claims_forget(struct claims *c);
/* Reports the duration of a finished job. Short jobs are leased in packs. */
void claims_learn(struct claims *c, double host_seconds, uint64_t jobs);

struct claim_ask {
    const char *session;
    int64_t token;            /* id of the token in the request; 0: a person's session */
    uint32_t slots, pack;     /* pack: maximum leases per slot; 0: the server decides */
    bool alive;               /* output; false: the session is dead, unknown or belongs to another token */
    struct lease_list leases; /* output; the caller releases it */
};
/* Serves one batch in one transaction. A single claim whose runs are known takes one statement. *more: some run
 * may have more ready jobs. */
int claims_run(struct claims *c, struct db *db, struct claim_ask *asks, size_t count, bool *more,
               struct err *e) MUST_CHECK;

#endif
