/* tests/harness/varied.h: hand-written kernels whose CTAs differ: in their amount of work, by a law over the CTAs,
 * and in their instructions. For tests and measurements of `--project stable`. */
#ifndef VIVACE_TESTS_HARNESS_VARIED_H
#define VIVACE_TESTS_HARNESS_VARIED_H

#include "simcore/trace/hand.h"

enum varied_law {
    VARIED_ALIKE,
    VARIED_NOISE,  /* plus or minus a quarter */
    VARIED_RISING, /* triangular over the grid */
    VARIED_FALLING,
    VARIED_PERIODIC,    /* repeated triangles, as in causal attention over heads */
    VARIED_TWO_KINDS,   /* two sizes, in random order */
    VARIED_POWER_LAW,   /* in random order */
    VARIED_LARGE_LAST,  /* the last tenth is six times as large */
    VARIED_GIANT,       /* one of the last is fifty times as large */
    VARIED_OTHER_HALF,  /* the second half executes the same amount of other work */
    VARIED_OTHER_PLACES /* the second half executes the same work at other addresses */
};
enum varied_body { VARIED_COMPUTE, VARIED_STREAM, VARIED_GATHER, VARIED_SHARED };
struct varied {
    const char *name;
    enum varied_law law;
    enum varied_body body;
    bool alike;
};
extern const struct varied varied_kernels[];
extern const size_t varied_count;
/* Finds a kernel by its name. Ends the program where there is none. */
const struct varied *varied_find(const char *name);

void varied_make(struct hand *h, const struct varied *v, uint64_t ctas);
/* Replaces a kernel that was never simulated by the same kernel with another number of CTAs. */
void varied_make_again(struct hand *h, const struct varied *v, uint64_t ctas);

#endif
