/* server/store/repo/repo_discard.h: discards wrong results and everything computed from them. */
#ifndef VIVACE_SERVER_DB_REPO_DISCARD_H
#define VIVACE_SERVER_DB_REPO_DISCARD_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

enum { DISCARD_MAX = 100000 }; /* maximum number of results in one call */

/* Selects results that match all given members. At least one must be given. */
struct discard_choice {
    const char *worker, *simulator;
    const char *from, *to; /* timestamps in PostgreSQL's format: from inclusive, to exclusive */
    const char *result;    /* id, or key in hex */
    bool quarantined;      /* only quarantined results */
};
/* ids: array literal of at most DISCARD_MAX matching results that are valid or quarantined. *count: the number of
 * all that match. */
int repo_discard_choose(struct db *db, const struct discard_choice *c, struct strbuf *ids, int64_t *count,
                        struct err *e) MUST_CHECK;
/* The effect of discarding these results: numbers of results, jobs, runs, workers, … (api/runs.json, DiscardCost),
 * one object. */
int repo_discard_cost_json(struct db *db, const char *ids, struct strbuf *out, struct err *e) MUST_CHECK;

struct quarantine {
    const char *first, *second; /* workers with different results */
};
struct discard {
    const char *id, *by, *why, *chosen; /* chosen: the selection as JSON */
    wall_us at;
    /* NULL: the results are discarded. Otherwise they are quarantined: their jobs fail until a site admin discards
     * them. */
    const struct quarantine *quarantine;
};
/* Call inside a transaction that holds the admission lock. Archived jobs are moved back. The jobs that used these
 * results become blocked, or cancelled in cancelled runs. Ended runs continue. Everything computed from the
 * results is deleted. runs: rows with the id of each affected run and the number of its affected jobs. */
int repo_discard(struct db *db, const struct discard *d, const char *ids, struct db_rows *runs,
                 struct err *e) MUST_CHECK;
/* Lists past discards, newest first. Each row: the discard as JSON, its id. */
int repo_discard_list(struct db *db, const char *after, uint64_t limit, struct db_rows *out,
                      struct err *e) MUST_CHECK;
/* Appends a discard as JSON (api/runs.json, Discard) and returns 1, or 0 when there is none with this id. */
int repo_discard_find(struct db *db, const char *id, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
