/* sampling/pilot.h: counts of warp instructions become estimated cycles, by one simulated launch of each shape
 * (name, grid, block): the pilot.
 *
 * A launch of i warp instructions takes an estimated f + r i cycles, with f the fixed part of the pilot's launch of
 * its shape (what a launch costs before its first instruction) and r = (its cycles - f) / (its instructions). A
 * shape with one launch is then known exactly. Launches of one shape that differ in what they find in the caches,
 * or in their data, are estimated alike where their counts are alike: a plan made of estimated cycles counts with
 * that (sampling/search.h). */
#ifndef VIVACE_SAMPLING_PILOT_H
#define VIVACE_SAMPLING_PILOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/plan.h"

struct pilot_launch {
    uint64_t launch;
    double cycles, fixed_cycles; /* simulated; cycles NaN: no result. Choosing leaves both NaN */
};
struct pilot_outcome {
    size_t shapes;                 /* with a launch that has instructions */
    size_t measured;               /* shapes with a result of their own */
    double from_name, from_others; /* shares of the estimated cycles whose shape has none: scaled by results of the
                                    * same name, or of all kernels */
};

/* The profile counts instructions; ERR_INVALID where it does not. */
int pilot_check(const struct profile *p, struct err *e);

/* The launch of each shape to simulate: of those with the median count the middle one in launch order, as the first
 * ones find caches that the others do not. At most p->kernel_count of them, by launch; launches without
 * instructions are not counted, nor those that are not `there` (a flag for each; NULL: all are). ERR_INVALID where
 * the profile has no counts, or nothing is left. */
int pilot_choose(const struct profile *p, const bool *there, struct pilot_launch *out, size_t *count,
                 struct err *e);

/* A plan of the method `pilot` with launches that are `there`. ERR_CONFLICT where a shape has none. */
int pilot_plan(const struct profile *p, const bool *there, struct plan *out, struct err *e);

/* Puts estimated cycles on the design `gpu` in the place of the counts, which stay as features where they are
 * known. Several results of a shape count together (sums over sums). Launches without instructions keep 0.
 * ERR_INVALID where the profile has no counts, or no launch a usable result. */
int pilot_scale(struct profile *p, const struct pilot_launch *launches, size_t count, const char *gpu,
                struct pilot_outcome *out, struct err *e);

#endif
