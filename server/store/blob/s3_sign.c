#include "server/store/blob/s3_sign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium/crypto_auth_hmacsha256.h>

#include "base/array.h"
#include "base/hash.h"

enum { PAIRS_MAX = 16 };
#define UNSIGNED "UNSIGNED-PAYLOAD"

void s3_encode(struct strbuf *out, const char *text, int keep_slash)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || strchr("-._~", c) ||
            (c == '/' && keep_slash))
            strbuf_addc(out, (char)c);
        else
            strbuf_addf(out, "%%%02X", c);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts by encoded name, then by encoded value. '=' sorts after '-' and '.', which a name may contain. Therefore
 * the compared texts have the separator '\001', which sorts before every character. */
int s3_query(const struct s3_pair *query, size_t count, struct strbuf *out, struct err *e)
{
    char *sorted[PAIRS_MAX] = {NULL};
    size_t n = 0;
    int ret = 0;

    if (count > PAIRS_MAX)
        return err_set(e, ERR_INTERNAL, "a query of %zu parts", count);
    for (; n < count; n++) {
        struct strbuf one = STRBUF_INIT;

        s3_encode(&one, query[n].name, 0);
        strbuf_addc(&one, '\001');
        s3_encode(&one, query[n].value, 0);
        sorted[n] = strbuf_detach(&one);
        if (!sorted[n])
            break;
    }
    if (n < count)
        ret = err_no_memory(e);
    else if (n)
        array_sort(sorted, n, sizeof sorted[0], by_text);
    for (size_t i = 0; i < n; i++) {
        if (ret == 0) {
            *strchr(sorted[i], '\001') = '=';
            strbuf_addf(out, "%s%s", i ? "&" : "", sorted[i]);
        }
        free(sorted[i]);
    }
    return ret;
}

/* --- Canonical request --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct s3_pair *)a)->name, ((const struct s3_pair *)b)->name);
}

/* sorted: has PAIRS_MAX entries. signed_names: a list like "host;range;x-amz-date". */
static int sort_headers(const struct s3_request *r, struct s3_pair *sorted, struct strbuf *signed_names,
                        struct err *e)
{
    if (r->header_count > PAIRS_MAX)
        return err_set(e, ERR_INTERNAL, "%zu headers to sign", r->header_count);
    memcpy(sorted, r->headers, r->header_count * sizeof *sorted);
    array_sort(sorted, r->header_count, sizeof *sorted, by_name);
    for (size_t i = 0; i < r->header_count; i++)
        strbuf_addf(signed_names, "%s%s", i ? ";" : "", sorted[i].name);
    return 0;
}

static int hash_canonical(const struct s3_request *r, const struct s3_pair *sorted, const char *query,
                          const char *signed_names, char hex[SHA256_HEX], struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    int ret;

    strbuf_addf(&text, "%s\n", r->method);
    s3_encode(&text, r->path, 1);
    strbuf_addf(&text, "\n%s\n", query);
    for (size_t i = 0; i < r->header_count; i++)
        strbuf_addf(&text, "%s:%s\n", sorted[i].name, sorted[i].value);
    strbuf_addf(&text, "\n%s\n%s", signed_names, r->payload_sha256);
    ret = text.failed ? err_no_memory(e) : sha256_bytes(text.text, text.length, hex, e);
    strbuf_release(&text);
    return ret;
}

/* --- Signature --- */

static void hmac(const unsigned char *key, size_t n, const char *text, unsigned char out[32])
{
    crypto_auth_hmacsha256_state state;

    crypto_auth_hmacsha256_init(&state, key, n);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)text, strlen(text));
    crypto_auth_hmacsha256_final(&state, out);
}

static void scope_of(const struct s3_keys *k, const char *time, char *out, size_t size)
{
    snprintf(out, size, "%.8s/%s/s3/aws4_request", time, k->region);
}

