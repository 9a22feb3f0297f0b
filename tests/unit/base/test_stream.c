#include "tests/harness/check.h"

#include <fcntl.h>
#include <sys/resource.h>

#include "base/stream.h"
#include "tests/unit/base/compressed.h"

static const struct {
    const char *name;
    void (*add)(struct strbuf *out, const void *bytes, size_t n);
} formats[] = {{"none", add_plain}, {"gzip", add_gzip},   {"xz", add_xz},
               {"zstd", add_zstd},  {"bzip2", add_bzip2}, {"zip", add_zip}};

#define FORMATS (sizeof formats / sizeof *formats)

/* Half a megabyte that is hard to compress, so that decoders are called many times. */
static void add_noise(struct strbuf *b, size_t n)
{
    uint32_t x = 1;

    while (b->length < n) {
        x = x * 1664525 + 1013904223;
        strbuf_addf(b, "%x%s", x, x % 7 ? " " : "\n");
    }
}

static struct stream *open_memory(struct memory *m, const struct strbuf *content, size_t piece)
{
    struct stream *s;
    struct err e;

    *m = (struct memory){content->text, content->length, piece};
    CHECK_OK(stream_open_fn(memory_read, m, "input", &s, &e), &e);
    return s;
}

static void read_all(struct stream *s, struct strbuf *out, size_t piece)
{
    char buffer[10000];
    struct err e;
    ssize_t got;

    while ((got = stream_read(s, buffer, piece < sizeof buffer ? piece : sizeof buffer, &e)) != 0) {
        CHECK_OK(got, &e);
        strbuf_add(out, buffer, (size_t)got);
    }
}

static void every_compression_gives_back_the_content(void **state)
{
    struct strbuf content = STRBUF_INIT;

    (void)state;
    add_noise(&content, 500000);
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t piece = 1; piece < 100000; piece = piece * 50 + 7) {
            struct strbuf file = STRBUF_INIT, got = STRBUF_INIT;
            struct memory m;
            struct stream *s;

            formats[f].add(&file, content.text, content.length);
            s = open_memory(&m, &file, piece);
            assert_string_equal(stream_compression(s), formats[f].name);
            read_all(s, &got, 777);
            assert_int_equal(got.length, content.length);
            assert_memory_equal(got.text, content.text, got.length);
            assert_true(stream_bytes_in(s) == file.length);
            stream_close(s);
            strbuf_release(&file);
            strbuf_release(&got);
        }
    strbuf_release(&content);
}

static void members_that_follow_one_another_are_one_content(void **state)
{
    (void)state;
    for (size_t f = 1; strcmp(formats[f].name, "zip") != 0; f++) {
        struct strbuf file = STRBUF_INIT, got = STRBUF_INIT;
        struct memory m;
        struct stream *s;

        formats[f].add(&file, "one\n", 4);
        formats[f].add(&file, "", 0);
        formats[f].add(&file, "two\n", 4);
        s = open_memory(&m, &file, 3);
        read_all(s, &got, 2);
        assert_string_equal(got.text, "one\ntwo\n");
        stream_close(s);
        strbuf_release(&file);
        strbuf_release(&got);
    }
}

static void what_is_cut_short_is_an_error_that_names_file_and_format(void **state)
{
    struct strbuf content = STRBUF_INIT;

    (void)state;
    add_noise(&content, 50000);
    for (size_t f = 1; f < FORMATS; f++) {
        struct strbuf file = STRBUF_INIT;
        char want[64];

        formats[f].add(&file, content.text, content.length);
        snprintf(want, sizeof want, "input ends in the middle of its %s data", formats[f].name);
        for (size_t keep = 8; keep < file.length;
             keep += keep < 40 || keep + 40 > file.length ? 1 : file.length / 7) {
            struct memory m = {file.text, keep, 0};
            struct stream *s;
            char buffer[4096];
            struct err e;
            ssize_t got;

            CHECK_OK(stream_open_fn(memory_read, &m, "input", &s, &e), &e);
            while ((got = stream_read(s, buffer, sizeof buffer, &e)) > 0)
                ;
            CHECK_FAILS(got, &e, ERR_INVALID, want);
            CHECK_FAILS(stream_read(s, buffer, 1, &e), &e, ERR_INVALID, want); /* the error stays */
            stream_close(s);
        }
        strbuf_release(&file);
    }
    strbuf_release(&content);
}

