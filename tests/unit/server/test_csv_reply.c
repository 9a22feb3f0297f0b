/* server/api/http/csv_reply.h: which part of an answer becomes rows, and which members become columns. */
#include "tests/harness/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/http/cursor.h"
#include "server/api/http/csv_reply.h"

static const struct {
    const char *what, *answer, *want;
} cases[] = {
    {"a list; text that needs quotes; missing values are empty",
     "{\"items\":[{\"id\":\"a\",\"name\":\"x, \\\"y\\\"\"},{\"id\":\"b\",\"n\":3}],\"next\":null}",
     "id,name,n\r\na,\"x, \"\"y\"\"\",\r\nb,,3\r\n"},
    {"numbers keep every digit, null is empty, truth is a word",
     "{\"items\":[{\"a\":0.1,\"b\":9007199254740993,\"c\":null,\"d\":true,\"e\":1e-7,\"f\":2.0}]}",
     "a,b,c,d,e,f\r\n0.1,9007199254740993,,true,1e-07,2\r\n"},
    {"objects one deep are columns, lists one cell, shapes with x, deeper is JSON",
     "{\"items\":[{\"p\":{\"id\":\"q\",\"s\":1},\"spark\":[1,2],\"grid\":[8,4,1],\"l\":[{\"a\":1}]}]}",
     "p_id,p_s,spark,grid,l\r\nq,1,1 2,8x4x1,\"[{\"\"a\"\":1}]\"\r\n"},
    {"a series", "{\"unit\":\"ns\",\"points\":[{\"first\":0,\"mean\":1.5}]}", "first,mean\r\n0,1.5\r\n"},
    {"a histogram: a row per bin, a column per stratum",
     "{\"edges\":[1,10,100],\"strata\":[{\"id\":0,\"counts\":[5,6]},{\"id\":3,\"counts\":[0,7]}]}",
     "from,to,stratum_0,stratum_3\r\n1,10,5,0\r\n10,100,6,7\r\n"},
    {"else the first list of objects", "{\"a\":[1,2],\"strata\":[{\"id\":1}],\"z\":[{\"no\":1}]}", "id\r\n1\r\n"},
    {"an empty list has no rows", "{\"items\":[]}", "\r\n"},
};

static int write_text(const struct csv_table *t, struct strbuf *out, struct err *e)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    int ret;

    assert_non_null(f);
    ret = csv_table_write(t, f, e);
    fclose(f);
    strbuf_add(out, text, n);
    free(text);
    return ret;
}

static void answers_become_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct strbuf out = STRBUF_INIT;
        struct csv_table t = {0};
        char next[CURSOR_TEXT];
        struct err e = {0};

        if (csv_table_add(&t, cases[i].answer, strlen(cases[i].answer), next, &e) < 0 ||
            write_text(&t, &out, &e) < 0)
            fail_msg("%s: %s", cases[i].what, e.text);
        if (strcmp(out.text, cases[i].want) != 0)
            fail_msg("%s:\n%s", cases[i].what, out.text);
        csv_table_release(&t);
        strbuf_release(&out);
    }
}

/* Read like numpy.load(). */
static void a_table_of_numbers_becomes_a_matrix(void **state)
{
    static const char answer[] = "{\"points\":[{\"first\":7,\"mean\":1.5},{\"first\":8,\"mean\":null}]}",
                      text[] = "{\"items\":[{\"n\":1,\"name\":\"x\"}]}";
    struct strbuf out = STRBUF_INIT;
    struct csv_table t = {.npy = true};
    char next[CURSOR_TEXT];
    struct err e = {0};
    double v[4];

    (void)state;
    CHECK_OK(csv_table_add(&t, answer, strlen(answer), next, &e), &e);
    CHECK_OK(write_text(&t, &out, &e), &e);
    assert_memory_equal(out.text, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_int_equal(out.length, 128 + sizeof v);
    assert_memory_equal(out.text + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), } ", 60);
    assert_int_equal(out.text[127], '\n');
    memcpy(v, out.text + 128, sizeof v);
    assert_true(v[0] == 7 && v[1] == 1.5 && v[2] == 8 && isnan(v[3]));
    csv_table_release(&t);
    CHECK_OK(csv_table_add(&t, text, strlen(text), next, &e), &e);
    CHECK_FAILS(write_text(&t, &out, &e), &e, ERR_INVALID, "column `name` contains text");
    csv_table_release(&t);
    strbuf_release(&out);
}

