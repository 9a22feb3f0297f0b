/* cli/output/parts.h: prints a projection. Each kind of uncertainty has a separate line; they are never combined.
 */
#ifndef VIVACE_CLI_PARTS_H
#define VIVACE_CLI_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "sampling/checks/cache_error.h"

#define PARTS_CHECKS_MAX 8
/* The options of commands that make projections. `r` has the members estimator, kappa, collapse and bootstrap. */
#define CLI_ESTIMATOR_OPTIONS(r)                                                                                   \
    {"estimator",                                                                                                  \
     0,                                                                                                            \
     CLI_TEXT,                                                                                                     \
     "NAME",                                                                                                       \
     &(r).estimator,                                                                                               \
     "estimator of the total: planned (default), expansion, ratio, separate_ratio, difference, regression"},       \
        {"kappa",                                                                                                  \
         0,                                                                                                        \
         CLI_DOUBLE,                                                                                               \
         "X",                                                                                                      \
         &(r).kappa,                                                                                               \
         "for difference: expected ratio of a launch's time to its profiled time (default 1), or its cycles per "  \
         "instruction"},                                                                                           \
        {"collapse",    0,                                                                                         \
         CLI_FLAG,      NULL,                                                                                      \
         &(r).collapse, "for strata with one sample: compare neighbours to get an interval"},                      \
    {                                                                                                              \
        "bootstrap", 0, CLI_FLAG, NULL, &(r).bootstrap, "check the interval by resampling"                         \
    }

/* The same total by another estimator. Seconds are NaN if only cycles are known. */
struct parts_check {
    const char *name;
    double value_s, half_width_s, value, half_width;
};
/* The interval by resampling (bootstrap). */
struct parts_bootstrap {
    double low_s, high_s, low, high;
    const char *sentence, *why_not; /* why_not: the reason why there is none */
};
/* A number that is not known is NaN; the text after it then has the reason. A text may be NULL or "" where it does
 * not apply. */
struct projection_parts {
    const char *design;
    double sum_s, half_width_s;           /* of all launches in series */
    double sum_cycles, half_width_cycles; /* as sum_s and half_width_s, in cycles of the simulator */
    const char *sum_why_not;
    /* warm_s, warm_half_width_s: the total if all launches that began with empty caches had fully warm caches.
     * low_s, high_s: the range that both intervals cover. NaN: no such launches, or not known. */
    double warm_s, warm_half_width_s, low_s, high_s;
    double warm_cycles, warm_half_width_cycles, low_cycles, high_cycles;
    double relative, level, df; /* the interval; relative is half-width / sum */
    const char *level_note;     /* why the level differs from the confidence; NULL or "": it is the same */
    double planned;             /* the relative half-width that the plan aimed at; NaN: it promises none */
    const char *interval_why_not;
    const char *warning; /* a further sentence about the interval */
    double model_error;  /* simulated / measured - 1, on the profiled GPU's own design */
    double simulated_s, measured_s;
    const char *model_why_not;
    const json_t *validated; /* model_errors_to_json() of wire/model_error.h; NULL: not known */
    size_t cache_launches;   /* launches that were also simulated after a replay; 0: none */
    struct cache_window
        cache_window; /* the replayed launches; before 0: not requested; wanted 0: their number is not known */
    double cache_share, cache_error, cache_min, cache_max; /* least, most: range over single launches */
    uint64_t communication_launches; /* launches that wait for other GPUs; 0: none, or not known */
    double communication_s, communication_half_width_s, other_s, other_half_width_s, communication_profiled_s;
    double makespan_s, makespan_half_width_s, measured_makespan_s;
    const char *makespan_why_not, *makespan_interval_why_not;
    const char *estimator;       /* printed where it is not an estimator of plans */
    const char *variance_method; /* printed where the interval is not a plain t interval */
    size_t check_count;
    struct parts_check checks[PARTS_CHECKS_MAX];
    const struct parts_bootstrap *bootstrap; /* NULL: not requested */
};

/* Prints a heading and four lines to stdout; each warning and each cross-check takes one line more. */
void parts_print(const struct projection_parts *p);
/* As parts_print(), without model error and makespan, which do not depend on the estimator. */
void parts_print_estimate(const struct projection_parts *p);
/* The stratum with the largest share of an interval's variance. */
struct parts_doubt {
    size_t stratum;
    uint64_t done; /* number of its simulated launches */
    double share;
};
/* Where an interval is more than 1.5 times as wide as planned, prints the stratum that causes it; else returns
 * false. The caller prints the advice. */
bool parts_print_wider(double relative, double planned, const struct parts_doubt *most);
/* A short verdict on a difference between designs. */
const char *parts_verdict(bool distinguishable, bool cache_reversible);
/* Prints a note where launches began with empty caches, so that the figures do not include cache reuse between
 * launches. */
void parts_print_empty_caches(size_t empty, size_t launches);

/* Prints, below a table of metrics, that the interval of a metric is not promised, with the reason. */
void parts_print_not_promised(const char *metric, const char *design, const char *why);

/* Prints a note where some results are projected inside their launches. half: the largest half-width of each, as a
 * share of its cycles. */
void parts_print_inside(size_t projected, size_t results, double half);

/* Prints a note on the rows of a table by part that have too few results for an interval; nothing for 0. kind:
 * "layer", ... */
void parts_print_few(size_t rows, const char *kind);
/* Says how many rows have no total because their estimate is negative. */
void parts_print_below_zero(size_t rows);

/* Prints the errors that no interval covers, one line for each. */
void parts_print_not_covered(void);

#endif
