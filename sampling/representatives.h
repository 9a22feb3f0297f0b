/* sampling/representatives.h: what methods share that cluster by features and simulate one chosen member each. */
#ifndef VIVACE_SAMPLING_REPRESENTATIVES_H
#define VIVACE_SAMPLING_REPRESENTATIVES_H

#include "sampling/strata.h"

/* A stratum for each label below `labels` (GROUP_NOWHERE: in none), with the launch chosen[label] as its only
 * sample. No interval follows from chosen samples: variance none, nothing promised. */
int strata_of_representatives(const struct profile *p, const uint32_t *label, size_t labels, const uint32_t *chosen,
                              struct strata *out, struct err *e);

/* Projection by instructions divides by those of the representative: ERR_INVALID with the first launch whose value
 * is not 0 and that has none. */
int need_instructions(const struct profile *p, struct err *e);

#endif
