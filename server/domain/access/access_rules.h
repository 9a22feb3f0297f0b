/* server/domain/access/access_rules.h: authorization: which credential may use which route. Roles, scopes and
 * routes are compared here only. docs/SECURITY.md shows the rules as a table, and tests/api/roles.test.mjs tries
 * each route.
 *
 * A route requires a scope (api/). A credential has the scopes of its token. If it belongs to a person, they are
 * limited to the scopes of the person's role in the team. */
#ifndef VIVACE_SERVER_ACCESS_RULES_H
#define VIVACE_SERVER_ACCESS_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "server/store/repo/credential.h"

/* "read", ...; NULL for SCOPE_NONE. */
const char *scope_name(enum scope s);
/* Converts names of scopes (read ... farm) to bits. ERR_INVALID for other names and for an empty list. */
int scopes_from_names(const char *const *names, size_t count, unsigned *out, struct err *e) MUST_CHECK;
/* Adds the scopes that a scope includes: admin includes read and write. */
unsigned scopes_expand(unsigned scopes);

const char *role_name(enum role r); /* "viewer"; NULL for ROLE_NONE */
int role_from_name(const char *name, enum role *out, struct err *e) MUST_CHECK;
/* The scopes of a role in a team, and of a site admin. */
unsigned role_scopes(enum role r, bool site_admin);

/* The scopes that each allow a route of the scope `scope`. 0: the route needs no credential, or any valid one
 * will do. */
unsigned route_scopes(enum scope scope, const char *method);
/* Whether the credential allows the route: 0, or -1 with ERR_UNAUTHORIZED or ERR_FORBIDDEN. */
int access_rule(enum scope scope, const char *method, const struct credential *c, struct err *e) MUST_CHECK;
/* The weakest role that allows the route. *site: a site admin without a role may use it, too. ROLE_NONE: no role
 * allows it, or none is needed. */
enum role route_least_role(enum scope scope, const char *method, bool *site);

#endif
