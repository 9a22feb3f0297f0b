/* tests/harness/varied.h: kernels written by hand whose CTAs differ: how much they do, by a law over the CTAs, and
 * what they do it with. For tests and measurements of `--project stable`. */
#ifndef VIVACE_TESTS_HARNESS_VARIED_H
#define VIVACE_TESTS_HARNESS_VARIED_H

#include "tests/harness/hand.h"

enum varied_law {
    VARIED_ALIKE,
    VARIED_NOISE,  /* plus or minus a quarter */
    VARIED_RISING, /* triangular over the grid */
    VARIED_FALLING,
    VARIED_PERIODIC,    /* triangular, again and again, as causal attention over heads */
    VARIED_TWO_KINDS,   /* of two sizes, in no order */
    VARIED_POWER_LAW,   /* in no order */
    VARIED_LARGE_LAST,  /* the last tenth is six times as large */
    VARIED_GIANT,       /* one of the last is fifty times as large */
    VARIED_OTHER_HALF,  /* the second half does the same amount of something else */
    VARIED_OTHER_PLACES /* the second half does the same, at other addresses */
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
/* By its name; ends the program where there is none. */
const struct varied *varied_find(const char *name);

void varied_make(struct hand *h, const struct varied *v, uint64_t ctas);
/* The same with other CTAs, in place of one that was never run. */
void varied_make_again(struct hand *h, const struct varied *v, uint64_t ctas);

#endif
