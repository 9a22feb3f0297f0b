/* cli/cmd_trace.h: the subcommands of `vivace trace`, one file each. */
#ifndef VIVACE_CLI_CMD_TRACE_H
#define VIVACE_CLI_CMD_TRACE_H

#include "cli/cli.h"
#include "simcore/trace/bundle.h"

int trace_info(int argc, char **argv);
int trace_dump(int argc, char **argv);
int trace_verify(int argc, char **argv);
int trace_diff(int argc, char **argv);
int trace_convert(int argc, char **argv);
int trace_features(int argc, char **argv);

const char *trace_shape(const uint32_t d[3], char out[48]); /* "(16,1,10)" */

#endif
