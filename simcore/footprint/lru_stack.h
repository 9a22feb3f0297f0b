/* simcore/footprint/lru_stack.h: all lines that were ever touched, the last touched on top.
 *
 * The stack of an L2 without limits (Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems
 * Journal 9(2), 1970): a line's depth, the number of different lines touched since, tells for every capacity at
 * once whether it is still there. Touches come in steps (a launch, a copy). What a step finds is the state before
 * its first touch. */
#ifndef VIVACE_SIMCORE_FOOTPRINT_LRU_STACK_H
#define VIVACE_SIMCORE_FOOTPRINT_LRU_STACK_H

#include "simcore/trace/warm_image.h"

struct lru_stack; /* opaque */
struct lru_stack *lru_stack_new(struct err *e);
void lru_stack_free(struct lru_stack *s); /* NULL is fine */
/* Another GPU: nothing was touched yet. */
void lru_stack_clear(struct lru_stack *s);

enum line_access { LINE_READ, LINE_WRITE, LINE_ATOMIC };
struct line_touch {
    uint64_t line; /* number */
    enum line_access access;
    uint8_t sectors, full; /* masks: touched; of those, written in every byte */
    uint32_t cta;
};
/* One touch of the step in work. */
int lru_stack_touch(struct lru_stack *s, const struct line_touch *t, struct err *e);
/* The step is over. found: the previous state of its own lines; NULL: not needed. The caller frees it. */
int lru_stack_end_step(struct lru_stack *s, struct warm_image **found, struct err *e);
/* Between steps: the uppermost lines, `most` at most. The caller frees it. */
struct warm_image *lru_stack_top(const struct lru_stack *s, uint64_t most, struct err *e);

#endif
