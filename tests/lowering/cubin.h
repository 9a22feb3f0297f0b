/* tests/lowering/cubin.h: counts of ptxas for each kernel: registers, and machine instructions by class.
 *
 * Source of the instructions (16 bytes each since Volta, operation in the low 9 bits, form of the operands in the 3
 * above): small kernels compiled by ptxas 13.0 for sm_75, sm_86 and sm_90. */
#ifndef VIVACE_TESTS_LOWERING_CUBIN_H
#define VIVACE_TESTS_LOWERING_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sass/decode.h"

struct inst_counts {
    uint32_t registers, instructions;
    uint32_t of[SASS_CLASS_COUNT];
    uint32_t shared_loads[3]; /* of up to 4, 8, 16 bytes a lane */
};

/* Adds an instruction of machine code: its two 64-bit words. */
void inst_count_words(struct inst_counts *c, const uint64_t word[2]);
/* Adds an instruction by its opcode text, as cuobjdump prints it. */
void inst_count_text(struct inst_counts *c, const char *opcode);

/* The main path of the kernel in a cubin (tests/lowering/reach.h), with the functions that it calls. Code for rare
 * operands and padding are not counted. ERR_MALFORMED: as cubin_read(); ERR_NOT_FOUND: the cubin has no such
 * kernel. */
int cubin_count(const uint8_t *file, size_t n, const char *kernel, uint32_t arch, struct inst_counts *out,
                struct err *e);

#endif