static void what_is_damaged_is_an_error(void **state)
{
    struct strbuf content = STRBUF_INIT;

    (void)state;
    add_noise(&content, 50000);
    for (size_t f = 1; f < FORMATS; f++) {
        struct strbuf file = STRBUF_INIT;
        struct memory m;
        struct stream *s;
        char buffer[4096];
        struct err e;
        ssize_t got;

        formats[f].add(&file, content.text, content.length);
        strbuf_adds(&file, "and something else");
        s = open_memory(&m, &file, 0);
        while ((got = stream_read(s, buffer, sizeof buffer, &e)) > 0)
            ;
        CHECK_FAILS(got, &e, ERR_INVALID, "is damaged");
        stream_close(s);
        strbuf_release(&file);
    }
    strbuf_release(&content);
}

static void zip_gives_its_one_file(void **state)
{
    const struct zip_entry folder = {.name = "a/", .bytes = "", .stored = true},
                           one = {.name = "a/b", .bytes = "content\n", .length = 8};
    struct zip_entry kinds[5] = {one, one, one, one, one}, empty;

    (void)state;
    kinds[1].stored = true;
    kinds[2].descriptor = true;
    kinds[3].descriptor = kinds[3].zip64 = true;
    kinds[4].stored = kinds[4].zip64 = true;
    for (size_t k = 0; k < 5; k++) {
        struct strbuf file = STRBUF_INIT, got = STRBUF_INIT;
        struct memory m;
        struct stream *s;

        empty = kinds[k];
        empty.bytes = "";
        empty.length = 0;
        add_zip_entry(&file, &folder);
        add_zip_entry(&file, &empty);
        add_zip_entry(&file, &kinds[k]);
        empty.stored = true; /* of a stored one that is empty, the size may follow */
        add_zip_entry(&file, &empty);
        add_zip_end(&file, "a/b");
        s = open_memory(&m, &file, 3);
        read_all(s, &got, 5);
        assert_string_equal(got.text, "content\n");
        stream_close(s);
        strbuf_release(&file);
        strbuf_release(&got);
    }
}

static void zip_refuses(const struct zip_entry *first, const struct zip_entry *second, enum err_code code,
                        const char *part)
{
    struct strbuf file = STRBUF_INIT;
    char buffer[100];
    struct memory m;
    struct stream *s;
    struct err e;
    ssize_t got;

    add_zip_entry(&file, first);
    if (second)
        add_zip_entry(&file, second);
    add_zip_end(&file, first->name);
    s = open_memory(&m, &file, 0);
    while ((got = stream_read(s, buffer, sizeof buffer, &e)) > 0)
        ;
    CHECK_FAILS(got, &e, code, part);
    stream_close(s);
    strbuf_release(&file);
}

static void zip_says_what_it_cannot_read(void **state)
{
    const struct zip_entry one = {.name = "a", .bytes = "content\n", .length = 8};
    struct zip_entry other = one;

    (void)state;
    zip_refuses(&one, &one, ERR_UNSUPPORTED, "the ZIP archive has several files");
    other.flags = 1;
    zip_refuses(&other, NULL, ERR_UNSUPPORTED, "the ZIP archive is encrypted");
    other = one;
    other.method = 4;
    zip_refuses(&other, NULL, ERR_UNSUPPORTED, "by a method other than deflate");
    other = one;
    other.stored = other.descriptor = true;
    zip_refuses(&other, NULL, ERR_UNSUPPORTED, "stores a file without its size");
}

static void zeros_behind_gzip_are_padding(void **state)
{
    struct strbuf file = STRBUF_INIT, got = STRBUF_INIT;
    struct memory m;
    struct stream *s;

    (void)state;
    add_gzip(&file, "abc", 3);
    strbuf_add(&file, "\0\0\0\0\0", 5);
    s = open_memory(&m, &file, 1);
    read_all(s, &got, 100);
    assert_string_equal(got.text, "abc");
    stream_close(s);
    strbuf_release(&file);
    strbuf_release(&got);
}

/* A header that requires a window of 2 GiB: RFC 8878, 3.1.1.1.2; exponent 21, mantissa 0. */
static void a_window_beyond_the_limit_is_refused(void **state)
{
    static const char frame[] = "\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00";
    struct memory m = {frame, sizeof frame - 1, 0};
    struct stream *s;
    struct err e;
    char c;

    (void)state;
    CHECK_OK(stream_open_fn(memory_read, &m, "input", &s, &e), &e);
    CHECK_FAILS(stream_read(s, &c, 1, &e), &e, ERR_UNSUPPORTED, "128 MiB");
    stream_close(s);
}

