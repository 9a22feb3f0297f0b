/* server/store/repo/repo_projection.h: what the projector reads (results of a run) and writes (its answer so far).
 */
#ifndef VIVACE_SERVER_DB_REPO_PROJECTION_H
#define VIVACE_SERVER_DB_REPO_PROJECTION_H

#include "sampling/communication_split.h"
#include "sampling/cache_bounds.h"
#include "server/store/db/db.h"
#include "wire/metrics.h"

struct run_design_row {
    char name[128];
    double clock_hz; /* NaN: none */
    bool same_gpu;   /* the profile was measured on this GPU */
};
/* Designs of a run in order; malloc'ed. */
int repo_projection_designs(struct db *db, const char *run, struct run_design_row **out, size_t *count,
                            struct err *e) MUST_CHECK;
/* Which of a run's results. */
struct projection_of {
    const char *run, *plan; /* samples are numbered as in this plan, which the run has now or had before */
    wall_us until;          /* those that came no later; 0: all */
};
/* Values of done jobs, [design * samples + sample]. */
struct values_found {
    double *y;                   /* NaN: there is none */
    double *warm;                /* the same, but fully warm where it began with empty caches; NaN: not known */
    double *error;               /* standard error of y where it is projected inside its launch, else 0 */
    uint64_t *empty, *projected; /* per design: values that are so */
};
int repo_projection_values(struct db *db, const struct projection_of *of, size_t designs, size_t samples,
                           const struct values_found *out, struct err *e) MUST_CHECK;

/* Counters of done jobs of the cycle engine: values[design], each initialised for the plan's samples. */
int repo_projection_counters(struct db *db, const struct projection_of *of, struct metric_values *values,
                             size_t designs, struct err *e) MUST_CHECK;

struct projection_row {
    const char *run;
    int design;
    int64_t version;
    const struct projection *p;
    const char *unit;
    uint64_t empty_caches;               /* results that began with empty caches */
    uint64_t projected_inside;           /* results that are projected inside their launches */
    const struct warm_bound *warm_bound; /* of them, if known; else NULL */
    double seconds_per_unit, makespan_s, makespan_half_width_s, measured_s; /* NaN: none */
    const struct communication_split *communication;                        /* NULL: none */
    const char *makespan_interval_why_not;                                  /* NULL: nothing to say */
    double confidence, difference_level; /* difference_level NaN: no look goes by that difference */
    int looks, difference_looks;         /* 0: none */
    const char *level_note;              /* "": none */
};
int repo_projection_put(struct db *db, const struct projection_row *row, wall_us now, struct err *e) MUST_CHECK;
struct comparison_row {
    const char *run;
    int design;
    const struct comparison *c;
    double seconds_per_unit; /* of c; NaN: they are no times */
    double confidence;
    int64_t intervals;      /* that share it */
    int looks;              /* 0: none */
    const char *level_note; /* "": none */
};
int repo_comparison_put(struct db *db, const struct comparison_row *row, struct err *e) MUST_CHECK;

/* What the projector found out about the run as a whole; written only if nobody was ahead of it. 1 written. */
struct run_progress {
    int64_t version, done;
    double eta_s, eta_error_s; /* NaN: not known */
    bool half_notified, promise_notified;
    int strata_notified;
};
int repo_projection_progress(struct db *db, const char *run, const struct run_progress *p,
                             struct err *e) MUST_CHECK;
/* When work on this run began (0: it has not), and how many jobs the cache did. Of the latest that were simulated,
 * at most 5000: how many, and sums over planned cost c (struct plan_stratum.cost) and seconds t. */
struct run_pace {
    wall_us first;
    double cached;
    double count, c, t, cc, ct, tt;
};
/* Of a run of which some is leased. */
int repo_projection_pace(struct db *db, const char *run, struct run_pace *out, struct err *e) MUST_CHECK;
int repo_projection_profile_total(struct db *db, const char *run, double *total_s, bool *ns,
                                  struct err *e) MUST_CHECK;

#endif
