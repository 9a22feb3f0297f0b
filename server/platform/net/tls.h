/* server/platform/net/tls.h: certificate and private key of the server, for sites without a proxy in front of
 * it. */
#ifndef VIVACE_SERVER_TLS_H
#define VIVACE_SERVER_TLS_H

#include "base/err.h"

struct tls {
    char *cert, *key; /* PEM text; both NULL: plain HTTP */
};
/* Reads both files. Both paths are NULL or both are set. Refuses a file that is not PEM, a key file that other
 * users may read, and a key that does not belong to the certificate. */
int tls_read(const char *cert_path, const char *key_path, struct tls *out, struct err *e);
void tls_release(struct tls *t); /* also erases the bytes of the key */

#endif
