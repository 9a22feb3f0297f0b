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
/* The form that is equal for names that match: demangled, without blanks, return type and parameter list. The
 * caller frees; NULL when memory ran out. */
char *kernel_name_plain(const char *name, struct err *e);
/* A plain form, in place, down to what tools call the short name: without template arguments and what it is
 * inside of ("at::native::f<4>" -> "f"). */
void kernel_name_shorten(char *plain);

#endif
