/* ptx/tools/op_values.h: the registers that an instruction reads and writes, with their values in an observed
 * warp. */
#ifndef VIVACE_PTX_TOOLS_OP_VALUES_H
#define VIVACE_PTX_TOOLS_OP_VALUES_H

#include "base/strbuf.h"
#include "ptx/warp/watch.h"

enum { OP_VALUES_MAX = 32 };
struct op_value {
    uint32_t reg;      /* index in the function's registers */
    uint8_t component; /* of a vector register: 0 for x; 255: not a vector register */
    uint8_t bits;      /* 1: a predicate; 16, 32, 64, 128 */
    uint16_t row;      /* row, or index in the predicates */
};
/* Lists the results, or the sources with the guard first; at most OP_VALUES_MAX. Omits operands without a row.
 * Returns their number. */
uint32_t op_values(const struct ptx_code *c, uint32_t op, bool results, struct op_value out[OP_VALUES_MAX]);
void op_value_read(const struct ptx_seen *s, const struct op_value *v, uint32_t lane, uint64_t out[2]);
/* Appends the register's name: "%r5", "%v2.x". */
void op_value_name(const struct ptx_code *c, const struct op_value *v, struct strbuf *to);
/* Appends the bits, and the number for types of floats: "0x40400000 (3)". */
void op_value_text(const struct op_value *v, const uint64_t bits[2], uint8_t type, struct strbuf *to);
/* The first type of the instruction; PTX_NO_TYPE. */
uint8_t op_type(const struct ptx_code *c, uint32_t op);
/* The exponent bits of one value. Only infinities and NaNs have all of them set. 0: not a type of floats. */
uint64_t op_type_exponent(uint8_t type);
/* Appends the PTX text: "add.f32 %f3, %f1, %f2;". */
void op_ptx_text(const struct ptx_seen *s, struct strbuf *to);
/* Appends the values that the op reads in a lane: "; %f1 = 0x3f800000 (1), %f2 = ...". */
void op_sources_text(const struct ptx_seen *s, uint32_t lane, struct strbuf *to);

#endif
