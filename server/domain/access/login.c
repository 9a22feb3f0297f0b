#include "server/domain/access/login.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/domain/access/device.h"
#include "server/platform/net/client_address.h"
#include "server/domain/access/login_guard.h"
#include "server/platform/metrics.h"
#include "server/domain/access/password.h"
#include "wire/json.h"

/* Stores the hash of the replacement, or a stronger hash of the password if the parameters have become stronger.
 * Otherwise only locks the row. 0: the account has changed since it was read. */
static int keep(struct db *db, const struct account_row *account, const struct login_attempt *attempt,
                struct err *e)
{
    const char *next = attempt->replacement;
    char hashed[PASSWORD_TEXT];

    if (!next && password_outdated(account->password))
        next = attempt->password;
    if (!next)
        return repo_account_hold(db, account->id, account->password, e);
    if (password_hash(next, hashed, e) < 0)
        return -1;
    return repo_account_password_replace(db, account->id, account->password, hashed, e);
}

/* 1: the password is right. 0: it is wrong, or nobody may log in with it. The account may change while the hash is
 * computed. Then the new state is compared. */
static int compare(struct db *db, const struct login_attempt *attempt, struct account_row *out, struct err *e)
{
    int kept;

    do {
        memset(out, 0, sizeof *out);
        if (account_login_valid(attempt->login) && repo_account_find(db, attempt->login, out, e) < 0)
            return -1;
        db_act_release(db);
        if (!password_matches(out->password, attempt->password) || out->disabled)
            return 0;
        kept = keep(db, out, attempt, e);
    } while (kept == 0);
    return kept;
}

/* A device from which this person has signed in before, or the person's own session. Failures count for
 * `device`. */
static bool known_device(const struct farm *farm, const struct login_origin *from, const char *login,
                         char device[DEVICE_ID])
{
    const struct credential *c = from->credential;

    if (c->valid && c->account_id && c->session_id && strcmp(c->name, login) == 0)
        snprintf(device, DEVICE_ID, "session %" PRId64, c->session_id);
    else if (!device_read(farm, login, from->cookies, device))
        return false;
    return login_guard_device(farm->login_guard, device);
}

bool login_of_known_device(const struct farm *farm, const struct login_origin *from, const char *text,
                           size_t length)
{
    const char *login = from->credential->account_id ? from->credential->name : NULL;
    char device[DEVICE_ID];
    struct err ignored; /* the handler reports the error */
    json_t *body = NULL;
    bool known;

    if (!login) {
        body = json_read_text(text, length, "the body", &ignored);
        login = json_string_value(json_object_get(body, "user"));
    }
    known = login && known_device(farm, from, login, device);
    json_decref(body);
    return known;
}

static int refuse(int *retry_after_s, int wait, const char *why, struct err *e)
{
    *retry_after_s = wait;
    err_set(e, ERR_RATE_LIMITED, "%s", why);
    return err_hint(e, "Try again in %d s, or from a browser that has signed in here before.", wait);
}

static int wait_for_turn(struct farm *farm, const char *login, const char *network, int *retry_after_s,
                         struct err *e)
{
    int wait = login_guard_address(farm->login_guard, network);

    if (wait > 0)
        return refuse(retry_after_s, wait, "there were too many wrong passwords from this address", e);
    wait = login_guard_turn(farm->login_guard, login, network);
    return wait > 0 ? refuse(retry_after_s, wait, "too many sign-ins for this user are waiting", e) : 0;
}

int login_check(struct farm *farm, struct db *db, const struct login_origin *from,
                const struct login_attempt *attempt, struct account_row *out, int *retry_after_s, struct err *e)
{
    const char *login = attempt->login;
    char network[ADDRESS_TEXT], device[DEVICE_ID];
    bool known = known_device(farm, from, login, device);
    int right;

    client_network(from->address, network);
    db_act_release(db); /* the turn may take half a minute */
    if (!known && wait_for_turn(farm, login, network, retry_after_s, e) < 0)
        return -1;
    right = compare(db, attempt, out, e);
    if (right != 0)
        return right < 0 ? -1 : 0;
    login_guard_failed(farm->login_guard, login, network, known ? device : NULL);
    metrics_add(farm->metrics, METRIC_LOGINS_FAILED, 1);
    return err_set(e, ERR_UNAUTHORIZED, "user or password is wrong");
}
