#include "server/access.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <sodium.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/text.h"

#define REMEMBER_US (10 * INT64_C(1000000)) /* how late another server's revocation may be noticed here */
#define IDLE_US     (12 * INT64_C(3600000000))
#define SESSION_US  (7 * INT64_C(86400000000))
#define SLOTS       1024 /* power of two; a slot is simply overwritten */

enum {
    TOKEN_BY_HASH,
    SESSION_BY_HASH,
    SESSION_TOUCH,
    TOKEN_TOUCH,
    TOKEN_INSERT,
    SESSION_INSERT,
    TOKEN_ANY,
    TEAM_DEFAULT
};
extern const struct db_stmt repo_access_stmts[];
const struct db_stmt repo_access_stmts[] = {
    [TOKEN_BY_HASH] =
        {"token_by_hash",
         "SELECT id, team_id, name, scopes, 0, coalesce(last_used_at < $2::timestamptz - interval '1 minute', true)"
         "  FROM token WHERE sha256 = $1::bytea AND (expires_at IS NULL OR expires_at > $2::timestamptz)"},
    [SESSION_BY_HASH] =
        {"session_by_hash",
         "SELECT t.id, t.team_id, t.name, t.scopes, s.id, s.used_at < $2::timestamptz - interval '1 minute'"
         "  FROM session s JOIN token t ON t.id = s.token_id"
         " WHERE s.sha256 = $1::bytea AND s.expires_at > $2::timestamptz AND s.used_at > $3::timestamptz"
         "   AND (t.expires_at IS NULL OR t.expires_at > $2::timestamptz)"},
    [SESSION_TOUCH] = {"session_touch", "UPDATE session SET used_at = $2::timestamptz WHERE id = $1::bigint"},
    [TOKEN_TOUCH] = {"token_touch", "UPDATE token SET last_used_at = date_trunc('minute', $2::timestamptz)"
                                    " WHERE id = $1::bigint"},
    [TOKEN_INSERT] = {"token_insert",
                      "INSERT INTO token (public_id, team_id, name, sha256, shown, scopes, created_at, expires_at)"
                      " VALUES ($1::uuid, $2::bigint, $3::text, $4::bytea, $5::text, $6::integer, $7::timestamptz,"
                      "         $8::timestamptz)"},
    [SESSION_INSERT] = {"session_insert",
                        "INSERT INTO session (token_id, sha256, created_at, used_at, expires_at)"
                        " VALUES ($1::bigint, $2::bytea, $3::timestamptz, $3::timestamptz, $4::timestamptz)"},
    [TOKEN_ANY] = {"token_any", "SELECT 1 FROM token LIMIT 1"},
    [TEAM_DEFAULT] = {"team_default", "SELECT id FROM team WHERE slug = 'default'"},
    {"token_list", "SELECT public_id, name, shown, scopes, created_at, expires_at, last_used_at FROM token"
                   " WHERE team_id = $1::bigint ORDER BY id"},
    {"token_delete", "DELETE FROM token WHERE public_id = $1::uuid AND team_id = $2::bigint"},
    {"session_delete", "DELETE FROM session WHERE id = $1::bigint"},
    {"session_expire", "DELETE FROM session WHERE expires_at < $1::timestamptz OR used_at < $2::timestamptz"},
    {"team_slug", "SELECT slug FROM team WHERE id = $1::bigint"},
    {"farm_touch", "UPDATE farm_secret SET value = value WHERE name = 'cursor'"},
    {"metric_jobs", "SELECT state::text, count(*) FROM job GROUP BY state ORDER BY 1"},
    {"farm_secret", "SELECT value FROM farm_secret WHERE name = $1::text"},
    {NULL, NULL},
};

