/* cli/cost_file.h: --cost-from: what simulations took, from a file, as a cost model. */
#ifndef VIVACE_CLI_COST_FILE_H
#define VIVACE_CLI_COST_FILE_H

#include "base/err.h"
#include "sampling/plan.h"

/* A line a simulated launch: its value (ns, or warp instructions, as in the profile), a comma, the seconds its
 * simulation took. A first line that begins with a letter is a heading. Fills params->cost_fixed, cost_per_unit. */
int cost_file_read(const char *path, struct plan_params *params, struct err *e);

#endif
