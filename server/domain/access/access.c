#include "server/domain/access/access.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sodium.h>

#include "base/array.h"
#include "base/log.h"
#include "server/domain/access/access_rules.h"
#include "server/store/repo/repo_access.h"
#include "server/store/repo/repo_account.h"
#include "server/store/repo/repo_share.h"

#define REMEMBER_US (10 * INT64_C(1000000)) /* maximum delay of a revocation whose notification is lost */
#define IDLE_US     (12 * INT64_C(3600000000))
#define SESSION_US  (7 * INT64_C(86400000000))
#define SLOTS       1024 /* power of two; a new entry overwrites the slot's old one */

struct slot {
    unsigned char sha256[SHA256_BYTES];
    wall_us until;
    struct credential credential;
};
struct access {
    struct clock *clock;
    pthread_mutex_t lock;
    uint64_t changes; /* calls of access_forget() */
    struct slot slots[SLOTS];
};

int access_new(struct clock *clock, struct access **out, struct err *e)
{
    struct access *a = mem_zalloc(1, sizeof *a, e);

    if (!a)
        return -1;
    if (sodium_init() < 0) {
        free(a);
        return err_set(e, ERR_INTERNAL, "libsodium cannot be started");
    }
    a->clock = clock;
    pthread_mutex_init(&a->lock, NULL);
    *out = a;
    return 0;
}

