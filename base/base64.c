#include "base/base64.h"

#include <limits.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const void *bytes, size_t n, struct err *e)
{
    char *text;

    if (n > INT_MAX / 2) {
        err_set(e, ERR_TOO_LARGE, "%zu bytes are too many for a base64 text", n);
        return NULL;
    }
    text = mem_zalloc((n + 2) / 3 * 4 + 1, 1, e);
    if (text)
        EVP_EncodeBlock((unsigned char *)text, bytes, (int)n);
    return text;
}

int base64_decode(const char *text, void **bytes, size_t *n, struct err *e)
{
    size_t length = strlen(text), padding = length && text[length - 1] == '=';
    unsigned char *out;
    int got;

    padding += length > 1 && text[length - 2] == '=';
    if (length % 4 || length > INT_MAX / 2)
        return err_set(e, ERR_INVALID, "the length of a base64 text is not a multiple of four");
    if (strspn(text, alphabet) + padding != length) /* OpenSSL skips blanks and accepts '=' anywhere */
        return err_set(e, ERR_INVALID, "a base64 text contains a character other than letters, digits, + and /");
    out = mem_zalloc(length / 4 * 3 + 1, 1, e);
    if (!out)
        return -1;
    got = EVP_DecodeBlock(out, (const unsigned char *)text, (int)length);
    if (got < 0) {
        free(out);
        return err_set(e, ERR_INVALID, "a text is not valid base64");
    }
    *bytes = out;
    *n = (size_t)got - (got ? padding : 0);
    return 0;
}
