#include "server/access/login.h"

#include <string.h>

#include "base/log.h"
#include "server/http/client_address.h"
#include "server/access/login_guard.h"
#include "server/operate/metrics.h"
#include "server/access/password.h"

/* Parameters may rise from one version to the next. The log-in is good either way. */
static void rehash(struct db *db, const struct account_row *account, const char *password)
{
    char hashed[PASSWORD_TEXT];
    struct err e;

    if (password_outdated(account->password) &&
        (password_hash(password, hashed, &e) < 0 || repo_account_password(db, account->id, hashed, &e) < 0))
        log_warn("access", "a password was not hashed anew", "user=%s error=%s", account->login,
                 log_quote(e.text, (char[200]){0}, 200));
}

int login_check(struct app *app, struct db *db, const struct request *req, const char *login, const char *password,
                struct account_row *out, struct reply *rep, struct err *e)
{
    bool shaped = account_login_valid(login);
    char network[ADDRESS_TEXT];
    int wait, found = 0;

    memset(out, 0, sizeof *out);
    client_network(req->address, network);
    wait = login_guard_wait(app->login_guard, login, network);
    if (wait > 0) {
        rep->retry_after_s = wait;
        err_set(e, ERR_RATE_LIMITED, "there were too many wrong passwords for this user or from this address");
        return err_hint(e, "Try again in %d s.", wait);
    }
    if (shaped)
        found = repo_account_find(db, login, out, e);
    if (found < 0)
        return -1;
    if (!password_matches(out->password, password) || out->disabled) {
        login_guard_failed(app->login_guard, login, network);
        metrics_add(app->metrics, METRIC_LOGINS_FAILED, 1);
        return err_set(e, ERR_UNAUTHORIZED, "user or password is wrong");
    }
    login_guard_succeeded(app->login_guard, login);
    rehash(db, out, password);
    return 0;
}
