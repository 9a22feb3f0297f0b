/* server/platform/net/tls.h: certificate and key of the server itself, for sites without a proxy in front. */
#ifndef VIVACE_SERVER_TLS_H
#define VIVACE_SERVER_TLS_H

#include "base/err.h"

struct tls {
    char *cert, *key; /* PEM text; both NULL: plain HTTP */
};
/* Reads both files; both NULL or both named. Refuses what is no PEM, a key that others may read, and
 * one that is not the certificate's. */
int tls_read(const char *cert_path, const char *key_path, struct tls *out, struct err *e);
void tls_release(struct tls *t); /* forgets the key's bytes, too */

#endif
