/* cli/farm/farm_pilot.h: pilots on the farm: starts, shows and follows them. */
#ifndef VIVACE_CLI_FARM_PILOT_H
#define VIVACE_CLI_FARM_PILOT_H

#include "cli/client/farm.h"

/* Starts a pilot on the design `gpu`, for a plan of the profile. plan: the body of POST /profiles/{profile}/plans;
 * its reference is taken. */
int farm_pilot_begin(struct api *api, const char *profile, const char *gpu, json_t *plan, json_t **out,
                     struct err *e) MUST_CHECK;
/* act: "cancel" or "retry". */
int farm_pilot_act(struct api *api, const char *pilot, const char *act, json_t **out, struct err *e) MUST_CHECK;
/* Follows a pilot until it ends, and shows its progress. ERR_SIMULATION with the reason unless its plan was made.
 * *out: its final state, also after an error. */
int farm_pilot_follow(struct api *api, const char *pilot, json_t **out, struct err *e) MUST_CHECK;
/* Prints a pilot as text or as JSON. */
int farm_pilot_print(const json_t *pilot, const struct cli_output *o, struct err *e) MUST_CHECK;
/* Prints the pilots of a profile. */
int farm_pilot_list(struct api *api, const char *profile, const struct cli_output *o, struct err *e) MUST_CHECK;

#endif
