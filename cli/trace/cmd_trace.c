/* vivace trace: shared functions of its verbs. */
#include "cli/trace/cmd_trace.h"

#include <stdio.h>

const char *trace_shape(const uint32_t d[3], char out[48])
{
    snprintf(out, 48, "(%u,%u,%u)", d[0], d[1], d[2]);
    return out;
}
