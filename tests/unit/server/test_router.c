/* server/api/http/router.c: addresses and their rows in the table, permissions, problem documents, ranges, entity
 * tags. */
#include "tests/harness/check.h"

#include <jansson.h>

#include "server/api/http/router.h"

static int nothing(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    (void)db;
    (void)req;
    (void)rep;
    (void)e;
    return 0;
}

static const struct route table[] = {
    {.method = "GET", .path = "/api/v1/things", .handler = nothing, .scope = SCOPE_READ},
    {.method = "POST", .path = "/api/v1/things", .handler = nothing, .scope = SCOPE_WRITE},
    {.method = "GET", .path = "/api/v1/things/{thing}/parts/{part}", .handler = nothing, .scope = SCOPE_READ},
    {.method = "GET", .path = "/api/v1/blobs/{sha256}", .handler = nothing, .scope = SCOPE_WORKER},
    {.method = "POST", .path = "/api/v1/worker", .handler = nothing, .scope = SCOPE_WORKER},
    {.method = "GET", .path = "/assets/{path*}", .handler = nothing, .scope = SCOPE_NONE},
    {.method = "GET", .path = "/{path*}", .handler = nothing, .scope = SCOPE_NONE},
    {.method = NULL},
};

static void addresses(void **state)
{
    static const struct {
        const char *method, *uri;
        int row; /* -1: not found, -2: method not allowed */
    } cases[] = {
        {"GET", "/api/v1/things", 0},
        {"HEAD", "/api/v1/things?x", 0},
        {"POST", "/api/v1/things", 1},
        {"DELETE", "/api/v1/things", -2},
        {"GET", "/api/v1/things/a/parts/b", 2},
        {"GET", "/api/v1/things/a/parts", -1},
        {"GET", "/api/v1/things/", -1},
        {"GET", "/api/v1/thing", -1},
        {"GET", "/api/v1/thingsx", -1},
        {"GET", "/assets/1/app.js", 5},
        {"GET", "/", 6},
        {"GET", "/plans/71", 6},
        {"GET", "/api", -1},
        {"GET", "/metrics", -1},
        {"POST", "/plans/71", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct route *route = NULL;
        struct request req = {0};
        char allow[ALLOW_TEXT];
        struct path path;
        struct err e = {0};
        int got;

        CHECK_OK(path_read(cases[i].uri, &path, &e), &e);
        got = router_find(table, cases[i].method, &path, &req, &route, allow, &e);
        got = got == 0 ? (int)(route - table) : e.code == ERR_NOT_ALLOWED ? -2 : -1;
        if (got != cases[i].row)
            fail_msg("%s %s: got row %d, want %d", cases[i].method, cases[i].uri, got, cases[i].row);
        if (got == 2) {
            assert_string_equal(req.param[0], "a");
            assert_string_equal(req.param[1], "b");
        }
        if (got == -2)
            assert_string_equal(allow, "GET, HEAD, POST");
        path_release(&path);
    }
}

static void who_may(void **state)
{
    enum { R = 1u << SCOPE_READ, W = 1u << SCOPE_WRITE, K = 1u << SCOPE_WORKER, A = 1u << SCOPE_ADMIN };
    static const struct {
        const char *what;
        int row;
        unsigned scopes; /* 0: no credential */
        bool cookie;
        struct access_facts facts;
        enum err_code want;
    } cases[] = {
        {"nobody", 0, 0, false, {"GET", "h", NULL, NULL, NULL}, ERR_UNAUTHORIZED},
        {"a reader reads", 0, R, false, {"GET", "h", NULL, NULL, NULL}, ERR_NONE},
        {"a reader writes", 1, R, false, {"POST", "h", NULL, NULL, NULL}, ERR_FORBIDDEN},
        {"a worker reads", 0, K, false, {"GET", "h", NULL, NULL, NULL}, ERR_FORBIDDEN},
        {"a worker reads a blob", 3, K, false, {"GET", "h", NULL, NULL, NULL}, ERR_NONE},
        {"a reader reads a blob", 3, R, false, {"GET", "h", NULL, NULL, NULL}, ERR_NONE},
        {"a writer works", 4, R | W, false, {"POST", "h", NULL, NULL, NULL}, ERR_FORBIDDEN},
        {"a team's admin is no worker", 4, A, false, {"POST", "h", NULL, NULL, NULL}, ERR_FORBIDDEN},
        {"a page is for all", 6, 0, false, {"GET", "h", NULL, NULL, NULL}, ERR_NONE},
        {"a cookie without the header", 1, W, true, {"POST", "h", NULL, NULL, NULL}, ERR_FORBIDDEN},
        {"a cookie with the header", 1, W, true, {"POST", "h", NULL, NULL, "1"}, ERR_NONE},
        {"a cookie from another site", 1, W, true, {"POST", "h", "http://evil", NULL, "1"}, ERR_FORBIDDEN},
        {"a cookie from this site", 1, W, true, {"POST", "h:80", "http://h:80", "same-origin", "1"}, ERR_NONE},
        {"a cookie across sites", 1, W, true, {"POST", "h", NULL, "cross-site", "1"}, ERR_FORBIDDEN},
        {"a cookie reads without the header",
         0,
         R,
         true,
         {"GET", "h", "http://evil", "cross-site", NULL},
         ERR_NONE},
        {"a token does not mind", 1, W, false, {"POST", "h", "http://evil", "cross-site", NULL}, ERR_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct credential c = {
            .valid = cases[i].scopes != 0, .scopes = cases[i].scopes, .by_cookie = cases[i].cookie};
        struct err e = {0};
        int ret = router_allow(&table[cases[i].row], &c, &cases[i].facts, &e);

        if (ret < 0 ? e.code != cases[i].want : cases[i].want != ERR_NONE)
            fail_msg("%s: got %s \"%s\"", cases[i].what, ret < 0 ? err_name(e.code) : "allowed", e.text);
    }
}

static void problems(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct err e;
    json_t *doc;

    (void)state;
    err_set(&e, ERR_NOT_FOUND, "there is no \"<script>\"");
    problem_write(&e, 404, "id-1", &b);
    assert_null(strchr(b.text, '<'));
    doc = json_loads(b.text, 0, NULL);
    assert_non_null(doc);
    assert_string_equal(json_string_value(json_object_get(doc, "type")), "/api/v1/problems/not_found");
    assert_string_equal(json_string_value(json_object_get(doc, "detail")), "there is no \"<script>\"");
    assert_string_equal(json_string_value(json_object_get(doc, "request_id")), "id-1");
    assert_int_equal(json_integer_value(json_object_get(doc, "status")), 404);
    assert_null(json_object_get(doc, "hint"));
    json_decref(doc);
    strbuf_release(&b);
}

static void ranges(void **state)
{
    static const struct {
        const char *header;
        uint64_t size;
        int ret;
        uint64_t offset, length;
    } cases[] = {
        {NULL, 10, 0, 0, 0},
        {"bytes=0-0", 10, 1, 0, 1},
        {"bytes=2-5", 10, 1, 2, 4},
        {"bytes=5-", 10, 1, 5, 5},
        {"bytes=5-99", 10, 1, 5, 5},
        {"bytes=-3", 10, 1, 7, 3},
        {"bytes=-99", 10, 1, 0, 10},
        {"bytes=-0", 10, -1, 0, 0},
        {"bytes=10-", 10, -1, 0, 0},
        {"bytes=0-", 0, -1, 0, 0},
        {"bytes=5-2", 10, 0, 0, 0},
        {"bytes=0-1,3-4", 10, 0, 0, 0},
        {"bytes=a-b", 10, 0, 0, 0},
        {"items=0-1", 10, 0, 0, 0},
        {"bytes=", 10, 0, 0, 0},
        {"bytes=1-2x", 10, 0, 0, 0},
        {"bytes=99999999999999999999-", 10, -1, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t offset = 0, length = 0;
        int ret = range_read(cases[i].header, cases[i].size, &offset, &length);

        if (ret != cases[i].ret || (ret == 1 && (offset != cases[i].offset || length != cases[i].length)))
            fail_msg("%s of %d: got %d, %d+%d", cases[i].header, (int)cases[i].size, ret, (int)offset, (int)length);
    }
}

static void tags(void **state)
{
    (void)state;
    assert_true(etag_matches("\"abc\"", "abc"));
    assert_true(etag_matches("\"x\", W/\"abc\"", "abc"));
    assert_true(etag_matches("*", "abc"));
    assert_false(etag_matches("\"abcd\"", "abc"));
    assert_false(etag_matches("abc", "abc"));
    assert_false(etag_matches(NULL, "abc"));
    assert_false(etag_matches("\"\"", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses), cmocka_unit_test(who_may), cmocka_unit_test(problems),
        cmocka_unit_test(ranges),    cmocka_unit_test(tags),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
