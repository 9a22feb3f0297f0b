#include "base/text_decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum {
    BLOCK_BYTES = 64 << 10,
    REPLACEMENT = 0xfffd /* for half of a surrogate pair, as the Unicode standard recommends (section 3.9) */
};

/* Reads until the block is full or the source ends. */
static int fill_block(struct text_decode *t, struct unpack *from, struct err *e)
{
    ASSERT(t->at <= t->end && t->end <= BLOCK_BYTES);
    memmove(t->bytes, t->bytes + t->at, t->end - t->at);
    t->end -= t->at;
    t->at = 0;
    while (t->end < BLOCK_BYTES && !t->ended) {
        ssize_t got = unpack_read(from, t->bytes + t->end, BLOCK_BYTES - t->end, e);

        if (got < 0)
            return -1;
        t->ended = got == 0;
        t->end += (size_t)got;
    }
    return 0;
}

static enum text_kind kind_of(const unsigned char *p, size_t n)
{
    if (n >= 2 && p[0] == 0xff && p[1] == 0xfe)
        return TEXT_UTF16_LITTLE;
    if (n >= 2 && p[0] == 0xfe && p[1] == 0xff)
        return TEXT_UTF16_BIG;
    if (n && memchr(p, '\r', n) && !memchr(p, '\n', n) && !memchr(p, '\0', n))
        return TEXT_RETURN_ENDS;
    return TEXT_UNCHANGED;
}

int text_decode_begin(struct text_decode *t, struct unpack *from, struct err *e)
{
    struct err damage;

    t->bytes = mem_zalloc(BLOCK_BYTES, 1, e);
    if (!t->bytes)
        return -1;
    (void)fill_block(t, from, &damage); /* the source repeats its error after the bytes before the damage */
    t->kind = kind_of(t->bytes, t->end);
    if (t->kind == TEXT_UTF16_LITTLE || t->kind == TEXT_UTF16_BIG)
        t->at = 2;
    return 0;
}

void text_decode_end(struct text_decode *t)
{
    free(t->bytes);
    t->bytes = NULL;
}

/* --- bytes that need no decoding --- */

static ssize_t read_bytes(struct text_decode *t, struct unpack *from, unsigned char *out, size_t n, struct err *e)
{
    size_t have = t->end - t->at;

    if (have == 0 && t->kind == TEXT_UNCHANGED)
        return t->ended ? 0 : unpack_read(from, out, n, e);
    if (have == 0) {
        if (fill_block(t, from, e) < 0)
            return -1;
        have = t->end;
    }
    n = n < have ? n : have;
    memcpy(out, t->bytes + t->at, n);
    t->at += n;
    for (size_t i = 0; t->kind == TEXT_RETURN_ENDS && i < n; i++)
        if (out[i] == '\r')
            out[i] = '\n';
    return (ssize_t)n;
}

/* --- UTF-16 --- */

static unsigned unit_at(const struct text_decode *t, size_t at)
{
    const unsigned char *p = t->bytes + at;

    ASSERT_HOT(at + 2 <= t->end);
    return t->kind == TEXT_UTF16_LITTLE ? p[0] | (unsigned)p[1] << 8 : p[1] | (unsigned)p[0] << 8;
}

/* Takes the next character: one unit, or two that form a surrogate pair. At least one unit must be in the block. */
static uint32_t next_character(struct text_decode *t)
{
    uint32_t high = unit_at(t, t->at), low;

    t->at += 2;
    if (high < 0xd800 || high > 0xdfff)
        return high;
    if (high > 0xdbff || t->end - t->at < 2)
        return REPLACEMENT;
    low = unit_at(t, t->at);
    if (low < 0xdc00 || low > 0xdfff)
        return REPLACEMENT;
    t->at += 2;
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static unsigned utf8_put(uint32_t c, unsigned char out[4])
{
    ASSERT_HOT(c < 0x110000);
    if (c < 0x80) {
        out[0] = (unsigned char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (unsigned char)(0xc0 | c >> 6);
        out[1] = (unsigned char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (unsigned char)(0xe0 | c >> 12);
        out[1] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (unsigned char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (unsigned char)(0xf0 | c >> 18);
    out[1] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (unsigned char)(0x80 | (c & 0x3f));
    return 4;
}

/* Makes the next character ready in `left`. 1; 0 at the end. */
static int utf16_decode(struct text_decode *t, struct unpack *from, struct err *e)
{
    if (t->end - t->at < 4 && !t->ended && fill_block(t, from, e) < 0)
        return -1;
    if (t->at == t->end)
        return 0;
    if (t->end - t->at == 1)
        return err_set(e, ERR_INVALID, "%s ends in the middle of a UTF-16 character", from->name);
    t->left_count = utf8_put(next_character(t), t->left);
    return 1;
}

static ssize_t read_utf16(struct text_decode *t, struct unpack *from, unsigned char *out, size_t n, struct err *e)
{
    size_t used = 0;

    while (used < n) {
        size_t take;

        if (t->left_count == 0) {
            int more = utf16_decode(t, from, e);

            if (more < 0)
                return -1;
            if (!more)
                break;
        }
        take = t->left_count < n - used ? t->left_count : n - used;
        memcpy(out + used, t->left, take);
        used += take;
        t->left_count -= (unsigned)take;
        memmove(t->left, t->left + take, t->left_count);
    }
    return (ssize_t)used;
}

ssize_t text_decode_read(struct text_decode *t, struct unpack *from, void *out, size_t n, struct err *e)
{
    return t->kind == TEXT_UTF16_LITTLE || t->kind == TEXT_UTF16_BIG ? read_utf16(t, from, out, n, e)
                                                                     : read_bytes(t, from, out, n, e);
}
