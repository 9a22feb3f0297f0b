/* cli/plan/inspect_timeline.h: `vivace inspect FILE --timeline`: the run re-timed by its dependences. */
#ifndef VIVACE_CLI_INSPECT_TIMELINE_H
#define VIVACE_CLI_INSPECT_TIMELINE_H

#include "cli/cli.h"

/* path: an export of nsys; name: for messages. times: "kernels=0.5,copies=2"; NULL: none. */
int inspect_timeline(const char *path, const char *name, const char *times, const struct cli_output *o,
                     struct err *e);

#endif