static void pages_follow_each_other_and_gain_columns(void **state)
{
    static const char one[] = "{\"items\":[{\"a\":1}],\"next\":\"there\"}",
                      two[] = "{\"items\":[{\"a\":2,\"b\":3}]}";
    struct strbuf out = STRBUF_INIT;
    struct csv_table t = {0};
    char next[CURSOR_TEXT];
    struct err e = {0};

    (void)state;
    CHECK_OK(csv_table_add(&t, one, strlen(one), next, &e), &e);
    assert_string_equal(next, "there");
    CHECK_OK(csv_table_add(&t, two, strlen(two), next, &e), &e);
    assert_string_equal(next, "");
    CHECK_OK(write_text(&t, &out, &e), &e);
    assert_string_equal(out.text, "a,b\r\n1,\r\n2,3\r\n");
    csv_table_release(&t);
    strbuf_release(&out);
}

/* The bytes of a table do not depend on whether its rows were in memory or in a file. */
static void rows_that_were_written_out_gain_columns_too(void **state)
{
    static const char *const pages[] = {"{\"items\":[{\"a\":1},{\"a\":2}]}", "{\"items\":[{\"b\":3}]}",
                                        "{\"items\":[{\"a\":4,\"c\":\"5\"}]}"};

    (void)state;
    for (int npy = 0; npy < 2; npy++) {
        struct strbuf whole = STRBUF_INIT, spilled = STRBUF_INIT;
        struct csv_table t = {.npy = npy}, u = {.npy = npy, .spilled = tmpfile()};
        char next[CURSOR_TEXT];
        struct err e = {0};

        assert_non_null(u.spilled);
        for (int i = 0; i < 3; i++) {
            CHECK_OK(csv_table_add(&t, pages[i], strlen(pages[i]), next, &e), &e);
            CHECK_OK(csv_table_add(&u, pages[i], strlen(pages[i]), next, &e), &e);
            if (i < 2)
                CHECK_OK(csv_table_spill(&u, &e), &e);
        }
        CHECK_OK(write_text(&t, &whole, &e), &e);
        CHECK_OK(write_text(&u, &spilled, &e), &e);
        if (!npy)
            assert_string_equal(whole.text, "a,b,c\r\n1,,\r\n2,,\r\n,3,\r\n4,,5\r\n");
        assert_int_equal(spilled.length, whole.length);
        assert_memory_equal(spilled.text, whole.text, whole.length);
        assert_int_equal(u.spilled_rows, 3);
        fclose(u.spilled);
        csv_table_release(&t);
        csv_table_release(&u);
        strbuf_release(&whole);
        strbuf_release(&spilled);
    }
}

static void what_is_no_list_is_refused(void **state)
{
    static const char text[] = "{\"id\":\"x\",\"numbers\":[1,2]}";
    struct csv_table t = {0};
    char next[CURSOR_TEXT];
    struct err e = {0};

    (void)state;
    CHECK_FAILS(csv_table_add(&t, text, strlen(text), next, &e), &e, ERR_INVALID, "neither a list nor a series");
    csv_table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_become_tables),
        cmocka_unit_test(a_table_of_numbers_becomes_a_matrix),
        cmocka_unit_test(pages_follow_each_other_and_gain_columns),
        cmocka_unit_test(rows_that_were_written_out_gain_columns_too),
        cmocka_unit_test(what_is_no_list_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
