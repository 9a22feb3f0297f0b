/* server/domain/plan/plan_request.h: the parameters of a plan, as in a request, or in the database until
 * its pilot is over (pilots.h). */
#ifndef VIVACE_SERVER_RUN_PLAN_REQUEST_H
#define VIVACE_SERVER_RUN_PLAN_REQUEST_H

#include "sampling/plan.h"
#include "wire/json.h"

struct plan_request {
    char method[32];
    struct plan_params params;
    bool farm_cost; /* as the farm's own simulations took: farm_cost.h fills in params */
};
#define PLAN_REQUEST_DEFAULT                                                                                       \
    {                                                                                                              \
        .method = "vivace", .params = PLAN_PARAMS_DEFAULT                                                          \
    }
/* Into *w, which holds what a member that is absent means; ERR_INVALID with what is wrong, in the words of the API.
 */
int plan_request_read(const json_t *body, struct plan_request *w, struct err *e) MUST_CHECK;

#endif
