/* server/domain/tasks/trace_binding.h: binds uploaded traces to sampled launches, and checks that they match.
 *
 * A trace names its context and launch order, because a tracer knows nothing else. It is bound to the profile's
 * launch with those numbers. The trace's own header (read here, from the blob) must have the same kernel, grid
 * and block. */
#ifndef VIVACE_SERVER_TRACE_BINDING_H
#define VIVACE_SERVER_TRACE_BINDING_H

#include <jansson.h>

#include "server/domain/farm.h"
#include "server/store/db/db.h"

struct binding_request {
    const char *plan, *profile;
    int64_t team;
    const json_t *traces; /* the list in the request */
};
/* *answer: {"bound","already","not_sampled","missing","refused":[…]}; a new reference. On return, jobs that
 * waited for these traces are ready. */
int trace_binding_run(struct farm *farm, struct db *db, const struct binding_request *q, json_t **answer,
                      struct err *e) MUST_CHECK;

#endif