static void lines_come_without_their_ends(void **state)
{
    static const struct {
        const char *text;
        size_t length;
        bool complete;
    } want[] = {{"a", 1, true}, {"", 0, true},     {"b", 1, true},      {"c\rd", 3, true},
                {"", 0, true},  {"e\0f", 3, true}, {"last\r", 5, false}};
    static const char bytes[] = "a\n\nb\r\nc\rd\n\r\ne\0f\nlast\r";
    struct memory m = {bytes, sizeof bytes - 1, 2};
    struct stream *s;
    struct err e;
    char *line;
    size_t n;
    bool complete;

    (void)state;
    CHECK_OK(stream_open_fn(memory_read, &m, "input", &s, &e), &e);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(stream_line(s, 100, &line, &n, &complete, &e), 1);
        assert_int_equal(n, want[i].length);
        assert_memory_equal(line, want[i].text, n + 1);
        assert_int_equal(complete, want[i].complete);
        assert_true(stream_line_number(s) == i + 1);
    }
    assert_int_equal(stream_line(s, 100, &line, &n, &complete, &e), 0);
    stream_close(s);
}

static void the_longest_line_passes_and_one_byte_more_does_not(void **state)
{
    static const struct {
        size_t bytes;
        const char *end;
        bool passes;
    } rows[] = {{200000, "\n", true},    {200000, "\r\n", true}, {200000, "", true},   {200001, "\n", false},
                {200001, "\r\n", false}, {200001, "", false},    {200002, "\n", false}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct strbuf file = STRBUF_INIT;
        struct memory m;
        struct stream *s;
        struct err e;
        char *line;
        size_t n;

        for (size_t k = 0; k < rows[i].bytes; k++)
            strbuf_addc(&file, 'x');
        strbuf_adds(&file, rows[i].end);
        s = open_memory(&m, &file, 4096);
        if (rows[i].passes) {
            assert_int_equal(stream_line(s, 200000, &line, &n, NULL, &e), 1);
            assert_int_equal(n, rows[i].bytes);
        } else {
            CHECK_FAILS(stream_line(s, 200000, &line, &n, NULL, &e), &e, ERR_INVALID,
                        "line 1 is longer than 200000");
        }
        stream_close(s);
        strbuf_release(&file);
    }
}

/* A gigabyte without a line end, from a sparse file. */
static void an_endless_line_is_refused_without_reading_it_all(void **state)
{
    char path[] = "/tmp/vivace-test-XXXXXX", *line;
    int fd = mkstemp(path);
    struct rusage before, after;
    struct stream *s;
    struct err e;
    size_t n;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, 1 << 30), 0);
    unlink(path);
    getrusage(RUSAGE_SELF, &before);
    CHECK_OK(stream_open_fd(fd, "input", &s, &e), &e);
    CHECK_FAILS(stream_line(s, 1 << 20, &line, &n, NULL, &e), &e, ERR_INVALID, "line 1 is longer");
    assert_true(stream_bytes_in(s) < 4 << 20);
    stream_close(s);
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 16 << 10); /* KiB */
}

static void lines_and_bytes_can_be_read_in_turn(void **state)
{
    static const char bytes[] = "head\nbody of it\n";
    struct memory m = {bytes, sizeof bytes - 1, 0};
    struct strbuf rest = STRBUF_INIT;
    struct stream *s;
    struct err e;
    char *line;

    (void)state;
    CHECK_OK(stream_open_fn(memory_read, &m, "input", &s, &e), &e);
    assert_int_equal(stream_line(s, 100, &line, NULL, NULL, &e), 1);
    assert_string_equal(line, "head");
    read_all(s, &rest, 4);
    assert_string_equal(rest.text, "body of it\n");
    strbuf_release(&rest);
    stream_close(s);
}

static void what_cannot_be_opened_says_so(void **state)
{
    struct stream *s;
    struct err e;

    (void)state;
    CHECK_FAILS(stream_open("/no/such/file", &s, &e), &e, ERR_NOT_FOUND, "/no/such/file");
    CHECK_FAILS(stream_open("/tmp", &s, &e), &e, ERR_INVALID, "is a folder");
    assert_null(s);
    stream_close(NULL);
}

