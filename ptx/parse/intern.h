/* ptx/parse/intern.h: stores each text once, so that equal texts have equal pointers. */
#ifndef VIVACE_PTX_PARSE_INTERN_H
#define VIVACE_PTX_PARSE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct intern; /* opaque */
struct intern *intern_new(struct err *e);
void intern_free(struct intern *t);
/* Returns the stored copy of these bytes, which must not include NUL. It lives as long as t. NULL: no memory. */
const char *intern_add(struct intern *t, const char *bytes, size_t n, struct err *e);

#endif
