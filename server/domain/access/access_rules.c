#include "server/domain/access/access_rules.h"

#include <string.h>

#define BIT(scope) (1u << SCOPE_##scope)

static const struct {
    const char *name;
    unsigned opened_by; /* scopes of a credential, any of which allows a route of this scope */
} scopes[SCOPE_COUNT] = {
    [SCOPE_NONE] = {NULL, 0},
    [SCOPE_READ] = {"read", BIT(READ)},
    [SCOPE_WRITE] = {"write", BIT(WRITE)},
    [SCOPE_WORKER] = {"worker", BIT(WORKER)},
    [SCOPE_ADMIN] = {"admin", BIT(ADMIN)},
    [SCOPE_FARM] = {"farm", BIT(FARM)},
    [SCOPE_ANY] = {"any", 0},
    [SCOPE_TEAM] = {"team", BIT(ADMIN) | BIT(FARM)},
};

static const struct {
    const char *name;
    unsigned scopes;
} roles[] = {
    [ROLE_NONE] = {NULL, 0},
    [ROLE_VIEWER] = {"viewer", BIT(READ)},
    [ROLE_MEMBER] = {"member", BIT(READ) | BIT(WRITE)},
    [ROLE_OWNER] = {"owner", BIT(READ) | BIT(WRITE) | BIT(ADMIN)},
};

const char *scope_name(enum scope s)
{
    return scopes[s].name;
}

int scopes_from_names(const char *const *names, size_t count, unsigned *out, struct err *e)
{
    *out = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned s = SCOPE_READ;

        while (s <= SCOPE_FARM && strcmp(names[i], scopes[s].name) != 0)
            s++;
        if (s > SCOPE_FARM)
            return err_set(e, ERR_INVALID, "\"%.40s\" is not a scope; there are read, write, worker, admin, farm",
                           names[i]);
        *out |= 1u << s;
    }
    return *out ? 0 : err_set(e, ERR_INVALID, "a token needs at least one scope");
}

unsigned scopes_expand(unsigned s)
{
    return s & BIT(ADMIN) ? s | BIT(READ) | BIT(WRITE) : s;
}

const char *role_name(enum role r)
{
    return roles[r].name;
}

int role_from_name(const char *name, enum role *out, struct err *e)
{
    for (*out = ROLE_VIEWER; *out <= ROLE_OWNER; ++*out)
        if (strcmp(name, roles[*out].name) == 0)
            return 0;
    return err_set(e, ERR_INVALID, "\"%.40s\" is not a role; there are viewer, member, owner", name);
}

unsigned role_scopes(enum role r, bool site_admin)
{
    return roles[r].scopes | (site_admin ? BIT(FARM) | BIT(WORKER) : 0);
}

unsigned route_scopes(enum scope scope, const char *method)
{
    unsigned opened_by = scopes[scope].opened_by;

    /* A blob or a design can be read by workers and by people with the scope read. */
    if (scope == SCOPE_WORKER && strcmp(method, "GET") == 0)
        opened_by |= BIT(READ);
    return opened_by;
}

int access_rule(enum scope scope, const char *method, const struct credential *c, struct err *e)
{
    unsigned opened_by = route_scopes(scope, method);

    if (scope == SCOPE_NONE)
        return 0;
    if (!c->valid) {
        err_set(e, ERR_UNAUTHORIZED, "a valid token is needed");
        return err_hint(e, "Send Authorization: Bearer vvc_..., or log in with `vivace login`.");
    }
    if (!opened_by || c->scopes & opened_by)
        return 0;
    err_set(e, ERR_FORBIDDEN, "the credential \"%s\" lacks the scope %s", c->name, scopes[scope].name);
    return err_hint(e, "Create a token with that scope, or ask an owner of the team for a role that has it.");
}

enum role route_least_role(enum scope scope, const char *method, bool *site)
{
    unsigned opened_by = route_scopes(scope, method);
    enum role r = ROLE_VIEWER;

    *site = opened_by & role_scopes(ROLE_NONE, true);
    while (opened_by && r <= ROLE_OWNER && !(roles[r].scopes & opened_by))
        r++;
    return opened_by && r <= ROLE_OWNER ? r : ROLE_NONE;
}
