/* cli/trace_repairs.h: what readers of traces had to repair, added up and said. */
#ifndef VIVACE_CLI_TRACE_REPAIRS_H
#define VIVACE_CLI_TRACE_REPAIRS_H

#include <jansson.h>

#include "simcore/trace/inst_source.h"

void trace_repairs_add(struct trace_repairs *to, const struct trace_repairs *r);
/* Lines "repaired   …" and "missing    …". */
void trace_repairs_print(const struct trace_repairs *r);
json_t *trace_repairs_json(const struct trace_repairs *r); /* a new reference */

#endif