static int sign(const struct s3_keys *k, const struct s3_request *r, const char *canonical, char signature[65],
                struct err *e)
{
    struct strbuf text = STRBUF_INIT, first = STRBUF_INIT;
    char scope[160], day[9];
    unsigned char key[32];

    scope_of(k, r->time, scope, sizeof scope);
    snprintf(day, sizeof day, "%.8s", r->time);
    strbuf_addf(&first, "AWS4%s", k->secret);
    strbuf_addf(&text, "AWS4-HMAC-SHA256\n%s\n%s\n%s", r->time, scope, canonical);
    if (text.failed || first.failed) {
        strbuf_release(&text);
        strbuf_release(&first);
        return err_no_memory(e);
    }
    hmac((const unsigned char *)first.text, first.length, day, key);
    hmac(key, sizeof key, k->region, key);
    hmac(key, sizeof key, "s3", key);
    hmac(key, sizeof key, "aws4_request", key);
    hmac(key, sizeof key, text.text, key);
    hex_encode(key, sizeof key, signature);
    strbuf_release(&text);
    strbuf_release(&first);
    return 0;
}

static int sign_request(const struct s3_keys *k, const struct s3_request *r, const char *query,
                        struct strbuf *signed_names, char signature[65], struct err *e)
{
    struct s3_pair sorted[PAIRS_MAX] = {{NULL, NULL}};
    char canonical[SHA256_HEX];

    if (sort_headers(r, sorted, signed_names, e) < 0)
        return -1;
    if (signed_names->failed)
        return err_no_memory(e);
    if (hash_canonical(r, sorted, query, signed_names->text, canonical, e) < 0)
        return -1;
    return sign(k, r, canonical, signature, e);
}

int s3_authorization(const struct s3_keys *k, const struct s3_request *r, struct strbuf *out, struct err *e)
{
    struct strbuf query = STRBUF_INIT, names = STRBUF_INIT;
    char signature[65], scope[160];
    int ret = -1;

    if (s3_query(r->query, r->query_count, &query, e) == 0 &&
        sign_request(k, r, query.length ? query.text : "", &names, signature, e) == 0) {
        scope_of(k, r->time, scope, sizeof scope);
        strbuf_addf(out, "AWS4-HMAC-SHA256 Credential=%s/%s,SignedHeaders=%s,Signature=%s", k->access, scope,
                    names.text, signature);
        ret = out->failed ? err_no_memory(e) : 0;
    }
    strbuf_release(&query);
    strbuf_release(&names);
    return ret;
}

int s3_presign(const struct s3_keys *k, const struct s3_request *r, unsigned seconds, struct strbuf *out,
               struct err *e)
{
    struct strbuf query = STRBUF_INIT, names = STRBUF_INIT;
    char credential[300], scope[160], life[16], signature[65];
    struct s3_request q = *r;
    int ret = -1;

    scope_of(k, r->time, scope, sizeof scope);
    snprintf(credential, sizeof credential, "%s/%s", k->access, scope);
    snprintf(life, sizeof life, "%u", seconds);
    {
        const struct s3_pair pairs[] = {{"X-Amz-Algorithm", "AWS4-HMAC-SHA256"},
                                        {"X-Amz-Credential", credential},
                                        {"X-Amz-Date", r->time},
                                        {"X-Amz-Expires", life},
                                        {"X-Amz-SignedHeaders", "host"},
                                        {"X-Amz-Security-Token", k->session}};

        q.payload_sha256 = UNSIGNED;
        if (s3_query(pairs, k->session ? 6 : 5, &query, e) == 0 &&
            sign_request(k, &q, query.text, &names, signature, e) == 0) {
            s3_encode(out, r->path, 1);
            strbuf_addf(out, "?%s&X-Amz-Signature=%s", query.text, signature);
            ret = out->failed ? err_no_memory(e) : 0;
        }
    }
    strbuf_release(&query);
    strbuf_release(&names);
    return ret;
}
