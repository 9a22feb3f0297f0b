/* cli/trace/trace_repairs.h: prints the number of repairs that trace readers made. */
#ifndef VIVACE_CLI_TRACE_REPAIRS_H
#define VIVACE_CLI_TRACE_REPAIRS_H

#include <jansson.h>

#include "simcore/trace/inst_source.h"

void trace_repairs_add(struct trace_repairs *to, const struct trace_repairs *r);
/* Prints the lines "repaired   …" and "missing    …". */
void trace_repairs_print(const struct trace_repairs *r);
json_t *trace_repairs_json(const struct trace_repairs *r); /* a new reference */

#endif