static void bytes_in_memory_are_a_stream(void **state)
{
    static const char text[] = "one\ntwo";
    struct stream *s;
    char *line, none[1];
    struct err e;

    (void)state;
    CHECK_OK(stream_open_bytes(text, strlen(text), "text", &s, &e), &e);
    assert_int_equal(stream_line(s, 10, &line, NULL, NULL, &e), 1);
    assert_string_equal(line, "one");
    assert_int_equal(stream_line(s, 10, &line, NULL, NULL, &e), 1);
    assert_string_equal(line, "two");
    assert_int_equal(stream_line(s, 10, &line, NULL, NULL, &e), 0);
    stream_close(s);
    CHECK_OK(stream_open_bytes(NULL, 0, "nothing", &s, &e), &e);
    assert_int_equal(stream_read(s, none, sizeof none, &e), 0);
    stream_close(s);
}

/* The content as UTF-16, big-endian. Every byte of it must be ASCII. */
static void add_utf16(struct strbuf *out, const struct strbuf *content)
{
    strbuf_add(out, "\xfe\xff", 2);
    for (size_t i = 0; i < content->length; i++)
        strbuf_add(out, (char[2]){0, content->text[i]}, 2);
}

static void text_is_decoded_in_pieces_of_any_size(void **state)
{
    struct strbuf content = STRBUF_INIT, wide = STRBUF_INIT, returns = STRBUF_INIT;
    const struct strbuf *inputs[] = {&content, &wide, &returns};

    (void)state;
    add_noise(&content, 200000);
    add_utf16(&wide, &content);
    strbuf_add(&returns, content.text, content.length);
    for (size_t i = 0; i < returns.length; i++)
        if (returns.text[i] == '\n')
            returns.text[i] = '\r';
    for (size_t k = 0; k < 3; k++)
        for (size_t piece = 1; piece < 100000; piece = piece * 50 + 7) {
            struct strbuf got = STRBUF_INIT;
            struct memory m;
            struct stream *s = open_memory(&m, inputs[k], piece);
            struct err e;

            CHECK_OK(stream_as_text(s, &e), &e);
            read_all(s, &got, piece);
            assert_int_equal(got.length, content.length);
            assert_memory_equal(got.text, content.text, content.length);
            assert_int_equal(stream_position(s), content.length);
            stream_close(s);
            strbuf_release(&got);
        }
    strbuf_release(&content);
    strbuf_release(&wide);
    strbuf_release(&returns);
}

static void halves_of_surrogate_pairs_are_replaced(void **state)
{
    static const char text[] = "\xff\xfe"
                               "a\0\x3d\xd8"
                               "b\0\0\xdc"
                               "c\0\x3d\xd8";
    struct stream *s;
    char got[40];
    struct err e;
    ssize_t n;

    (void)state;
    CHECK_OK(stream_open_bytes(text, sizeof text - 1, "input", &s, &e), &e);
    CHECK_OK(stream_as_text(s, &e), &e);
    n = stream_read(s, got, sizeof got, &e);
    CHECK_OK(n, &e);
    assert_int_equal(n, 12);
    assert_memory_equal(got,
                        "a\xef\xbf\xbd"
                        "b\xef\xbf\xbd"
                        "c\xef\xbf\xbd",
                        12);
    assert_int_equal(stream_read(s, got, sizeof got, &e), 0);
    stream_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compression_gives_back_the_content),
        cmocka_unit_test(members_that_follow_one_another_are_one_content),
        cmocka_unit_test(what_is_cut_short_is_an_error_that_names_file_and_format),
        cmocka_unit_test(what_is_damaged_is_an_error),
        cmocka_unit_test(zip_gives_its_one_file),
        cmocka_unit_test(zip_says_what_it_cannot_read),
        cmocka_unit_test(zeros_behind_gzip_are_padding),
        cmocka_unit_test(a_window_beyond_the_limit_is_refused),
        cmocka_unit_test(lines_come_without_their_ends),
        cmocka_unit_test(the_longest_line_passes_and_one_byte_more_does_not),
        cmocka_unit_test(an_endless_line_is_refused_without_reading_it_all),
        cmocka_unit_test(lines_and_bytes_can_be_read_in_turn),
        cmocka_unit_test(what_cannot_be_opened_says_so),
        cmocka_unit_test(bytes_in_memory_are_a_stream),
        cmocka_unit_test(text_is_decoded_in_pieces_of_any_size),
        cmocka_unit_test(halves_of_surrogate_pairs_are_replaced),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
