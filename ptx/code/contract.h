/* ptx/code/contract.h: products and sums made one fused multiply-add, as NVIDIA's assembler does. */
#ifndef VIVACE_PTX_CODE_CONTRACT_H
#define VIVACE_PTX_CODE_CONTRACT_H

#include "ptx/parse/module.h"

/* Where a mul without a rounding modifier has one use in all of the function, an add or sub without one in the same
 * block, with the same type and .ftz, that becomes an fma. The mul stays (nobody reads it), or makes room for the
 * negation that a sub needs. Before the function is decoded; a function with a fault is left alone.
 * Not fused: a * b - c where c is made between the two. */
int ptx_contract(struct ptx_module *m, uint32_t function, struct err *e);

#endif
