/* server/domain/queue/completion.h: reports of ended attempts -> database, one transaction a batch.
 *
 * Repeating a report is harmless; a report whose lease is gone still gives its result, which is equal for everyone;
 * another digest under a known key is kept beside the first and both are marked. */
#ifndef VIVACE_SERVER_COMPLETION_H
#define VIVACE_SERVER_COMPLETION_H

#include "server/store/db/db.h"
#include "wire/lease.h"

struct completion_counts {
    uint64_t done, late, disputed, ended[OUTCOME_COUNT];
    double host_seconds; /* of those done */
    uint64_t cycles;
};
/* recheck: the share of new results that a second worker simulates, too; which ones, their keys decide.
 * answers[i] belongs to requests[i]; the caller releases them. On -1 nothing was stored and answers are empty. */
int completion_run(struct db *db, struct clock *clock, double recheck,
                   const struct complete_request *const *requests, size_t count, struct complete_answer *answers,
                   struct completion_counts *counts, struct err *e) MUST_CHECK;

#endif
