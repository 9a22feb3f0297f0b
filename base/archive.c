#include "base/archive.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"

#define BLOCK          512u
#define NAME_BYTES     4096u        /* as Linux's PATH_MAX; a longer name cannot be a file's name */
#define PAX_BYTES      (256u << 10) /* one extended header */
#define SIZE_BYTES_MAX ((uint64_t)INT64_MAX - BLOCK)

/* Byte offsets of the fields of a tar header (POSIX.1-1988, "ustar"). */
enum { AT_NAME = 0, AT_SIZE = 124, AT_SUM = 148, AT_TYPE = 156, AT_MAGIC = 257, AT_PREFIX = 345 };
enum { LEN_NAME = 100, LEN_SIZE = 12, LEN_SUM = 8, LEN_PREFIX = 155 };

struct archive {
    struct stream *s;
    bool owns_stream;
    uint64_t left, padding; /* bytes of the current member not read yet; bytes from its end to the next header */
    struct strbuf name;
    bool ended;
};

/* Fields of the next member that extended headers give. */
struct extended {
    bool has_name, has_size;
    uint64_t size;
};

/* --- numbers and names of a header --- */

/* Octal with blanks around, or (GNU) base 256 when the top bit is set. False when it is neither or too large. */
static bool header_number(const unsigned char *p, size_t n, uint64_t *out)
{
    uint64_t x = 0;
    size_t i = 0;

    if (p[0] & 0x80) {
        if (p[0] != 0x80)
            return false; /* negative, or beyond 2^88 */
        for (i = 1; i < n; i++) {
            if (x >> 56)
                return false;
            x = x << 8 | p[i];
        }
        *out = x;
        return true;
    }
    while (i < n && p[i] == ' ')
        i++;
    for (; i < n && p[i] >= '0' && p[i] <= '7'; i++)
        x = x << 3 | (uint64_t)(p[i] - '0'); /* 12 digits: 36 bits */
    if (i < n && p[i] != ' ' && p[i] != '\0')
        return false;
    *out = x;
    return true;
}

/* The checksum counts its own field as blanks. Very old programs summed signed bytes: that sum is accepted too. */
static bool checksum_fits(const unsigned char *h)
{
    int64_t plain = 0, with_sign = 0;
    uint64_t said;

    for (size_t i = 0; i < BLOCK; i++) {
        unsigned char c = i >= AT_SUM && i < AT_SUM + LEN_SUM ? ' ' : h[i];

        plain += c;
        with_sign += (signed char)c;
    }
    return header_number(h + AT_SUM, LEN_SUM, &said) && ((int64_t)said == plain || (int64_t)said == with_sign);
}

static bool all_zero(const unsigned char *h)
{
    for (size_t i = 0; i < BLOCK; i++)
        if (h[i])
            return false;
    return true;
}

static size_t field_length(const unsigned char *p, size_t n)
{
    const unsigned char *end = memchr(p, '\0', n);

    return end ? (size_t)(end - p) : n;
}

static void name_from_header(struct archive *a, const unsigned char *h)
{
    strbuf_clear(&a->name);
    if (memcmp(h + AT_MAGIC, "ustar\0", 6) == 0 && h[AT_PREFIX]) { /* GNU's magic is "ustar  ": no prefix there */
        strbuf_add(&a->name, h + AT_PREFIX, field_length(h + AT_PREFIX, LEN_PREFIX));
        strbuf_addc(&a->name, '/');
    }
    strbuf_add(&a->name, h + AT_NAME, field_length(h + AT_NAME, LEN_NAME));
}

/* Member names become labels and parts of messages: they are made printable; absolute names and ".." are errors. */
static int check_name(struct archive *a, struct err *e)
{
    char *p = a->name.text;

    if (a->name.failed)
        return err_no_memory(e);
    text_sanitize(p);
    while (p[0] == '.' && p[1] == '/')
        p += 2;
    memmove(a->name.text, p, strlen(p) + 1);
    a->name.length = strlen(a->name.text);
    p = a->name.text;
    if (p[0] == '/')
        return err_set(e, ERR_INVALID, "%s: member \"%.200s\" has an absolute name", stream_name(a->s), p);
    for (char *part = p; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == '\0'))
            return err_set(e, ERR_INVALID, "%s: member \"%.200s\" points outside of the archive", stream_name(a->s),
                           p);
    }
    return 0;
}

/* --- bytes --- */

/* Reads n bytes. Returns 1; 0 when the archive ends before the first byte; -1 on error, also when it ends after
 * the first byte and before the last. */
static int read_whole(struct archive *a, void *buffer, size_t n, struct err *e)
{
    size_t have = 0;

    while (have < n) {
        ssize_t got = stream_read(a->s, (char *)buffer + have, n - have, e);

        if (got < 0)
            return -1;
        if (got == 0 && have == 0)
            return 0;
        if (got == 0)
            return err_set(e, ERR_INVALID, "%s: the tar archive ends in the middle of a block", stream_name(a->s));
        have += (size_t)got;
    }
    return 1;
}

