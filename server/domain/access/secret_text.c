#include "server/domain/access/secret_text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "base/text.h"

/* CRC-32 as in IEEE 802.3, bit by bit: a token is short. */
static uint32_t crc_of(const char *s, size_t n)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < n; i++) {
        crc ^= (unsigned char)s[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

static void checksum_text(const char *secret43, char out[7])
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    uint32_t crc = crc_of(secret43, 43);

    for (int i = 5; i >= 0; i--) { /* 62^6 > 2^32 */
        out[i] = digits[crc % 62];
        crc /= 62;
    }
    out[6] = '\0';
}

/* Writes `bytes` random bytes as base64url. out has room for them and NUL. */
static void random_text(size_t bytes, char *out, size_t room)
{
    unsigned char random[32];

    randombytes_buf(random, bytes);
    sodium_bin2base64(out, room, random, bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(random, sizeof random);
}

bool secret_alphabet(const char *s, size_t n)
{
    return strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") >= n;
}

void token_text_make(char out[TOKEN_TEXT])
{
    snprintf(out, TOKEN_TEXT, "vvc_");
    random_text(32, out + 4, SECRET_TEXT);
    checksum_text(out + 4, out + 47);
}

bool token_text_valid(const char *text)
{
    char sum[7];

    if (strlen(text) != TOKEN_TEXT - 1 || !str_starts(text, "vvc_") || !secret_alphabet(text + 4, 49))
        return false;
    checksum_text(text + 4, sum);
    return strcmp(sum, text + 47) == 0;
}

void secret_text_make(char out[SECRET_TEXT])
{
    random_text(32, out, SECRET_TEXT);
}

bool secret_text_valid(const char *text)
{
    return strlen(text) == SECRET_TEXT - 1 && secret_alphabet(text, SECRET_TEXT - 1);
}

void share_text_make(char out[SHARE_TEXT])
{
    random_text(16, out, SHARE_TEXT);
}

bool share_text_valid(const char *text)
{
    return strlen(text) == SHARE_TEXT - 1 && secret_alphabet(text, SHARE_TEXT - 1);
}

void secret_hash(const char *secret, unsigned char out[SHA256_BYTES])
{
    crypto_hash_sha256(out, (const unsigned char *)secret, strlen(secret));
}
