/* sampling/cluster/representatives.h: shared by methods that cluster by features and simulate one chosen launch per
 * cluster. */
#ifndef VIVACE_SAMPLING_REPRESENTATIVES_H
#define VIVACE_SAMPLING_REPRESENTATIVES_H

#include "sampling/plan/strata.h"

/* A stratum for each label below `labels` (GROUP_NOWHERE: in none), with the launch chosen[label] as its only
 * sample. Chosen samples give no interval: variance none, no promise. */
int strata_of_representatives(const struct profile *p, const uint32_t *label, size_t labels, const uint32_t *chosen,
                              struct strata *out, struct err *e);

/* Projection by instructions divides by those of the representative, so every launch needs some. ERR_INVALID with
 * the first launch whose value is not 0 and whose instruction count is 0. */
int need_instructions(const struct profile *p, struct err *e);

#endif
