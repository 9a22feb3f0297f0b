#include "simcore/trace/vtrace_bytes.h"

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"

enum { NUMBER_BYTES_MAX = 10 }; /* 64 bits, seven a byte */

int vtrace_checksum(const void *bytes, size_t n, uint64_t *out, struct err *e)
{
    struct sha256 *h = sha256_new(e);
    uint8_t sum[SHA256_BYTES];

    *out = 0;
    if (!h)
        return -1;
    sha256_update(h, bytes, n);
    sha256_final(h, sum);
    sha256_free(h);
    for (int i = 8; i-- > 0;)
        *out = *out << 8 | sum[i];
    return 0;
}

static uint64_t stop(struct byte_cursor *c)
{
    c->wrong = true;
    c->at = c->end;
    return 0;
}

/* The encoding of a number is unique: no zero byte at its end, no bit beyond 64. */
void put_long_number(struct strbuf *b, uint64_t x)
{
    bool fits = b->capacity - b->length > NUMBER_BYTES_MAX;
    char bytes[NUMBER_BYTES_MAX], *to = fits ? b->text + b->length : bytes;
    size_t n = 0;

    ASSERT_HOT(b->length <= b->capacity);
    for (; x >= 0x80; x >>= 7)
        to[n++] = (char)(x | 0x80);
    to[n++] = (char)x;
    ASSERT_HOT(n <= NUMBER_BYTES_MAX);
    if (fits)
        b->length += n;
    else
        strbuf_add(b, bytes, n);
}

uint64_t get_long_number(struct byte_cursor *c)
{
    uint64_t x = 0;

    ASSERT_HOT(c->at <= c->end);
    for (unsigned shift = 0; c->at < c->end && shift < 64; shift += 7) {
        uint8_t byte = *c->at++;

        if ((shift == 63 && byte > 1) || (byte == 0 && shift > 0))
            return stop(c);
        x |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return x;
    }
    return stop(c);
}

const uint8_t *get_bytes(struct byte_cursor *c, uint64_t n)
{
    const uint8_t *at = c->at;

    ASSERT_HOT(c->at <= c->end);
    if (n > (uint64_t)(c->end - c->at)) {
        stop(c);
        return NULL;
    }
    c->at += n;
    return at;
}

char *get_text(struct byte_cursor *c, struct err *e)
{
    uint64_t n = get_number(c);
    const uint8_t *at = get_bytes(c, n);

    if (!at || c->wrong || memchr(at, '\0', n)) {
        stop(c);
        err_set(e, ERR_INVALID, "a text is cut short");
        return NULL;
    }
    return mem_strndup((const char *)at, n, e);
}
