#include "base/hash.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct sha256 {
    EVP_MD_CTX *ctx;
};

struct sha256 *sha256_new(struct err *e)
{
    struct sha256 *h = mem_zalloc(1, sizeof *h, e);

    if (!h)
        return NULL;
    h->ctx = EVP_MD_CTX_new();
    if (!h->ctx || EVP_DigestInit_ex(h->ctx, EVP_sha256(), NULL) != 1) {
        err_set(e, ERR_NO_MEMORY, "SHA-256 could not be started");
        sha256_free(h);
        return NULL;
    }
    return h;
}

void sha256_update(struct sha256 *h, const void *bytes, size_t n)
{
    EVP_DigestUpdate(h->ctx, bytes, n);
}

void sha256_final(struct sha256 *h, uint8_t out[SHA256_BYTES])
{
    EVP_DigestFinal_ex(h->ctx, out, NULL);
}

void sha256_free(struct sha256 *h)
{
    if (!h)
        return;
    EVP_MD_CTX_free(h->ctx);
    free(h);
}

void sha256_base64_of_hex(const char hex[SHA256_HEX], char out[SHA256_BASE64])
{
    uint8_t bytes[SHA256_BYTES] = {0};

    for (size_t i = 0; i < SHA256_BYTES; i++) {
        unsigned byte = 0;

        sscanf(hex + 2 * i, "%2x", &byte);
        bytes[i] = (uint8_t)byte;
    }
    EVP_EncodeBlock((unsigned char *)out, bytes, SHA256_BYTES);
}

void hex_encode(const uint8_t *bytes, size_t n, char *out)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * n] = '\0';
}

static void finish_hex(struct sha256 *h, char hex[SHA256_HEX])
{
    uint8_t digest[SHA256_BYTES];

    sha256_final(h, digest);
    hex_encode(digest, sizeof digest, hex);
}

int sha256_bytes(const void *bytes, size_t n, char hex[SHA256_HEX], struct err *e)
{
    struct sha256 *h = sha256_new(e);

    if (!h)
        return -1;
    sha256_update(h, bytes, n);
    finish_hex(h, hex);
    sha256_free(h);
    return 0;
}

int sha256_file(const char *path, char hex[SHA256_HEX], struct err *e)
{
    struct sha256 *h = NULL;
    char buffer[65536];
    size_t n;
    int ret = -1;
    FILE *f = fopen(path, "rbe");

    if (!f)
        return err_set_errno(e, errno, "%s", path);
    h = sha256_new(e);
    if (!h)
        goto out;
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        sha256_update(h, buffer, n);
    if (ferror(f)) {
        err_set_errno(e, errno, "%s", path);
        goto out;
    }
    finish_hex(h, hex);
    ret = 0;
out:
    sha256_free(h);
    fclose(f);
    return ret;
}

bool sha256_hex_valid(const char *s)
{
    return strlen(s) == SHA256_HEX - 1 && strspn(s, "0123456789abcdef") == SHA256_HEX - 1;
}

uint64_t hash_fnv1a(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static uint64_t hash_step(uint64_t h, const unsigned char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
    h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return h ^ h >> 32;
}

/* Two independent chains: each step depends on the step before, so the processor can run two of them in parallel.
 */
uint64_t hash_words(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t a = n * UINT64_C(0x9e3779b97f4a7c15), b = ~a;
    unsigned char last[16] = {0};

    for (; n >= sizeof last; p += sizeof last, n -= sizeof last) {
        a = hash_step(a, p);
        b = hash_step(b, p + 8);
    }
    memcpy(last, p, n);
    a = hash_step(a, last);
    b = hash_step(b, last + 8);
    b *= UINT64_C(0x9e3779b97f4a7c15);
    return a ^ b ^ b >> 32;
}
