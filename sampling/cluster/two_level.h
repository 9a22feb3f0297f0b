/* sampling/cluster/two_level.h: two-level profiling: the first launches are measured in detail and clustered, the
 * others are labelled from name, grid and block, which every profile has. */
#ifndef VIVACE_SAMPLING_TWO_LEVEL_H
#define VIVACE_SAMPLING_TWO_LEVEL_H

#include "sampling/plan/plan.h"

struct two_level {
    uint64_t measured, exact, classified; /* launches (value above 0) by the source of their group */
};
/* label[0 .. known-1] hold the groups (below `groups`, numbered by first launch; GROUP_NOWHERE: value 0); fills in
 * label[known ..]. At least one of the first `known` launches is in a group. */
int two_level_label(const struct profile *p, uint64_t known, size_t groups, enum plan_classifier classifier,
                    uint32_t *label, struct two_level *out, struct err *e);

#endif
