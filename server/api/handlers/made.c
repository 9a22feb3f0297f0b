#include "server/api/handlers/made.h"

#include "server/api/handlers/handlers.h"

const struct made_kind made_kinds[] = {{runs_post, run_get, "/api/v1/runs/"},
                                       {plans_post, plan_get, "/api/v1/plans/"},
                                       {pilots_post, pilot_get, "/api/v1/pilots/"},
                                       {uploads_post, upload_get, "/api/v1/uploads/"},
                                       {NULL, NULL, NULL}};
