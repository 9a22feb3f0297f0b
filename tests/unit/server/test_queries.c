/* server/http/queries.c: which query parameters an address takes, out of a small document and out of the API's own.
 */
#include "tests/harness/check.h"

#include "base/embed.h"
#include "server/http/queries.h"

static const struct route table[] = {
    {"GET", "/api/v1/things", NULL, SCOPE_READ, ROUTE_DB, 0},
    {"POST", "/api/v1/things", NULL, SCOPE_WRITE, ROUTE_DB, 10},
    {"GET", "/api/v1/things/{thing}", NULL, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/{path*}", NULL, SCOPE_NONE, ROUTE_DIRECT, 0},
    {"PUT", "/api/v1/things/{thing}", NULL, SCOPE_WRITE, ROUTE_DB, 10},
    {NULL, NULL, NULL, SCOPE_NONE, ROUTE_DIRECT, 0},
};
static const char document[] =
    "{\"paths\":{\"/api/v1/things\":{\"get\":{\"parameters\":[{\"name\":\"colour\",\"in\":\"query\"},"
    "{\"name\":\"limit\",\"in\":\"query\"}]},\"post\":{\"parameters\":[]}},\"/api/v1/things/{thing}\":{\"get\":"
    "{\"parameters\":[{\"name\":\"thing\",\"in\":\"path\"},{\"name\":\"Range\",\"in\":\"header\"}]},"
    "\"put\":{\"parameters\":[{\"name\":\"name\",\"in\":\"query\"}]}}}}";

static const struct {
    size_t row;
    const char *uri;
    const char *wrong; /* NULL: taken */
} cases[] = {
    {0, "/api/v1/things", NULL},
    {0, "/api/v1/things?", NULL},
    {0, "/api/v1/things?colour=red&limit=3&after=x&format=csv", NULL},
    {0, "/api/v1/things?colour&&limit=&", NULL},
    {0, "/api/v1/things?colour=a%26cursor=b?c", NULL},
    {0, "/api/v1/things?cursor=x", "cursor"},
    {0, "/api/v1/things?limit=3&cursor=x", "cursor"},
    {0, "/api/v1/things?colou=red", "colou"},
    {0, "/api/v1/things?colours=red", "colours"},
    {0, "/api/v1/things?Limit", "Limit"},
    {0, "/api/v1/things?%6cimit=3", "%6cimit"},
    {1, "/api/v1/things", NULL},
    {1, "/api/v1/things?limit=3", "limit"},
    {1, "/api/v1/things?colour=red", "colour"},
    {4, "/api/v1/things/a?name=b", NULL},
    {4, "/api/v1/things/a?nam=b", "nam"},
    {4, "/api/v1/things/a?names=b", "names"},
    {2, "/api/v1/things/a?format=csv", NULL},
    {2, "/api/v1/things/a?thing=b", "thing"},
    {2, "/api/v1/things/a?Range=b", "Range"},
    {3, "/runs?cursor=x", NULL},
};

static void an_address_takes_what_is_documented(void **state)
{
    struct queries *q = NULL;
    char want[80];
    struct err e;

    (void)state;
    CHECK_OK(queries_new(table, (const unsigned char *)document, sizeof document - 1, &q, &e), &e);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int ret = queries_check(q, cases[i].row, cases[i].uri, &e);

        if (ret != (cases[i].wrong ? -1 : 0))
            fail_msg("%s: %d", cases[i].uri, ret);
        if (!cases[i].wrong)
            continue;
        snprintf(want, sizeof want, "no query parameter `%s`; it takes ", cases[i].wrong);
        assert_int_equal(e.code, ERR_MALFORMED);
        assert_non_null(strstr(e.text, want));
    }
    assert_int_equal(queries_check(q, 0, "/api/v1/things?x", &e), -1);
    assert_non_null(strstr(e.text, "it takes after, colour, format, limit"));
    assert_int_equal(queries_check(q, 1, "/api/v1/things?x", &e), -1);
    assert_non_null(strstr(e.text, "it takes none"));
    queries_release(q);
}

static void what_is_no_document_is_refused(void **state)
{
    struct queries *q = NULL;
    struct err e;

    (void)state;
    assert_int_equal(queries_new(table, (const unsigned char *)"{", 1, &q, &e), -1);
    assert_int_equal(e.code, ERR_INTERNAL);
    assert_null(q);
    queries_release(NULL);
}

/* Each address of the API has a list: none is open for want of a description. */
static void the_api_is_covered(void **state)
{
    struct queries *q = NULL;
    size_t seen = 0;
    struct err e;

    (void)state;
    CHECK_OK(queries_new(routes, embedded_openapi[0].bytes, embedded_openapi[0].size, &q, &e), &e);
    for (size_t i = 0; routes[i].method; i++) {
        bool api = strncmp(routes[i].path, "/api/v1/", 8) == 0;

        seen += api;
        if (queries_check(q, i, "/x?no-such-parameter=1", &e) != (api ? -1 : 0))
            fail_msg("%s %s", routes[i].method, routes[i].path);
    }
    assert_true(seen > 80);
    queries_release(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_takes_what_is_documented),
        cmocka_unit_test(what_is_no_document_is_refused),
        cmocka_unit_test(the_api_is_covered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
