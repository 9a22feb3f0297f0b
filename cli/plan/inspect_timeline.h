/* cli/plan/inspect_timeline.h: `vivace inspect FILE --timeline`: the run re-timed by its dependences. */
#ifndef VIVACE_CLI_INSPECT_TIMELINE_H
#define VIVACE_CLI_INSPECT_TIMELINE_H

#include "cli/cli.h"

struct timeline_question {
    const char *times;             /* "kernels=0.5,copies=2"; NULL: none */
    const char *system, *profiled; /* systems: asked for, profiled; NULL: none */
};
/* path: an export of nsys; name: for messages. */
int inspect_timeline(const char *path, const char *name, const struct timeline_question *q,
                     const struct cli_output *o, struct err *e);

#endif
