#include "tests/harness/check.h"

#include "base/archive.h"
#include "tests/unit/base/compressed.h"

#define BLOCK 512

/* --- tar files built by hand, so that they can be invalid --- */

static void add_header(struct strbuf *b, const char *name, char type, const char *size_field, const char *prefix)
{
    unsigned char h[BLOCK] = {0};
    unsigned sum = 0;

    memcpy(h, name, strlen(name) < 100 ? strlen(name) : 100);
    memcpy(h + 124, size_field, 12);
    memset(h + 148, ' ', 8);
    h[156] = (unsigned char)type;
    memcpy(h + 257,
           "ustar\0"
           "00",
           8);
    memcpy(h + 345, prefix, strlen(prefix));
    for (int i = 0; i < BLOCK; i++)
        sum += h[i];
    snprintf((char *)h + 148, 8, "%06o", sum);
    strbuf_add(b, h, BLOCK);
}

static void add_member(struct strbuf *b, const char *name, char type, const void *content, size_t n)
{
    static const char zeros[BLOCK];
    char size[13];

    snprintf(size, sizeof size, "%011zo", n);
    add_header(b, name, type, size, "");
    strbuf_add(b, content, n);
    strbuf_add(b, zeros, (BLOCK - n % BLOCK) % BLOCK);
}

static void add_text(struct strbuf *b, const char *name, const char *content)
{
    add_member(b, name, '0', content, strlen(content));
}

static void add_end(struct strbuf *b)
{
    static const char zeros[2 * BLOCK];

    strbuf_add(b, zeros, sizeof zeros);
}

struct opened {
    struct memory m;
    struct stream *s;
    struct archive *a;
};

static struct opened open_tar(struct opened *o, const struct strbuf *b)
{
    struct err e;

    o->m = (struct memory){b->text, b->length, 100};
    CHECK_OK(stream_open_fn(memory_read, &o->m, "x.tar", &o->s, &e), &e);
    CHECK_OK(archive_open_stream(o->s, &o->a, &e), &e);
    return *o;
}

static void close_tar(struct opened *o, struct strbuf *b)
{
    archive_close(o->a);
    stream_close(o->s);
    strbuf_release(b);
}

static void check_next(struct opened *o, const char *name, const char *content)
{
    struct archive_member m;
    struct stream *s;
    struct err e;
    char text[2000];
    size_t n = 0;
    ssize_t got;

    assert_int_equal(archive_next(o->a, &m, &e), 1);
    assert_string_equal(m.name, name);
    CHECK_OK(archive_member_stream(o->a, &s, &e), &e);
    while ((got = stream_read(s, text + n, sizeof text - n, &e)) > 0)
        n += (size_t)got;
    CHECK_OK(got, &e);
    assert_int_equal(n, strlen(content));
    assert_memory_equal(text, content, n);
    stream_close(s);
}

static void check_end(struct opened *o)
{
    struct archive_member m;
    struct err e;

    assert_int_equal(archive_next(o->a, &m, &e), 0);
    assert_int_equal(archive_next(o->a, &m, &e), 0);
}

static void check_refused(struct strbuf *b, enum err_code code, const char *part)
{
    struct opened o;
    struct archive_member m;
    struct err e;

    open_tar(&o, b);
    CHECK_FAILS(archive_next(o.a, &m, &e), &e, code, part);
    close_tar(&o, b);
}

/* --- tests --- */

static void members_come_in_order_and_links_do_not_come(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct opened o;

    (void)state;
    add_member(&b, "d/", '5', "", 0);
    add_text(&b, "./d/one", "first");
    add_member(&b, "d/link", '2', "", 0);
    add_text(&b, "d/two", "");
    add_member(&b, "d/device", '3', "", 0);
    add_member(&b, "d/old", '\0', "old", 3);
    add_end(&b);
    open_tar(&o, &b);
    check_next(&o, "d/one", "first");
    check_next(&o, "d/two", "");
    check_next(&o, "d/old", "old");
    check_end(&o);
    close_tar(&o, &b);
}

static void unread_content_is_skipped(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct archive_member m;
    struct opened o;
    struct err e;
    char big[5000];

    (void)state;
    memset(big, 'x', sizeof big);
    add_member(&b, "big", '0', big, sizeof big);
    add_text(&b, "next", "here");
    add_end(&b);
    open_tar(&o, &b);
    assert_int_equal(archive_next(o.a, &m, &e), 1);
    assert_true(m.bytes == 5000);
    check_next(&o, "next", "here");
    check_end(&o);
    close_tar(&o, &b);
}

static void a_compressed_member_is_decompressed(void **state)
{
    struct strbuf b = STRBUF_INIT, z = STRBUF_INIT;
    struct opened o;

    (void)state;
    add_zstd(&z, "inside", 6);
    add_member(&b, "k.zst", '0', z.text, z.length);
    add_end(&b);
    open_tar(&o, &b);
    check_next(&o, "k.zst", "inside");
    check_end(&o);
    close_tar(&o, &b);
    strbuf_release(&z);
}

static void long_names_come_in_three_ways(void **state)
{
    struct strbuf b = STRBUF_INIT, record = STRBUF_INIT;
    struct opened o;
    char name[301], prefixed[320];

    (void)state;
    memset(name, 'n', 300);
    name[300] = '\0';
    add_member(&b, "././@LongLink", 'L', name, 301); /* GNU */
    add_text(&b, "nnn", "gnu");
    strbuf_addf(&record, "310 path=%s\n", name); /* pax: 4 + 5 + 300 + 1 bytes */
    assert_int_equal(record.length, 310);
    add_member(&b, "PaxHeaders/n", 'x', record.text, record.length);
    add_text(&b, "nnn", "pax");
    add_header(&b, "name", '0', "00000000000", "some/prefix"); /* ustar */
    add_end(&b);
    open_tar(&o, &b);
    check_next(&o, name, "gnu");
    check_next(&o, name, "pax");
    snprintf(prefixed, sizeof prefixed, "some/prefix/name");
    check_next(&o, prefixed, "");
    check_end(&o);
    close_tar(&o, &b);
    strbuf_release(&record);
}