void access_free(struct access *a)
{
    if (!a)
        return;
    sodium_memzero(a->slots, sizeof a->slots);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* --- The secret in a request --- */

bool access_cookie(const char *cookies, const char *name, size_t n, char *out)
{
    const char *at = cookies;
    size_t name_length = strlen(name);

    out[0] = '\0';
    while (at && *at) {
        at += strspn(at, "; ");
        if (strncmp(at, name, name_length) == 0 && at[name_length] == '=') {
            at += name_length + 1;
            if (strcspn(at, "; ") != n || !secret_alphabet(at, n))
                return false;
            memcpy(out, at, n);
            out[n] = '\0';
            return true;
        }
        at = strchr(at, ';');
    }
    return false;
}

static int read_share(const char *secret, struct presented *out)
{
    if (!share_text_valid(secret))
        return 0;
    snprintf(out->share, sizeof out->share, "%s", secret);
    out->by_cookie = true;
    return 1;
}

int access_read(const char *share, const char *authorization, const char *cookie, struct presented *out)
{
    memset(out, 0, sizeof *out);
    if (share)
        return read_share(share, out);
    if (authorization) {
        if (strncasecmp(authorization, "Bearer ", 7) != 0)
            return 0;
        if (!token_text_valid(authorization + 7))
            return read_share(authorization + 7, out);
        snprintf(out->secret, sizeof out->secret, "%s", authorization + 7);
        return 1;
    }
    out->by_cookie = true;
    return access_cookie(cookie, SESSION_COOKIE, SECRET_TEXT - 1, out->secret);
}

/* --- Look-ups --- */

static struct slot *slot_of(struct access *a, const unsigned char sha256[SHA256_BYTES])
{
    uint32_t h;

    memcpy(&h, sha256, sizeof h);
    return &a->slots[h % SLOTS];
}

static bool recall(struct access *a, const char *secret, struct credential *out)
{
    unsigned char sha256[SHA256_BYTES];
    bool found = false;
    struct slot *s;

    secret_hash(secret, sha256);
    pthread_mutex_lock(&a->lock);
    s = slot_of(a, sha256);
    if (s->until > clock_now(a->clock) && sodium_memcmp(s->sha256, sha256, sizeof sha256) == 0) {
        *out = s->credential;
        found = true;
    }
    pthread_mutex_unlock(&a->lock);
    return found;
}

/* The cache contains only valid credentials. A share link that is not cached may have ended, so the caller asks
 * the database. */
int access_cached(struct access *a, const struct presented *p, struct credential *out)
{
    return recall(a, p->share[0] ? p->share : p->secret, out);
}

/* changes: access_changes() before the credential was read. If something changed since, it may be out of date. */
static void remember(struct access *a, uint64_t changes, const unsigned char sha256[SHA256_BYTES],
                     const struct credential *c)
{
    struct slot *s;

    pthread_mutex_lock(&a->lock);
    if (a->changes == changes) {
        s = slot_of(a, sha256);
        memcpy(s->sha256, sha256, sizeof s->sha256);
        s->credential = *c;
        s->until = clock_now(a->clock) + REMEMBER_US;
    }
    pthread_mutex_unlock(&a->lock);
}

void access_forget(struct access *a)
{
    pthread_mutex_lock(&a->lock);
    a->changes++;
    sodium_memzero(a->slots, sizeof a->slots);
    pthread_mutex_unlock(&a->lock);
}

uint64_t access_changes(struct access *a)
{
    uint64_t changes;

    pthread_mutex_lock(&a->lock);
    changes = a->changes;
    pthread_mutex_unlock(&a->lock);
    return changes;
}

/* Updates the time of last use. An error here does not fail the request, because the time may be lost. */
static void touch(struct db *db, const struct credential *who, wall_us now)
{
    struct err e;

    if (repo_access_touch(db, who, now, &e) < 0)
        log_warn("access", "the time of last use of a token was not written", "error=%s",
                 log_quote(e.text, (char[200]){0}, 200));
}

/* The scopes of the token, limited to those of the person's role. A person who has left the team has none. */
static void bound_by_role(struct access_row *row)
{
    struct credential *c = &row->who;

    c->scopes = scopes_expand(c->scopes) & role_scopes(c->role, row->site_admin);
    if (c->account_id && c->role == ROLE_NONE)
        c->team_id = 0;
}

static int look_up_share(struct access *a, struct db *db, const char *secret, struct credential *out, struct err *e)
{
    unsigned char sha256[SHA256_BYTES];
    uint64_t changes = access_changes(a);
    int found;

    secret_hash(secret, sha256);
    found = repo_share_by_secret(db, sha256, clock_now(a->clock), out, e);
    if (found > 0)
        remember(a, changes, sha256, out);
    return found;
}

int access_look_up(struct access *a, struct db *db, const struct presented *p, struct credential *out,
                   struct err *e)
{
    unsigned char sha256[SHA256_BYTES];
    uint64_t changes = access_changes(a);
    wall_us now = clock_now(a->clock);
    struct access_row row;
    int found;

    if (p->share[0])
        return look_up_share(a, db, p->share, out, e) < 0 ? -1 : 0;
    memset(out, 0, sizeof *out);
    if (!p->secret[0])
        return 0;
    secret_hash(p->secret, sha256);
    found = p->by_cookie ? repo_access_by_session(db, sha256, now, now - IDLE_US, &row, e)
                         : repo_access_by_token(db, sha256, now, &row, e);
    if (found <= 0)
        return found;
    bound_by_role(&row);
    *out = row.who;
    out->by_cookie = p->by_cookie;
    remember(a, changes, sha256, out); /* only valid credentials: guesses cannot evict others from the cache */
    if (row.stale)
        touch(db, out, now);
    return 0;
}

/* --- Creating tokens and sessions --- */

int token_make(struct db *db, struct clock *clock, const struct token_request *request, char text[TOKEN_TEXT],
               char *id, struct err *e)
{
    unsigned char sha256[SHA256_BYTES];
    char shown[9];
    struct token_row row = {
        .id = id,
        .team_id = request->team_id,
        .account_id = request->account_id,
        .name = request->name,
        .sha256 = sha256,
        .shown = shown,
        .scopes = request->scopes,
        .created_at = clock_now(clock),
        .expires_at = request->expires_at,
    };

    token_text_make(text);
    snprintf(shown, sizeof shown, "%.8s", text);
    secret_hash(text, sha256);
    uuid_make(clock, id);
    return repo_token_put(db, &row, e);
}

/* Creates a session for a token or an account (the other id is 0). *who receives the session's permissions. */
static int open_session(struct access *a, struct db *db, int64_t token, int64_t account, int64_t team,
                        char cookie[SECRET_TEXT], struct credential *who, struct err *e)
{
    struct presented p = {.by_cookie = true};
    unsigned char sha256[SHA256_BYTES];
    wall_us now = clock_now(a->clock);

    secret_text_make(cookie);
    secret_hash(cookie, sha256);
    if (repo_session_expire(db, now, now - IDLE_US, e) < 0 ||
        repo_session_put(db, token, account, team, sha256, now, now + SESSION_US, e) < 0)
        return -1;
    snprintf(p.secret, sizeof p.secret, "%s", cookie);
    return access_look_up(a, db, &p, who, e);
}

int session_by_token(struct access *a, struct db *db, const char *token, char cookie[SECRET_TEXT],
                     struct credential *who, struct err *e)
{
    struct presented p = {.by_cookie = false};

    memset(who, 0, sizeof *who);
    if (token_text_valid(token)) {
        snprintf(p.secret, sizeof p.secret, "%s", token);
        if (access_look_up(a, db, &p, who, e) < 0)
            return -1;
    }
    if (!who->valid) {
        err_set(e, ERR_UNAUTHORIZED, "this token is not valid on this server");
        return err_hint(
            e, "Copy the whole token, from vvc_ to the last character. It may also have expired or been revoked.");
    }
    return open_session(a, db, who->token_id, 0, 0, cookie, who, e);
}

int session_by_account(struct access *a, struct db *db, int64_t account, int64_t team, char cookie[SECRET_TEXT],
                       struct credential *who, struct err *e)
{
    if (!team && repo_member_first_team(db, account, &team, e) < 0)
        return -1;
    return open_session(a, db, 0, account, team, cookie, who, e);
}
