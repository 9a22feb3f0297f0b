/* cli/input/cost_file.h: --cost-from: fits a cost model to measured simulation times in a file. */
#ifndef VIVACE_CLI_COST_FILE_H
#define VIVACE_CLI_COST_FILE_H

#include "base/err.h"
#include "sampling/plan/plan.h"

/* Each line is a simulated launch: its value (ns, or warp instructions, as in the profile), a comma, and its
 * simulation time in seconds. A first line that begins with a letter is a header. Fills params->cost_fixed and
 * cost_per_unit. */
int cost_file_read(const char *path, struct plan_params *params, struct err *e);

#endif
