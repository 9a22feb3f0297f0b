/* server/api/handlers/looks.h: the rule of a run in requests: how narrow, how dear, and who decides. */
#ifndef VIVACE_SERVER_HANDLERS_LOOKS_H
#define VIVACE_SERVER_HANDLERS_LOOKS_H

#include "server/store/repo/repo_look.h"
#include "wire/json.h"

extern const char *const rule_members[]; /* of the body, NULL at the end */
/* *given: false when the body has none of them, and *rule is empty. confidence 0: the plan's. */
int rule_read(const json_t *body, size_t designs, struct rule_row *rule, bool *given, struct err *e) MUST_CHECK;

#endif
