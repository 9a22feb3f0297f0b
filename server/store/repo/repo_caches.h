/* server/store/repo/repo_caches.h: measures the error that comes from the cache state at the start of a run's
 * launches. Contains the request, the launches that are simulated again after the launches before them (warm
 * caches), and the measured errors. */
#ifndef VIVACE_SERVER_DB_REPO_CACHES_H
#define VIVACE_SERVER_DB_REPO_CACHES_H

#include "base/hash.h"
#include "sampling/checks/cache_error.h"
#include "server/store/repo/repo_task.h"

/* --- Requests --- */
/* Requests a check of this number of launches of a run. If an earlier request has a larger number, that one
 * counts. Measured launches are kept. Failed ones are tried again. */
int repo_caches_request(struct db *db, const char *run, int64_t launches, const char *by, wall_us now,
                        struct err *e) MUST_CHECK;
/* Makes the default request: only if the run uses simulation and its profile has a trace file. Otherwise it does
 * nothing. */
int repo_caches_request_usual(struct db *db, const char *run, int64_t launches, const char *by, wall_us now,
                              struct err *e) MUST_CHECK;
/* Rows for cache_run_read(): ended and projected runs with a request whose launches are not chosen yet. */
int repo_caches_requests(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;
struct cache_run {
    char run[UUID_TEXT];
    char traces[SHA256_HEX]; /* hash of the profile's file of traces; "": none */
    int64_t team, launches;  /* launches: the requested number */
    uint64_t of;             /* number of launches in the profile */
    char simulator[WIRE_VERSION];
    uint64_t looks_back; /* number of preceding launches that are replayed to warm the caches */
};
void cache_run_read(const struct db_rows *r, int row, struct cache_run *out);
/* The launches are chosen. why_not: the reason why none can be simulated, else NULL. */
int repo_caches_chosen(struct db *db, const char *run, const char *why_not, wall_us now, struct err *e) MUST_CHECK;
/* The launches must be chosen again with twice as many preceding launches. still: the member of struct
 * cache_window. */
int repo_caches_widen(struct db *db, const char *run, unsigned still, struct err *e) MUST_CHECK;

/* --- Choice of launches --- */
/* Deletes a request that was made by default. Returns 1 when deleted, 0 when a user made it. */
int repo_caches_forget(struct db *db, const char *run, struct err *e) MUST_CHECK;
/* Rows: stratum, cycles on the first design, launch, context, order in the context, SHA-256 of its trace, whether
 * a check with this looks_back exists, and whether checks on every design with half of it exist. Contains launches
 * that every design has simulated: for each stratum at most the requested number, the longest first. */
int repo_caches_candidates(struct db *db, const struct cache_run *run, struct db_rows *out,
                           struct err *e) MUST_CHECK;
/* The strata of a design's projection. *version: the version of the projection; 0: it has no value. */
struct cache_totals {
    struct cache_strata strata; /* its pointers refer to `totals` */
    double *totals;
    int64_t version;
};
int repo_caches_totals(struct db *db, const char *run, int64_t design, struct cache_totals *out,
                       struct err *e) MUST_CHECK;
void cache_totals_release(struct cache_totals *t);
/* One launch to check on all designs of the run. A check whose result is known from another run is done at once.
 * trace NULL: the launch cannot be simulated; `why` has the reason. */
struct cache_launch {
    const char *run, *trace, *why;
    int64_t launch, stratum, before, missing;
    uint64_t looks_back;
};
int repo_caches_put(struct db *db, const struct cache_launch *l, wall_us now, struct err *e) MUST_CHECK;

/* --- Workers --- */
/* Row: design_sha256, run, number of the design of the lease (check, attempt, session). Returns 1, or 0 when the
 * session does not have this lease any more. */
int repo_caches_leased(struct db *db, const char *check, uint32_t attempt, const char *session, struct db_rows *out,
                       struct err *e) MUST_CHECK;
struct cache_end {
    struct task_end task;
    uint64_t cycles; /* result of a check that is done */
};
int repo_caches_end(struct db *db, const struct cache_end *end, wall_us now, struct err *e) MUST_CHECK;

/* --- Measured errors --- */
/* The finished checks of a design with this looks_back, and their window. */
struct cache_pairs {
    struct cache_pair *items; /* allocated; the caller frees it */
    size_t n;
    struct cache_window window;
};
int repo_caches_pairs(struct db *db, const char *run, int64_t design, uint64_t looks_back, struct cache_pairs *out,
                      struct err *e) MUST_CHECK;
/* The last stored error of a design. launches 0: none. */
struct cache_known {
    uint64_t launches;
    double relative;
    uint64_t looks_back;
};
int repo_caches_known(struct db *db, const char *run, int64_t design, struct cache_known *out,
                      struct err *e) MUST_CHECK;
struct cache_count {
    const char *run;
    int64_t design, version; /* version: of the projection whose strata are the weights */
    struct cache_error error;
    struct cache_window window;
};
int repo_caches_count(struct db *db, const struct cache_count *c, wall_us now, struct err *e) MUST_CHECK;
/* Locks the request and the computation of the error of this run until the transaction ends. */
struct cache_check_request {
    bool chosen;
    uint64_t looks_back; /* 0: there is no request */
    unsigned still;
    int64_t launches;
};
int repo_caches_lock(struct db *db, const char *run, struct cache_check_request *out, struct err *e) MUST_CHECK;
/* Rows: design's name, relative error, settled; for all designs with a stored error. */
int repo_caches_errors(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* Counts the run's checks with this looks_back that are not over, and those that failed. */
int repo_caches_states(struct db *db, const char *run, uint64_t looks_back, uint64_t *open, uint64_t *failed,
                       struct err *e) MUST_CHECK;

#endif
