/* server/domain/tasks/trace_binding.h: traces that come back: which sampled launch is this, and is it really that
 * one?
 *
 * A trace names itself by context and launch order, because that is all a tracer knows. The launch is the one that
 * the profile has there; the trace's own header (read here, from the blob) must show the same kernel, grid and
 * block. */
#ifndef VIVACE_SERVER_TRACE_BINDING_H
#define VIVACE_SERVER_TRACE_BINDING_H

#include <jansson.h>

#include "server/domain/farm.h"
#include "server/store/db/db.h"

struct binding_request {
    const char *plan, *profile;
    int64_t team;
    const json_t *traces; /* the API's list */
};
/* *answer: {"bound","already","not_sampled","missing","refused":[…]}; a new reference. Jobs that waited for these
 * traces are ready afterwards. */
int trace_binding_run(struct farm *farm, struct db *db, const struct binding_request *q, json_t **answer,
                      struct err *e) MUST_CHECK;

#endif
