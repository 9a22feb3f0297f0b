/* Roles and scopes (server/access/access_rules.c), passwords, and what slows guessing down. What needs a database
 * is in tests/api. */
#include "tests/harness/check.h"

#include "server/access/access_rules.h"
#include "server/access/login_guard.h"
#include "server/access/password.h"

static void roles_hold_scopes(void **state)
{
    enum { R = 1u << SCOPE_READ, W = 1u << SCOPE_WRITE, K = 1u << SCOPE_WORKER, A = 1u << SCOPE_ADMIN };
    enum role r;
    struct err e;

    (void)state;
    assert_int_equal(role_scopes(ROLE_NONE, false), 0);
    assert_int_equal(role_scopes(ROLE_VIEWER, false), R);
    assert_int_equal(role_scopes(ROLE_MEMBER, false), R | W);
    assert_int_equal(role_scopes(ROLE_OWNER, false), R | W | A);
    /* a site admin reads no team's data by that alone */
    assert_int_equal(role_scopes(ROLE_NONE, true) & (R | W | A), 0);
    assert_true(role_scopes(ROLE_NONE, true) & 1u << SCOPE_FARM);
    assert_int_equal(scopes_expand(A), R | W | A);
    assert_int_equal(scopes_expand(K), K);
    CHECK_OK(role_from_name("owner", &r, &e), &e);
    assert_int_equal(r, ROLE_OWNER);
    CHECK_FAILS(role_from_name("root", &r, &e), &e, ERR_INVALID, "root");
}

static int nothing(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    (void)db;
    (void)req;
    (void)rep;
    (void)e;
    return 0;
}

static void least_roles(void **state)
{
    static const struct {
        const char *method;
        enum scope scope;
        enum role least;
        bool site;
    } cases[] = {
        {"GET", SCOPE_NONE, ROLE_NONE, false},    {"GET", SCOPE_ANY, ROLE_NONE, false},
        {"GET", SCOPE_READ, ROLE_VIEWER, false},  {"POST", SCOPE_WRITE, ROLE_MEMBER, false},
        {"POST", SCOPE_ADMIN, ROLE_OWNER, false}, {"GET", SCOPE_TEAM, ROLE_OWNER, true},
        {"GET", SCOPE_FARM, ROLE_NONE, true},     {"POST", SCOPE_WORKER, ROLE_NONE, true},
        {"GET", SCOPE_WORKER, ROLE_VIEWER, true}, /* a blob, a design */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct route route = {cases[i].method, "/x", nothing, cases[i].scope, ROUTE_DB, 0};
        bool site;

        if (route_least_role(&route, &site) != cases[i].least || site != cases[i].site)
            fail_msg("%s %s", cases[i].method, scope_name(cases[i].scope) ? scope_name(cases[i].scope) : "none");
    }
}

/* Two hashes and four comparisons of some 70 ms each. */
static void passwords(void **state)
{
    char hashed[PASSWORD_TEXT], again[PASSWORD_TEXT], most[PASSWORD_MOST + 2];
    struct err e;

    (void)state;
    CHECK_OK(password_hash("correct horse", hashed, &e), &e);
    CHECK_OK(password_hash("correct horse", again, &e), &e);
    assert_true(strncmp(hashed, "$argon2id$", 10) == 0);
    assert_string_not_equal(hashed, again); /* each has its salt */
    assert_true(password_matches(hashed, "correct horse"));
    assert_false(password_matches(hashed, "correct horse "));
    assert_false(password_matches("", "correct horse")); /* nobody */
    assert_false(password_outdated(hashed));
    CHECK_OK(password_check("0123456789", &e), &e);
    CHECK_FAILS(password_check("012345678", &e), &e, ERR_INVALID, "10 to 1000");
    memset(most, 'x', sizeof most - 1);
    most[sizeof most - 1] = '\0';
    CHECK_FAILS(password_check(most, &e), &e, ERR_INVALID, "10 to 1000");
    assert_false(password_matches(hashed, most));
}

static void guesses_slow_down(void **state)
{
    struct login_guard *g;
    struct clock clock;
    struct err e;

    (void)state;
    clock_manual_init(&clock, INT64_C(1700000000000000));
    CHECK_OK(login_guard_new(&clock, &g, &e), &e);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(login_guard_wait(g, "ann", "192.0.2.1"), 0);
        login_guard_failed(g, "ann", "192.0.2.1");
    }
    assert_int_equal(login_guard_wait(g, "ann", "192.0.2.1"), 1);
    assert_int_equal(login_guard_wait(g, "ann", "192.0.2.2"), 1); /* the account, from anywhere */
    assert_int_equal(login_guard_wait(g, "bob", "192.0.2.1"), 1); /* the address, at any account */
    assert_int_equal(login_guard_wait(g, "bob", "192.0.2.2"), 0);
    clock_advance(&clock, 1000000);
    assert_int_equal(login_guard_wait(g, "ann", "192.0.2.1"), 0); /* no lock-out */
    for (int i = 0; i < 3; i++)
        login_guard_failed(g, "ann", "192.0.2.1");
    assert_int_equal(login_guard_wait(g, "ann", "192.0.2.3"), 8);
    for (int i = 0; i < 50; i++)
        login_guard_failed(g, "ann", "192.0.2.1");
    assert_int_equal(login_guard_wait(g, "ann", "192.0.2.3"), 300);
    login_guard_succeeded(g, "ann");
    assert_int_equal(login_guard_wait(g, "ann", "192.0.2.3"), 0);
    assert_int_equal(login_guard_wait(g, "ann", "192.0.2.1"), 300); /* the guesser's address stays slow */
    clock_advance(&clock, 16 * INT64_C(60000000));
    assert_int_equal(login_guard_wait(g, "ann", "192.0.2.1"), 0);
    login_guard_failed(g, "ann", "192.0.2.1"); /* begins anew */
    assert_int_equal(login_guard_wait(g, "ann", "192.0.2.1"), 0);
    login_guard_free(g);
}

/* A flood of invented names pushes out entries, but never grows the table. */
static void the_table_is_bounded(void **state)
{
    struct login_guard *g;
    struct clock clock;
    char name[32];
    struct err e;

    (void)state;
    clock_manual_init(&clock, INT64_C(1700000000000000));
    CHECK_OK(login_guard_new(&clock, &g, &e), &e);
    for (int i = 0; i < 6000; i++) {
        clock_advance(&clock, 1000);
        snprintf(name, sizeof name, "user-%d", i);
        login_guard_failed(g, name, "192.0.2.1");
    }
    assert_true(login_guard_wait(g, "somebody", "192.0.2.1") > 0); /* the address is used most recently: it stays */
    login_guard_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles_hold_scopes), cmocka_unit_test(least_roles),          cmocka_unit_test(passwords),
        cmocka_unit_test(guesses_slow_down), cmocka_unit_test(the_table_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
