/* Decompresses one LZ4 block (source: the block format's description, lz4.org: sequences of literals and
 * matches). The code is our own, because nothing else of the library is needed. */
#include <string.h>

#include "sass/container.h"

struct reading {
    const uint8_t *at, *end;
};

/* A length of 15 continues in bytes of 255 and a last smaller byte. -1: the block ends before. */
static int long_length(struct reading *r, size_t *length)
{
    uint8_t more = 255;

    while (*length >= 15 && more == 255) {
        if (r->at == r->end)
            return -1;
        more = *r->at++;
        *length += more;
    }
    return 0;
}

static int damaged(struct err *e)
{
    return err_set(e, ERR_MALFORMED, "the compressed module (LZ4) is damaged");
}

int lz4_block(const uint8_t *from, size_t n, uint8_t *to, size_t want, struct err *e)
{
    struct reading r = {from, from + n};
    size_t done = 0;

    while (r.at < r.end) {
        uint8_t token = *r.at++;
        size_t literals = token >> 4, match = token & 15, back;

        if (long_length(&r, &literals) || literals > (size_t)(r.end - r.at) || literals > want - done)
            return damaged(e);
        memcpy(to + done, r.at, literals);
        done += literals;
        r.at += literals;
        if (r.at == r.end)
            break; /* the last sequence has no match */
        if (r.end - r.at < 2)
            return damaged(e);
        back = (size_t)r.at[0] | (size_t)r.at[1] << 8;
        r.at += 2;
        if (long_length(&r, &match) || match + 4 > want - done || back == 0 || back > done)
            return damaged(e);
        for (match += 4; match > 0; match--, done++) /* byte by byte, because the match may overlap its output */
            to[done] = to[done - back];
    }
    return done == want ? 0 : damaged(e);
}
