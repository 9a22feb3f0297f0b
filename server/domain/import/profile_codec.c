#include "server/domain/import/profile_codec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"

#define VERSION      1
#define TABLES_TIES  2 /* version of tables with ties; tables without ties have version 1 */
#define TABLES_NAMES 3 /* version of tables with names of layers, phases, steps */
#define HAS_TIMES    1
#define HAS_LAYERS   2 /* and the next bits: the columns of struct domains */
#define COLUMNS_MAX  (4 + DOMAIN_COLUMNS)
#define LEVEL        3  /* zstd's default level; faster than the disk */
#define VARINT_MAX   10 /* most bytes of a 64-bit number as a varint */
#define CONTEXTS_MAX 1000000

static uint64_t zigzag(int64_t x)
{
    return (uint64_t)x << 1 ^ (x < 0 ? UINT64_MAX : 0);
}

static int64_t unzigzag(uint64_t x)
{
    return (int64_t)(x >> 1) ^ -(int64_t)(x & 1);
}

static unsigned char *put(unsigned char *to, uint64_t x)
{
    for (; x >= 0x80; x >>= 7)
        *to++ = (unsigned char)(x | 0x80);
    *to++ = (unsigned char)x;
    return to;
}

struct reader {
    const unsigned char *at, *end;
    bool bad;
};

static uint64_t get_long(struct reader *r)
{
    uint64_t x = 0;

    for (int shift = 0; shift < 64; shift += 7) {
        if (r->at == r->end)
            break;
        x |= (uint64_t)(*r->at & 0x7f) << shift;
        if (!(*r->at++ & 0x80))
            return x;
    }
    r->bad = true;
    return 0;
}

/* Fast path for numbers of one byte. */
static inline uint64_t get(struct reader *r)
{
    return r->at < r->end && *r->at < 0x80 ? *r->at++ : get_long(r);
}

/* --- Chunks --- */

/* Differences wrap around as unsigned numbers, so every 64-bit value can be encoded. */
static unsigned char *put_delta(unsigned char *to, uint64_t x, uint64_t *before)
{
    to = put(to, zigzag((int64_t)(x - *before)));
    *before = x;
    return to;
}

/* The column of a kind; NULL: the profile has none. */
static uint32_t *domain_column(const struct profile *p, int kind)
{
    return p->domains ? p->domains->columns[kind].of : NULL;
}

static unsigned char flags_of(const struct profile *p)
{
    unsigned char flags = p->start_ns ? HAS_TIMES : 0;

    for (int k = 0; k < DOMAIN_COLUMNS; k++)
        flags |= domain_column(p, k) ? (unsigned char)(HAS_LAYERS << k) : 0;
    return flags;
}

static size_t pack(const struct profile *p, size_t first, size_t rows, unsigned char *out)
{
    unsigned char *to = out;
    uint64_t before = 0;

    ASSERT(first + rows <= p->count);
    for (size_t i = 0; i < rows; i++)
        to = put_delta(to, p->kernel[first + i], &before);
    before = 0;
    for (size_t i = 0; i < rows; i++)
        to = put_delta(to, p->value[first + i], &before);
    before = 0;
    for (size_t i = 0; p->start_ns && i < rows; i++)
        to = put_delta(to, (uint64_t)p->start_ns[first + i], &before);
    before = 0;
    for (size_t i = 0; i < rows; i++)
        to = put_delta(to, p->stream[first + i], &before);
    for (int k = 0; k < DOMAIN_COLUMNS; k++) {
        const uint32_t *of = domain_column(p, k);

        before = 0;
        for (size_t i = 0; of && i < rows; i++)
            to = put_delta(to, of[first + i], &before);
    }
    ASSERT((size_t)(to - out) <= rows * COLUMNS_MAX * VARINT_MAX);
    return (size_t)(to - out);
}

int chunk_write(const struct profile *p, size_t first, struct strbuf *out, struct err *e)
{
    size_t rows = p->count - first < CHUNK_ROWS ? p->count - first : CHUNK_ROWS, n, bound, done;
    unsigned char *plain = mem_zalloc(rows, (size_t)COLUMNS_MAX * VARINT_MAX, e);
    unsigned char head[2] = {VERSION, flags_of(p)}, *packed;
    int ret = -1;

    ASSERT(first < p->count);
    if (!plain)
        return -1;
    n = pack(p, first, rows, plain);
    bound = ZSTD_compressBound(n);
    packed = mem_zalloc(bound, 1, e);
    if (!packed)
        goto out;
    done = ZSTD_compress(packed, bound, plain, n, LEVEL);
    if (ZSTD_isError(done)) {
        err_set(e, ERR_INTERNAL, "compressing a chunk: %s", ZSTD_getErrorName(done));
        goto out;
    }
    strbuf_add(out, head, sizeof head);
    strbuf_add(out, packed, done);
    ret = out->failed ? err_no_memory(e) : 0;
out:
    free(packed);
    free(plain);
    return ret;
}

