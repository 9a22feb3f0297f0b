/* tests/lowering/reach.h: which machine instructions of a kernel belong to its main path.
 *
 * ptxas adds subroutines for rare operands to the code of a kernel, such as the division of denormal numbers. It
 * also adds code for lanes of a warp that do not meet at a shuffle or a vote. Normal launches execute neither.
 *
 * Source: the encodings of branches and calls are read from kernels compiled by ptxas 13.0 for sm_75, sm_86 and
 * sm_90, and from the branch to itself that ends each kernel. */
#ifndef VIVACE_TESTS_LOWERING_REACH_H
#define VIVACE_TESTS_LOWERING_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { INST_BYTES = 16 };
enum inst_operation {
    OP_CALL = 0x144,
    OP_NOP = 0x118,
    OP_BRA = 0x147,
    OP_BRX = 0x149,
    OP_EXIT = 0x14d,
    OP_RET = 0x150
};

/* The operation: the low 9 bits. */
static inline uint32_t inst_operation(const uint64_t word[2])
{
    return word[0] & 0x1ff;
}

/* A function inside of the code: instructions [first, end). */
struct reach_function {
    uint32_t first, end;
    bool rare; /* a subroutine for rare operands; otherwise its code is part of the main path */
};
struct reach_code {
    const uint64_t (*words)[2]; /* two words for each instruction */
    uint32_t count;
    uint32_t arch; /* 75: sm_75; 90 and later encode distances in another way */
    const struct reach_function *functions;
    uint32_t function_count;
};

/* Sets on_path[k] for each instruction k of the main path; on_path has `count` elements. Not on it: a block that
 * ends with a call of a rare function, and code that only BRA.DIV (lanes that do not meet) branches to.
 * ERR_NO_MEMORY. */
int reach_main_path(const struct reach_code *c, bool *on_path, struct err *e);

#endif
