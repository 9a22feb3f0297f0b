/* sampling/parts/part.h: plans for a part of a workload (some layers, some steps), and plans whose strata keep to
 * domains.
 *
 * Both plan on a view of the profile: launches outside of the part have value 0 there, and kernels are separate
 * by domain. Launch ids are those of the profile. */
#ifndef VIVACE_SAMPLING_PART_H
#define VIVACE_SAMPLING_PART_H

#include "sampling/plan/plan.h"

#define PART_KERNELS_MAX 65536 /* pairs of kernel and domain */

struct part_view {
    struct profile profile; /* borrows from the original, which must outlive it */
    uint32_t *original;     /* of each kernel of the view: its index in the profile; NULL: equal */
    struct domain_view domains;
    /* Owned columns of the view; NULL: those of the profile. */
    uint64_t *value;
    uint32_t *kernel;
    struct profile_kernel *kernels;
};
/* ERR_INVALID: the profile lacks the layers or steps that the part names, or has no launch in it. ERR_TOO_LARGE:
 * too many kernels by domain. On -1 *out is released. */
int part_view_make(const struct profile *p, const struct plan_part *part, struct part_view *out, struct err *e);
void part_view_release(struct part_view *v);

/* plan_make() for a part. ERR_USAGE: with part->by, a method whose strata hold several kernels. */
int part_plan_make(const char *method, const struct profile *p, const struct plan_params *params,
                   const struct plan_part *part, struct plan *out, struct err *e);
/* Whether the path matches the pattern: `*` is any text, `?` any character, `.` and `/` are equal, and
 * "decoder.layers.7.*" is also "decoder/layers.7" itself. */
bool part_matches(const char *pattern, const char *path);
/* "12" or "10..19". ERR_USAGE: neither. */
int part_steps_read(const char *text, struct plan_part *out, struct err *e);
/* The part in words: "layers decoder.layers.7.*, steps 10 to 19"; "" for everything. */
void part_text(const struct plan_part *part, char *out, size_t size);

#endif