static int ends_inside_member(struct archive *a, struct err *e)
{
    err_set(e, ERR_INVALID, "%s: the tar archive ends in the middle of its member %.200s", stream_name(a->s),
            a->name.text);
    return err_hint(e, "The file was cut short; copy or make it again.");
}

static int skip(struct archive *a, uint64_t n, struct err *e)
{
    char sink[16384];

    while (n > 0) {
        ssize_t got = stream_read(a->s, sink, n < sizeof sink ? (size_t)n : sizeof sink, e);

        if (got < 0)
            return -1;
        if (got == 0)
            return ends_inside_member(a, e);
        n -= (uint64_t)got;
    }
    return 0;
}

static uint64_t padding_of(uint64_t size)
{
    return (BLOCK - size % BLOCK) % BLOCK;
}

/* Returns the content of an extended header, which is stored as a small member. NUL-terminated; the caller frees.
 */
static char *read_extra(struct archive *a, uint64_t size, uint64_t most, struct err *e)
{
    char *p;
    int got;

    if (size > most) {
        err_set(e, ERR_TOO_LARGE, "%s: an extended tar header of %llu bytes is larger than the limit",
                stream_name(a->s), (unsigned long long)size);
        return NULL;
    }
    p = mem_zalloc((size_t)size + 1, 1, e);
    if (!p)
        return NULL;
    got = size ? read_whole(a, p, (size_t)size, e) : 1;
    if (got == 0)
        err_set(e, ERR_INVALID, "%s: the tar archive ends in an extended header", stream_name(a->s));
    if (got <= 0 || skip(a, padding_of(size), e) < 0) {
        free(p);
        return NULL;
    }
    return p;
}

/* --- extended headers --- */

static int gnu_long_name(struct archive *a, uint64_t size, struct extended *x, struct err *e)
{
    char *p = read_extra(a, size, NAME_BYTES, e);

    if (!p)
        return -1;
    strbuf_clear(&a->name);
    strbuf_adds(&a->name, p);
    x->has_name = true;
    free(p);
    return 0;
}

static int pax_record(struct archive *a, char *key, char *value, struct extended *x, struct err *e)
{
    if (strcmp(key, "path") == 0) {
        if (strlen(value) > NAME_BYTES)
            return err_set(e, ERR_TOO_LARGE, "%s: a member name of %zu bytes is longer than the limit",
                           stream_name(a->s), strlen(value));
        strbuf_clear(&a->name);
        strbuf_adds(&a->name, value);
        x->has_name = true;
    } else if (strcmp(key, "size") == 0) {
        if (parse_u64(value, "size", &x->size, e) < 0)
            return err_set(e, ERR_INVALID, "%s: the size \"%.40s\" in a pax header is not a number",
                           stream_name(a->s), value);
        x->has_size = true;
    } else if (str_starts(key, "GNU.sparse.")) {
        return err_set(e, ERR_UNSUPPORTED, "%s: sparse members are not supported", stream_name(a->s));
    }
    return 0;
}

/* "<length> <key>=<value>\n", where the length counts the whole record. */
static int pax_header(struct archive *a, uint64_t size, struct extended *x, struct err *e)
{
    char *text = read_extra(a, size, PAX_BYTES, e), *p = text, *end;
    int ret = -1;

    if (!text)
        return -1;
    end = text + size;
    while (p < end && *p) {
        char *after, *key, *value;
        unsigned long n = strtoul(p, &after, 10);

        if (after == p || *after != ' ' || n > (size_t)(end - p) || n <= (size_t)(after + 1 - p) ||
            p[n - 1] != '\n')
            goto malformed;
        p[n - 1] = '\0';
        key = after + 1;
        value = strchr(key, '=');
        if (!value)
            goto malformed;
        *value++ = '\0';
        if (pax_record(a, key, value, x, e) < 0)
            goto out;
        p += n;
    }
    ret = 0;
    goto out;
malformed:
    err_set(e, ERR_INVALID, "%s: a pax header of the tar archive is malformed", stream_name(a->s));
out:
    free(text);
    return ret;
}

/* --- members --- */

/* Reads the next header block. Returns 1; 0 at the end mark; -1 on error. */
static int next_header(struct archive *a, unsigned char *h, struct err *e)
{
    int got = read_whole(a, h, BLOCK, e);

    if (got < 0)
        return -1;
    if (got == 0) {
        err_set(e, ERR_INVALID, "%s: the tar archive has no end mark", stream_name(a->s));
        return err_hint(e, "The file was probably cut short; copy or make it again.");
    }
    if (all_zero(h))
        return 0;
    if (!checksum_fits(h))
        return err_set(e, ERR_INVALID, "%s: a tar header is damaged (its checksum is wrong)", stream_name(a->s));
    return 1;
}

