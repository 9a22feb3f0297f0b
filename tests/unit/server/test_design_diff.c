/* Comparison of design parameters. */
#include "tests/harness/check.h"

#include <string.h>

#include "server/domain/plan/design_diff.h"
#include "wire/json.h"

static json_t *design(const char *text)
{
    struct err e;
    json_t *v = json_read_text(text, strlen(text), "the design", &e);

    assert_non_null(v);
    return v;
}

static const char *text_of(const json_t *rows, size_t i, const char *key)
{
    return json_string_value(json_object_get(json_array_get(rows, i), key));
}

static json_t *value(const json_t *rows, size_t i, size_t design)
{
    return json_array_get(json_object_get(json_array_get(rows, i), "values"), design);
}

static void only_values_are_compared(void **state)
{
    json_t *designs[] = {design("{\"name\":\"a\",\"sources\":{\"V\":\"sheet\"},\"gpu\":{\"sms\":{\"value\":80,"
                                "\"unit\":\"count\",\"source\":\"V\"},"
                                "\"gpcs\":{\"value\":6,\"unit\":\"count\",\"source\":\"V\"}},\"l2\":{\"kb\":{"
                                "\"value\":[1,2],\"unit\":\"KB\"}}}"),
                         NULL,
                         design("{\"name\":\"b\",\"sources\":{\"V\":\"other\"},\"gpu\":{\"sms\":{\"value\":132,"
                                "\"unit\":\"count\",\"source\":\"E\"},"
                                "\"gpcs\":{\"value\":6,\"unit\":\"count\",\"source\":\"E\"}},\"tma\":{\"engines\":{"
                                "\"value\":1,\"unit\":\"count\"}},"
                                "\"l2\":{\"kb\":{\"value\":[1,2],\"unit\":\"KB\"}}}")};
    json_t *two[] = {designs[0], designs[2]}, *rows;
    struct err e;

    (void)state;
    CHECK_OK(design_diff(two, 2, false, &rows, &e), &e);
    assert_int_equal(json_array_size(rows), 2);
    assert_string_equal(text_of(rows, 0, "parameter"), "gpu.sms");
    assert_int_equal(json_integer_value(value(rows, 0, 0)), 80);
    assert_int_equal(json_integer_value(value(rows, 0, 1)), 132);
    assert_string_equal(text_of(rows, 1, "parameter"), "tma.engines");
    assert_string_equal(text_of(rows, 1, "unit"), "count");
    assert_true(json_is_null(value(rows, 1, 0)));
    json_decref(rows);
    CHECK_OK(design_diff(two, 2, true, &rows, &e), &e);
    assert_int_equal(json_array_size(rows), 4);
    assert_true(json_is_true(json_object_get(json_array_get(rows, 1), "same")));
    json_decref(rows);
    /* a replay without a design differs in every parameter */
    CHECK_OK(design_diff(designs, 3, false, &rows, &e), &e);
    assert_int_equal(json_array_size(rows), 4);
    json_decref(rows);
    json_decref(designs[0]);
    json_decref(designs[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_values_are_compared)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
