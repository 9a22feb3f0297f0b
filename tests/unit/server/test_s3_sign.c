/* server/store/blob/s3_sign.c with the examples that Amazon publishes for the algorithm ("Examples: Signature
 * Calculations" and "Authenticating Requests: Using Query Parameters", Amazon S3 API Reference). Its encoding is
 * compared with a second implementation of the rule. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "server/store/blob/s3_sign.h"

#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define HOST  "examplebucket.s3.amazonaws.com"
#define TIME  "20130524T000000Z"

static const struct s3_keys keys = {"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", NULL,
                                    "us-east-1"};

static void check_signature(const struct s3_request *r, const char *headers, const char *signature)
{
    struct strbuf out = STRBUF_INIT;
    char want[400];
    struct err e;

    CHECK_OK(s3_authorization(&keys, r, &out, &e), &e);
    snprintf(want, sizeof want,
             "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=%s,"
             "Signature=%s",
             headers, signature);
    assert_string_equal(out.text, want);
    strbuf_release(&out);
}

static void get_with_a_range(void **state)
{
    const struct s3_pair headers[] = {
        {"host", HOST}, {"x-amz-date", TIME}, {"range", "bytes=0-9"}, {"x-amz-content-sha256", EMPTY}};
    const struct s3_request r = {"GET", "/test.txt", NULL, 0, headers, 4, EMPTY, TIME};

    (void)state;
    check_signature(&r, "host;range;x-amz-content-sha256;x-amz-date",
                    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

static void put_of_a_strange_name(void **state)
{
#define BODY "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
    const struct s3_pair headers[] = {{"date", "Fri, 24 May 2013 00:00:00 GMT"},
                                      {"host", HOST},
                                      {"x-amz-date", TIME},
                                      {"x-amz-storage-class", "REDUCED_REDUNDANCY"},
                                      {"x-amz-content-sha256", BODY}};
    const struct s3_request r = {"PUT", "/test$file.text", NULL, 0, headers, 5, BODY, TIME};

    (void)state;
    check_signature(&r, "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

static void queries_with_and_without_values(void **state)
{
    const struct s3_pair headers[] = {{"host", HOST}, {"x-amz-content-sha256", EMPTY}, {"x-amz-date", TIME}};
    const struct s3_pair lifecycle[] = {{"lifecycle", ""}}, list[] = {{"prefix", "J"}, {"max-keys", "2"}};
    const struct s3_request one = {"GET", "/", lifecycle, 1, headers, 3, EMPTY, TIME},
                            two = {"GET", "/", list, 2, headers, 3, EMPTY, TIME};

    (void)state;
    check_signature(&one, "host;x-amz-content-sha256;x-amz-date",
                    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    check_signature(&two, "host;x-amz-content-sha256;x-amz-date",
                    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

static void address_signed_in_advance(void **state)
{
    const struct s3_pair headers[] = {{"host", HOST}};
    const struct s3_request r = {"GET", "/test.txt", NULL, 0, headers, 1, NULL, TIME};
    struct strbuf out = STRBUF_INIT;
    struct err e;

    (void)state;
    CHECK_OK(s3_presign(&keys, &r, 86400, &out, &e), &e);
    assert_string_equal(
        out.text,
        "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%"
        "2Fs3"
        "%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature="
        "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
    strbuf_release(&out);
}

/* The second implementation, with a table of characters that stay unchanged. */
static void encode_again(const char *text, char *out)
{
    static const char hex[] = "0123456789ABCDEF";
    static const char *const kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    for (; *text; text++) {
        if (strchr(kept, *text)) {
            *out++ = *text;
            continue;
        }
        *out++ = '%';
        *out++ = hex[(unsigned char)*text >> 4];
        *out++ = hex[(unsigned char)*text & 15];
    }
    *out = '\0';
}

static bool sorted_pair(const char *a, const char *b)
{
    size_t n = strcspn(a, "="), m = strcspn(b, "=");
    int c = strncmp(a, b, n < m ? n : m);

    return c < 0 || (c == 0 && (n < m || (n == m && strcmp(a + n + 1, b + m + 1) <= 0)));
}

static void fill(struct rng *g, char *text, size_t most)
{
    size_t n = rng_below(g, most);

    for (size_t i = 0; i < n; i++)
        text[i] = "ab-.~ &=%+/\xc3\x01z"[rng_below(g, 14)];
    text[n] = '\0';
}

/* Encoded as in the second implementation, with every pair, sorted by (name, value). */
static void any_query_is_encoded_and_sorted(void **state)
{
    struct rng g;

    (void)state;
    rng_init(&g, 112, 1, RNG_TEST);
    for (int round = 0; round < 2000; round++) {
        char text[8][12], encoded[40], *at, *before = NULL;
        struct strbuf out = STRBUF_INIT;
        struct s3_pair pairs[4];
        struct err e;

        for (int i = 0; i < 8; i++)
            fill(&g, text[i], sizeof text[i]);
        for (size_t i = 0; i < 4; i++)
            pairs[i] = (struct s3_pair){text[2 * i], text[2 * i + 1]};
        CHECK_OK(s3_query(pairs, 4, &out, &e), &e);
        for (int i = 0; i < 4; i++) {
            char want[80];

            encode_again(pairs[i].name, encoded);
            strcpy(want, encoded);
            strcat(want, "=");
            encode_again(pairs[i].value, encoded);
            strcat(want, encoded);
            assert_non_null(strstr(out.text, want));
        }
        for (at = strtok(out.text, "&"); at; before = at, at = strtok(NULL, "&"))
            assert_true(!before || sorted_pair(before, at));
        strbuf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(get_with_a_range),
        cmocka_unit_test(put_of_a_strange_name),
        cmocka_unit_test(queries_with_and_without_values),
        cmocka_unit_test(address_signed_in_advance),
        cmocka_unit_test(any_query_is_encoded_and_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