/* Interprets one header. Returns 1 when it begins a regular file, 0 when the caller must read the next header, -1
 * on error. */
static int take_header(struct archive *a, const unsigned char *h, struct extended *x, struct err *e)
{
    uint64_t size;
    char type = (char)h[AT_TYPE];

    if (!header_number(h + AT_SIZE, LEN_SIZE, &size))
        return err_set(e, ERR_INVALID, "%s: the size in a tar header is not a number", stream_name(a->s));
    if (type == 'L')
        return gnu_long_name(a, size, x, e);
    if (type == 'x' || type == 'X')
        return pax_header(a, size, x, e);
    if (type == 'S')
        return err_set(e, ERR_UNSUPPORTED, "%s: sparse members are not supported", stream_name(a->s));
    if (x->has_size)
        size = x->size;
    if (size > SIZE_BYTES_MAX)
        return err_set(e, ERR_INVALID, "%s: a tar header gives its member %llu bytes, more than the limit",
                       stream_name(a->s), (unsigned long long)size);
    if (!x->has_name)
        name_from_header(a, h);
    if (type >= '1' && type <= '6')
        size = 0; /* links, devices, folders, pipes: no content follows, also where the size field is not 0 */
    a->left = size;
    a->padding = padding_of(size);
    if (type == 'g' || type == 'K')
        return 0; /* the fields in x apply to the member after this header */
    *x = (struct extended){0};
    if (type != '0' && type != '\0' && type != '7')
        return 0;
    return check_name(a, e) < 0 ? -1 : 1;
}

int archive_next(struct archive *a, struct archive_member *out, struct err *e)
{
    unsigned char h[BLOCK];
    struct extended x = {0};

    while (!a->ended) {
        int got;

        if (skip(a, a->left, e) < 0 || skip(a, a->padding, e) < 0)
            return -1;
        a->left = a->padding = 0;
        got = next_header(a, h, e);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        got = take_header(a, h, &x, e);
        if (got < 0)
            return -1;
        if (got == 1 && a->name.length > 0 && a->name.text[a->name.length - 1] != '/') {
            out->name = a->name.text;
            out->bytes = a->left;
            return 1;
        }
    }
    a->ended = true;
    return 0;
}

ssize_t archive_member_read(struct archive *a, void *buffer, size_t n, struct err *e)
{
    ssize_t got;

    if (n > a->left)
        n = (size_t)a->left;
    if (n == 0)
        return 0;
    got = stream_read(a->s, buffer, n, e);
    if (got == 0)
        return ends_inside_member(a, e);
    if (got > 0)
        a->left -= (uint64_t)got;
    return got;
}

static ssize_t member_read(void *ctx, void *buffer, size_t n, struct err *e)
{
    return archive_member_read(ctx, buffer, n, e);
}

int archive_member_stream(struct archive *a, struct stream **out, struct err *e)
{
    struct strbuf name = STRBUF_INIT;
    int ret;

    *out = NULL;
    strbuf_addf(&name, "%s: %s", stream_name(a->s), a->name.text);
    ret = name.failed ? err_no_memory(e) : stream_open_fn(member_read, a, name.text, out, e);
    strbuf_release(&name);
    return ret;
}

/* --- opening --- */

int archive_recognise(const char *path, struct err *e)
{
    unsigned char h[BLOCK];
    struct archive a = {0};
    size_t have = 0;
    ssize_t got = 1;

    if (stream_open(path, &a.s, e) < 0)
        return -1;
    while (have < BLOCK && (got = stream_read(a.s, h + have, BLOCK - have, e)) > 0)
        have += (size_t)got;
    stream_close(a.s);
    if (got < 0)
        return -1;
    return have == BLOCK && !all_zero(h) && checksum_fits(h);
}

int archive_open_stream(struct stream *s, struct archive **out, struct err *e)
{
    struct archive *a = mem_zalloc(1, sizeof *a, e);

    *out = a;
    if (!a)
        return -1;
    a->s = s;
    a->name = (struct strbuf)STRBUF_INIT;
    return 0;
}

int archive_open(const char *path, struct archive **out, struct err *e)
{
    struct stream *s;

    *out = NULL;
    if (stream_open(path, &s, e) < 0)
        return -1;
    if (archive_open_stream(s, out, e) < 0) {
        stream_close(s);
        return -1;
    }
    (*out)->owns_stream = true;
    return 0;
}

uint64_t archive_bytes_in(const struct archive *a)
{
    return stream_bytes_in(a->s);
}

void archive_close(struct archive *a)
{
    if (!a)
        return;
    if (a->owns_stream)
        stream_close(a->s);
    strbuf_release(&a->name);
    free(a);
}
