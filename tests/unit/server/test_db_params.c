/* server/store/db/db_params.c: parameters, array literals, ids. tests/api covers their use in PostgreSQL. */
#include "tests/harness/check.h"

#include "base/strbuf.h"
#include "server/store/db/db.h"

static void arrays_quote_what_they_must(void **state)
{
    struct strbuf b = STRBUF_INIT;

    (void)state;
    db_array_begin(&b);
    db_array_end(&b);
    assert_string_equal(b.text, "{}");
    strbuf_clear(&b);
    db_array_begin(&b);
    db_array_add(&b, "plain");
    db_array_add(&b, "");
    db_array_add(&b, NULL);
    db_array_add(&b, "NULL");
    db_array_add(&b, "a\"b\\c,{d}\n e");
    db_array_end(&b);
    assert_string_equal(b.text, "{\"plain\",\"\",NULL,\"NULL\",\"a\\\"b\\\\c,{d}\n e\"}");
    strbuf_clear(&b);
    db_array_begin(&b);
    db_array_add_i64(&b, INT64_MIN);
    db_array_add_u64(&b, UINT64_MAX);
    db_array_add_double(&b, 0.1);
    db_array_add_double(&b, NAN);
    db_array_add_double(&b, -INFINITY);
    db_array_end(&b);
    assert_string_equal(b.text, "{-9223372036854775808,18446744073709551615,0.1,NULL,-Infinity}");
    strbuf_release(&b);
}

static void parameters(void **state)
{
    struct db_params p = DB_PARAMS_INIT;

    (void)state;
    db_text(&p, NULL);
    db_i64(&p, -5);
    db_double(&p, NAN);
    db_double(&p, INFINITY);
    db_bool(&p, true);
    db_bytes(&p, "a\0b", 3);
    db_time(&p, 1000001);
    assert_int_equal(p.count, 7);
    assert_null(p.value[0]);
    assert_string_equal(p.value[1], "-5");
    assert_null(p.value[2]);
    assert_string_equal(p.value[3], "Infinity");
    assert_string_equal(p.value[4], "t");
    assert_int_equal(p.length[5], 3);
    assert_int_equal(p.binary[5], 1);
    assert_string_equal(p.value[6], "1970-01-01T00:00:01.000001Z");
    for (int i = 0; i < 2 * DB_PARAMS; i++) /* extra parameters are counted, but never written past the end */
        db_i64(&p, i);
    assert_true(p.count > DB_PARAMS);
}

/* RFC 9562: version 7 in the 13th digit, variant in the 17th, milliseconds first. */
static void ids_are_version_7_and_rise(void **state)
{
    struct clock c;
    char before[UUID_TEXT] = "", id[UUID_TEXT];

    (void)state;
    clock_manual_init(&c, INT64_C(1645557742000) * 1000); /* the example of RFC 9562, appendix A.6 */
    uuid_make(&c, id);
    assert_memory_equal(id, "017f22e2-79b0-7", 15);
    assert_true(strchr("89ab", id[19]) != NULL);
    for (int i = 0; i < 100; i++) {
        uuid_make(&c, id);
        assert_true(uuid_valid(id));
        assert_true(strcmp(before, id) < 0);
        memcpy(before, id, sizeof id);
        clock_advance(&c, 1000);
    }
}

static void ids_are_checked(void **state)
{
    static const char *const bad[] = {"",
                                      "x",
                                      "017f22e2-79b0-7cc3-98c4-dc0c0c07398",
                                      "017f22e2-79b0-7cc3-98c4-dc0c0c07398ff",
                                      "017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
                                      "017f22e2 79b0-7cc3-98c4-dc0c0c07398f",
                                      "017f22e2-79b0-7cc3-98c4-dc0c0c07398'"};

    (void)state;
    assert_true(uuid_valid("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(uuid_valid(bad[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_quote_what_they_must),
        cmocka_unit_test(parameters),
        cmocka_unit_test(ids_are_version_7_and_rise),
        cmocka_unit_test(ids_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
