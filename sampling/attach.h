/* sampling/attach.h: what was measured of the same launches elsewhere becomes part of a profile. */
#ifndef VIVACE_SAMPLING_ATTACH_H
#define VIVACE_SAMPLING_ATTACH_H

#include "sampling/match.h"

/* The name of kernels in lists that do not say which kernel a launch is of; it goes with every name. */
#define KERNEL_ANY "*"

/* Moves from->features into p: launch k of each context must be the same kernel in both, by name (plain form, or
 * short name where `from` has only those) and, where both know it, grid and block. `from` may end early: then the
 * first launches have features (features.known). What `from` does not have stays as it was in p.
 * ERR_CONFLICT at the first launch that differs, with both sides named; p is then as it was. The names are those of
 * the files, for messages. */
int attach_features(struct profile *p, const char *p_name, struct profile *from, const char *from_name,
                    struct err *e);

/* The values of `other` as a response of p (features.responses), launch by launch as match_profiles() pairs them.
 * ERR_CONFLICT where a launch of p has no partner: a response is about all launches. */
int attach_response(struct profile *p, const struct profile *other, const char *name, struct err *e);

#endif
