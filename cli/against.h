/* cli/against.h: is a projection true? A run's intervals held against a simulation of every launch. */
#ifndef VIVACE_CLI_AGAINST_H
#define VIVACE_CLI_AGAINST_H

#include "cli/farm.h"

/* `path` is what `vivace simulate TRACES --gpu ... --json` wrote. Prints a row a design; -1 with ERR_INVALID where
 * an interval does not cover the full result, or where the two are not about the same launches and designs. */
int against_full(struct api *api, const char *run, const char *path, const struct cli_output *o, struct err *e);

#endif
