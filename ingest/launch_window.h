/* ingest/launch_window.h: finds a profile's launches in a longer list. A profile of training or serving often
 * covers a part of a run (nsys --delay, --capture-range, a profiler's schedule), while a tracer counts the whole
 * run.
 *
 * Each launch is a number. Two launches have the same number when they could be the same launch. The search is
 * exact and linear (Knuth, Morris, Pratt, "Fast Pattern Matching in Strings", SIAM J. Computing 6, 1977). */
#ifndef VIVACE_INGEST_LAUNCH_WINDOW_H
#define VIVACE_INGEST_LAUNCH_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct launch_window {
    uint64_t places;          /* number of places in the list where all launches of the profile match */
    uint64_t first, second;   /* the first two places, from 0; `second` is set if places >= 2 */
    uint64_t most, most_from; /* if places == 0: the longest beginning of the profile that is in the list: its
                                 number of launches, and its place */
};

/* Whether launch i of the profile may be launch j of the list. Called for each launch of a place with equal
 * numbers, because equal numbers do not always mean equal launches. */
typedef bool (*launch_same_fn)(void *ctx, uint64_t i, uint64_t j);

/* `profile` and `list` have one number per launch. `same` may be NULL. 0; -1: ERR_TOO_LARGE when too many places
 * need a check by same(), or out of memory. With profile_count 0 the only place is 0. */
int launch_window_find(const uint32_t *profile, uint64_t profile_count, const uint32_t *list, uint64_t list_count,
                       launch_same_fn same, void *ctx, struct launch_window *out, struct err *e) MUST_CHECK;

#endif
