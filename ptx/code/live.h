/* ptx/code/live.h: which values an instruction reads and writes, where they are live, and which may share a row.
 *
 * A value is a register, or one component of a vector register. Positions count twice the instructions: sources are
 * read at 2i, results written at 2i + 1; at 2i where the action does not promise to read all before it writes.
 *
 * The range of a value is the hull, in the order of the text, of all positions where it is live on some way through
 * the function. Two values whose ranges do not meet are never live at one time for a thread, whatever way it takes.
 * That is enough for a warp: a row holds one element for each lane, an instruction writes those of its active lanes
 * only, so every lane has registers of its own, and lanes on another path lose nothing when these write to a row
 * that is dead on their own. What crosses lanes (shuffles, matrices) reads a source of the very instruction at
 * which all of them have met. A guarded write does not end what was there: off lanes keep it. */
#ifndef VIVACE_PTX_CODE_LIVE_H
#define VIVACE_PTX_CODE_LIVE_H

#include "ptx/code/flow.h"

struct ptx_range {
    uint32_t begin, end; /* positions; begin > end: nothing touches it */
};

struct ptx_live {
    uint32_t *value_of; /* of each register: its component 0; one more at the end */
    uint32_t value_count;
    struct ptx_range *ranges; /* of the values */
    uint32_t live_words;      /* most 32-bit words live at one place, predicates left out */
};

/* ERR_NO_MEMORY; ERR_UNSUPPORTED where blocks times values are out of all measure. */
int ptx_live_build(const struct ptx_function *f, const struct ptx_flow *flow, struct ptx_live *out, struct err *e);
void ptx_live_release(struct ptx_live *l);

/* Reports each value of the instruction: `write` of results, else read. Guards are read, too. */
typedef void ptx_touch(void *ctx, uint32_t value, bool write);
void ptx_touched(const struct ptx_function *f, const uint32_t *value_of, const struct ptx_inst *i, ptx_touch *touch,
                 void *ctx);
/* How many operands at the front are results: 0 or 1. */
uint32_t ptx_result_operands(const struct ptx_function *f, const struct ptx_inst *i);

/* Gives each value that is touched a row (or a place among the predicates), others PTX_NO_ROW. Values of one width
 * share rows where their ranges allow it; rows of different widths never overlap. Vector registers and results of
 * a function keep rows of their own. *rows, *preds: how many were needed. ERR_UNSUPPORTED: more than 16 bits
 * count. */
int ptx_rows_pack(const struct ptx_function *f, const struct ptx_live *l, uint16_t *row_of_value, uint32_t *rows,
                  uint32_t *preds, struct err *e);
/* Bits of the row of a register of this type: 1, 16, 32, 64, 128. */
uint32_t ptx_row_bits(enum ptx_type t);
/* Rows are counted in units of 64 bytes: 32 lanes of 16 bits. */
static inline uint32_t ptx_row_units(uint32_t bits)
{
    return bits / 16;
}

#endif
