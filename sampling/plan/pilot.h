/* sampling/plan/pilot.h: converts counts of warp instructions to estimated cycles, with one simulated launch of
 * each shape (name, grid, block): the pilot.
 *
 * The estimate for a launch of i warp instructions is f + r i cycles. f is the fixed part (cycles before the first
 * instruction) of the pilot launch of its shape, and r = (its cycles - f) / (its instructions). The estimate is
 * exact for a shape with one launch. Launches of one shape with equal counts get equal estimates even if cache
 * contents or data differ; a plan from estimated cycles allows for that (sampling/strata/search.h). */
#ifndef VIVACE_SAMPLING_PILOT_H
#define VIVACE_SAMPLING_PILOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/plan/plan.h"

struct pilot_launch {
    uint64_t launch;
    double cycles, fixed_cycles; /* simulated; cycles NaN: no result. pilot_choose() sets both to NaN */
};
struct pilot_outcome {
    size_t shapes;                 /* shapes that have a launch with instructions */
    size_t measured;               /* shapes with a result of their own */
    double from_name, from_others; /* shares of the estimated cycles in shapes without a result, scaled by results
                                      of the same name, or of all kernels */
};

/* Checks that the profile counts instructions; ERR_INVALID otherwise. */
int pilot_check(const struct profile *p, struct err *e);

/* Chooses the launch to simulate for each shape: of those with the median count the middle one in launch order,
 * because the first ones have atypical cache contents. out: up to p->kernel_count entries, sorted by launch.
 * Launches without instructions are excluded, and those with there[i] false (NULL: none). ERR_INVALID if the
 * profile has no counts, or no launch remains. */
int pilot_choose(const struct profile *p, const bool *there, struct pilot_launch *out, size_t *count,
                 struct err *e);

/* A plan of the method `pilot` with launches i for which there[i] is true. ERR_CONFLICT if a shape has none. */
int pilot_plan(const struct profile *p, const bool *there, struct plan *out, struct err *e);

/* Replaces the counts by estimated cycles on the design `gpu`; the counts remain as features. Several results of a
 * shape are combined (ratio of sums). Launches without instructions keep 0. ERR_INVALID if the profile has no
 * counts, or no launch has a usable result. */
int pilot_scale(struct profile *p, const struct pilot_launch *launches, size_t count, const char *gpu,
                struct pilot_outcome *out, struct err *e);

#endif
