#include "server/api/http/cursor.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#define VERSION '1'
#define TAG     16 /* bytes of the signature; the rest is cut off */
#define PACKED  (CURSOR_PARTS * 128 + 2)

static void sign(const struct app *app, const char *list, const unsigned char *packed, size_t n,
                 unsigned char tag[crypto_auth_hmacsha256_BYTES])
{
    crypto_auth_hmacsha256_state s;

    crypto_auth_hmacsha256_init(&s, app->farm.cursor_key, sizeof app->farm.cursor_key);
    crypto_auth_hmacsha256_update(&s, (const unsigned char *)list, strlen(list) + 1);
    crypto_auth_hmacsha256_update(&s, packed, n);
    crypto_auth_hmacsha256_final(&s, tag);
}

int cursor_write(const struct app *app, const char *list, const struct cursor *c, char *out, struct err *e)
{
    unsigned char bytes[PACKED + TAG], tag[crypto_auth_hmacsha256_BYTES];
    size_t n = 0;

    bytes[n++] = VERSION;
    for (int i = 0; i < CURSOR_PARTS; i++) { /* each part includes its NUL */
        size_t length = strlen(c->text[i]) + 1;

        memcpy(bytes + n, c->text[i], length);
        n += length;
    }
    sign(app, list, bytes, n, tag);
    memcpy(bytes + n, tag, TAG);
    n += TAG;
    if (sodium_base64_encoded_len(n, sodium_base64_VARIANT_URLSAFE_NO_PADDING) > CURSOR_TEXT)
        return err_set(e, ERR_INTERNAL, "a page cursor is too long");
    sodium_bin2base64(out, CURSOR_TEXT, bytes, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    return 0;
}

int cursor_read(const struct app *app, const char *list, const char *text, struct cursor *out, struct err *e)
{
    unsigned char bytes[PACKED + TAG], tag[crypto_auth_hmacsha256_BYTES];
    size_t n = 0, at = 1;

    if (sodium_base642bin(bytes, sizeof bytes, text, strlen(text), NULL, &n, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) < 0 ||
        n < TAG + 1)
        goto bad;
    n -= TAG;
    sign(app, list, bytes, n, tag);
    if (sodium_memcmp(tag, bytes + n, TAG) != 0 || bytes[0] != VERSION)
        goto bad;
    for (int i = 0; i < CURSOR_PARTS; i++) {
        const unsigned char *end = memchr(bytes + at, 0, n - at);

        if (!end || (size_t)(end - bytes) - at >= sizeof out->text[0])
            goto bad;
        memcpy(out->text[i], bytes + at, (size_t)(end - bytes) - at + 1);
        at = (size_t)(end - bytes) + 1;
    }
    return 0;
bad:
    return err_set(e, ERR_INVALID, "`after` is not a cursor of this list");
}
