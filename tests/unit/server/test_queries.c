/* server/api/http/queries.c: the query parameters that each address accepts. */
#include "tests/harness/check.h"

#include "server/api/http/queries.h"

static const struct route things = {
    .method = "GET",
    .path = "/api/v1/things",
    .queries = (const char *const[]){"after", "colour", "format", "limit", NULL},
};
static const struct route none = {
    .method = "POST", .path = "/api/v1/things", .queries = (const char *const[]){NULL}};
static const struct route page = {.method = "GET", .path = "/{path*}"};

static const struct {
    const struct route *route;
    const char *uri;
    const char *wrong; /* NULL: accepted */
} cases[] = {
    {&things, "/api/v1/things", NULL},
    {&things, "/api/v1/things?", NULL},
    {&things, "/api/v1/things?colour=red&limit=3&after=x&format=csv", NULL},
    {&things, "/api/v1/things?colour&&limit=&", NULL},
    {&things, "/api/v1/things?colour=a%26cursor=b?c", NULL},
    {&things, "/api/v1/things?cursor=x", "cursor"},
    {&things, "/api/v1/things?limit=3&cursor=x", "cursor"},
    {&things, "/api/v1/things?colou=red", "colou"},
    {&things, "/api/v1/things?colours=red", "colours"},
    {&things, "/api/v1/things?Limit", "Limit"},
    {&things, "/api/v1/things?%6cimit=3", "%6cimit"},
    {&none, "/api/v1/things", NULL},
    {&none, "/api/v1/things?limit=3", "limit"},
    {&page, "/runs?cursor=x", NULL},
};

static void an_address_takes_what_is_listed(void **state)
{
    char want[80];
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int ret = queries_check(cases[i].route, cases[i].uri, &e);

        if (ret != (cases[i].wrong ? -1 : 0))
            fail_msg("%s: %d", cases[i].uri, ret);
        if (!cases[i].wrong)
            continue;
        snprintf(want, sizeof want, "no query parameter `%s`; valid ones: ", cases[i].wrong);
        assert_int_equal(e.code, ERR_MALFORMED);
        assert_non_null(strstr(e.text, want));
    }
    assert_int_equal(queries_check(&things, "/api/v1/things?x", &e), -1);
    assert_non_null(strstr(e.text, "valid ones: after, colour, format, limit"));
    assert_int_equal(queries_check(&none, "/api/v1/things?x", &e), -1);
    assert_non_null(strstr(e.text, "valid ones: none"));
}

/* Each address of the API has a list of parameters. An address without one would accept any parameter. */
static void the_api_is_covered(void **state)
{
    size_t seen = 0;
    struct err e;

    (void)state;
    for (size_t i = 0; routes[i].method; i++) {
        bool api = strncmp(routes[i].path, "/api/v1/", 8) == 0;

        seen += api;
        if (queries_check(&routes[i], "/x?no-such-parameter=1", &e) != (api ? -1 : 0))
            fail_msg("%s %s", routes[i].method, routes[i].path);
    }
    assert_true(seen > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_takes_what_is_listed),
        cmocka_unit_test(the_api_is_covered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
