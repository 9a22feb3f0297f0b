/* ptx/lower/machine_forms.h: the number and opcodes of the machine instructions of a PTX form. */
#ifndef VIVACE_PTX_LOWER_MACHINE_FORMS_H
#define VIVACE_PTX_LOWER_MACHINE_FORMS_H

#include "ptx/parse/module.h"

enum {
    MACHINE_BY_WORD = 1, /* instruction k writes word k of the result; other forms are a chain */
    MACHINE_I2FP = 2,    /* sm_86 on: I2FP, which runs on the arithmetic pipe */
    MACHINE_VIMNMX = 4   /* sm_90 on: VIMNMX */
};
struct ptx_machine_form {
    const char *pattern;
    uint8_t counts[3];   /* for sm_75, sm_80, sm_90; 0: the number of names in `opcodes` */
    const char *opcodes; /* in order, separated by spaces */
    const char *fill;    /* NULL: IADD3 */
    uint8_t flags;
};

/* constant: the last operand is known at compile time, such as a divisor or the length of a bit field. */
const struct ptx_machine_form *ptx_machine_form(const struct ptx_inst *i, bool constant);
/* name: of ptx_form_name(). */
const struct ptx_machine_form *ptx_machine_form_named(const char *name, bool constant);
uint32_t ptx_machine_form_count(const struct ptx_machine_form *f, uint32_t arch); /* may be 0 */
void ptx_machine_form_opcode(const struct ptx_machine_form *f, uint32_t arch, uint32_t k, char *out, size_t room);

#endif
