/* server/store/repo/repo_projection.h: the results of a run that the projector reads, and the estimates that it
 * writes. */
#ifndef VIVACE_SERVER_DB_REPO_PROJECTION_H
#define VIVACE_SERVER_DB_REPO_PROJECTION_H

#include "sampling/estimate/communication_split.h"
#include "sampling/checks/cache_bounds.h"
#include "server/store/db/db.h"
#include "wire/metrics.h"
#include "wire/result.h"

struct run_design_row {
    char name[128];
    double clock_hz; /* NaN: none */
    bool same_gpu;   /* the profile was measured on this GPU */
    bool builtin;    /* the built-in design of this name, not a team's of the same name */
};
/* The designs of a run in order. The caller frees *out. */
int repo_projection_designs(struct db *db, const char *run, struct run_design_row **out, size_t *count,
                            struct err *e) MUST_CHECK;
/* Rows: each kernel name of a run's plan and its planned total; the name is empty where a stratum has several. */
int repo_projection_kernels(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* Selects results of a run. */
struct projection_of {
    const char *run, *plan; /* the plan whose numbers the samples have: the run's current plan or an earlier one */
    wall_us until;          /* results that were stored by this time; 0: all */
};
/* What the results of a design say about their traces. A function of the set of results, whatever its order. */
enum { FOREIGN_SENTENCES = 4 };
struct trace_warnings {
    size_t foreign_count;
    char foreign[FOREIGN_SENTENCES]
                [RESULT_FOREIGN_TEXT];    /* sorted; if there are more, only the first FOREIGN_SENTENCES */
    uint64_t partial;                     /* number of results whose trace lacks CTAs */
    size_t first_partial;                 /* the sample with the lowest number among them */
    char first_ctas[RESULT_PARTIAL_TEXT]; /* its "20 of 80" */
};
/* Values of done jobs, indexed [design * samples + sample]. */
struct values_found {
    double *y;     /* NaN: no value */
    double *warm;  /* as y, but for warm caches if the simulation began with empty caches; NaN: unknown */
    double *error; /* standard error of y if it was projected inside its launch, else 0 */
    uint64_t *empty, *projected; /* for each design: number of values with empty caches, and of projected values */
    struct trace_warnings *traces; /* for each design */
};
int repo_projection_values(struct db *db, const struct projection_of *of, size_t designs, size_t samples,
                           const struct values_found *out, struct err *e) MUST_CHECK;

/* Performance counters of done jobs of the cycle engine. values[design]: initialized by the caller for the plan's
 * samples. */
int repo_projection_counters(struct db *db, const struct projection_of *of, struct metric_values *values,
                             size_t designs, struct err *e) MUST_CHECK;

struct projection_row {
    const char *run;
    int design;
    int64_t version;
    const struct projection *p;
    const char *unit;
    uint64_t empty_caches;               /* number of results that began with empty caches */
    uint64_t projected_inside;           /* number of results that were projected inside their launches */
    const char *warnings;                /* JSON: a list of sentences */
    const struct warm_bound *warm_bound; /* of the results with empty caches; NULL: unknown */
    double seconds_per_unit, makespan_s, makespan_half_width_s, measured_s; /* NaN: none */
    const struct communication_split *communication;                        /* NULL: none */
    const char *makespan_interval_why_not;                                  /* NULL: there is an interval */
    double confidence, difference_level; /* difference_level NaN: no interim analysis uses the difference */
    int analyses, difference_analyses;   /* number of interim analyses that share the level; 0: none */
    const char *level_note;              /* "": none */
};
int repo_projection_put(struct db *db, const struct projection_row *row, wall_us now, struct err *e) MUST_CHECK;
struct comparison_row {
    const char *run;
    int design;
    const struct comparison *c;
    double seconds_per_unit; /* factor for c; NaN: the values are no times */
    double confidence;
    int64_t intervals;      /* number of intervals that share the confidence */
    int analyses;           /* number of interim analyses that share the level; 0: none */
    const char *level_note; /* "": none */
};
int repo_comparison_put(struct db *db, const struct comparison_row *row, struct err *e) MUST_CHECK;

/* Facts about the whole run that the projector has computed. They are written only if no newer version was
 * written. Returns 1 when written. */
struct run_progress {
    int64_t version, done;
    double eta_s, eta_error_s; /* NaN: unknown */
    bool half_notified, promise_notified;
    int strata_notified;
};
int repo_projection_progress(struct db *db, const char *run, const struct run_progress *p,
                             struct err *e) MUST_CHECK;
/* The start of the work on this run (0: not started), and the number of jobs whose result existed. Of the latest
 * simulated jobs, at most 5000: their number, and sums over planned cost c (struct plan_stratum.cost) and seconds
 * t. */
struct run_pace {
    wall_us first;
    double cached;
    double count, c, t, cc, ct, tt;
};
/* Only for a run with leased jobs. */
int repo_projection_pace(struct db *db, const char *run, struct run_pace *out, struct err *e) MUST_CHECK;
int repo_projection_profile_total(struct db *db, const char *run, double *total_s, bool *ns,
                                  struct err *e) MUST_CHECK;

#endif
