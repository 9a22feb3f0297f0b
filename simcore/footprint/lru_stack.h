/* simcore/footprint/lru_stack.h: an LRU stack of all lines that were touched; the last touched is on top.
 *
 *
 * It is the stack of an L2 of unlimited size (Mattson et al., "Evaluation techniques for storage hierarchies", IBM
 * Systems Journal 9(2), 1970). A line's depth is the number of distinct lines touched since its last touch. It
 * shows for every capacity whether the line is still cached. Touches are grouped in steps (a launch, a copy). The
 * result of a step is the state of each line before its first touch in the step. */
#ifndef VIVACE_SIMCORE_FOOTPRINT_LRU_STACK_H
#define VIVACE_SIMCORE_FOOTPRINT_LRU_STACK_H

#include "simcore/trace/warm_image.h"

struct lru_stack; /* opaque */
struct lru_stack *lru_stack_new(struct err *e);
void lru_stack_free(struct lru_stack *s); /* NULL is allowed */
/* Empties the stack. */
void lru_stack_clear(struct lru_stack *s);

enum line_access { LINE_READ, LINE_WRITE, LINE_ATOMIC };
struct line_touch {
    uint64_t line; /* line number */
    enum line_access access;
    uint8_t sectors, full; /* masks of sectors: touched; completely written */
    uint32_t cta;
};
/* Adds one touch to the current step. */
int lru_stack_touch(struct lru_stack *s, const struct line_touch *t, struct err *e);
/* Ends the step. found: the previous state of the step's lines, which the caller frees; NULL: not needed. */
int lru_stack_end_step(struct lru_stack *s, struct warm_image **found, struct err *e);
/* Between steps: returns at most `most` uppermost lines. The caller frees them. */
struct warm_image *lru_stack_top(const struct lru_stack *s, uint64_t most, struct err *e);

#endif
