/* sampling/strata/two_means.h: the exact best cut of sorted values into two clusters. */
#ifndef VIVACE_SAMPLING_TWO_MEANS_H
#define VIVACE_SAMPLING_TWO_MEANS_H

#include "sampling/profile/groups.h"

/* 2-means in one dimension over runs [begin, end): the cut between distinct values that leaves the least squared
 * distance to both means. Returns the run at which the right part begins; `begin` when there is one value only.
 * Whole-number arithmetic decides, so the cut is the same everywhere; equal cuts: the leftmost. */
size_t two_means(const struct groups *g, size_t begin, size_t end);

#endif
