/* server/store/blob/content_digest.h: the Content-Digest field, the hash of a request's body (RFC 9530). */
#ifndef VIVACE_SERVER_CONTENT_DIGEST_H
#define VIVACE_SERVER_CONTENT_DIGEST_H

#include "base/err.h"
#include "base/hash.h"

/* Reads "sha-256=:BASE64:", which may be one of several digests. Returns 1 and the hash in hex, 0 when the field
 * has no SHA-256, -1 when it is malformed. */
int content_digest_read(const char *field, char sha256[SHA256_HEX], struct err *e);

#endif
