/* sampling/match.h: two profiles of one workload, launch by launch: another GPU, another run, another tool.
 *
 * The k-th launch of a kernel (name, grid, block) in A goes with the k-th launch of the same kernel in B. Counted
 * within contexts where both profiles have equally many (contexts pair by device, then by order), over all of them
 * otherwise. Names agree when their plain forms do (base/demangle.h); where one profile has only short names ("f"
 * for "void ns::f<4>(int)"), short names are compared. Shapes are left out of it where one profile has launches
 * without grid and block. */
#ifndef VIVACE_SAMPLING_MATCH_H
#define VIVACE_SAMPLING_MATCH_H

#include <stdbool.h>

#include "sampling/profile.h"

#define MATCH_NONE     UINT64_MAX
#define MATCH_EXAMPLES 5

/* Why a launch has no partner in the other profile. */
enum match_reason {
    MATCH_NO_KERNEL,      /* no kernel of this name there */
    MATCH_NO_SHAPE,       /* the name is there, never with this grid and block */
    MATCH_FEWER_LAUNCHES, /* it was launched less often there */
    MATCH_REASONS
};
const char *match_reason_name(enum match_reason why);     /* "no_kernel", "no_shape", "fewer_launches" */
const char *match_reason_sentence(enum match_reason why); /* completes "12 launches: ..." */

/* What did not match, of one profile. */
struct match_side {
    uint64_t unmatched;            /* launches; sum over count */
    uint64_t unmatched_value;      /* sum of their values */
    uint64_t count[MATCH_REASONS]; /* launches */
    size_t example_count[MATCH_REASONS];
    uint64_t examples[MATCH_REASONS][MATCH_EXAMPLES]; /* ids; each of another kernel */
};
struct match {
    uint64_t *of; /* for each launch of A the id in B, or MATCH_NONE */
    uint64_t matched;
    bool by_context; /* counted within contexts */
    bool by_shape;   /* grid and block had to agree */
    bool short_names;
    struct match_side a, b;
};

/* *out is filled anew; match_release() is right after success and failure. That nothing matches is no error. */
int match_profiles(const struct profile *a, const struct profile *b, struct match *out, struct err *e);
void match_release(struct match *m);

/* Whether every name is a short one, as some tools print them: without template arguments, parameters and what it
 * is inside of. */
bool profile_has_short_names(const struct profile *p);

#define MATCH_LAUNCH 200
/* "launch 17: gemm<float>(float*) grid (4,1,1) block (128,1,1)", cut where it is longer; returns out. */
const char *match_launch_text(const struct profile *p, uint64_t launch, char out[MATCH_LAUNCH]);

#endif
