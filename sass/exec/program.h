/* sass/exec/program.h: what a launch needs of loaded cubins. */
#ifndef VIVACE_SASS_EXEC_PROGRAM_H
#define VIVACE_SASS_EXEC_PROGRAM_H

#include "sass/exec/machine.h"

const struct sass_code *kernel_code(const struct sass_kernel *k);
/* The constant banks of a function, without bank 0. */
void program_banks(const struct sass_code *c, struct sass_bank banks[CUBIN_BANKS]);
struct device_memory *program_memory(const struct sass_program *p);

#endif
