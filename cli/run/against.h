/* cli/run/against.h: compares a run's intervals with a simulation of every launch. */
#ifndef VIVACE_CLI_AGAINST_H
#define VIVACE_CLI_AGAINST_H

#include "cli/client/farm.h"

/* `path`: a file with the output of `vivace simulate TRACES --gpu ... --json`. Prints one row for each design. -1
 * with ERR_INVALID where an interval does not cover the full result, or where launches or designs differ. */
int against_full(struct api *api, const char *run, const char *path, const struct cli_output *o, struct err *e);

#endif
