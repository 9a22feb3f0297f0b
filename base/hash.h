/* base/hash.h: SHA-256, by OpenSSL's EVP. Its digest is the name of every blob, trace, design and profile. */
#ifndef VIVACE_BASE_HASH_H
#define VIVACE_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define SHA256_BYTES  32
#define SHA256_HEX    65 /* 64 lower-case digits and NUL */
#define SHA256_BASE64 45 /* 44 characters and NUL */

struct sha256; /* opaque */
struct sha256 *sha256_new(struct err *e);
void sha256_update(struct sha256 *h, const void *bytes, size_t n);
void sha256_final(struct sha256 *h, uint8_t out[SHA256_BYTES]); /* afterwards call only sha256_free() */
void sha256_free(struct sha256 *h);

int sha256_bytes(const void *bytes, size_t n, char hex[SHA256_HEX], struct err *e);
int sha256_file(const char *path, char hex[SHA256_HEX], struct err *e);
/* The same digest as HTTP headers spell it (RFC 9530, RFC 4648 section 4). */
void sha256_base64_of_hex(const char hex[SHA256_HEX], char out[SHA256_BASE64]);
void hex_encode(const uint8_t *bytes, size_t n, char *out); /* out: 2 n + 1 bytes */
bool sha256_hex_valid(const char *s);                       /* exactly 64 lower-case hex digits */

/* 64-bit FNV-1a, for hash tables in memory. Never store it, and never use it where security depends on it. */
uint64_t hash_fnv1a(const void *bytes, size_t n);
/* For hash tables with long keys: eight bytes a step. The value depends on the machine's byte order. */
uint64_t hash_words(const void *bytes, size_t n);

#endif
