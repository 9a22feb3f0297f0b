#include "server/domain/access/login.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "server/domain/access/device.h"
#include "server/platform/net/client_address.h"
#include "server/domain/access/login_guard.h"
#include "server/platform/metrics.h"
#include "server/domain/access/password.h"
#include "wire/json.h"

/* Hashes the password again if the parameters have become stronger. The log-in succeeds even if this fails. */
static void rehash(struct db *db, const struct account_row *account, const char *password)
{
    char hashed[PASSWORD_TEXT];
    struct err e;

    if (password_outdated(account->password) &&
        (password_hash(password, hashed, &e) < 0 || repo_account_password(db, account->id, hashed, &e) < 0))
        log_warn("access", "a password was not hashed anew", "user=%s error=%s", account->login,
                 log_quote(e.text, (char[200]){0}, 200));
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

int login_check(struct farm *farm, struct db *db, const struct login_origin *from, const char *login,
                const char *password, struct account_row *out, int *retry_after_s, struct err *e)
{
    char network[ADDRESS_TEXT], device[DEVICE_ID];
    bool known = known_device(farm, from, login, device);

    memset(out, 0, sizeof *out);
    client_network(from->address, network);
    if (!known && wait_for_turn(farm, login, network, retry_after_s, e) < 0)
        return -1;
    if (account_login_valid(login) && repo_account_find(db, login, out, e) < 0)
        return -1;
    if (!password_matches(out->password, password) || out->disabled) {
        login_guard_failed(farm->login_guard, login, network, known ? device : NULL);
        metrics_add(farm->metrics, METRIC_LOGINS_FAILED, 1);
        return err_set(e, ERR_UNAUTHORIZED, "user or password is wrong");
    }
    rehash(db, out, password);
    return 0;
}
