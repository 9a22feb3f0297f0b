/* sampling/profile/attach.h: adds measurements of the same launches from another file to a profile. */
#ifndef VIVACE_SAMPLING_ATTACH_H
#define VIVACE_SAMPLING_ATTACH_H

#include "sampling/profile/match.h"

/* Kernel name in lists that do not give the kernel of a launch; it matches every name. */
#define KERNEL_ANY "*"

/* Moves from->features into p: launch k of each context must be the same kernel in both, by name (plain form, or
 * short name where `from` has only those) and, if both have them, grid and block. `from` may have fewer launches:
 * then only the first launches have features (features.known). Features that `from` does not have stay unchanged in
 * p. ERR_CONFLICT at the first launch that differs; the message names both sides, and p is unchanged. p_name and
 * from_name: file names for messages. */
int attach_features(struct profile *p, const char *p_name, struct profile *from, const char *from_name,
                    struct err *e);

/* The values of `other` as a response of p (features.responses), launch by launch as match_profiles() pairs them.
 * ERR_CONFLICT where a launch of p has no partner: a response needs a value for every launch. */
int attach_response(struct profile *p, const struct profile *other, const char *name, struct err *e);

#endif