struct slot {
    unsigned char sha256[SHA256_BYTES];
    wall_us until;
    struct credential credential;
};
struct access {
    struct clock *clock;
    pthread_mutex_t lock;
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

/* --- The text of a token --- */

/* CRC-32 as in IEEE 802.3, bit by bit: a token is short. */
static uint32_t crc_of(const char *s, size_t n)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < n; i++) {
        crc ^= (unsigned char)s[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

static void checksum_text(const char *secret43, char out[7])
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    uint32_t crc = crc_of(secret43, 43);

    for (int i = 5; i >= 0; i--) { /* 62^6 > 2^32 */
        out[i] = digits[crc % 62];
        crc /= 62;
    }
    out[6] = '\0';
}

static void random_text(char out[44])
{
    unsigned char bytes[32];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(out, 44, bytes, sizeof bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(bytes, sizeof bytes);
}

static bool base64url(const char *s, size_t n)
{
    return strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") >= n;
}

bool token_text_valid(const char *text)
{
    char sum[7];

    if (strlen(text) != TOKEN_TEXT - 1 || !str_starts(text, "vvc_") || !base64url(text + 4, 49))
        return false;
    checksum_text(text + 4, sum);
    return strcmp(sum, text + 47) == 0;
}

static void secret_hash(const char *secret, unsigned char out[SHA256_BYTES])
{
    crypto_hash_sha256(out, (const unsigned char *)secret, strlen(secret));
}

/* --- What a request presents --- */

static bool cookie_value(const char *cookies, char *out)
{
    const char *at = cookies;
    size_t name = strlen(SESSION_COOKIE);

    while (at && *at) {
        at += strspn(at, "; ");
        if (strncmp(at, SESSION_COOKIE, name) == 0 && at[name] == '=') {
            size_t n = strcspn(at + name + 1, "; ");

            if (n != 43 || !base64url(at + name + 1, n))
                return false;
            memcpy(out, at + name + 1, n);
            out[n] = '\0';
            return true;
        }
        at = strchr(at, ';');
    }
    return false;
}

int access_read(const char *authorization, const char *cookie, struct presented *out)
{
    memset(out, 0, sizeof *out);
    if (authorization) {
        if (strncasecmp(authorization, "Bearer ", 7) != 0 || !token_text_valid(authorization + 7))
            return 0;
        snprintf(out->secret, sizeof out->secret, "%s", authorization + 7);
        return 1;
    }
    if (!cookie || !cookie_value(cookie, out->secret))
        return 0;
    out->by_cookie = true;
    return 1;
}

/* --- Look-ups --- */

static struct slot *slot_of(struct access *a, const unsigned char sha256[SHA256_BYTES])
{
    uint32_t h;

    memcpy(&h, sha256, sizeof h);
    return &a->slots[h % SLOTS];
}

int access_cached(struct access *a, const struct presented *p, struct credential *out)
{
    unsigned char sha256[SHA256_BYTES];
    struct slot *s;
    int found = 0;

    secret_hash(p->secret, sha256);
    pthread_mutex_lock(&a->lock);
    s = slot_of(a, sha256);
    if (s->until > clock_now(a->clock) && sodium_memcmp(s->sha256, sha256, sizeof sha256) == 0) {
        *out = s->credential;
        found = 1;
    }
    pthread_mutex_unlock(&a->lock);
    return found;
}

static void remember(struct access *a, const unsigned char sha256[SHA256_BYTES], const struct credential *c)
{
    struct slot *s;

    pthread_mutex_lock(&a->lock);
    s = slot_of(a, sha256);
    memcpy(s->sha256, sha256, sizeof s->sha256);
    s->credential = *c;
    s->until = clock_now(a->clock) + REMEMBER_US;
    pthread_mutex_unlock(&a->lock);
}

void access_forget(struct access *a)
{
    pthread_mutex_lock(&a->lock);
    sodium_memzero(a->slots, sizeof a->slots);
    pthread_mutex_unlock(&a->lock);
}

/* Stamps of last use may be lost: a failure here is not the request's. */
static void touch(struct db *db, const char *stmt, int64_t id, wall_us now)
{
    struct db_params p = DB_PARAMS_INIT;
    struct err e;

    db_i64(&p, id);
    db_time(&p, now);
    if (db_query(db, stmt, &p, NULL, &e) < 0)
        log_warn("access", "a stamp of last use was not written", "error=%s",
                 log_quote(e.text, (char[200]){0}, 200));
}

static void fill_credential(const struct db_rows *r, bool by_cookie, struct credential *out)
{
    out->valid = true;
    out->by_cookie = by_cookie;
    out->token_id = db_get_i64(r, 0, 0);
    out->team_id = db_get_i64(r, 0, 1);
    snprintf(out->name, sizeof out->name, "%s", db_get(r, 0, 2));
    out->scopes = (unsigned)db_get_i64(r, 0, 3);
    out->session_id = db_get_i64(r, 0, 4);
}

int access_look_up(struct access *a, struct db *db, const struct presented *p, struct credential *out,
                   struct err *e)
{
    struct db_params q = DB_PARAMS_INIT;
    unsigned char sha256[SHA256_BYTES];
    wall_us now = clock_now(a->clock);
    struct db_rows r;

    memset(out, 0, sizeof *out);
    secret_hash(p->secret, sha256);
    db_bytes(&q, sha256, sizeof sha256);
    db_time(&q, now);
    if (p->by_cookie)
        db_time(&q, now - IDLE_US);
    if (db_query(db, p->by_cookie ? "session_by_hash" : "token_by_hash", &q, &r, e) < 0)
        return -1;
    if (r.count > 0) {
        bool stale = db_get_bool(&r, 0, 5);

        fill_credential(&r, p->by_cookie, out);
        remember(a, sha256, out); /* only good ones: guesses cannot push them out of memory */
        if (stale)
            touch(db, p->by_cookie ? "session_touch" : "token_touch",
                  p->by_cookie ? out->session_id : out->token_id, now);
    }
    db_rows_release(&r);
    return 0;
}

/* --- Making them --- */

int token_make(struct db *db, struct clock *clock, int64_t team_id, const char *name, unsigned scopes,
               wall_us expires_at, char text[TOKEN_TEXT], char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    unsigned char sha256[SHA256_BYTES];
    char shown[9];

    snprintf(text, TOKEN_TEXT, "vvc_");
    random_text(text + 4);
    checksum_text(text + 4, text + 47);
    snprintf(shown, sizeof shown, "%.8s", text);
    secret_hash(text, sha256);
    uuid_make(clock, id);
    db_text(&p, id);
    db_i64(&p, team_id);
    db_text(&p, name);
    db_bytes(&p, sha256, sizeof sha256);
    db_text(&p, shown);
    db_i64(&p, scopes);
    db_time(&p, clock_now(clock));
    if (expires_at)
        db_time(&p, expires_at);
    else
        db_text(&p, NULL);
    return db_query(db, "token_insert", &p, NULL, e);
}

int session_make(struct access *a, struct db *db, const char *token, char cookie[TOKEN_TEXT],
                 struct credential *who, struct err *e)
{
    struct presented p = {.by_cookie = false};
    struct db_params q = DB_PARAMS_INIT, old = DB_PARAMS_INIT;
    unsigned char sha256[SHA256_BYTES];
    wall_us now = clock_now(a->clock);

    if (token_text_valid(token)) {
        snprintf(p.secret, sizeof p.secret, "%s", token);
        if (access_look_up(a, db, &p, who, e) < 0)
            return -1;
    } else {
        memset(who, 0, sizeof *who);
    }
    if (!who->valid) {
        err_set(e, ERR_UNAUTHORIZED, "this token is not valid here");
        return err_hint(
            e, "Copy the whole token, from vvc_ to the last character; it may have expired or been removed.");
    }
    db_time(&old, now);
    db_time(&old, now - IDLE_US);
    if (db_query(db, "session_expire", &old, NULL, e) < 0)
        return -1;
    random_text(cookie);
    secret_hash(cookie, sha256);
    db_i64(&q, who->token_id);
    db_bytes(&q, sha256, sizeof sha256);
    db_time(&q, now);
    db_time(&q, now + SESSION_US);
    return db_query(db, "session_insert", &q, NULL, e);
}

/* --- First start --- */

static int write_secret(const char *folder, const char *name, const char *text, struct err *e)
{
    char path[PATH_MAX];
    int fd;
    size_t n = strlen(text);

    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set_errno(e, errno, "%s", path);
    if (write(fd, text, n) != (ssize_t)n || write(fd, "\n", 1) != 1 || fsync(fd) < 0) {
        err_set_errno(e, errno, "%s", path);
        close(fd);
        return -1;
    }
    close(fd);
    return 0;
}

struct first {
    struct clock *clock;
    const char *folder;
    char *admin;
};

/* Files first: should the transaction fail after that, the next start writes them again. */
static int make_first(struct db *db, void *ctx, struct err *e)
{
    struct first *f = ctx;
    struct db_rows r;
    int64_t team;
    char worker[TOKEN_TEXT], id[UUID_TEXT];
    int any;

    if (db_query(db, "token_any", NULL, &r, e) < 0)
        return -1;
    any = r.count;
    db_rows_release(&r);
    if (any)
        return 1;
    if (db_query(db, "team_default", NULL, &r, e) < 0)
        return -1;
    team = db_get_i64(&r, 0, 0);
    db_rows_release(&r);
    if (token_make(db, f->clock, team, "owner",
                   1u << SCOPE_ADMIN | 1u << SCOPE_READ | 1u << SCOPE_WRITE | 1u << SCOPE_WORKER, 0, f->admin, id,
                   e) < 0 ||
        token_make(db, f->clock, team, "worker-pool", 1u << SCOPE_WORKER, 0, worker, id, e) < 0 ||
        write_secret(f->folder, "admin-token", f->admin, e) < 0 ||
        write_secret(f->folder, "worker-token", worker, e) < 0)
        return -1;
    return 0;
}

int access_first_start(struct db *db, struct clock *clock, const char *state_folder, char admin[TOKEN_TEXT],
                       struct err *e)
{
    struct first f = {clock, state_folder, admin};
    int ret = db_transaction(db, make_first, &f, e);

    return ret < 0 ? -1 : ret == 0;
}

/* --- Scopes --- */

const char *scope_name(enum scope s)
{
    static const char *const name[] = {NULL, "read", "write", "worker", "admin"};

    return name[s];
}

int scopes_from_names(const char *const *names, size_t count, unsigned *out, struct err *e)
{
    *out = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned s = SCOPE_READ;

        while (s <= SCOPE_ADMIN && strcmp(names[i], scope_name(s)) != 0)
            s++;
        if (s > SCOPE_ADMIN)
            return err_set(e, ERR_INVALID, "\"%.40s\" is not a scope; there are read, write, worker, admin",
                           names[i]);
        *out |= 1u << s;
    }
    return *out ? 0 : err_set(e, ERR_INVALID, "a token needs at least one scope");
}
