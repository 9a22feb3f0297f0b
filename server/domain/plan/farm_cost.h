/* server/domain/plan/farm_cost.h: the cost of simulating a launch on this farm, fitted to the times of its
 * simulations. */
#ifndef VIVACE_SERVER_FARM_COST_H
#define VIVACE_SERVER_FARM_COST_H

#include "sampling/plan/plan.h"
#include "server/domain/farm.h"
#include "server/store/db/db.h"
#include "wire/json.h"

#define FARM_COST_MIN 10 /* simulations: the fit has two parameters, and one slow machine must not dominate it */

/* Fills params->cost_fixed and cost_per_unit (sampling/allocate/cost_fit.h) from the newest results of the
 * profile's team: of the same simulator version, of profiles with the same unit, each result once, of all designs.
 * ERR_CONFLICT when there are fewer than FARM_COST_MIN. */
int farm_cost(struct farm *farm, struct db *db, const char *profile, struct plan_params *params,
              struct err *e) MUST_CHECK;

/* {"simulator","items":[{"design","simulations","fixed_s","per_unit_s","typical_error"}]}: one fit for each design
 * that has FARM_COST_MIN simulations. A new reference. */
int farm_cost_json(struct farm *farm, struct db *db, const char *profile, json_t **out, struct err *e) MUST_CHECK;

#endif
