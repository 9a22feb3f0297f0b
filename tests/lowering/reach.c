/* tests/lowering/reach.c: the main path: what can be reached without a rare function and without BRA.DIV. */
#include "tests/lowering/reach.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

enum { SM_DISTANCES_IN_TWO_PARTS = 90, ALWAYS = 7 };

struct reach {
    const struct reach_code *code;
    bool *on_path, *starts; /* starts: the first instruction of a block */
    uint32_t *open;         /* blocks that are still to be followed */
    uint32_t open_count;
};

static const uint64_t *word_of(const struct reach *r, uint32_t k)
{
    return r->code->words[k];
}

/* Bits 12 to 15 of an instruction are its predicate; bits 23 to 26 of a branch's second word are another one. */
static bool is_unconditional(const uint64_t word[2])
{
    return (word[0] >> 12 & 15) == ALWAYS && (inst_operation(word) != OP_BRA || (word[1] >> 23 & 15) == ALWAYS);
}

static bool is_divergent_branch(const uint64_t word[2])
{
    return inst_operation(word) == OP_BRA && ((word[0] >> 33 & 1) || (word[1] >> 27 & 1));
}

/* A call or a branch states its distance from the next instruction, in units of 4 bytes: 48 bits from bit 34 on.
 * From sm_90 on 8 more bits, the lower ones, are at bit 16. UINT32_MAX: in a register, or outside of the code. */
static uint32_t target_of(const struct reach *r, uint32_t k)
{
    const uint64_t *word = word_of(r, k);
    uint64_t high = (word[1] & 0x3ffff) << 30 | word[0] >> 34;
    int64_t distance = (int64_t)(high << 16) >> 16, at;

    if ((word[0] >> 9 & 7) < 4)
        return UINT32_MAX;
    if (r->code->arch >= SM_DISTANCES_IN_TWO_PARTS)
        distance = distance * 256 + (int64_t)(word[0] >> 16 & 0xff);
    at = k + 1 + distance * 4 / INST_BYTES;
    return at >= 0 && at < r->code->count ? (uint32_t)at : UINT32_MAX;
}

static bool ends_block(const uint64_t word[2])
{
    switch (inst_operation(word)) {
    case OP_CALL:
    case OP_BRA:
    case OP_BRX:
    case OP_EXIT:
    case OP_RET: return true;
    default: return false;
    }
}

static bool is_rare(const struct reach *r, uint32_t k)
{
    for (uint32_t f = 0; f < r->code->function_count; f++)
        if (r->code->functions[f].rare && k >= r->code->functions[f].first && k < r->code->functions[f].end)
            return true;
    return false;
}

/* A block is followed once: it is marked as soon as it is known. */
static void open_block(struct reach *r, uint32_t first)
{
    if (first >= r->code->count || r->on_path[first])
        return;
    ASSERT(r->open_count < r->code->count);
    r->on_path[first] = true;
    r->open[r->open_count++] = first;
}

static void find_starts(struct reach *r)
{
    for (uint32_t k = 0; k < r->code->count; k++) {
        uint32_t target = inst_operation(word_of(r, k)) == OP_BRA ? target_of(r, k) : UINT32_MAX;

        if (target != UINT32_MAX)
            r->starts[target] = true;
        if (ends_block(word_of(r, k)) && k + 1 < r->code->count)
            r->starts[k + 1] = true;
    }
}

/* What follows the last instruction of a block. A branch through a table may continue at each block. */
static void open_successors(struct reach *r, uint32_t last)
{
    const uint64_t *word = word_of(r, last);
    uint32_t operation = inst_operation(word);
    bool goes_on =
        !ends_block(word) || !is_unconditional(word) || operation == OP_CALL || is_divergent_branch(word);

    if (operation == OP_CALL || (operation == OP_BRA && !is_divergent_branch(word)))
        open_block(r, target_of(r, last));
    for (uint32_t k = 0; operation == OP_BRX && k < r->code->count; k++)
        if (r->starts[k] && !is_rare(r, k))
            open_block(r, k);
    if (goes_on)
        open_block(r, last + 1);
}

static void follow(struct reach *r, uint32_t first)
{
    uint32_t last = first;

    while (last + 1 < r->code->count && !ends_block(word_of(r, last)) && !r->starts[last + 1])
        last++;
    if (inst_operation(word_of(r, last)) == OP_CALL && is_rare(r, target_of(r, last))) {
        r->on_path[first] = false;
        return;
    }
    for (uint32_t k = first; k <= last; k++)
        r->on_path[k] = true;
    open_successors(r, last);
}

int reach_main_path(const struct reach_code *c, bool *on_path, struct err *e)
{
    struct reach r = {.code = c, .on_path = on_path};
    int ret = -1;

    for (uint32_t k = 0; k < c->count; k++)
        on_path[k] = false;
    r.starts = mem_zalloc((size_t)c->count + 1, sizeof *r.starts, e);
    r.open = r.starts ? mem_zalloc((size_t)c->count + 1, sizeof *r.open, e) : NULL;
    if (r.open) {
        find_starts(&r);
        open_block(&r, 0);
        for (uint32_t f = 0; f < c->function_count; f++)
            if (!c->functions[f].rare)
                open_block(&r, c->functions[f].first);
        while (r.open_count)
            follow(&r, r.open[--r.open_count]);
        ret = 0;
    }
    free(r.starts);
    free(r.open);
    return ret;
}
