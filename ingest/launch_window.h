/* ingest/launch_window.h: where a profile's launches are in a longer list. A profile of training or serving often
 * covers a part of a run (nsys --delay, --capture-range, a profiler's schedule), while a tracer counts the whole
 * run.
 *
 * Launches of both sides are numbers: two launches have the same number when they could be the same launch. The
 * search is exact and linear (Knuth, Morris, Pratt, "Fast Pattern Matching in Strings", SIAM J. Computing 6, 1977).
 */
#ifndef VIVACE_INGEST_LAUNCH_WINDOW_H
#define VIVACE_INGEST_LAUNCH_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct launch_window {
    uint64_t places;        /* of the list where all of the profile's launches follow */
    uint64_t first, second; /* the first two of them, from 0; `second` is set where places >= 2 */
    uint64_t most,
        most_from; /* places == 0: most of the profile's first launches that follow one another, and where */
};

/* Further proof where equal numbers do not prove equal launches: whether launch i of the profile may be launch j of
 * the list. Asked for every launch of a place whose numbers are equal. */
typedef bool (*launch_same_fn)(void *ctx, uint64_t i, uint64_t j);

/* `profile` and `list` hold one number per launch. `same` may be NULL. 0, or -1 with ERR_TOO_LARGE where places to
 * prove are too many, or no memory. profile_count may be 0: then the only place is 0. */
int launch_window_find(const uint32_t *profile, uint64_t profile_count, const uint32_t *list, uint64_t list_count,
                       launch_same_fn same, void *ctx, struct launch_window *out, struct err *e) MUST_CHECK;

#endif
