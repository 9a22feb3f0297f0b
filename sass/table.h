/* sass/table.h: the rows of the decoder: one a form of an operation.
 *
 * modifiers: tokens between blanks.
 *   FTZ@80      ".FTZ" where bit 80 is set         !U32@73  ".U32" where bit 73 is not set
 *   rnd@78      the name of the value at bit 78 in the list `rnd` (table.c)
 *   hmma@75,78  the same of a value whose highest bit is elsewhere, at 78
 *   ?           further modifiers are not known: the instruction is always "partly" decoded
 *
 * operands: tokens between blanks.
 *   Rd Ra Rb Rc    register at bit 16, 24, 32, 64; Ud Ua Ub Uc: uniform register
 *   A B C S        sources whose place depends on the form: A at bit 24. Forms 1, 4, 5, 6: B at 32, C at 64; forms
 *                  2, 3, 7: C at 32, B at 64. S: at 32. What is at 32 is a register (1), a number (2, 4), a
 *                  constant (3, 5) or a uniform register (6, 7). UA UB UC: registers are uniform.
 *                  Then: - has a sign, | has an absolute value, ~ can be inverted, h halves of f16 pairs
 *   u24            uniform register of 6 bits, with its complement 6 bits above
 *   P81 UP81       predicate; p87 Up87: with its "not" bit 3 bits above; q68: uniform where bit 67 is set
 *   i40+13         number: 13 bits from bit 40; i44-20: signed
 *   lut            the truth tables of PLOP3
 *   sr72 b16 pr    special register, convergence barrier, all predicates
 *   t34 T34        target: distance of 30 bits, of 48 bits (from sm_90 on 8 lower bits at bit 16)
 *                  /85: where bit 85 is set, the distance is from address 0
 *   J34            as T34, from address 0
 *   c cu           constant of LDC, ULDC
 *   g m w          address: global, shared or local, global with an offset of 32 bits. Then: s uniform register at
 *                  bit 64, not 32; r reduction, a atomic operation: other bits define the registers; x scaled
 *   v              as g where bit 91 says that there is a uniform register, else as w
 *   j k            addresses of LDGSTS: shared (register at 16, offset at 44), global (at 24, offset at 32)
 *
 * After an operand's token:
 *   ?    never printed: the operation ignores it
 *   ?V   not printed where its value is V (predicates: with "not", 15 is !PT; registers: the number)
 *   &N   not printed where bit N is 0 (after a modifier, too)
 */
#ifndef VIVACE_SASS_TABLE_H
#define VIVACE_SASS_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct sass_row {
    uint16_t operation; /* bits 0 to 8 */
    uint8_t forms;      /* bit k: form k */
    uint8_t class;      /* enum sass_class */
    uint8_t arch_min, arch_max;
    const char *name, *modifiers, *operands;
};
struct sass_list {
    const char *name;
    uint32_t bits;
    const char *values[64]; /* "": no text; NULL: unknown */
};

/* In groups by purpose. No two rows claim an instruction; rows of one name before its first dot have one class. */
extern const struct sass_row sass_rows[];
extern const size_t sass_row_count;
const struct sass_list *sass_list_find(const char *name, size_t n); /* NULL: there is none */

#endif
