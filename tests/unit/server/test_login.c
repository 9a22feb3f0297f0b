/* Roles and scopes (server/domain/access/access_rules.c), passwords, and the delays against guessing. tests/api
 * covers what needs a database. */
#include "tests/harness/check.h"

#include <pthread.h>
#include <sched.h>

#include "server/domain/access/access_rules.h"
#include "server/domain/access/device.h"
#include "server/domain/access/login_guard.h"
#include "server/domain/access/password.h"

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
    /* a site admin has no access to a team's data without a role there */
    assert_int_equal(role_scopes(ROLE_NONE, true) & (R | W | A), 0);
    assert_true(role_scopes(ROLE_NONE, true) & 1u << SCOPE_FARM);
    assert_int_equal(scopes_expand(A), R | W | A);
    assert_int_equal(scopes_expand(K), K);
    CHECK_OK(role_from_name("owner", &r, &e), &e);
    assert_int_equal(r, ROLE_OWNER);
    CHECK_FAILS(role_from_name("root", &r, &e), &e, ERR_INVALID, "root");
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
        bool site;

        if (route_least_role(cases[i].scope, cases[i].method, &site) != cases[i].least || site != cases[i].site)
            fail_msg("%s %s", cases[i].method, scope_name(cases[i].scope) ? scope_name(cases[i].scope) : "none");
    }
}

/* Two hashes and four comparisons, about 70 ms each. */
static void passwords(void **state)
{
    char hashed[PASSWORD_TEXT], again[PASSWORD_TEXT], most[PASSWORD_MAX + 2];
    struct err e;

    (void)state;
    CHECK_OK(password_hash("correct horse", hashed, &e), &e);
    CHECK_OK(password_hash("correct horse", again, &e), &e);
    assert_true(strncmp(hashed, "$argon2id$", 10) == 0);
    assert_string_not_equal(hashed, again); /* each hash has its own salt */
    assert_true(password_matches(hashed, "correct horse"));
    assert_false(password_matches(hashed, "correct horse "));
    assert_false(password_matches("", "correct horse")); /* a user that does not exist */
    assert_false(password_outdated(hashed));
    CHECK_OK(password_check("0123456789", &e), &e);
    CHECK_FAILS(password_check("012345678", &e), &e, ERR_INVALID, "10 to 1000");
    memset(most, 'x', sizeof most - 1);
    most[sizeof most - 1] = '\0';
    CHECK_FAILS(password_check(most, &e), &e, ERR_INVALID, "10 to 1000");
    assert_false(password_matches(hashed, most));
}

static void fail_often(struct login_guard *g, const char *login, const char *address, int times)
{
    for (int i = 0; i < times; i++)
        login_guard_failed(g, login, address, NULL);
}

static struct login_guard *guard(struct clock *clock, uint64_t turn_us)
{
    struct login_guard *g;
    struct err e;

    clock_manual_init(clock, INT64_C(1700000000000000));
    CHECK_OK(login_guard_new(clock, turn_us, &g, &e), &e);
    return g;
}

static void guesses_slow_down_the_address(void **state)
{
    struct clock clock;
    struct login_guard *g = guard(&clock, 1);

    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(login_guard_address(g, "192.0.2.1"), 0);
        fail_often(g, "ann", "192.0.2.1", 1);
    }
    assert_int_equal(login_guard_address(g, "192.0.2.1"), 1);
    assert_int_equal(login_guard_address(g, "192.0.2.2"), 0);
    clock_advance(&clock, 1000000);
    assert_int_equal(login_guard_address(g, "192.0.2.1"), 0); /* the account is not locked */
    fail_often(g, "ann", "192.0.2.1", 3);
    assert_int_equal(login_guard_address(g, "192.0.2.1"), 8);
    fail_often(g, "ann", "192.0.2.1", 50);
    assert_int_equal(login_guard_address(g, "192.0.2.1"), 300);
    clock_advance(&clock, 16 * INT64_C(60000000));
    assert_int_equal(login_guard_address(g, "192.0.2.1"), 0);
    fail_often(g, "ann", "192.0.2.1", 1); /* starts again */
    assert_int_equal(login_guard_address(g, "192.0.2.1"), 0);
    login_guard_free(g);
}

/* Failures of a known device do not count for the account or the address, nor theirs for the device. */
static void a_device_counts_for_itself(void **state)
{
    struct clock clock;
    struct login_guard *g = guard(&clock, UINT64_C(3600000000));

    (void)state;
    fail_often(g, "ann", "192.0.2.1", 100);
    assert_true(login_guard_device(g, "laptop"));
    for (int i = 0; i < LOGIN_FREE_TRIES; i++)
        login_guard_failed(g, "bob", "192.0.2.9", "laptop");
    assert_false(login_guard_device(g, "laptop"));
    assert_int_equal(login_guard_address(g, "192.0.2.9"), 0);
    assert_int_equal(login_guard_turn(g, "bob", "192.0.2.9"), 0);
    clock_advance(&clock, 16 * INT64_C(60000000));
    assert_true(login_guard_device(g, "laptop"));
    login_guard_free(g);
}

struct guesser {
    pthread_t thread;
    struct login_guard *g;
    char address[20];
    int answer;
};

static void *take_turn(void *ctx)
{
    struct guesser *x = ctx;

    x->answer = login_guard_turn(x->g, "ann", x->address);
    return NULL;
}

static void begin(struct guesser *x, struct login_guard *g, int number)
{
    x->g = g;
    snprintf(x->address, sizeof x->address, "192.0.2.%d", number);
    assert_int_equal(pthread_create(&x->thread, NULL, take_turn, x), 0);
}

