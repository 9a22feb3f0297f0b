/* server/store/repo/credential.h: who sends a request, and what that allows, as the database knows it. */
#ifndef VIVACE_SERVER_CREDENTIAL_H
#define VIVACE_SERVER_CREDENTIAL_H

#include <stdbool.h>
#include <stdint.h>

/* What a credential may do (the first six; bits 1 << scope), and what a route asks for (access_rules.h says which
 * bits open which route, and which role holds which bits). */
enum scope {
    SCOPE_NONE, /* of routes: nobody needs a credential */
    SCOPE_READ,
    SCOPE_WRITE,
    SCOPE_WORKER, /* jobs of all teams: claim, heartbeat, complete, the blobs they name */
    SCOPE_ADMIN,  /* of a team: its members, tokens, share links, audit log */
    SCOPE_FARM,   /* of the farm: accounts, teams, workers' tokens; no team's data */
    SCOPE_ANY,    /* of routes: any valid credential */
    SCOPE_TEAM,   /* of routes: admin of that team, or farm */
    SCOPE_COUNT
};
enum role { ROLE_NONE, ROLE_VIEWER, ROLE_MEMBER, ROLE_OWNER }; /* of a person in a team, as member.role stores it */

/* A share link: what it shows (server/domain/share/share.h). */
struct share_scope {
    int64_t id; /* 0: the credential is no link */
    char kind[8], object[37];
    bool hide_names, frozen;
};

struct credential {
    bool valid;
    unsigned scopes;    /* bits; of a person's token or session already cut down to what the role holds */
    int64_t token_id;   /* 0: a session by password */
    int64_t session_id; /* 0: no cookie */
    int64_t account_id; /* 0: a team's own token */
    int64_t team_id;    /* 0: no team; finds nothing */
    enum role role;     /* in that team; a team's own token counts as ROLE_OWNER */
    bool by_cookie;     /* then a changing call needs X-Vivace-Request: 1 */
    char name[64];      /* who, for the log and in sentences: a login, or a token's name: "owner", "worker-pool" */
    struct share_scope share;
};

#endif
