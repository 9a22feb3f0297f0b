/* server/domain/plan/plan_request.h: the parameters of a plan in a request. A pilot stores them in the database
 * until it makes its plan (pilots.h). */
#ifndef VIVACE_SERVER_RUN_PLAN_REQUEST_H
#define VIVACE_SERVER_RUN_PLAN_REQUEST_H

#include "sampling/plan/plan.h"
#include "wire/json.h"

struct plan_request {
    char method[32];
    struct plan_params params;
    struct plan_part part;
    bool farm_cost; /* costs from the farm's own simulations: farm_cost.h fills params */
};
#define PLAN_REQUEST_DEFAULT                                                                                       \
    {                                                                                                              \
        .method = "vivace", .params = PLAN_PARAMS_DEFAULT                                                          \
    }
/* Reads into *w, which contains the defaults of absent members. ERR_INVALID with a message in the API's terms. */
int plan_request_read(const json_t *body, struct plan_request *w, struct err *e) MUST_CHECK;

#endif
