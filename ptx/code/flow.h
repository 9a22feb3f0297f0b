/* ptx/code/flow.h: basic blocks of a function and where diverged lanes meet again.
 *
 * A block is left only at its end: by a branch, a return, an exit, a trap, or by falling into the next. Calls and
 * barriers stand inside blocks. */
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

/* Blocks, edges and joins of f. ERR_NO_MEMORY; nothing in a parsed function is wrong for it. */
int ptx_flow_build(const struct ptx_function *f, struct ptx_flow *out, struct err *e);
void ptx_flow_release(struct ptx_flow *w);

/* Fills `join` of every block: its immediate post-dominator, the nearest other block that all ways from it to the
 * end of the function pass. PTX_NONE: only the end, or it never comes there. Reads edges and `exits`.
 * Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm" (2001), on the graph turned round. */
int ptx_post_dominators(struct ptx_block *blocks, uint32_t n, const uint32_t *edges, struct err *e);

/* Does the instruction end its block, and may the instruction behind it be next? */
bool ptx_ends_block(const struct ptx_inst *i);
bool ptx_falls_through(const struct ptx_inst *i);
/* Does it end the thread or the function (where its guard holds)? */
bool ptx_leaves(const struct ptx_inst *i);

#endif
