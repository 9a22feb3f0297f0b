/* server/store/repo/credential.h: the identity of a caller and its permissions, as the database stores them. */
#ifndef VIVACE_SERVER_CREDENTIAL_H
#define VIVACE_SERVER_CREDENTIAL_H

#include <stdbool.h>
#include <stdint.h>

/* Permissions. A credential has some of the first six (as bits 1 << scope). A route requires one of them or one of
 * the rest. access_rules.h lists the bits that open each route, and the bits of each role. */
enum scope {
    SCOPE_NONE, /* routes only: no credential is required */
    SCOPE_READ,
    SCOPE_WRITE,
    SCOPE_WORKER, /* jobs of all teams: claim, heartbeat, complete, and the blobs that they need */
    SCOPE_ADMIN,  /* one team: its members, tokens, share links, audit log */
    SCOPE_FARM,   /* the farm: accounts, teams, tokens of workers; no data of teams */
    SCOPE_ANY,    /* routes only: any valid credential */
    SCOPE_TEAM,   /* routes only: SCOPE_ADMIN of that team, or SCOPE_FARM */
    SCOPE_COUNT
};
enum role { ROLE_NONE, ROLE_VIEWER, ROLE_MEMBER, ROLE_OWNER }; /* role of an account in a team, as in member.role */

/* What a share link shows (server/domain/share/share.h). */
struct share_scope {
    int64_t id; /* 0: the credential is not a share link */
    char kind[8], object[37];
    bool hide_names, frozen;
};

struct credential {
    bool valid;
    unsigned scopes;    /* bits; for a token or session of an account already limited to those of its role */
    int64_t token_id;   /* 0: a session opened by password */
    int64_t session_id; /* 0: no session cookie */
    int64_t account_id; /* 0: a token of the team, not of an account */
    int64_t team_id;    /* 0: no team, so that no data is visible */
    enum role role;     /* role in that team; ROLE_OWNER for a token of the team */
    bool by_cookie;     /* a request that changes data then needs X-Vivace-Request: 1 */
    char name[64];      /* caller's name for logs and messages: a login, or the name of a token */
    struct share_scope share;
};

#endif
