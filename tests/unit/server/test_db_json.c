/* server/store/repo/db_json.c: JSON from PostgreSQL's text format of rows and arrays. tests/api covers the
 * database. */
#include "tests/harness/check.h"

#include "server/store/repo/db_json.h"

static const struct db_field inner[] = {FIELD_TEXT("t"), FIELD_NUMBER("n"), FIELDS_END};
static const struct db_field middle[] = {FIELD_ROWS("rows", inner), FIELD_BOOL("b"), FIELDS_END};
static const struct db_field outer[] = {FIELD_TEXT("a"), FIELD_ROW("m", middle), FIELD_NUMBERS("l"), FIELDS_END};

static void check(const char *row, const struct db_field *fields, const char *expected)
{
    struct strbuf out = STRBUF_INIT;
    struct err e;

    assert_int_equal(db_json_row(row, fields, &out, &e), 0);
    assert_string_equal(out.text, expected);
    strbuf_release(&out);
}

static void values(void **state)
{
    (void)state;
    check("(x,1.5)", inner, "{\"t\" : \"x\", \"n\" : 1.5}");
    check("(,)", inner, "{\"t\" : null, \"n\" : null}");
    check("(\"\",-0)", inner, "{\"t\" : \"\", \"n\" : -0}");
    check("(\"a,b)\"\" \\\\ \n\t\1\",1e-05)", inner, "{\"t\" : \"a,b)\\\" \\\\ \\n\\t\\u0001\", \"n\" : 1e-05}");
    check("(\xc3\xbc,NaN)", inner, "{\"t\" : \"\xc3\xbc\", \"n\" : \"NaN\"}");
    check("(x,-Infinity)", inner, "{\"t\" : \"x\", \"n\" : \"-Infinity\"}");
}

/* ROW('q', ROW(ARRAY[ROW('x y', 1), ROW(NULL, 2)], true), ARRAY[1, NULL, 3]) as record_out() writes it. */
static void rows_in_rows(void **state)
{
    (void)state;
    check("(q,\"(\"\"{\"\"\"\"(\\\\\\\\\"\"\"\"x "
          "y\\\\\\\\\"\"\"\",1)\"\"\"\",\"\"\"\"(,2)\"\"\"\"}\"\",t)\",\"{1,NULL,3}\")",
          outer,
          "{\"a\" : \"q\", \"m\" : {\"rows\" : [{\"t\" : \"x y\", \"n\" : 1}, {\"t\" : null, \"n\" : 2}], \"b\" : "
          "true}, "
          "\"l\" : [1,null,3]}");
    check("(q,\"(,f)\",{})", outer, "{\"a\" : \"q\", \"m\" : {\"rows\" : null, \"b\" : false}, \"l\" : []}");
    check("(q,,)", outer, "{\"a\" : \"q\", \"m\" : null, \"l\" : null}");
}

static void shapes(void **state)
{
    static const struct db_field fields[] = {FIELD_SHAPE("grid"), FIELD_SHAPE("block"), FIELDS_END};

    (void)state;
    check("(\"{4,2,1}\",\"{0,0,0}\")", fields, "{\"grid\" : [4,2,1], \"block\" : null}");
    check("(,\"{10,0,1}\")", fields, "{\"grid\" : null, \"block\" : [10,0,1]}");
}

static void lists(void **state)
{
    static const struct db_field fields[] = {FIELD_TEXTS_OR_EMPTY("t"), FIELD_ROWS_OR_EMPTY("r", inner),
                                             FIELD_JSON("j"), FIELD_NUMBER_IF_ANY("n"), FIELDS_END};
    struct strbuf out = STRBUF_INIT;
    struct err e;

    (void)state;
    check("(,,,)", fields, "{\"t\" : [], \"r\" : [], \"j\" : null}");
    check(
        "(\"{a,\"\"b,c\"\",\"\"NULL\"\"}\",\"{\"\"(x,1)\"\"}\",\"{\"\"k\"\": 1}\",7)", fields,
        "{\"t\" : [\"a\",\"b,c\",\"NULL\"], \"r\" : [{\"t\" : \"x\", \"n\" : 1}], \"j\" : {\"k\": 1}, \"n\" : 7}");
    assert_int_equal(db_json_rows("{\"(x,1)\",\"(y,2)\"}", inner, &out, &e), 0);
    assert_string_equal(out.text, "[{\"t\" : \"x\", \"n\" : 1}, {\"t\" : \"y\", \"n\" : 2}]");
    strbuf_release(&out);
}

static void what_does_not_fit_is_refused(void **state)
{
    static const char *const rows[] = {"",    "x",       "(",       "(x",     "(x,1",
                                       "(x)", "(x,1,2)", "(\"x,1)", "(x,1)y", "(\"x\"y,1)"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct strbuf out = STRBUF_INIT;
        struct err e;

        assert_int_equal(db_json_row(rows[i], inner, &out, &e), -1);
        assert_int_equal(e.code, ERR_INTERNAL);
        strbuf_release(&out);
    }
    for (size_t i = 0; i < 2; i++) {
        struct strbuf out = STRBUF_INIT;
        struct err e;

        assert_int_equal(db_json_rows(i ? "{\"(x,1)\"" : "(x,1)", inner, &out, &e), -1);
        strbuf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(rows_in_rows),
        cmocka_unit_test(shapes),
        cmocka_unit_test(lists),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
