/* base/demangle.h: C++ kernel names in the form that Nsight Systems shows, by libiberty. */
#ifndef VIVACE_BASE_DEMANGLE_H
#define VIVACE_BASE_DEMANGLE_H

#include <stdbool.h>

#include "base/err.h"

/* The demangled name with its parameter list and template arguments. Returns a copy of the name where it is not
 * mangled. The caller frees; NULL when memory ran out. */
char *demangle(const char *name, struct err *e);
/* Whether two spellings (mangled or demangled, with or without the parameter list, other blanks) name one
 * kernel. */
bool kernel_names_match(const char *a, const char *b);
/* The form that is equal for names that match: demangled, without blanks, return type and parameter list. The
 * caller frees; NULL when memory ran out. */
char *kernel_name_plain(const char *name, struct err *e);
/* Shortens a plain form in place to the short name that tools show: without template arguments, namespaces and
 * classes ("at::native::f<4>" -> "f"). */
void kernel_name_shorten(char *plain);

#endif