static void unpack_domains(struct reader *r, const struct profile *p, int kind, size_t first, size_t rows)
{
    uint32_t *of = domain_column(p, kind);
    uint64_t x = 0;

    for (size_t i = 0; of && i < rows; i++) {
        x += (uint64_t)unzigzag(get(r));
        r->bad |= x >= p->domains->columns[kind].count;
        of[first + i] = r->bad ? 0 : (uint32_t)x;
    }
}

static void unpack(struct reader *r, struct profile *p, size_t first, size_t rows)
{
    uint64_t x = 0;

    ASSERT(first + rows <= p->count);
    for (size_t i = 0; i < rows; i++) {
        x += (uint64_t)unzigzag(get(r));
        r->bad |= x >= p->kernel_count;
        p->kernel[first + i] = (uint32_t)x;
    }
    x = 0;
    for (size_t i = 0; i < rows; i++)
        p->value[first + i] = x += (uint64_t)unzigzag(get(r));
    x = 0;
    for (size_t i = 0; p->start_ns && i < rows; i++)
        p->start_ns[first + i] = (int64_t)(x += (uint64_t)unzigzag(get(r)));
    x = 0;
    for (size_t i = 0; i < rows; i++) {
        x += (uint64_t)unzigzag(get(r));
        r->bad |= x >= p->stream_count;
        p->stream[first + i] = (uint32_t)x;
    }
    for (int k = 0; k < DOMAIN_COLUMNS; k++)
        unpack_domains(r, p, k, first, rows);
}

int chunk_read(const unsigned char *bytes, size_t n, struct profile *p, size_t first, size_t rows, struct err *e)
{
    unsigned long long length;
    struct reader r = {.bad = true};
    unsigned char *plain;

    if (n < 2 || bytes[0] != VERSION || bytes[1] != flags_of(p) || rows == 0 || rows > CHUNK_ROWS ||
        first + rows > p->count)
        return err_set(e, ERR_INTERNAL, "a profile's chunk is of an unknown kind");
    length = ZSTD_getFrameContentSize(bytes + 2, n - 2); /* error values are too large for the next check */
    if (length <= rows * COLUMNS_MAX * VARINT_MAX) {
        plain = mem_zalloc(length, 1, e);
        if (!plain)
            return -1;
        r = (struct reader){plain, plain + length, ZSTD_decompress(plain, length, bytes + 2, n - 2) != length};
        if (!r.bad)
            unpack(&r, p, first, rows);
        ASSERT(r.at <= r.end);
        r.bad |= r.at != r.end;
        free(plain);
    }
    return r.bad ? err_set(e, ERR_INTERNAL, "a profile's chunk is damaged") : 0;
}

/* --- Tables --- */

static void add(struct strbuf *out, uint64_t x)
{
    unsigned char bytes[VARINT_MAX];

    ASSERT(put(bytes, x) - bytes <= VARINT_MAX);
    strbuf_add(out, bytes, (size_t)(put(bytes, x) - bytes));
}

static void write_ties(const struct profile *p, struct strbuf *out)
{
    uint64_t end = 0;

    add(out, p->tie_count);
    for (size_t i = 0; i < p->tie_count; i++) {
        const struct profile_tie *t = &p->ties[i];

        ASSERT(t->first >= end && t->count > 0);
        add(out, t->first - end);
        add(out, t->count);
        add(out, t->graph != 0);
        end = t->first + t->count;
    }
    ASSERT(end <= p->count);
}

static void write_names(const struct profile *p, struct strbuf *out)
{
    for (int k = 0; k < DOMAIN_COLUMNS; k++) {
        const struct domain_column *c = &p->domains->columns[k];

        add(out, c->of ? c->count : 0);
        for (size_t i = 0; c->of && i < c->count; i++) {
            add(out, strlen(c->names[i]));
            strbuf_adds(out, c->names[i]);
        }
    }
}

void tables_write(const struct profile *p, struct strbuf *out)
{
    ASSERT(p->context_count > 0 && p->stream_count > 0);
    strbuf_addc(out, p->domains ? TABLES_NAMES : p->tie_count ? TABLES_TIES : VERSION);
    add(out, p->context_count);
    for (size_t i = 0; i < p->context_count; i++) {
        const struct profile_context *c = &p->contexts[i];

        add(out, zigzag(c->device));
        add(out, c->process);
        add(out, c->context);
        add(out, c->first);
        add(out, c->count);
    }
    add(out, p->stream_count);
    for (size_t i = 0; i < p->stream_count; i++) {
        ASSERT(p->streams[i].context < p->context_count);
        add(out, p->streams[i].context);
        add(out, p->streams[i].stream);
    }
    if (p->tie_count || p->domains)
        write_ties(p, out);
    if (p->domains)
        write_names(p, out);
}

