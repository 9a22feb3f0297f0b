/* cli/input/plan_input.h: reads a plan and the profile that it was made from. */
#ifndef VIVACE_CLI_PLAN_INPUT_H
#define VIVACE_CLI_PLAN_INPUT_H

#include "cli/cli.h"
#include "sampling/plan/plan.h"

/* Reads a plan and its profile, and checks that they match. The caller releases both, also on -1. */
int plan_with_profile(const char *plan_path, const char *profile_path, const struct cli_output *output,
                      struct plan *plan, struct profile *profile, struct err *e);
#endif
