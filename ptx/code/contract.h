/* ptx/code/contract.h: fuses products and sums into fused multiply-adds, as NVIDIA's assembler does. */
#ifndef VIVACE_PTX_CODE_CONTRACT_H
#define VIVACE_PTX_CODE_CONTRACT_H

#include "ptx/parse/module.h"

/* Fuses a mul with an add or sub that follows in the same block. Both have no rounding modifier and the same type
 * and .ftz, and the product has no other use in the function. The add or sub becomes an fma. The mul stays and its
 * result is unused, or a neg replaces it, which a sub needs. Call it before the function is decoded. A function
 * with an error is not changed. Not fused: a * b - c if c is computed between the two instructions. */
int ptx_contract(struct ptx_module *m, uint32_t function, struct err *e);

#endif
