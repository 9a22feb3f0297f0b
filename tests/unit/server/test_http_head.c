/* server/platform/net/http_head.c: request heads that are refused. tests/api/access.test.mjs sends the same over
 * a raw socket. */
#include "tests/harness/check.h"

#include "server/platform/net/http_head.h"

static const char *const hosts[] = {"localhost", "farm.example", NULL};

static struct head make(const char *method, const char *uri, const char *version, const char *const *fields)
{
    struct head h = {.method = method, .uri = uri, .version = version};

    for (; fields && *fields; fields += 2)
        h.field[h.count++] = (struct head_field){fields[0], fields[1], strlen(fields[0]), strlen(fields[1])};
    return h;
}

static void heads(void **state)
{
    static const struct {
        const char *what, *method, *version, *fields[9];
        const char *why; /* NULL: allowed */
    } cases[] = {
        {"plain", "GET", "HTTP/1.1", {"Host", "localhost"}, NULL},
        {"name in capitals, with a port", "GET", "HTTP/1.1", {"HOST", "Farm.Example:8080"}, NULL},
        {"an IPv4 address", "GET", "HTTP/1.1", {"Host", "192.0.2.7:80"}, NULL},
        {"an IPv6 address", "GET", "HTTP/1.1", {"Host", "[2001:db8::1]:80"}, NULL},
        {"a length", "PUT", "HTTP/1.1", {"Host", "localhost", "Content-Length", "12"}, NULL},
        {"chunked", "PUT", "HTTP/1.1", {"Host", "localhost", "transfer-encoding", "Chunked"}, NULL},
        {"foreign name", "GET", "HTTP/1.1", {"Host", "evil.example"}, "does not answer for the host"},
        {"no host", "GET", "HTTP/1.1", {"Accept", "*/*"}, "must name one host"},
        {"empty host", "GET", "HTTP/1.1", {"Host", ""}, "must name one host"},
        {"two hosts", "GET", "HTTP/1.1", {"Host", "localhost", "host", "localhost"}, "must name one host"},
        {"port that is none", "GET", "HTTP/1.1", {"Host", "localhost:x"}, "must name one host"},
        {"open bracket", "GET", "HTTP/1.1", {"Host", "[::1"}, "must name one host"},
        {"two lengths",
         "PUT",
         "HTTP/1.1",
         {"Host", "localhost", "Content-Length", "1", "content-length", "1"},
         "2 Content-Length"},
        {"length and coding",
         "PUT",
         "HTTP/1.1",
         {"Host", "localhost", "Content-Length", "1", "Transfer-Encoding", "chunked"},
         "both"},
        {"space before the colon",
         "PUT",
         "HTTP/1.1",
         {"Host", "localhost", "Content-Length", "1", "Transfer-Encoding ", "chunked"},
         "contains a space"},
        {"other coding",
         "PUT",
         "HTTP/1.1",
         {"Host", "localhost", "Transfer-Encoding", "gzip, chunked"},
         "only be \"chunked\""},
        {"signed length", "PUT", "HTTP/1.1", {"Host", "localhost", "Content-Length", "+1"}, "not a number"},
        {"empty length", "PUT", "HTTP/1.1", {"Host", "localhost", "Content-Length", ""}, "not a number"},
        {"huge length",
         "PUT",
         "HTTP/1.1",
         {"Host", "localhost", "Content-Length", "9999999999999999999"},
         "not a number"},
        {"unknown method", "BREW", "HTTP/1.1", {"Host", "localhost"}, "BREW is not known"},
        {"old version", "GET", "HTTP/1.0", {"Host", "localhost"}, "speaks HTTP/1.1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct head h = make(cases[i].method, "/api/v1/x", cases[i].version, cases[i].fields);
        struct err e = {0};
        int ret = head_check(&h, hosts, &e);

        if (!cases[i].why && ret < 0)
            fail_msg("%s: refused: %s", cases[i].what, e.text);
        if (cases[i].why && (ret >= 0 || e.code != ERR_MALFORMED || !strstr(e.text, cases[i].why)))
            fail_msg("%s: got \"%s\"", cases[i].what, ret < 0 ? e.text : "allowed");
    }
}

static void health_may_be_asked_by_old_probes(void **state)
{
    struct head h = make("GET", "/healthz?x=1", "HTTP/1.0", NULL);
    struct err e;

    (void)state;
    CHECK_OK(head_check(&h, hosts, &e), &e);
    h.uri = "/healthzz";
    CHECK_FAILS(head_check(&h, hosts, &e), &e, ERR_MALFORMED, "HTTP/1.1");
}

static void nul_in_a_field(void **state)
{
    struct head h = make("GET", "/x", "HTTP/1.1", (const char *const[]){"Host", "localhost", NULL});
    struct err e;

    (void)state;
    h.field[h.count++] = (struct head_field){"X-A", "b\0c", 3, 3};
    CHECK_FAILS(head_check(&h, hosts, &e), &e, ERR_MALFORMED, "NUL");
    h.field[1] = (struct head_field){"X\0A", "b", 3, 1};
    CHECK_FAILS(head_check(&h, hosts, &e), &e, ERR_MALFORMED, "NUL");
    h.more = true;
    CHECK_FAILS(head_check(&h, hosts, &e), &e, ERR_MALFORMED, "more than 100");
}

static void folded_fields(void **state)
{
    static const char line[] = "X-Field\0 \t value", pair[] = "X-Fieldmore\0X-Field\0value";
    struct head h = make("GET", "/x", "HTTP/1.1", (const char *const[]){"Host", "localhost", NULL});
    struct err e;

    (void)state;
    assert_true(head_field_in_one_line(line, 7, line + 11));
    assert_true(head_field_in_one_line(line, 7, line + 8)); /* a value that keeps its blanks */
    assert_false(head_field_in_one_line(line, 7, line + 12));
    assert_false(head_field_in_one_line(line, 6, line + 11)); /* the name goes on */
    assert_false(head_field_in_one_line(line, 7, line + 7));
    assert_false(head_field_in_one_line(pair, 11, pair + 20)); /* the copy lies before its value */
    assert_false(head_field_in_one_line(pair + 12, 7, pair));  /* and behind it */
    CHECK_OK(head_check(&h, hosts, &e), &e);
    h.folded = true;
    CHECK_FAILS(head_check(&h, hosts, &e), &e, ERR_MALFORMED, "in the next line");
}

static void paths(void **state)
{
    static const struct {
        const char *uri, *want; /* segments joined by '|'; NULL: refused */
    } cases[] = {
        {"/", ""},
        {"/a/b", "a|b"},
        {"/a/b/", "a|b"},
        {"/a/b?c/../d", "a|b"},
        {"/a%20b/%C3%A4", "a b|\xc3\xa4"},
        {"/a+b", "a+b"},
        {"", NULL},
        {"a", NULL},
        {"http://x/y", NULL},
        {"//", NULL},
        {"//a", NULL},
        {"/a//b", NULL},
        {"/a//", NULL},
        {"/.", NULL},
        {"/a/../b", NULL},
        {"/a/%2e%2E", NULL},
        {"/a%2fb", NULL},
        {"/a%5Cb", NULL},
        {"/a%00", NULL},
        {"/a%", NULL},
        {"/a%4", NULL},
        {"/a%4/b", NULL},
        {"/a%zz", NULL},
        {"/a%0ab", NULL},
        {"/a%7f", NULL},
        {"/%ff", NULL},
        {"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct path p;
        struct err e = {0};
        char got[200] = "";
        int ret = path_read(cases[i].uri, &p, &e);

        for (size_t s = 0; ret == 0 && s < p.count; s++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", s ? "|" : "", p.segment[s]);
        if (!cases[i].want ? ret >= 0 : ret < 0 || strcmp(got, cases[i].want) != 0)
            fail_msg("%s: got \"%s\"", cases[i].uri, ret < 0 ? e.text : got);
        path_release(&p);
    }
}

static void queries(void **state)
{
    static const struct {
        const char *uri, *name, *want; /* want NULL: absent; "!": refused */
    } cases[] = {
        {"/x?a=1&b=2", "b", "2"}, {"/x?a=1", "b", NULL},
        {"/x", "a", NULL},        {"/x?a", "a", ""},
        {"/x?a=", "a", ""},       {"/x?aa=1&a=2", "a", "2"},
        {"/x?a=1&a=2", "a", "1"}, {"/x?q=by+hand%21", "q", "by hand!"},
        {"/x?a=b=c", "a", "b=c"}, {"/x?a=%zz", "a", "!"},
        {"/x?a=%00", "a", "!"},   {"/x?a=%ff", "a", "!"},
        {"/x?&&a=1&", "a", "1"},  {"/x?a=%4", "a", "!"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {0};
        char *got = NULL;
        int ret = query_read(cases[i].uri, cases[i].name, &got, &e), want = !cases[i].want                    ? 0
                                                                            : strcmp(cases[i].want, "!") == 0 ? -1
                                                                                                              : 1;

        if (ret != want || (ret == 1 && strcmp(got, cases[i].want) != 0))
            fail_msg("%s: got %d \"%s\"", cases[i].uri, ret, got ? got : "");
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads),          cmocka_unit_test(health_may_be_asked_by_old_probes),
        cmocka_unit_test(nul_in_a_field), cmocka_unit_test(folded_fields),
        cmocka_unit_test(paths),          cmocka_unit_test(queries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
