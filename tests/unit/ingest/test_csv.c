#include "ingest/csv.h"

#include "base/strbuf.h"
#include "tests/harness/check.h"

/* A source that returns its text in pieces of `piece` bytes, so that a buffer ends in every state of the parser. */
struct source {
    const char *text;
    size_t left, piece;
};

static ssize_t source_read(void *ctx, void *buffer, size_t n, struct err *e)
{
    struct source *s = ctx;

    (void)e;
    n = n < s->piece ? n : s->piece;
    n = n < s->left ? n : s->left;
    memcpy(buffer, s->text, n);
    s->text += n;
    s->left -= n;
    return (ssize_t)n;
}

/* All rows as text: fields in <>, a newline after each row, and the line number before it. */
static void read_all(const char *text, size_t length, size_t piece, struct strbuf *out, int *ret, struct err *e)
{
    struct source source = {text, length, piece};
    struct stream *s = NULL;
    static struct csv c;

    CHECK_OK(stream_open_fn(source_read, &source, "rows", &s, e), e);
    CHECK_OK(csv_init(&c, s, 1 << 20, e), e);
    while ((*ret = csv_next(&c, e)) > 0) {
        strbuf_addf(out, "%llu", (unsigned long long)c.line);
        for (size_t i = 0; i < c.field_count && i < CSV_MOST_FIELDS; i++)
            strbuf_addf(out, "<%s>", c.fields[i].text);
        strbuf_addc(out, '\n');
    }
    csv_release(&c);
    stream_close(s);
}

static void reads_rfc_4180(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"a,b\n1,2\n", "1<a><b>\n2<1><2>\n"},
        {"a,b\r\n1,2\r\n", "1<a><b>\n2<1><2>\n"},
        {"a,b\n1,2", "1<a><b>\n2<1><2>\n"},
        {"a,,\n", "1<a><><>\n"},
        {",\n\n,", "1<><>\n2<>\n3<><>\n"},
        {"\"a,b\",c\n", "1<a,b><c>\n"},
        {"\"say \"\"hi\"\"\",\"\"\n", "1<say \"hi\"><>\n"},
        {"\"\"\"\"\n", "1<\">\n"},
        {"\"two\nlines\",x\ny\n", "1<two\nlines><x>\n3<y>\n"},
        {"\"a\"\r\n\"b\"\r\n", "1<a>\n2<b>\n"},
        {"\"a\"tail,b\n", "1<atail><b>\n"},
        {"x\"y\"z,b\n", "1<x\"y\"z><b>\n"},
        {"a,\"b\",c,\"d,e\",,\"\"\n", "1<a><b><c><d,e><><>\n"},
        {"a,\"b\"\"c\",d\ne,\"f\",g\n", "1<a><b\"c><d>\n2<e><f><g>\n"},
        {"a,\"b\nc\",d\ne,\"f\"x,g\n", "1<a><b\nc><d>\n3<e><fx><g>\n"},
        {"a,\"b\"\r\n\r\n\"c\r\"\n\"d\r\"\r\n", "1<a><b>\n2<>\n3<c>\n4<d\r>\n"},
        {"-+.*,01234567,------,-,,........................,;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;,'a'\n",
         "1<-+.*><01234567><------><-><><........................><;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;><'a'>\n"},
        {"void k<int, 3>(float*)\n", "1<void k<int>< 3>(float*)>\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t piece = 1; piece < 64; piece += piece < 9 ? 1 : 13) { /* the largest ones have whole rows */
            struct strbuf got = STRBUF_INIT;
            struct err e;
            int ret;

            read_all(cases[i].text, strlen(cases[i].text), piece, &got, &ret, &e);
            if (ret < 0 || strcmp(got.text, cases[i].want) != 0)
                fail_msg("case %zu in pieces of %zu: got %d \"%s\", want \"%s\"", i, piece, ret, got.text,
                         cases[i].want);
            strbuf_release(&got);
        }
    }
}

static void rows_larger_than_the_buffer(void **state)
{
    size_t length = 900000;
    char *text = malloc(length + 8);
    struct strbuf got = STRBUF_INIT;
    struct err e;
    int ret;

    (void)state;
    memset(text, 'x', length);
    text[1] = ',';
    memcpy(text + length, "\nb,c\n", 6);
    read_all(text, length + 5, 1 << 16, &got, &ret, &e);
    assert_int_equal(ret, 0);
    assert_int_equal(got.length, length + 2 + strlen("1<") + strlen(">\n") - 1 + strlen("2<b><c>\n"));
    assert_string_equal(got.text + got.length - strlen("2<b><c>\n"), "2<b><c>\n");
    strbuf_release(&got);
    free(text);
}

static void refuses_endless_rows_and_open_quotes(void **state)
{
    size_t length = 3 << 20;
    char *text = malloc(length);
    struct strbuf got = STRBUF_INIT;
    struct err e;
    int ret;

    (void)state;
    memset(text, 'x', length);
    read_all(text, length, 1 << 16, &got, &ret, &e);
    CHECK_FAILS(ret, &e, ERR_INVALID, "line 1 is longer than 1048576 bytes");
    read_all("a,b\n\"never closed,\n1,2\n", 22, 4, &got, &ret, &e);
    CHECK_FAILS(ret, &e, ERR_INVALID, "line 2 are never closed");
    strbuf_release(&got);
    free(text);
}

static void counts_more_fields_than_it_keeps(void **state)
{
    static char text[2 * CSV_MOST_FIELDS];
    struct strbuf got = STRBUF_INIT;
    struct source source = {text, sizeof text, 100};
    struct stream *s;
    static struct csv c;
    struct err e;

    (void)state;
    memset(text, ',', sizeof text);
    CHECK_OK(stream_open_fn(source_read, &source, "rows", &s, &e), &e);
    CHECK_OK(csv_init(&c, s, 1 << 20, &e), &e);
    assert_int_equal(csv_next(&c, &e), 1);
    assert_int_equal(c.field_count, CSV_MOST_FIELDS + 1);
    csv_release(&c);
    stream_close(s);
    strbuf_release(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_rfc_4180),
        cmocka_unit_test(rows_larger_than_the_buffer),
        cmocka_unit_test(refuses_endless_rows_and_open_quotes),
        cmocka_unit_test(counts_more_fields_than_it_keeps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
