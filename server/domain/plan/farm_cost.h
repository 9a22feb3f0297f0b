/* server/domain/plan/farm_cost.h: what simulating a launch costs on this farm, fitted from what its simulations
 * took. */
#ifndef VIVACE_SERVER_FARM_COST_H
#define VIVACE_SERVER_FARM_COST_H

#include "sampling/plan.h"
#include "server/domain/farm.h"
#include "server/store/db/db.h"
#include "wire/json.h"

#define FARM_COST_MIN 10 /* simulations: two numbers are fitted, and one slow machine shall not decide */

/* Fills params->cost_fixed and cost_per_unit (sampling/cost_fit.h) from the newest results of the profile's team:
 * same simulator version, profiles of the same unit, each result once, whatever the design. ERR_CONFLICT when there
 * are fewer than FARM_COST_MIN. */
int farm_cost(struct farm *farm, struct db *db, const char *profile, struct plan_params *params,
              struct err *e) MUST_CHECK;

/* {"simulator","items":[{"design","simulations","fixed_s","per_unit_s","typical_error"}]}: one fit for each design
 * that has FARM_COST_MIN simulations. A new reference. */
int farm_cost_json(struct farm *farm, struct db *db, const char *profile, json_t **out, struct err *e) MUST_CHECK;

#endif
