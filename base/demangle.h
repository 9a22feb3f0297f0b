/* base/demangle.h: C++ kernel names as people and Nsight Systems write them. By libiberty. */
#ifndef VIVACE_BASE_DEMANGLE_H
#define VIVACE_BASE_DEMANGLE_H

#include <stdbool.h>

#include "base/err.h"

/* The demangled name with its parameter list and template arguments, or a copy of the name where it is not a
 * mangled one. The caller frees; NULL when memory ran out. */
char *demangle(const char *name, struct err *e);
/* Whether two spellings (mangled or demangled, with or without the parameter list, other blanks) name one
 * kernel. */
bool kernel_names_match(const char *a, const char *b);

#endif
