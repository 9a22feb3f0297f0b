/* cli/cmd_trace.h: the subcommands of `vivace trace`, one file each. */
#ifndef VIVACE_CLI_CMD_TRACE_H
#define VIVACE_CLI_CMD_TRACE_H

#include "cli/cli.h"
#include "simcore/trace/bundle.h"

int trace_info(int argc, char **argv);
int trace_dump(int argc, char **argv);
int trace_verify(int argc, char **argv);

/* A source over a stream that the caller keeps, as bundle_walk() hands out. */
int trace_source_over(struct stream *s, struct inst_source **out, struct err *e);
const char *trace_shape(const uint32_t d[3], char out[48]); /* "(16,1,10)" */

#endif
