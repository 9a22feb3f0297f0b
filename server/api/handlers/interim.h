/* server/api/handlers/interim.h: reads the stopping rule of a run from a request: target half-width, budget, and
 * whether extensions need approval. */
#ifndef VIVACE_SERVER_HANDLERS_INTERIM_H
#define VIVACE_SERVER_HANDLERS_INTERIM_H

#include "server/store/repo/repo_interim.h"
#include "wire/json.h"

extern const char *const rule_members[]; /* members of the request body, NULL at the end */
/* *given: false when the body has no rule member; *rule is then empty. confidence 0: that of the plan. */
int rule_read(const json_t *body, size_t designs, struct rule_row *rule, bool *given, struct err *e) MUST_CHECK;

#endif
