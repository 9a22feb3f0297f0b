/* server/store/repo/repo_discard.h: results that were found wrong, and all that was worked out of them. */
#ifndef VIVACE_SERVER_DB_REPO_DISCARD_H
#define VIVACE_SERVER_DB_REPO_DISCARD_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

enum { DISCARD_MAX = 100000 }; /* results at once */

/* All that are given hold at once; at least one is. */
struct discard_choice {
    const char *worker, *simulator;
    const char *from, *to; /* times as PostgreSQL reads them: since, and before that */
    const char *result;    /* its id, or its key in hex */
    bool quarantined;      /* those alone */
};
/* ids: an array literal of at most DISCARD_MAX results that count or are quarantined; *count of them, more where
 * there are more. */
int repo_discard_choose(struct db *db, const struct discard_choice *c, struct strbuf *ids, int64_t *count,
                        struct err *e) MUST_CHECK;
/* What discarding these does: results, jobs, runs, workers, … (api/runs.json, DiscardCost), one object. */
int repo_discard_cost_json(struct db *db, const char *ids, struct strbuf *out, struct err *e) MUST_CHECK;

struct quarantine {
    const char *first, *second; /* workers that had different results */
};
struct discard {
    const char *id, *by, *why, *chosen; /* chosen: JSON */
    wall_us at;
    /* NULL: the results are discarded. Else their jobs fail, until somebody discards them. */
    const struct quarantine *quarantine;
};
/* Inside a transaction that holds the admission lock. What is in archives comes back; the jobs that were done by
 * these results are blocked, those of cancelled runs cancelled; runs that were over go on; what was worked out of
 * the results is deleted. runs: id of each run that used one, and how many of its jobs did. */
int repo_discard(struct db *db, const struct discard *d, const char *ids, struct db_rows *runs,
                 struct err *e) MUST_CHECK;
/* All that were done, newest first: JSON, id. */
int repo_discard_list(struct db *db, const char *after, uint64_t limit, struct db_rows *out,
                      struct err *e) MUST_CHECK;

#endif