static void a_pax_size_outweighs_the_headers(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct opened o;

    (void)state;
    add_member(&b, "PaxHeaders/n", 'x', "9 size=3\n", 9);
    add_header(&b, "n", '0', "00000000000", "");
    strbuf_adds(&b, "abc");
    for (int i = 3; i < BLOCK; i++)
        strbuf_addc(&b, '\0');
    add_end(&b);
    open_tar(&o, &b);
    check_next(&o, "n", "abc");
    check_end(&o);
    close_tar(&o, &b);
}

static void names_that_lead_outside_are_refused(void **state)
{
    static const char *const bad[] = {"../x", "a/../../x", "/etc/passwd", "..", "a/.."};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct strbuf b = STRBUF_INIT;

        add_text(&b, bad[i], "x");
        add_end(&b);
        check_refused(&b, ERR_INVALID, i == 2 ? "absolute" : "outside");
    }
}

static void names_with_dots_that_stay_inside_pass(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct opened o;

    (void)state;
    add_text(&b, "a..b/..c", "x");
    add_text(&b, "bad\x01name\xff", "x");
    add_end(&b);
    open_tar(&o, &b);
    check_next(&o, "a..b/..c", "x");
    check_next(&o, "bad?name?", "x");
    close_tar(&o, &b);
}

static void impossible_sizes_are_refused(void **state)
{
    static const struct {
        const char *size;
        enum err_code code;
        const char *part;
    } rows[] = {
        {"\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", ERR_INVALID, "is not a number"},
        {"\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", ERR_INVALID, "gives its member"},
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", ERR_INVALID, "is not a number"},
        {"0000000009\0\0", ERR_INVALID, "is not a number"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct strbuf b = STRBUF_INIT;

        add_header(&b, "x", '0', rows[i].size, "");
        add_end(&b);
        check_refused(&b, rows[i].code, rows[i].part);
    }
}

static void a_huge_size_is_a_member_that_ends_early(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct archive_member m;
    struct opened o;
    struct err e;

    (void)state;
    add_header(&b, "x", '0', "77777777777", "");
    add_end(&b);
    open_tar(&o, &b);
    assert_int_equal(archive_next(o.a, &m, &e), 1);
    CHECK_FAILS(archive_next(o.a, &m, &e), &e, ERR_INVALID, "in the middle of its member x");
    close_tar(&o, &b);
}

static void extended_headers_are_bounded(void **state)
{
    static const char *const malformed[] = {"5 a=b\n",  "999 path=x\n", "x path=y\n",
                                            "7 path\n", "-1 path=y\n",  "0 \n"};
    struct strbuf b = STRBUF_INIT;

    (void)state;
    add_header(&b, "././@LongLink", 'L', "77777777777", "");
    check_refused(&b, ERR_TOO_LARGE, "extended tar header");
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        struct strbuf p = STRBUF_INIT;

        add_member(&p, "PaxHeaders/n", 'x', malformed[i], strlen(malformed[i]));
        add_text(&p, "n", "x");
        check_refused(&p, ERR_INVALID, "pax header");
    }
}

static void damage_and_cuts_are_are_separate(void **state)
{
    struct strbuf b = STRBUF_INIT;

    (void)state;
    add_text(&b, "x", "x");
    b.text[0] = 'y';
    check_refused(&b, ERR_INVALID, "checksum");
    b = (struct strbuf)STRBUF_INIT;
    check_refused(&b, ERR_INVALID, "no end mark");
    b = (struct strbuf)STRBUF_INIT;
    strbuf_adds(&b, "half a block");
    check_refused(&b, ERR_INVALID, "in the middle of a block");
}

static void real_tars_open(void **state)
{
    static const struct {
        const char *path;
        size_t members;
    } rows[] = {{"traces/rodinia-bfs-sm80.tar.zst", 17},
                {"traces/vectoradd-sm80-v5.tar.zst", 2},
                {"traces/raw-tracer-output-v100.tar.zst", 6}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = shared_data(rows[i].path);
        struct archive *a;
        struct archive_member m;
        struct err e;
        size_t n = 0;
        int got;

        assert_int_equal(archive_recognise(path, &e), 1);
        CHECK_OK(archive_open(path, &a, &e), &e);
        while ((got = archive_next(a, &m, &e)) > 0)
            n++;
        CHECK_OK(got, &e);
        assert_int_equal(n, rows[i].members);
        archive_close(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_come_in_order_and_links_do_not_come),
        cmocka_unit_test(unread_content_is_skipped),
        cmocka_unit_test(a_compressed_member_is_decompressed),
        cmocka_unit_test(long_names_come_in_three_ways),
        cmocka_unit_test(a_pax_size_outweighs_the_headers),
        cmocka_unit_test(names_that_lead_outside_are_refused),
        cmocka_unit_test(names_with_dots_that_stay_inside_pass),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(a_huge_size_is_a_member_that_ends_early),
        cmocka_unit_test(extended_headers_are_bounded),
        cmocka_unit_test(damage_and_cuts_are_are_separate),
        cmocka_unit_test(real_tars_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
