/* server/platform/net/client_address.c: the client's address behind trusted proxies, and forged headers. */
#include "tests/harness/check.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include "server/platform/net/client_address.h"

static void peer_of(const char *text, struct sockaddr_storage *out)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};

    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
        memcpy(out, &four, sizeof four);
    else if (inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
        memcpy(out, &six, sizeof six);
    else
        out->ss_family = AF_UNIX;
}

static void forwarded(void **state)
{
    static const struct {
        const char *peer, *fields[2], *trusted, *want;
    } cases[] = {
        {"192.0.2.7", {NULL}, "", "192.0.2.7"},
        {"192.0.2.7", {"198.51.100.1"}, "", "192.0.2.7"},             /* no proxy is trusted */
        {"192.0.2.7", {"198.51.100.1"}, "10.0.0.0/8", "192.0.2.7"},   /* this peer is not trusted */
        {"10.1.2.3", {"198.51.100.1"}, "10.0.0.0/8", "198.51.100.1"}, /* this peer is trusted */
        {"11.1.2.3", {"198.51.100.1"}, "10.0.0.0/8", "11.1.2.3"},
        {"10.1.2.3", {NULL}, "10.0.0.0/8", "10.1.2.3"},
        {"10.1.2.3", {"6.6.6.6, 198.51.100.1"}, "10.0.0.0/8", "198.51.100.1"},  /* the client forged 6.6.6.6 */
        {"10.1.2.3", {"198.51.100.1, 10.9.9.9"}, "10.0.0.0/8", "198.51.100.1"}, /* two proxies */
        /* the same in two header fields */
        {"10.1.2.3", {"198.51.100.1", "10.9.9.9"}, "10.0.0.0/8", "198.51.100.1"},
        {"10.1.2.3", {"198.51.100.1, nonsense, 10.9.9.9"}, "10.0.0.0/8", "10.9.9.9"},
        {"10.1.2.3", {"10.4.4.4"}, "10.0.0.0/8", "10.4.4.4"}, /* all are trusted: the farthest one */
        {"10.1.2.3", {""}, "10.0.0.0/8", "10.1.2.3"},
        {"127.0.0.1", {"2001:db8::5"}, "127.0.0.1, ::1", "2001:db8::5"},
        {"::1", {"2001:db8::5 "}, " 127.0.0.1 ,::1", "2001:db8::5"},
        {"::ffff:10.1.2.3", {"198.51.100.1"}, "10.0.0.0/8", "198.51.100.1"},
        {"fd12::1", {"198.51.100.1"}, "fd00::/8", "198.51.100.1"},
        {"10.15.0.1", {"198.51.100.1"}, "10.8.0.0/13", "198.51.100.1"}, /* a prefix that ends inside a byte */
        {"10.16.0.1", {"198.51.100.1"}, "10.8.0.0/13", "10.16.0.1"},
        {"unix", {"198.51.100.1"}, "10.0.0.0/8", "unknown"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sockaddr_storage peer;
        char got[ADDRESS_TEXT];
        struct proxies trusted;
        struct err e;
        size_t n = 0;

        while (n < 2 && cases[i].fields[n])
            n++;
        peer_of(cases[i].peer, &peer);
        CHECK_OK(proxies_read(cases[i].trusted, &trusted, &e), &e);
        client_address((struct sockaddr *)&peer, cases[i].fields, n, &trusted, got);
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("case %zu: got %s, want %s", i, got, cases[i].want);
    }
}

static void settings_that_are_wrong(void **state)
{
    static const char *const bad[] = {"proxy.example", "10.0.0.0/33", "::1/129",
                                      "10.0.0.0/",     "10.0.0.0/8x", "1.2.3"};
    struct proxies p;
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAILS(proxies_read(bad[i], &p, &e), &e, ERR_USAGE, bad[i]);
    CHECK_OK(proxies_read(NULL, &p, &e), &e);
    assert_int_equal(p.count, 0);
}

static void networks(void **state)
{
    char got[ADDRESS_TEXT];

    (void)state;
    client_network("192.0.2.7", got);
    assert_string_equal(got, "192.0.2.7");
    client_network("2001:db8:1:2:3:4:5:6", got);
    assert_string_equal(got, "2001:db8:1:2::");
    client_network("unknown", got);
    assert_string_equal(got, "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forwarded),
        cmocka_unit_test(settings_that_are_wrong),
        cmocka_unit_test(networks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
