/* sampling/profile/match.h: matches the launches of two profiles of one workload (from another GPU, run or tool).
 *
 * The k-th launch of a kernel (name, grid, block) in A matches the k-th launch of the same kernel in B. Launches
 * are counted per context if both profiles have the same number of contexts (contexts are paired by device, then by
 * order), otherwise over all contexts. Names are equal if their plain forms are (base/demangle.h). If one profile
 * has only short names ("f" for "void ns::f<4>(int)"), short names are compared. Shapes are ignored if one profile
 * has launches without grid and block. */
#ifndef VIVACE_SAMPLING_MATCH_H
#define VIVACE_SAMPLING_MATCH_H

#include <stdbool.h>

#include "sampling/profile/profile.h"

#define MATCH_NONE     UINT64_MAX
#define MATCH_EXAMPLES 5

/* Why a launch has no partner in the other profile. */
enum match_reason {
    MATCH_NO_KERNEL,      /* the other profile has no kernel of this name */
    MATCH_NO_SHAPE,       /* it has the name, but not with this grid and block */
    MATCH_FEWER_LAUNCHES, /* it has fewer launches of this kernel */
    MATCH_REASONS
};
const char *match_reason_name(enum match_reason why);     /* "no_kernel", "no_shape", "fewer_launches" */
const char *match_reason_sentence(enum match_reason why); /* completes "12 launches: ..." */

/* The unmatched launches of one profile. */
struct match_side {
    uint64_t unmatched;            /* launches; sum over count */
    uint64_t unmatched_value;      /* sum of their values */
    uint64_t count[MATCH_REASONS]; /* launches */
    size_t example_count[MATCH_REASONS];
    uint64_t examples[MATCH_REASONS][MATCH_EXAMPLES]; /* launch ids, each of a different kernel */
};
struct match {
    uint64_t *of; /* for each launch of A the id in B, or MATCH_NONE */
    uint64_t matched;
    bool by_context; /* counted within contexts */
    bool by_shape;   /* grid and block had to agree */
    bool short_names;
    struct match_side a, b;
};

/* Overwrites *out; call match_release() after success and after failure. No match at all is not an error. */
int match_profiles(const struct profile *a, const struct profile *b, struct match *out, struct err *e);
/* The same, but launch i of A matches launch number[i] of B if their kernels are equal: for launches of A that are
 * a part of the run. An unmatched launch has the reason that its kernel gives; FEWER_LAUNCHES: B has its kernel,
 * but not at this number. The launches of B without a partner are not counted. */
int match_by_number(const struct profile *a, const uint64_t *number, const struct profile *b, struct match *out,
                    struct err *e);
void match_release(struct match *m);

/* Whether every name is a short one, as printed by some tools: without template arguments, parameters, namespaces
 * and classes. */
bool profile_has_short_names(const struct profile *p);

#define MATCH_LAUNCH 200
/* "launch 17: gemm<float>(float*) grid (4,1,1) block (128,1,1)", truncated to the buffer; returns out. */
const char *match_launch_text(const struct profile *p, uint64_t launch, char out[MATCH_LAUNCH]);

#endif