static void wait_until_waiting(struct login_guard *g, unsigned n)
{
    while (login_guard_waiting(g) != n)
        sched_yield();
}

/* The delay is an hour, so a waiting caller waits until the guard is stopped. */
static void who_asks_less_often_takes_a_place(void **state)
{
    struct guesser guessers[LOGIN_PLACES], owner;
    struct clock clock;
    struct login_guard *g = guard(&clock, UINT64_C(3600000000));
    int refused = 0;

    (void)state;
    assert_int_equal(login_guard_turn(g, "ann", "192.0.2.200"), 0); /* without failures there is no limit */
    assert_int_equal(login_guard_turn(g, "ann", "192.0.2.200"), 0);
    fail_often(g, "ann", "192.0.2.200", LOGIN_FREE_TRIES);
    assert_int_equal(login_guard_turn(g, "ann", "192.0.2.3"), 0); /* its first attempt */
    for (int i = 0; i < LOGIN_PLACES; i++) {                      /* 192.0.2.3 for the second time */
        begin(&guessers[i], g, i);
        wait_until_waiting(g, (unsigned)i + 1);
    }
    assert_true(login_guard_turn(g, "ann", "192.0.2.3") > 3600); /* its third attempt: no free place */
    begin(&owner, g, 100);
    pthread_join(guessers[3].thread, NULL); /* the owner has taken its place */
    assert_true(guessers[3].answer > 0);
    wait_until_waiting(g, LOGIN_PLACES);
    login_guard_stop(g);
    pthread_join(owner.thread, NULL);
    for (int i = 0; i < LOGIN_PLACES; i++) {
        if (i != 3)
            pthread_join(guessers[i].thread, NULL);
        refused += guessers[i].answer > 0;
    }
    assert_int_equal(refused, LOGIN_PLACES);
    assert_int_equal(login_guard_waiting(g), 0);
    login_guard_free(g);
}

/* All callers get their turn, one after the other. */
static void turns_come(void **state)
{
    struct guesser guessers[LOGIN_PLACES];
    struct clock clock;
    struct login_guard *g = guard(&clock, 1000);
    uint64_t began = clock_monotonic_us();

    (void)state;
    fail_often(g, "ann", "192.0.2.200", LOGIN_FREE_TRIES);
    for (int i = 0; i < LOGIN_PLACES; i++)
        begin(&guessers[i], g, i);
    for (int i = 0; i < LOGIN_PLACES; i++) {
        pthread_join(guessers[i].thread, NULL);
        assert_int_equal(guessers[i].answer, 0);
    }
    assert_true(clock_monotonic_us() - began >= (LOGIN_PLACES - 1) * UINT64_C(1000));
    login_guard_free(g);
}

/* A flood of invented names replaces entries, but never enlarges the table. */
static void the_table_is_bounded(void **state)
{
    struct clock clock;
    struct login_guard *g = guard(&clock, 1);
    char name[32];

    (void)state;
    for (int i = 0; i < 6000; i++) {
        clock_advance(&clock, 1000);
        snprintf(name, sizeof name, "user-%d", i);
        login_guard_failed(g, name, "192.0.2.1", NULL);
    }
    assert_true(login_guard_address(g, "192.0.2.1") > 0); /* the address was used last, so its entry is kept */
    login_guard_free(g);
}

static void devices_prove_themselves(void **state)
{
    struct farm farm = {.cursor_key = "a key of the farm"};
    char name[DEVICE_NAME], value[DEVICE_VALUE], cookies[300], id[DEVICE_ID], again[DEVICE_ID];
    struct clock clock;

    (void)state;
    clock_manual_init(&clock, INT64_C(1700000000000000));
    farm.clock = &clock;
    device_name("ann", name);
    device_make(&farm, "ann", value);
    snprintf(cookies, sizeof cookies, "vivace_session=x; %s=%s", name, value);
    assert_true(device_read(&farm, "ann", cookies, id));
    assert_true(device_read(&farm, "ann", cookies, again));
    assert_string_equal(id, again);
    assert_false(device_read(&farm, "bob", cookies, id));
    device_name("bob", name); /* ann's cookie under bob's name */
    snprintf(cookies, sizeof cookies, "%s=%s", name, value);
    assert_false(device_read(&farm, "bob", cookies, id));
    device_name("ann", name);
    for (size_t i = 0; i < strlen(value); i++) {
        char c = value[i];

        value[i] = c == 'A' ? 'B' : 'A';
        snprintf(cookies, sizeof cookies, "%s=%s", name, value);
        assert_false(device_read(&farm, "ann", cookies, id));
        value[i] = c;
    }
    assert_false(device_read(&farm, "ann", NULL, id));
    snprintf(cookies, sizeof cookies, "%s=%s", name, value);
    clock_advance(&clock, DEVICE_S * 1000000);
    assert_true(device_read(&farm, "ann", cookies, id));
    clock_advance(&clock, 1000000);
    assert_false(device_read(&farm, "ann", cookies, id));
    clock_manual_init(&clock, INT64_C(1700000000000000));
    farm.cursor_key[0] ^= 1; /* the key of another farm */
    assert_false(device_read(&farm, "ann", cookies, id));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles_hold_scopes),
        cmocka_unit_test(least_roles),
        cmocka_unit_test(passwords),
        cmocka_unit_test(guesses_slow_down_the_address),
        cmocka_unit_test(a_device_counts_for_itself),
        cmocka_unit_test(who_asks_less_often_takes_a_place),
        cmocka_unit_test(turns_come),
        cmocka_unit_test(the_table_is_bounded),
        cmocka_unit_test(devices_prove_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
