/* sampling/checks/cache_error.h: the error from simulating each sample with empty caches, while in the real run the
 * caches contain data of earlier launches.
 *
 * A few launches are simulated both ways, and the relative differences of their strata are projected:
 *
 *     sum of T_h (warmed_h / empty_h - 1)  /  sum of T_h        over the strata h with launches simulated both ways
 *
 * with T_h the projected total of a stratum, and empty_h and warmed_h summed over its launches. The result is
 * reported as a model error: no interval includes it. */
#ifndef VIVACE_SAMPLING_CACHE_ERROR_H
#define VIVACE_SAMPLING_CACHE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CACHE_ERROR_BEFORE 16  /* earlier launches replayed for warming, first attempt: docs/simulator.md */
#define CACHE_ERROR_MAX    100 /* launches to simulate both ways */

/* Stratum totals of a projection; totals and value in the same unit. */
struct cache_strata {
    const double *totals; /* `count` entries; NaN and 0: the stratum is skipped */
    size_t count;
    double value; /* the whole projected total */
};

/* A launch that may be simulated both ways. */
struct cache_candidate {
    size_t stratum;
    double cycles; /* with empty caches */
};
/* Chooses up to `most` of n candidates and writes their indices to out[] (capacity `most`), their count to *chosen.
 * Takes strata in turn, largest total first, and within a stratum its longest launches. Ties go to the lower index.
 */
int cache_error_choose(const struct cache_candidate *candidates, size_t n, const struct cache_strata *strata,
                       size_t most, size_t *out, size_t *chosen, struct err *e);

/* One launch on one design. */
struct cache_pair {
    size_t stratum;
    double empty, warmed; /* cycles, above 0 */
};
struct cache_error {
    size_t launches;        /* pairs; 0: nothing is known */
    double share, relative; /* share: part of the total in strata that have pairs; relative: (warmed - empty) /
                               empty in those strata */
    double least, most;     /* smallest and largest (warmed - empty) / empty of single pairs; 0 without pairs */
};
void cache_error_weigh(const struct cache_pair *pairs, size_t n, const struct cache_strata *strata,
                       struct cache_error *out);

/* The number of earlier launches that matter is not known in advance: a launch may read data that was written one
 * layer ago, or one decoder token ago. So the window doubles from CACHE_ERROR_BEFORE until two consecutive
 * doublings change `relative` by less than CACHE_ERROR_STILL on every design (a single doubling may fall between
 * two such reuse distances). The largest window is CACHE_ERROR_WIDEST. */
#define CACHE_ERROR_STILL  0.005
#define CACHE_ERROR_STILLS 2
#define CACHE_ERROR_WIDEST 512
struct cache_window {
    uint64_t before; /* window: earlier launches per launch; 0: not started */
    uint64_t wanted,
        missing;    /* earlier launches within the windows of all launches; those of them without a trace */
    bool whole;     /* no launch has more earlier launches than the window */
    unsigned still; /* doublings in a row that changed little */
};
/* The window is large enough: it contains all earlier launches, or a larger one does not change the result. */
bool cache_window_settled(const struct cache_window *w);
/* Most launches in the window have no trace, so a replay of the rest is not a valid measurement. */
bool cache_window_unknown(const struct cache_window *w);
/* Records the largest change of `relative` over all designs by the last doubling (NaN: first window). */
void cache_window_changed(struct cache_window *w, double change);

#endif
