/* sampling/cache_error.h: how much it matters that each sample is simulated with empty caches, while in the run it
 * finds what the launches before it left there.
 *
 * A few launches are simulated both ways, and what the strata differ by is projected:
 *
 *     sum of T_h (warmed_h / empty_h - 1)  /  sum of T_h        over the strata h with launches simulated both ways
 *
 * with T_h the projected total of a stratum, and empty_h and warmed_h summed over its launches. That is a line of
 * model error: no interval covers it, and it is never folded into one. */
#ifndef VIVACE_SAMPLING_CACHE_ERROR_H
#define VIVACE_SAMPLING_CACHE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CACHE_ERROR_BEFORE 16  /* launches that warm, at first: docs/simulator.md has what fewer leave out */
#define CACHE_ERROR_MAX    100 /* launches to simulate both ways */

/* What the strata of a projection make: totals and value in one unit. */
struct cache_strata {
    const double *totals; /* count of them; NaN and 0 are no time */
    size_t count;
    double value; /* the whole projected total */
};

/* A launch that may be simulated both ways. */
struct cache_candidate {
    size_t stratum;
    double cycles; /* with empty caches */
};
/* At most `most` of n candidates, as indices in *out (room for `most`), *chosen of them: each stratum in turn,
 * those with the most time first, and of a stratum its longest launches. Ties go to the lower index. */
int cache_error_choose(const struct cache_candidate *candidates, size_t n, const struct cache_strata *strata,
                       size_t most, size_t *out, size_t *chosen, struct err *e);

/* One launch on one design. */
struct cache_pair {
    size_t stratum;
    double empty, warmed; /* cycles, above 0 */
};
struct cache_error {
    size_t launches;        /* pairs; 0: nothing is known */
    double share, relative; /* of the total: what the pairs' strata make; of those strata: warmed against empty */
    double least, most;     /* warmed against empty of single pairs: how far apart they are; 0 without one */
};
void cache_error_weigh(const struct cache_pair *pairs, size_t n, const struct cache_strata *strata,
                       struct cache_error *out);

/* How many launches before a launch count is not known beforehand: what it reads was written one layer ago, or one
 * token of a decoder. So windows double from CACHE_ERROR_BEFORE on until two doublings in a row changed `relative`
 * by less than CACHE_ERROR_STILL on every design (one alone may lie between two such distances), and end at
 * CACHE_ERROR_WIDEST. */
#define CACHE_ERROR_STILL  0.005
#define CACHE_ERROR_STILLS 2
#define CACHE_ERROR_WIDEST 512
struct cache_window {
    uint64_t before;          /* launches before each; 0: not begun */
    uint64_t wanted, missing; /* of the launches before all of them: within the window; of these not traced */
    bool whole;               /* no launch has more before it */
    unsigned still;           /* doublings in a row that changed little */
};
/* The window settles the question: it holds all that came before, or more of it changes nothing. */
bool cache_window_settled(const struct cache_window *w);
/* Most of what the window should hold is not traced: replaying the rest would pass for a measurement. */
bool cache_window_unknown(const struct cache_window *w);
/* Takes in by how much the last doubling changed `relative` at most (NaN: there was none before). */
void cache_window_changed(struct cache_window *w, double change);

#endif
