/* server/domain/queue/claims.h: which worker gets which job. Fairness is decided here, in memory; correctness in
 * the database.
 */
#ifndef VIVACE_SERVER_CLAIMS_H
#define VIVACE_SERVER_CLAIMS_H

#include "server/store/repo/repo_claim.h"

struct claims; /* what is remembered between batches: runs, cursors, pace */
struct claims *claims_new(struct clock *clock, const struct claim_limits *limits, struct err *e);
void claims_free(struct claims *c);
/* Runs and cursors are looked up again at the next batch. */
void claims_forget(struct claims *c);
/* A job of some run took so long: short ones are given out in packs. */
void claims_learn(struct claims *c, double host_seconds, uint64_t jobs);

struct claim_ask {
    const char *session;
    int64_t token;            /* what it came with; 0: a person's session */
    uint32_t slots, pack;     /* pack: leases a slot at most; 0: the farm decides */
    bool alive;               /* out: false: the session is dead, unknown or another token's */
    struct lease_list leases; /* out; the caller releases it */
};
/* One batch, one transaction; a single ask, where nothing has to be looked up for it, one statement. *more: some
 * run may have jobs left. */
int claims_run(struct claims *c, struct db *db, struct claim_ask *asks, size_t count, bool *more,
               struct err *e) MUST_CHECK;

#endif
