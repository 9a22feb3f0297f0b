#include "server/store/blob/content_digest.h"

#include <string.h>

#include <sodium.h>

int content_digest_read(const char *field, char sha256[SHA256_HEX], struct err *e)
{
    static const char algorithm[] = "sha-256=:";
    const char *at = field ? strstr(field, algorithm) : NULL, *end;
    unsigned char bytes[SHA256_BYTES];
    size_t n = 0;

    if (!at)
        return 0;
    at += strlen(algorithm);
    end = strchr(at, ':');
    if (!end ||
        sodium_base642bin(bytes, sizeof bytes, at, (size_t)(end - at), NULL, &n, NULL,
                          sodium_base64_VARIANT_ORIGINAL) < 0 ||
        n != sizeof bytes)
        return err_set(e, ERR_MALFORMED, "Content-Digest has no valid sha-256");
    hex_encode(bytes, sizeof bytes, sha256);
    return 1;
}
