#include "server/domain/access/device.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "base/hash.h"
#include "server/domain/access/access.h"

#define ID     16
#define SIGNED (ID + 8)
#define VALUE  75 /* characters of SIGNED + 32 bytes in base64url */

void device_name(const char *login, char out[DEVICE_NAME])
{
    snprintf(out, DEVICE_NAME, "vivace_device_%016llx", (unsigned long long)hash_fnv1a(login, strlen(login)));
}

static void sign(const struct farm *farm, const char *login, const unsigned char *bytes,
                 unsigned char tag[crypto_auth_hmacsha256_BYTES])
{
    /* The same key also signs the cursors of lists, with the list's name first. The NUL at the end is signed too,
     * so that this text differs from every such name. */
    static const char purpose[] = "device";
    crypto_auth_hmacsha256_state s;

    crypto_auth_hmacsha256_init(&s, farm->cursor_key, sizeof farm->cursor_key);
    crypto_auth_hmacsha256_update(&s, (const unsigned char *)purpose, sizeof purpose);
    crypto_auth_hmacsha256_update(&s, bytes, SIGNED);
    crypto_auth_hmacsha256_update(&s, (const unsigned char *)login, strlen(login));
    crypto_auth_hmacsha256_final(&s, tag);
}

void device_make(const struct farm *farm, const char *login, char out[DEVICE_VALUE])
{
    unsigned char bytes[SIGNED + crypto_auth_hmacsha256_BYTES];
    uint64_t until = (uint64_t)(clock_now(farm->clock) / 1000000 + DEVICE_S);

    randombytes_buf(bytes, ID);
    for (int i = 0; i < 8; i++)
        bytes[ID + i] = (unsigned char)(until >> (56 - 8 * i));
    sign(farm, login, bytes, bytes + SIGNED);
    sodium_bin2base64(out, DEVICE_VALUE, bytes, sizeof bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

bool device_read(const struct farm *farm, const char *login, const char *cookies, char id[DEVICE_ID])
{
    unsigned char bytes[SIGNED + crypto_auth_hmacsha256_BYTES], tag[crypto_auth_hmacsha256_BYTES];
    char name[DEVICE_NAME], value[VALUE + 1];
    uint64_t until = 0;
    size_t n = 0;

    device_name(login, name);
    if (!access_cookie(cookies, name, VALUE, value) ||
        sodium_base642bin(bytes, sizeof bytes, value, VALUE, NULL, &n, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) < 0 ||
        n != sizeof bytes)
        return false;
    sign(farm, login, bytes, tag);
    for (int i = 0; i < 8; i++)
        until = until << 8 | bytes[ID + i];
    if (sodium_memcmp(tag, bytes + SIGNED, sizeof tag) != 0 || until < (uint64_t)(clock_now(farm->clock) / 1000000))
        return false;
    sodium_bin2hex(id, DEVICE_ID, bytes, ID);
    return true;
}
