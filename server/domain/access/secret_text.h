/* server/domain/access/secret_text.h: the text of tokens and other secrets. Only hashes are stored.
 *
 *   token    "vvc_", 43 characters of base64url (32 random bytes), 6 of a checksum (so that scanners for leaked
 *            secrets find it, and a mistyped token is refused without a database query)
 *   cookie, invitation   43 characters of base64url
 *   share link           22 characters of base64url (16 random bytes: it is in an address) */
#ifndef VIVACE_SERVER_SECRET_TEXT_H
#define VIVACE_SERVER_SECRET_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

#define TOKEN_TEXT  54 /* with NUL */
#define SECRET_TEXT 44
#define SHARE_TEXT  23

void token_text_make(char out[TOKEN_TEXT]);
bool token_text_valid(const char *text); /* shape and checksum */
void secret_text_make(char out[SECRET_TEXT]);
bool secret_text_valid(const char *text);
void share_text_make(char out[SHARE_TEXT]);
bool share_text_valid(const char *text);
/* Whether the first n characters belong to the alphabet of these texts. */
bool secret_alphabet(const char *s, size_t n);
void secret_hash(const char *secret, unsigned char out[SHA256_BYTES]);

#endif
