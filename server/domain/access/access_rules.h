/* server/domain/access/access_rules.h: who may use which route: the one place where roles, scopes and routes meet.
 * docs/SECURITY.md shows it as a table, and tests/api/roles.test.mjs tries each route.
 *
 * A route asks for a scope (api/). A credential has scopes: those of its token, and where it belongs to a
 * person only those that the person's role in the team holds. */
#ifndef VIVACE_SERVER_ACCESS_RULES_H
#define VIVACE_SERVER_ACCESS_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "server/store/repo/credential.h"

/* "read", ...; NULL for SCOPE_NONE. */
const char *scope_name(enum scope s);
/* Names of the scopes of credentials (read ... farm) -> bits. ERR_INVALID for others, and for none at all. */
int scopes_from_names(const char *const *names, size_t count, unsigned *out, struct err *e) MUST_CHECK;
/* With what a scope brings along: admin reads and writes. */
unsigned scopes_expand(unsigned scopes);

const char *role_name(enum role r); /* "viewer"; NULL for ROLE_NONE */
int role_from_name(const char *name, enum role *out, struct err *e) MUST_CHECK;
/* What a person may do in a team, and on the farm. */
unsigned role_scopes(enum role r, bool site_admin);

/* The scopes of which any one opens a route that asks for `scope`; 0: nobody needs a credential, or any will do. */
unsigned route_scopes(enum scope scope, const char *method);
/* Whether the credential opens it: 0, or -1 with ERR_UNAUTHORIZED or ERR_FORBIDDEN. */
int access_rule(enum scope scope, const char *method, const struct credential *c, struct err *e) MUST_CHECK;
/* The weakest of roles that open it; *site: a site admin without a role does, too. ROLE_NONE: no role does,
 * or none is needed. */
enum role route_least_role(enum scope scope, const char *method, bool *site);

#endif
