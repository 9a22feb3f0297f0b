/* cli/trace/cmd_trace.h: the subcommands of `vivace trace`, one file each. */
#ifndef VIVACE_CLI_CMD_TRACE_H
#define VIVACE_CLI_CMD_TRACE_H

#include "cli/nouns.h"
#include "simcore/trace/bundle.h"

const char *trace_shape(const uint32_t d[3], char out[48]); /* "(16,1,10)" */

#endif
