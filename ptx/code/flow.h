/* ptx/code/flow.h: basic blocks of a function, and the points where diverged lanes reconverge.
 *
 * Control leaves a block only at its end: by a branch, a return, an exit, a trap, or by continuing with the next
 * block. Calls and barriers do not end a block. */
#ifndef VIVACE_PTX_CODE_FLOW_H
#define VIVACE_PTX_CODE_FLOW_H

#include "ptx/code/op.h"

struct ptx_flow {
    struct ptx_block *blocks; /* in order of their instructions; they cover all of them */
    uint32_t block_count;
    uint32_t *edges; /* successors of the blocks, see struct ptx_block */
    uint32_t edge_count;
    uint32_t *block_of; /* of each instruction */
};

/* Builds the blocks, edges and joins of f. ERR_NO_MEMORY. A parsed function cannot cause another error. */
int ptx_flow_build(const struct ptx_function *f, struct ptx_flow *out, struct err *e);
void ptx_flow_release(struct ptx_flow *w);

/* Sets `join` of every block to its immediate post-dominator: the nearest other block that is on every path from
 * the block to the end of the function. PTX_NONE: the end is the only such point, or no path leads to the end.
 * Reads edges and `exits`. Source: Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm" (2001), on the
 * reversed graph. */
int ptx_post_dominators(struct ptx_block *blocks, uint32_t n, const uint32_t *edges, struct err *e);

/* ptx_ends_block(): does the instruction end its block? ptx_falls_through(): can the next instruction follow it? */
bool ptx_ends_block(const struct ptx_inst *i);
bool ptx_falls_through(const struct ptx_inst *i);
/* Does the instruction end the thread or the function, if its guard is true? */
bool ptx_leaves(const struct ptx_inst *i);

#endif
