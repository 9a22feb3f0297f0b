/* server/store/blob/content_digest.h: the field by which a client says what it sent (RFC 9530). */
#ifndef VIVACE_SERVER_CONTENT_DIGEST_H
#define VIVACE_SERVER_CONTENT_DIGEST_H

#include "base/err.h"
#include "base/hash.h"

/* "sha-256=:BASE64:", maybe among others. 1 and the hash as hex; 0 when there is none; -1 when it is broken. */
int content_digest_read(const char *field, char sha256[SHA256_HEX], struct err *e);

#endif
