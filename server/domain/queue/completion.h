/* server/domain/queue/completion.h: stores reports of ended attempts, one transaction for each batch.
 *
 * Reports are idempotent. A report whose lease has expired still contributes its result, because results are
 * deterministic. If a second result with the same key has another digest, both are stored and marked. */
#ifndef VIVACE_SERVER_COMPLETION_H
#define VIVACE_SERVER_COMPLETION_H

#include "server/store/db/db.h"
#include "wire/lease.h"

struct completion_counts {
    uint64_t done, late, disputed, ended[OUTCOME_COUNT];
    double host_seconds; /* of the jobs done */
    uint64_t cycles;
};
/* recheck: the fraction of new results that a second worker simulates, too. The key decides which ones.
 * answers[i] belongs to requests[i]; the caller releases them. On -1 nothing was stored and the answers are
 * empty. */
int completion_run(struct db *db, struct clock *clock, double recheck,
                   const struct complete_request *const *requests, size_t count, struct complete_answer *answers,
                   struct completion_counts *counts, struct err *e) MUST_CHECK;

#endif
