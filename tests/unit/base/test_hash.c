#include "tests/harness/check.h"

#include "base/hash.h"

#define SHA_OF_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" /* FIPS 180-2, B.1 */

static void sha256_gives_the_published_digests(void **state)
{
    char hex[SHA256_HEX];
    struct err e;

    (void)state;
    CHECK_OK(sha256_bytes("abc", 3, hex, &e), &e);
    assert_string_equal(hex, SHA_OF_ABC);
    CHECK_OK(sha256_bytes("", 0, hex, &e), &e);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void pieces_give_what_the_whole_gives(void **state)
{
    struct err e;
    struct sha256 *h = sha256_new(&e);
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX];

    (void)state;
    assert_non_null(h);
    sha256_update(h, "a", 1);
    sha256_update(h, "", 0);
    sha256_update(h, "bc", 2);
    sha256_final(h, digest);
    hex_encode(digest, sizeof digest, hex);
    assert_string_equal(hex, SHA_OF_ABC);
    sha256_free(h);
}

static void a_file_is_hashed_by_content(void **state)
{
    char path[] = "/tmp/vivace-test-XXXXXX", hex[SHA256_HEX];
    int fd = mkstemp(path);
    struct err e;

    (void)state;
    assert_true(fd >= 0 && write(fd, "abc", 3) == 3);
    close(fd);
    CHECK_OK(sha256_file(path, hex, &e), &e);
    assert_string_equal(hex, SHA_OF_ABC);
    unlink(path);
    CHECK_FAILS(sha256_file(path, hex, &e), &e, ERR_NOT_FOUND, path);
}

static void only_64_lower_case_digits_name_a_blob(void **state)
{
    char bad[] = SHA_OF_ABC;

    (void)state;
    assert_true(sha256_hex_valid(SHA_OF_ABC));
    assert_false(sha256_hex_valid(SHA_OF_ABC "0"));
    assert_false(sha256_hex_valid("../../../etc/passwd"));
    assert_false(sha256_hex_valid(""));
    bad[0] = 'B';
    assert_false(sha256_hex_valid(bad));
    bad[0] = 'g';
    assert_false(sha256_hex_valid(bad));
}

static void a_digest_is_spelled_as_headers_do(void **state)
{
    static const char body[] = "{\"hello\": \"world\"}\n"; /* RFC 9530, appendix B.1 */
    char hex[SHA256_HEX], base64[SHA256_BASE64];
    struct err e;

    (void)state;
    assert_int_equal(sha256_bytes(body, strlen(body), hex, &e), 0);
    sha256_base64_of_hex(hex, base64);
    assert_string_equal(base64, "RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=");
}

static void fnv1a_gives_the_published_values(void **state)
{
    (void)state; /* http://www.isthe.com/chongo/tech/comp/fnv/, test vectors */
    assert_true(hash_fnv1a("", 0) == 0xcbf29ce484222325u);
    assert_true(hash_fnv1a("a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(hash_fnv1a("foobar", 6) == 0x85944171f73967e8u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_gives_the_published_digests),
        cmocka_unit_test(pieces_give_what_the_whole_gives),
        cmocka_unit_test(a_file_is_hashed_by_content),
        cmocka_unit_test(only_64_lower_case_digits_name_a_blob),
        cmocka_unit_test(a_digest_is_spelled_as_headers_do),
        cmocka_unit_test(fnv1a_gives_the_published_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
