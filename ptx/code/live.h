/* ptx/code/live.h: which values an instruction reads and writes, where values are live, and which values can share
 * a row.
 *
 * A value is a register, or one component of a vector register. Instruction i has two positions: it reads sources
 * at 2i and writes results at 2i + 1. An action that does not guarantee to read all sources first also writes at
 * 2i.
 *
 * The range of a value is the interval from the first to the last position, in program order, at which the value is
 * live on any path through the function. Two values with disjoint ranges are never live at the same time for a
 * thread, on any path. The same holds for a warp. A row holds one element for each lane, and an instruction writes
 * only the elements of its active lanes, so every lane has its own registers. If the active lanes write to a row
 * that is dead on their path, lanes on another path lose nothing. Instructions that act across lanes (shuffles,
 * matrices) read their sources at one instruction, at which all these lanes have met. A guarded write does not end
 * the old value, because the disabled lanes keep it. */
#ifndef VIVACE_PTX_CODE_LIVE_H
#define VIVACE_PTX_CODE_LIVE_H

#include "ptx/code/flow.h"

struct ptx_range {
    uint32_t begin, end; /* positions; begin > end: no instruction uses it */
};

struct ptx_live {
    uint32_t *value_of; /* of each register: the value of its component 0; one more entry at the end */
    uint32_t value_count;
    struct ptx_range *ranges; /* of each value */
    uint32_t live_words;      /* largest number of 32-bit words live at one time, without predicates */
};

/* ERR_NO_MEMORY; ERR_UNSUPPORTED: too many values are live over too many blocks. */
int ptx_live_build(const struct ptx_function *f, const struct ptx_flow *flow, struct ptx_live *out, struct err *e);
void ptx_live_release(struct ptx_live *l);

/* ptx_touched() calls it for each value of the instruction. write: the value is a result; otherwise it is read. A
 * guard is read, too. */
typedef void ptx_touch(void *ctx, uint32_t value, bool write);
void ptx_touched(const struct ptx_function *f, const uint32_t *value_of, const struct ptx_inst *i, ptx_touch *touch,
                 void *ctx);
/* Number of operands at the front that are results: 0 or 1. */
uint32_t ptx_result_operands(const struct ptx_function *f, const struct ptx_inst *i);

/* Assigns a row (or an index in preds) to each value that is used, and PTX_NO_ROW to the others. Values of the same
 * width share rows if their ranges allow it. Rows of different widths never overlap. Vector registers and results
 * of a function share no row. *rows, *preds: the sizes needed. ERR_UNSUPPORTED: a size exceeds 16 bits. */
int ptx_rows_pack(const struct ptx_function *f, const struct ptx_live *l, uint16_t *row_of_value, uint32_t *rows,
                  uint32_t *preds, struct err *e);
/* Width in bits of the row of a register of this type: 1, 16, 32, 64, 128. */
uint32_t ptx_row_bits(enum ptx_type t);
/* Rows are counted in units of 64 bytes: 32 lanes of 16 bits. */
static inline uint32_t ptx_row_units(uint32_t bits)
{
    return bits / 16;
}

#endif
