/* server/store/repo/repo_caches.h: how far what launches of a run found in the caches is off (schema/0270,
 * 0300): the request, the launches that are simulated once more, and what they come to. */
#ifndef VIVACE_SERVER_DB_REPO_CACHES_H
#define VIVACE_SERVER_DB_REPO_CACHES_H

#include "base/hash.h"
#include "sampling/cache_error.h"
#include "server/store/repo/repo_task.h"

/* --- Wishes --- */
/* Requests the check of this number of launches of a run, or of the number of an earlier request if that is larger.
 * What was measured for that stays; what failed is tried again. */
int repo_caches_request(struct db *db, const char *run, int64_t launches, const char *by, wall_us now,
                        struct err *e) MUST_CHECK;
/* The same where the run simulates, and its profile has its traces with it; otherwise nothing. */
int repo_caches_request_usual(struct db *db, const char *run, int64_t launches, const char *by, wall_us now,
                              struct err *e) MUST_CHECK;
/* Runs that are over and projected, whose launches are to be chosen: rows to be read by cache_run_read(). */
int repo_caches_requests(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;
struct cache_run {
    char run[UUID_TEXT];
    char traces[SHA256_HEX]; /* the profile's file of them; "": it has none */
    int64_t team, launches;  /* launches: wanted */
    uint64_t of;             /* launches of the profile */
    char simulator[WIRE_VERSION];
    uint64_t looks_back; /* launches before each that are to be replayed */
};
void cache_run_read(const struct db_rows *r, int row, struct cache_run *out);
/* Chosen; why_not NULL: there is something to simulate. */
int repo_caches_chosen(struct db *db, const char *run, const char *why_not, wall_us now, struct err *e) MUST_CHECK;
/* To be chosen again, looking back twice as far; `still`: struct cache_window's. */
int repo_caches_widen(struct db *db, const char *run, unsigned still, struct err *e) MUST_CHECK;

/* --- Choosing --- */
/* Deletes the request if it was made by default. 1: deleted; 0: somebody made it. */
int repo_caches_forget(struct db *db, const char *run, struct err *e) MUST_CHECK;
/* Rows: stratum, cycles on the first design, launch, context, order in it, SHA-256 of its trace, whether it is
 * checked already looking back so far, and whether it was on every design looking back half as far; of launches
 * that every design has simulated, of each stratum at most the requested number, the longest first. */
int repo_caches_candidates(struct db *db, const struct cache_run *run, struct db_rows *out,
                           struct err *e) MUST_CHECK;
/* What the strata of a design's projection make. *version: of that projection, 0: it has no value. */
struct cache_totals {
    struct cache_strata strata; /* of `totals` */
    double *totals;
    int64_t version;
};
int repo_caches_totals(struct db *db, const char *run, int64_t design, struct cache_totals *out,
                       struct err *e) MUST_CHECK;
void cache_totals_release(struct cache_totals *t);
/* One launch, on all designs of the run: those that are known from elsewhere are done at once. trace NULL: it
 * cannot be simulated, and why says so. */
struct cache_launch {
    const char *run, *trace, *why;
    int64_t launch, stratum, before, missing;
    uint64_t looks_back;
};
int repo_caches_put(struct db *db, const struct cache_launch *l, wall_us now, struct err *e) MUST_CHECK;

/* --- Workers --- */
/* What the lease (check, attempt, session) is about: design_sha256, run, number of the design. 1, or 0 when it is
 * not this session's any more. */
int repo_caches_leased(struct db *db, const char *check, uint32_t attempt, const char *session, struct db_rows *out,
                       struct err *e) MUST_CHECK;
struct cache_end {
    struct task_end task;
    uint64_t cycles; /* where it is done */
};
int repo_caches_end(struct db *db, const struct cache_end *end, wall_us now, struct err *e) MUST_CHECK;

/* --- What they come to --- */
/* Finished ones of a design that looked back so far, and what their window holds. */
struct cache_pairs {
    struct cache_pair *items; /* malloc'ed */
    size_t n;
    struct cache_window window;
};
int repo_caches_pairs(struct db *db, const char *run, int64_t design, uint64_t looks_back, struct cache_pairs *out,
                      struct err *e) MUST_CHECK;
/* What was counted last of a design; launches 0: nothing. */
struct cache_known {
    uint64_t launches;
    double relative;
    uint64_t looks_back;
};
int repo_caches_known(struct db *db, const char *run, int64_t design, struct cache_known *out,
                      struct err *e) MUST_CHECK;
struct cache_count {
    const char *run;
    int64_t design, version; /* version: of the projection whose strata it weighs by */
    struct cache_error error;
    struct cache_window window;
};
int repo_caches_count(struct db *db, const struct cache_count *c, wall_us now, struct err *e) MUST_CHECK;
/* Until the transaction ends nobody else weighs the checks of this run, and its request stays as it is. */
struct cache_check_request {
    bool chosen;
    uint64_t looks_back; /* 0: there is no request */
    unsigned still;
    int64_t launches;
};
int repo_caches_lock(struct db *db, const char *run, struct cache_check_request *out, struct err *e) MUST_CHECK;
/* Rows: design's name, relative, settled; of all designs of which something is known. */
int repo_caches_errors(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* Of the run's that look back so far: those that are not over, and those that failed. */
int repo_caches_states(struct db *db, const char *run, uint64_t looks_back, uint64_t *open, uint64_t *failed,
                       struct err *e) MUST_CHECK;

#endif
