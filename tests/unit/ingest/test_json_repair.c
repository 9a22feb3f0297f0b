/* Invalid JSON of profilers: each repair; valid JSON is unchanged; pieces of any size give the same result. */
#include "tests/harness/check.h"

#include "base/strbuf.h"
#include "ingest/json_repair.h"

/* Repairs the text in pieces of `step` bytes. */
static char *repaired(const char *text, size_t step, struct json_repair *r)
{
    struct strbuf out = STRBUF_INIT;
    size_t n = strlen(text);

    *r = (struct json_repair){.rest = STRBUF_INIT};
    for (size_t at = 0; at < n; at += step)
        json_repair_feed(r, text + at, n - at < step ? n - at : step, false, &out);
    json_repair_feed(r, "", 0, true, &out);
    json_repair_release(r);
    return strbuf_detach(&out);
}

static void expect(const char *text, const char *want, uint64_t words, uint64_t controls, uint64_t backslashes,
                   uint64_t quotes)
{
    for (size_t step = 1; step <= strlen(text); step++) {
        struct json_repair r;
        char *got = repaired(text, step, &r);

        assert_non_null(got);
        if (strcmp(got, want) != 0)
            fail_msg("in pieces of %zu: %s becomes %s", step, text, got);
        assert_int_equal(r.words, words);
        assert_int_equal(r.controls, controls);
        assert_int_equal(r.backslashes, backslashes);
        assert_int_equal(r.quotes, quotes);
        free(got);
    }
}

static void same(const char *text)
{
    expect(text, text, 0, 0, 0, 0);
}

static void valid_json_is_kept(void **state)
{
    (void)state;
    same("");
    same("{}");
    same(" [1, -2.5e+3, true, false, null, \"\", \"a\\n\\u00e9\\\"b\\\\\"] \n");
    same("{\"a\": {\"b\": [{\"c\": \"d\"}, \"e, f\", \"g: h\", \"} ]\"]}, \"i\" : \"NaN\", \"inf\": \"N/A\"}");
    same("[[[[\"\xc3\xa9\"]]], {\"a\": [], \"b\": {}}]");
}

static void numbers_that_are_none_become_null(void **state)
{
    (void)state;
    expect("{\"a\": NaN, \"b\": -inf,\"c\":Infinity}", "{\"a\": null, \"b\": null,\"c\":null}", 3, 0, 0, 0);
    expect("[nan, N/A, -nan(ind), inf]", "[null, null, null, null]", 4, 0, 0, 0);
    same("{\"a\": nano, \"b\": information}"); /* unchanged: the parser refuses it */
}

static void strings_are_escaped(void **state)
{
    (void)state;
    expect("{\"a\": \"one\ntwo\tthree\x01\"}", "{\"a\": \"one\\ntwo\\tthree\\u0001\"}", 0, 3, 0, 0);
    expect("{\"p\": \"C:\\Users\\x\", \"q\": \"\\u12\"}", "{\"p\": \"C:\\\\Users\\\\x\", \"q\": \"\\\\u12\"}", 0, 0,
           3, 0);
    expect("{\"p\": \"\\\\host\\Users\"}", "{\"p\": \"\\\\host\\\\Users\"}", 0, 0, 1, 0);
}

static void quotes_inside_are_escaped_where_that_is_clear(void **state)
{
    (void)state;
    expect("{\"n\": \"a \"b\" c\", \"m\": 1}", "{\"n\": \"a \\\"b\\\" c\", \"m\": 1}", 0, 0, 0, 2);
    expect("{\"n\": \"f(\"x\", y)\" }", "{\"n\": \"f(\\\"x\\\", y)\" }", 0, 0, 0, 2);
    expect("[\"a\"b\", \"c\"]", "[\"a\\\"b\", \"c\"]", 0, 0, 0, 1);
}

static void depth_has_no_limit(void **state)
{
    struct json_repair r;
    char text[2 * 3000 + 1], *got;

    (void)state;
    memset(text, '[', 3000);
    memset(text + 3000, ']', 3000);
    text[6000] = '\0';
    got = repaired(text, 7, &r);
    assert_string_equal(got, text);
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_json_is_kept),  cmocka_unit_test(numbers_that_are_none_become_null),
        cmocka_unit_test(strings_are_escaped), cmocka_unit_test(quotes_inside_are_escaped_where_that_is_clear),
        cmocka_unit_test(depth_has_no_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
