/* ptx/lower/machine_forms.h: how many machine instructions a PTX form becomes, and which. */
#ifndef VIVACE_PTX_LOWER_MACHINE_FORMS_H
#define VIVACE_PTX_LOWER_MACHINE_FORMS_H

#include "ptx/parse/module.h"

enum {
    MACHINE_BY_WORD = 1, /* instruction k makes word k of the result; others form a chain */
    MACHINE_I2FP = 2,    /* sm_86 on: I2FP, which runs on the arithmetic pipe */
    MACHINE_VIMNMX = 4   /* sm_90 on: VIMNMX */
};
struct ptx_machine_form {
    const char *pattern;
    uint8_t counts[3];   /* sm_75, sm_80, sm_90; 0: the count of names in `opcodes` */
    const char *opcodes; /* in order, a space between */
    const char *fill;    /* NULL: IADD3 */
    uint8_t flags;
};

const struct ptx_machine_form *ptx_machine_form(const struct ptx_inst *i);
const struct ptx_machine_form *ptx_machine_form_named(const char *name);          /* of ptx_form_name() */
uint32_t ptx_machine_form_count(const struct ptx_machine_form *f, uint32_t arch); /* may be 0 */
void ptx_machine_form_opcode(const struct ptx_machine_form *f, uint32_t arch, uint32_t k, char *out, size_t room);

#endif
