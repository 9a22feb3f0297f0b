/* wire/json.h: errors of getters name the member; numbers read back as the same value. */
#include "tests/harness/check.h"
#include "wire/json.h"

static void numbers_are_written_shortest(void **state)
{
    static const uint32_t dim[3] = {16, 1, 10};
    struct json_obj o = json_obj_begin();
    struct strbuf b = STRBUF_INIT, indented = STRBUF_INIT;
    json_t *v;

    (void)state;
    json_put_double(&o, "error", 0.05);
    json_put_double(&o, "nothing", NAN);
    json_put_u64(&o, "exact", UINT64_C(1) << 53);
    json_put_u64(&o, "large", (UINT64_C(1) << 53) + 1);
    json_put(&o, "grid", json_dim3(dim));
    json_put_str(&o, "text", "a\"b</script>");
    v = json_obj_end(&o);
    json_write_text(v, false, &b);
    assert_string_equal(b.text, "{\"error\":0.05,\"nothing\":null,\"exact\":9007199254740992,"
                                "\"large\":\"9007199254740993\",\"grid\":[16,1,10],"
                                "\"text\":\"a\\\"b\\u003c/script\\u003e\"}");
    json_write_text(v, true, &indented);
    assert_non_null(strstr(indented.text, "{\n  \"error\": 0.05,\n"));
    assert_non_null(strstr(indented.text, "\"grid\": [16, 1, 10]"));
    strbuf_release(&b);
    strbuf_release(&indented);
    json_decref(v);
}

static void getters_name_the_member(void **state)
{
    static const char text[] =
        "{\"s\":\"x\",\"n\":7,\"neg\":-1,\"big\":\"18446744073709551615\",\"f\":2.5,\"z\":null,"
        "\"l\":[1,2],\"unknown\": null, \"d\":[1,0,3]}";
    const char *s = NULL;
    char small[2], tiny[1];
    uint64_t n = 99;
    uint32_t u = 0, dim[3];
    double x = 0;
    struct err e;
    json_t *v = json_read_text(text, sizeof text - 1, "test", &e);

    (void)state;
    CHECK_OK(json_need_str(v, "s", &s, &e), &e);
    assert_string_equal(s, "x");
    CHECK_OK(json_need_copy(v, "s", small, sizeof small, &e), &e);
    CHECK_FAILS(json_need_copy(v, "s", tiny, sizeof tiny, &e), &e, ERR_INVALID, "longer than 0 bytes");
    CHECK_FAILS(json_need_str(v, "n", &s, &e), &e, ERR_INVALID, "`n` must be a text");
    CHECK_FAILS(json_need_str(v, "absent", &s, &e), &e, ERR_INVALID, "`absent` is missing");
    assert_int_equal(json_opt_u64(v, "z", &n, &e), 0);
    assert_int_equal(n, 99);
    CHECK_OK(json_need_u64(v, "big", &n, &e), &e);
    assert_true(n == UINT64_MAX);
    CHECK_FAILS(json_need_u64(v, "neg", &n, &e), &e, ERR_INVALID, "`neg`");
    CHECK_FAILS(json_need_u64(v, "f", &n, &e), &e, ERR_INVALID, "`f`");
    CHECK_FAILS(json_need_u32(v, "n", 8, 9, &u, &e), &e, ERR_INVALID, "from 8 to 9");
    CHECK_OK(json_need_double(v, "n", &x, &e), &e);
    CHECK_NEAR(x, 7, 0);
    CHECK_FAILS(json_need_dim3(v, "l", dim, &e), &e, ERR_INVALID, "three whole numbers");
    CHECK_FAILS(json_need_dim3(v, "d", dim, &e), &e, ERR_INVALID, "three whole numbers");
    CHECK_FAILS(json_read_dim3(v, "d", dim, &e), &e, ERR_INVALID, "three whole numbers");
    CHECK_FAILS(json_read_dim3(v, "absent", dim, &e), &e, ERR_INVALID, "missing");
    dim[0] = 7;
    CHECK_OK(json_read_dim3(v, "unknown", dim, &e), &e);
    assert_true(dim[0] == 0 && dim[1] == 0 && dim[2] == 0);
    json_decref(v);
}

static void foreign_text_cannot_hurt(void **state)
{
    static const char *const known[] = {"a", NULL};
    struct err e;
    json_t *v;

    (void)state;
    assert_null(json_read_text("{\"a\":1,\"a\":2}", 13, "body", &e));
    assert_int_equal(e.code, ERR_MALFORMED);
    assert_null(json_read_text("{\"a\":\"\\u0000\"}", 14, "body", &e));
    assert_null(json_read_text("{\"a\":\"\xff\"}", 9, "body", &e));
    assert_null(json_read_text("{\"a\":1} x", 9, "body", &e));
    v = json_read_text("{\"a\":1,\"\\n<b>\":2}", 17, "body", &e);
    CHECK_FAILS(json_refuse_unknown(v, known, &e), &e, ERR_INVALID, "unknown member `?<b>`");
    json_decref(v);
    assert_null(json_read_path("/dev/zero", 1000, &e));
    assert_int_equal(e.code, ERR_TOO_LARGE);
    assert_null(json_read_path("/nowhere/x.json", 1000, &e));
    assert_int_equal(e.code, ERR_NOT_FOUND);
}

/* Kernel names, file names and worker messages may be invalid UTF-8. That must not look like out of memory. */
static void text_that_is_no_utf8_is_mended_and_no_failure(void **state)
{
    struct json_obj o = json_obj_begin();
    json_t *v;

    (void)state;
    json_put_str(&o, "bad", "k\xff!");
    json_put_str(&o, "cut", "caf\xc3");
    json_put(&o, "null", json_str_or_null("\xe2\x82x"));
    json_put_str(&o, "good", "caf\xc3\xa9");
    v = json_obj_end(&o);
    assert_non_null(v);
    assert_string_equal(json_string_value(json_object_get(v, "bad")), "k?!");
    assert_string_equal(json_string_value(json_object_get(v, "cut")), "caf");
    assert_string_equal(json_string_value(json_object_get(v, "null")), "x");
    assert_string_equal(json_string_value(json_object_get(v, "good")), "caf\xc3\xa9");
    json_decref(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_shortest),
        cmocka_unit_test(getters_name_the_member),
        cmocka_unit_test(foreign_text_cannot_hurt),
        cmocka_unit_test(text_that_is_no_utf8_is_mended_and_no_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
