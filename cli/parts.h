/* cli/parts.h: a projection for people, each kind of doubt on a line of its own, never folded into one number. */
#ifndef VIVACE_CLI_PARTS_H
#define VIVACE_CLI_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/cache_error.h"

#define PARTS_CHECKS_MAX 8
/* The options of commands that project: `r` has estimator, kappa, collapse and bootstrap. */
#define CLI_ESTIMATOR_OPTIONS(r)                                                                                   \
    {"estimator",                                                                                                  \
     0,                                                                                                            \
     CLI_TEXT,                                                                                                     \
     "NAME",                                                                                                       \
     &(r).estimator,                                                                                               \
     "how the total follows: planned (default), expansion, ratio, separate_ratio, difference, regression"},        \
        {"kappa",                                                                                                  \
         0,                                                                                                        \
         CLI_DOUBLE,                                                                                               \
         "X",                                                                                                      \
         &(r).kappa,                                                                                               \
         "difference: a launch is expected to take X times its profiled time (default 1), or X cycles an "         \
         "instruction"},                                                                                           \
        {"collapse",    0,                                                                                         \
         CLI_FLAG,      NULL,                                                                                      \
         &(r).collapse, "strata with one sample: hold neighbours against each other for an interval"},             \
    {                                                                                                              \
        "bootstrap", 0, CLI_FLAG, NULL, &(r).bootstrap, "check the interval by resampling"                         \
    }

/* The same total by another estimator. NaN seconds: cycles only. */
struct parts_check {
    const char *name;
    double value_s, half_width_s, value, half_width;
};
/* The interval once more, by resampling. */
struct parts_bootstrap {
    double low_s, high_s, low, high;
    const char *sentence, *why_not; /* why_not: there is none */
};
/* NaN: not known; then the reason beside it is said. Texts may be NULL or "" where there is nothing to say. */
struct projection_parts {
    const char *design;
    double sum_s, half_width_s;           /* of all launches, one after the other */
    double sum_cycles, half_width_cycles; /* the same as the simulator counts */
    const char *sum_why_not;
    /* The same if all launches that began with empty caches were fully warm, and what both intervals cover. NaN:
     * there are none, or it is not known. */
    double warm_s, warm_half_width_s, low_s, high_s;
    double warm_cycles, warm_half_width_cycles, low_cycles, high_cycles;
    double relative, level, df; /* the interval; relative is half-width / sum */
    const char *level_note;     /* why the level is not the confidence; NULL or "": it is */
    double planned;             /* the relative half-width that the plan aimed at; NaN: it promises none */
    const char *interval_why_not;
    const char *warning; /* one sentence more about the interval */
    double model_error;  /* simulated / measured - 1, on the profiled GPU's own design */
    double simulated_s, measured_s;
    const char *model_why_not;
    size_t cache_launches; /* simulated after a replay of those before them, too; 0: none */
    struct cache_window
        cache_window; /* what was replayed; before 0: nobody asked; wanted 0: how many is not known */
    double cache_share, cache_error, cache_least, cache_most; /* the last two: of single launches */
    uint64_t communication_launches;                          /* that wait for other GPUs; 0: none, or not known */
    double communication_s, communication_half_width_s, other_s, other_half_width_s, communication_profiled_s;
    double makespan_s, makespan_half_width_s, measured_makespan_s;
    const char *makespan_why_not, *makespan_interval_why_not;
    const char *estimator;       /* said where it is none of the plans' own */
    const char *variance_method; /* said where it is no plain t interval */
    size_t check_count;
    struct parts_check checks[PARTS_CHECKS_MAX];
    const struct parts_bootstrap *bootstrap; /* NULL: not asked for */
};

/* Four lines and a heading on stdout; warnings, cross-checks and the like take one more each. */
void parts_print(const struct projection_parts *p);
/* The same without model error and makespan, which do not depend on the estimator. */
void parts_print_estimate(const struct projection_parts *p);
/* The stratum with most of an interval's variance. */
struct parts_doubt {
    size_t stratum;
    uint64_t done; /* launches of it that were simulated */
    double share;
};
/* Where an interval is more than half again as wide as planned, which stratum's doing it is; false where it is not.
 * What narrows it is the caller's to say. */
bool parts_print_wider(double relative, double planned, const struct parts_doubt *most);
/* What a difference between designs is, in a few words. */
const char *parts_verdict(bool distinguishable, bool cache_reversible);
/* Beside figures that say nothing of caches across launches, where each launch began with empty ones. */
void parts_print_empty_caches(size_t empty, size_t launches);

/* Below a table of metrics: the interval of one is not promised, and why. */
void parts_print_not_promised(const char *metric, const char *design, const char *why);

/* Beside totals of which some results are projected inside their launches; half: that each may have, of its cycles.
 */
void parts_print_inside(size_t projected, size_t results, double half);

/* What no interval covers, a line each. */
void parts_print_not_covered(void);

#endif
