/* cli/farm_pilot.h: pilots that the farm makes: begun, shown, followed. */
#ifndef VIVACE_CLI_FARM_PILOT_H
#define VIVACE_CLI_FARM_PILOT_H

#include "cli/farm.h"

/* For a plan of the profile, as POST /profiles/{profile}/plans takes it (dropped), on this design. */
int farm_pilot_begin(struct api *api, const char *profile, const char *gpu, json_t *plan, json_t **out,
                     struct err *e) MUST_CHECK;
/* "cancel" or "retry". */
int farm_pilot_act(struct api *api, const char *pilot, const char *act, json_t **out, struct err *e) MUST_CHECK;
/* Until it is over, with its progress where people look. ERR_SIMULATION with its reason unless it made its plan;
 * *out: what it is like at the end, also then. */
int farm_pilot_follow(struct api *api, const char *pilot, json_t **out, struct err *e) MUST_CHECK;
/* In some lines, or as JSON. */
int farm_pilot_print(const json_t *pilot, const struct cli_output *o, struct err *e) MUST_CHECK;
/* Those of a profile. */
int farm_pilot_list(struct api *api, const char *profile, const struct cli_output *o, struct err *e) MUST_CHECK;

#endif
