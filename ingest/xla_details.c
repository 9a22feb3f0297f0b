#include "ingest/xla_details.h"

#include <string.h>

#include "base/text.h"
#include "ingest/decimal.h"

/* "1940,1,1". False: not three numbers. */
static bool read_triple(const char *text, const char *end, int64_t out[3])
{
    for (int i = 0; i < 3; i++) {
        const char *comma = memchr(text, ',', (size_t)(end - text)), *stop = comma ? comma : end;

        if ((i < 2) != (comma != NULL) || decimal_scaled(text, (size_t)(stop - text), 0, &out[i]) < 0)
            return false;
        text = stop + 1;
    }
    return true;
}

/* One word, "key:value". */
static bool read_word(const char *word, const char *end, struct xla_details *out, unsigned *shapes)
{
    const char *colon = memchr(word, ':', (size_t)(end - word)), *value = colon ? colon + 1 : end;
    size_t key = (size_t)((colon ? colon : end) - word), length = (size_t)(end - value);
    int64_t shared = 0;

    if (str_is(word, key, "regs"))
        return decimal_scaled(value, length, 0, &out->registers) == 0;
    if (str_is(word, key, "static_shared") || str_is(word, key, "dynamic_shared"))
        return decimal_scaled(value, length, 0, &shared) == 0 &&
               !__builtin_add_overflow(out->shared_bytes, shared, &out->shared_bytes);
    if (str_is(word, key, "grid")) {
        *shapes |= 1;
        return read_triple(value, end, out->grid);
    }
    if (str_is(word, key, "block")) {
        *shapes |= 2;
        return read_triple(value, end, out->block);
    }
    return true;
}

bool xla_details_read(const char *text, size_t n, struct xla_details *out)
{
    const char *at = text, *end = text + n;
    unsigned shapes = 0;
    bool ok = true;

    memset(out, 0, sizeof *out);
    while (at < end) {
        const char *space = memchr(at, ' ', (size_t)(end - at)), *stop = space ? space : end;

        ok &= read_word(at, stop, out, &shapes);
        at = stop + 1;
    }
    out->has_shape = ok && shapes == 3;
    return ok;
}

size_t xla_id_prefix(const char *text, size_t n)
{
    return n > 2 && memcmp(text, "$$", 2) == 0 ? 2 : 0;
}
