/* The streaming writer writes valid JSON that reads back equal, in memory that does not grow with the document. */
#include "tests/harness/check.h"

#include "wire/json.h"
#include "wire/json_writer.h"

static void what_is_written_reads_back(void **state)
{
    struct err e;
    struct jw w;
    json_t *o;

    (void)state;
    jw_init(&w, NULL, NULL, &e);
    jw_object(&w);
    jw_key_text(&w, "name", "a \"b\" \\ <script>\n\x01 \xc3\xa9");
    jw_key_text(&w, "broken", "x\xff");
    jw_key_u64(&w, "exact", (uint64_t)1 << 53);
    jw_key_u64(&w, "big", UINT64_MAX);
    jw_key_double(&w, "tenth", 0.1);
    jw_key_double(&w, "nan", NAN);
    jw_key(&w, "list");
    jw_array(&w);
    jw_object_inline(&w);
    jw_end(&w, '}');
    jw_bool(&w, false);
    jw_i64(&w, INT64_MIN);
    jw_end(&w, ']');
    jw_end(&w, '}');
    CHECK_OK(jw_finish(&w), &e);
    assert_string_equal(w.text.text,
                        "{\"name\":\"a \\\"b\\\" \\\\ \\u003cscript\\u003e\\n\\u0001 \xc3\xa9\",\"broken\":\"x?\","
                        "\"exact\":9007199254740992,\"big\":\"18446744073709551615\",\"tenth\":0.1,\"nan\":null,"
                        "\"list\":[{},false,\"-9223372036854775808\"]}");
    o = json_read_text(w.text.text, w.text.length, "written", &e);
    assert_non_null(o);
    json_decref(o);
    jw_release(&w);
}

static int sink_that_is_full(void *ctx, const char *text, size_t n, struct err *e)
{
    size_t *left = ctx;

    (void)text;
    if (n > *left)
        return err_set(e, ERR_NO_SPACE, "disk full");
    *left -= n;
    return 0;
}

static void a_long_document_is_streamed_and_a_full_disk_is_reported(void **state)
{
    size_t left = 200000;
    struct err e;
    struct jw w;

    (void)state;
    jw_init(&w, sink_that_is_full, &left, &e);
    jw_array(&w);
    for (int i = 0; i < 100000; i++) {
        jw_u64(&w, (uint64_t)i);
        assert_true(w.text.length < 70000);
    }
    jw_end(&w, ']');
    CHECK_FAILS(jw_finish(&w), &e, ERR_NO_SPACE, "disk full");
    jw_release(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(a_long_document_is_streamed_and_a_full_disk_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