static int read_contexts(struct reader *r, struct profile *p, struct err *e)
{
    uint64_t n = get(r), next = 0;

    if (r->bad || n == 0 || n > CONTEXTS_MAX || n > (uint64_t)(r->end - r->at))
        return err_set(e, ERR_INTERNAL, "a profile's context table is damaged");
    p->contexts = mem_zalloc(n, sizeof *p->contexts, e);
    if (!p->contexts)
        return -1;
    p->context_count = n;
    for (size_t i = 0; i < n; i++) {
        struct profile_context *c = &p->contexts[i];

        c->device = (int32_t)unzigzag(get(r));
        c->process = get(r);
        c->context = get(r);
        c->first = get(r);
        c->count = get(r);
        r->bad |= c->first != next || c->count > p->count - next;
        next += c->count;
    }
    r->bad |= next != p->count;
    return 0;
}

static int read_streams(struct reader *r, struct profile *p, struct err *e)
{
    uint64_t n = get(r);

    if (r->bad || n == 0 || n > (uint64_t)(r->end - r->at))
        return err_set(e, ERR_INTERNAL, "a profile's stream table is damaged");
    p->streams = mem_zalloc(n, sizeof *p->streams, e);
    if (!p->streams)
        return -1;
    p->stream_count = n;
    for (size_t i = 0; i < n; i++) {
        uint64_t context = get(r);

        r->bad |= context >= p->context_count;
        p->streams[i].context = (uint32_t)context;
        p->streams[i].stream = get(r);
    }
    return 0;
}

/* may_be_empty: tables of version 3 always have a count of ties. */
static int read_ties(struct reader *r, struct profile *p, bool may_be_empty, struct err *e)
{
    uint64_t n = get(r), end = 0;

    if (!r->bad && n == 0 && may_be_empty)
        return 0;
    if (r->bad || n == 0 || n > (uint64_t)(r->end - r->at))
        return err_set(e, ERR_INTERNAL, "a profile's table of ties is damaged");
    p->ties = mem_zalloc(n, sizeof *p->ties, e);
    if (!p->ties)
        return -1;
    p->tie_count = n;
    for (size_t i = 0; i < n && !r->bad; i++) {
        uint64_t gap = get(r), count = get(r), graph = get(r);

        r->bad |= gap > p->count - end || count == 0 || count > p->count - end - gap || graph > 1;
        if (!r->bad)
            p->ties[i] = (struct profile_tie){.first = end + gap, .count = count, .graph = (int)graph};
        end += r->bad ? 0 : gap + count;
    }
    ASSERT(r->bad || end <= p->count);
    return 0;
}

static int read_column_names(struct reader *r, struct profile *p, struct domain_column *c, struct err *e)
{
    uint64_t n = get(r);

    if (r->bad || n == 1 || n > (uint64_t)(r->end - r->at))
        return err_set(e, ERR_INTERNAL, "a profile's table of layers is damaged");
    if (n == 0)
        return 0;
    c->names = mem_zalloc(n, sizeof *c->names, e);
    c->of = mem_zalloc(p->count, sizeof *c->of, e);
    if (!c->names || !c->of)
        return -1;
    for (size_t i = 0; i < n; i++) {
        uint64_t length = get(r);

        if (r->bad || length > (uint64_t)(r->end - r->at) || (i == 0 && length > 0))
            return err_set(e, ERR_INTERNAL, "a profile's table of layers is damaged");
        c->names[i] = mem_strndup((const char *)r->at, length, e);
        if (!c->names[i])
            return -1;
        c->count = i + 1;
        text_sanitize(c->names[i]);
        r->at += length;
    }
    return 0;
}

static int read_names(struct reader *r, struct profile *p, struct err *e)
{
    p->domains = domains_new(e);
    for (int k = 0; p->domains && k < DOMAIN_COLUMNS; k++)
        if (read_column_names(r, p, &p->domains->columns[k], e) < 0)
            return -1;
    return p->domains ? 0 : -1;
}

/* All launches of a tie must be in one context. */
static bool ties_fit(const struct profile *p)
{
    for (size_t i = 0; i < p->tie_count; i++)
        if (profile_context_of(p, p->ties[i].first) !=
            profile_context_of(p, p->ties[i].first + p->ties[i].count - 1))
            return false;
    return true;
}

int tables_read(const unsigned char *bytes, size_t n, struct profile *p, struct err *e)
{
    struct reader r = {bytes, bytes + n, false};
    unsigned version = n > 0 ? *r.at++ : 0;

    if (version < VERSION || version > TABLES_NAMES)
        return err_set(e, ERR_INTERNAL, "a profile's tables are of an unknown kind");
    if (read_contexts(&r, p, e) < 0 || read_streams(&r, p, e) < 0 ||
        (version >= TABLES_TIES && read_ties(&r, p, version == TABLES_NAMES, e) < 0) ||
        (version == TABLES_NAMES && read_names(&r, p, e) < 0))
        return -1;
    ASSERT(r.at <= r.end);
    if (r.bad || r.at != r.end || !ties_fit(p))
        return err_set(e, ERR_INTERNAL, "a profile's tables are damaged");
    ASSERT(p->context_count > 0 && p->stream_count > 0);
    profile_number_ties(p);
    return 0;
}
