/* server/domain/access/access.c: the text of tokens and the credentials of requests; server/api/http/cursor.c.
 * tests/api covers what needs a database. */
#include "tests/harness/check.h"

#include "server/domain/access/access.h"
#include "server/domain/access/access_rules.h"
#include "server/api/app.h"
#include "server/api/http/cursor.h"

/* 43 times 'A' is 32 zero bytes; CRC-32 of that text is 0xc2b5986 (Python: zlib.crc32(b"A" * 43)). */
#define ZEROS "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void base62(uint32_t crc, char out[7])
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    for (int i = 5; i >= 0; i--, crc /= 62)
        out[i] = digits[crc % 62];
    out[6] = '\0';
}

static void tokens_carry_a_checksum(void **state)
{
    char sum[7], text[TOKEN_TEXT + 8];

    (void)state;
    base62(UINT32_C(0xc2b5986), sum);
    snprintf(text, sizeof text, "vvc_" ZEROS "%s", sum);
    assert_true(token_text_valid(text));
    for (size_t i = 0; text[i]; i++) { /* a wrong character at any position is detected */
        char was = text[i];

        text[i] = was == 'B' ? 'C' : 'B';
        assert_false(token_text_valid(text));
        text[i] = was;
    }
    text[strlen(text) - 1] = '\0';
    assert_false(token_text_valid(text));
    assert_false(token_text_valid(""));
}

static void what_requests_present(void **state)
{
    char sum[7], bearer[100];
    struct presented p;

    (void)state;
    base62(UINT32_C(0xc2b5986), sum);
    snprintf(bearer, sizeof bearer, "bearer vvc_" ZEROS "%s", sum);
    assert_int_equal(access_read(NULL, bearer, NULL, &p), 1);
    assert_false(p.by_cookie);
    assert_int_equal(access_read(NULL, NULL, "a=b; vivace_session=" ZEROS "; c=d", &p), 1);
    assert_true(p.by_cookie);
    assert_string_equal(p.secret, ZEROS);
    assert_int_equal(access_read(NULL, NULL, "xvivace_session=" ZEROS, &p), 0);
    assert_int_equal(access_read(NULL, NULL, "vivace_session=" ZEROS "A", &p), 0);
    assert_int_equal(access_read(NULL, NULL, "vivace_session=short", &p), 0);
    assert_int_equal(access_read(NULL, NULL, NULL, &p), 0);
    /* the share link in the address has precedence; a session does not replace an invalid one */
    assert_int_equal(access_read("AAAAAAAAAAAAAAAAAAAAAA", bearer, "vivace_session=" ZEROS, &p), 1);
    assert_string_equal(p.share, "AAAAAAAAAAAAAAAAAAAAAA");
    assert_string_equal(p.secret, "");
    assert_int_equal(access_read("short", bearer, "vivace_session=" ZEROS, &p), 0);
    /* an invalid bearer token is an error even with a valid cookie: the token has precedence */
    assert_int_equal(access_read(NULL, "Bearer nonsense", "vivace_session=" ZEROS, &p), 0);
}

static void scopes(void **state)
{
    unsigned bits;
    struct err e;

    (void)state;
    CHECK_OK(scopes_from_names((const char *const[]){"read", "worker"}, 2, &bits, &e), &e);
    assert_int_equal(bits, 1u << SCOPE_READ | 1u << SCOPE_WORKER);
    CHECK_FAILS(scopes_from_names((const char *const[]){"root"}, 1, &bits, &e), &e, ERR_INVALID, "root");
    CHECK_FAILS(scopes_from_names(NULL, 0, &bits, &e), &e, ERR_INVALID, "at least one");
}

static void cursors_cannot_be_made_up(void **state)
{
    static struct app app, other = {.farm.cursor_key = {1}};
    struct cursor c = {{"2026-11-20T13:02:11.000001Z", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", ""}}, back;
    char text[CURSOR_TEXT];
    struct err e;

    (void)state;
    CHECK_OK(cursor_write(&app, "workloads", &c, text, &e), &e);
    CHECK_OK(cursor_read(&app, "workloads", text, &back, &e), &e);
    assert_string_equal(back.text[0], c.text[0]);
    assert_string_equal(back.text[1], c.text[1]);
    assert_string_equal(back.text[2], "");
    CHECK_FAILS(cursor_read(&app, "kernels", text, &back, &e), &e, ERR_INVALID, "cursor");
    CHECK_FAILS(cursor_read(&other, "workloads", text, &back, &e), &e, ERR_INVALID, "cursor");
    for (size_t i = 0; text[i]; i++) {
        char was = text[i];

        text[i] = was == 'A' ? 'B' : 'A';
        CHECK_FAILS(cursor_read(&app, "workloads", text, &back, &e), &e, ERR_INVALID, "cursor");
        text[i] = was;
    }
    CHECK_FAILS(cursor_read(&app, "workloads", "", &back, &e), &e, ERR_INVALID, "cursor");
    CHECK_FAILS(cursor_read(&app, "workloads", "!!!", &back, &e), &e, ERR_INVALID, "cursor");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_carry_a_checksum),
        cmocka_unit_test(what_requests_present),
        cmocka_unit_test(scopes),
        cmocka_unit_test(cursors_cannot_be_made_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
