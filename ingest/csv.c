#include "ingest/csv.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

#define FIRST_CAPACITY (256u << 10)
#define BLOCK          64    /* bytes that are searched for commas in one step */
#define SPARE          BLOCK /* bytes after the buffer's end: a block may read beyond the data; one NUL */

/* Position of the scan in the current row. Offsets count from the row's first byte, because the buffer moves. */
enum csv_state { FIELD_START, PLAIN, QUOTED, AFTER_QUOTE };
struct csv_scan {
    enum csv_state state;
    size_t at, field, write; /* next byte to read; start of the field; where its next byte is stored */
    bool complete;
};

int csv_init(struct csv *c, struct stream *stream, size_t most, struct err *e)
{
    ASSERT(most > 0);
    memset(c, 0, sizeof *c);
    c->stream = stream;
    c->most = most;
    c->capacity = FIRST_CAPACITY;
    c->buffer = mem_zalloc(c->capacity + SPARE, 1, e);
    return c->buffer ? 0 : -1;
}

void csv_release(struct csv *c)
{
    free(c->buffer);
    c->buffer = NULL;
}

/* Reads more of the current row into the buffer. 1: more data was read, 0: end of file. */
static int csv_fill(struct csv *c, struct err *e)
{
    ssize_t n;

    ASSERT(c->begin <= c->end && c->end <= c->capacity);
    if (c->at_end)
        return 0;
    if (c->begin > 0) {
        memmove(c->buffer, c->buffer + c->begin, c->end - c->begin);
        c->end -= c->begin;
        c->begin = 0;
    }
    if (c->end == c->capacity) {
        char *grown;

        if (c->capacity > c->most)
            return err_set(e, ERR_INVALID, "%s: the row at line %llu is longer than %zu bytes",
                           stream_name(c->stream), (unsigned long long)c->line, c->most);
        grown = realloc(c->buffer, 2 * c->capacity + SPARE);
        if (!grown)
            return err_no_memory(e);
        memset(grown + c->capacity, 0, c->capacity + SPARE); /* blocks read beyond the valid data */
        c->buffer = grown;
        c->capacity *= 2;
    }
    n = stream_read(c->stream, c->buffer + c->end, c->capacity - c->end, e);
    if (n < 0)
        return -1;
    ASSERT((size_t)n <= c->capacity - c->end);
    if (n == 0)
        c->at_end = true;
    c->end += (size_t)n;
    return n > 0;
}

static void csv_end_field(struct csv *c, struct csv_scan *s)
{
    ASSERT_HOT(s->field <= s->write && s->write <= s->at);
    if (c->field_count < CSV_MOST_FIELDS) {
        /* These are offsets. csv_next() turns them into addresses when the buffer no longer moves. */
        c->fields[c->field_count].text = (char *)(uintptr_t)s->field;
        c->fields[c->field_count].length = s->write - s->field;
    }
    if (c->field_count <= CSV_MOST_FIELDS)
        c->field_count++;
    s->field = s->write = s->at;
    s->state = FIELD_START;
}

/* Scans bytes of a field outside quotes, up to the end of the field or of the buffer. */
static void csv_scan_plain(struct csv *c, struct csv_scan *s)
{
    char *row = c->buffer + c->begin, *p = row + s->at, *end = c->buffer + c->end, *from = p;
    size_t n;

    ASSERT_HOT(s->write <= s->at && s->at <= c->end - c->begin);
    while (p < end && *p != ',' && *p != '\n')
        p++;
    n = (size_t)(p - from);
    if (s->write != s->at)
        memmove(row + s->write, from, n);
    s->write += n;
    s->at += n;
    if (p == end)
        return;
    s->at++;
    if (*p == '\n') {
        if (s->write > s->field && row[s->write - 1] == '\r')
            s->write--;
        s->complete = true;
        c->lines_after++;
    }
    csv_end_field(c, s);
}

static void csv_scan_quoted(struct csv *c, struct csv_scan *s)
{
    char *row = c->buffer + c->begin, *from = row + s->at;
    size_t left = c->end - c->begin - s->at, n;
    char *quote = memchr(from, '"', left);

    ASSERT_HOT(s->write <= s->at && s->at <= c->end - c->begin);
    n = quote ? (size_t)(quote - from) : left;
    for (const char *p = from; (p = memchr(p, '\n', (size_t)(from + n - p))) != NULL; p++)
        c->lines_after++;
    memmove(row + s->write, from, n);
    s->write += n;
    s->at += n;
    if (quote) {
        s->at++;
        s->state = AFTER_QUOTE;
    }
}

static void csv_scan_some(struct csv *c, struct csv_scan *s)
{
    char *row = c->buffer + c->begin;

    ASSERT_HOT(c->begin + s->at < c->end);
    switch (s->state) {
    case FIELD_START:
        s->field = s->write = s->at;
        s->state = PLAIN;
        if (row[s->at] == '"') {
            s->field = s->write = ++s->at;
            s->state = QUOTED;
        }
        break;
    case PLAIN: csv_scan_plain(c, s); break;
    case QUOTED: csv_scan_quoted(c, s); break;
    case AFTER_QUOTE:
        if (row[s->at] == '"') { /* a doubled quote is one quote character */
            row[s->write++] = '"';
            s->at++;
            s->state = QUOTED;
        } else {
            s->state = PLAIN; /* the separator, or text after the closing quote, which is kept unchanged */
        }
        break;
    }
}

static int csv_scan_end(struct csv *c, struct csv_scan *s, struct err *e)
{
    ASSERT(c->at_end && c->begin + s->at == c->end);
    if (s->state == QUOTED)
        return err_set(e, ERR_INVALID, "%s: the quotes opened in the row at line %llu are never closed",
                       stream_name(c->stream), (unsigned long long)c->line);
    csv_end_field(c, s); /* the last line of the file has no line end */
    return 0;
}

/* Reads any row, byte by byte. The buffer may move meanwhile. */
static int csv_next_any(struct csv *c, struct err *e)
{
    struct csv_scan s = {.state = FIELD_START};
    char *row;

    c->field_count = 0;
    c->line = c->lines_after + 1;
    while (!s.complete) {
        if (c->begin + s.at == c->end) {
            int more = csv_fill(c, e);

            if (more < 0)
                return -1;
            if (!more) {
                if (s.at == 0)
                    return 0;
                if (csv_scan_end(c, &s, e) < 0)
                    return -1;
                break;
            }
        }
        if (s.at > c->most)
            return err_set(e, ERR_INVALID, "%s: the row at line %llu is longer than %zu bytes",
                           stream_name(c->stream), (unsigned long long)c->line, c->most);
        csv_scan_some(c, &s);
    }
    row = c->buffer + c->begin;
    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++) {
        c->fields[i].text = row + (uintptr_t)c->fields[i].text;
        c->fields[i].text[c->fields[i].length] = '\0'; /* overwrites the separator or the spare byte */
    }
    ASSERT_HOT(c->begin + s.at <= c->end && c->field_count > 0);
    c->begin += s.at;
    return 1;
}

/* --- fast path for rows without special cases: the whole line is in the buffer and nothing moves --- */

/* Bit i tells whether p[i] is a comma, for 64 bytes. Each byte of `zero` is 0x80 where the word has a comma, else
 * 0; the product collects these eight bits in its highest byte. */
static uint64_t commas_at(const char *p)
{
    const uint64_t low7 = UINT64_C(0x7f7f7f7f7f7f7f7f), comma = UINT64_C(0x2c2c2c2c2c2c2c2c);
    uint64_t all = 0;

    for (unsigned i = 0; i < BLOCK; i += 8) {
        uint64_t word, zero;

        memcpy(&word, p + i, sizeof word);
        word = le64toh(word) ^ comma;
        zero = ~(((word & low7) + low7) | word | low7);
        all |= ((zero >> 7) * UINT64_C(0x0102040810204080) >> 56) << i;
    }
    return all;
}

/* Ends a field at each comma of [p, end). Returns where the next field begins. NULL: too many fields. */
static char *split(struct csv *c, char *p, const char *end)
{
    struct csv_field *f = c->fields + c->field_count;
    char *from = p;

    for (; p < end; p += BLOCK) {
        uint64_t commas = commas_at(p);

        if (end - p < BLOCK)
            commas &= (UINT64_C(1) << (end - p)) - 1;
        for (; commas; commas &= commas - 1) {
            char *comma = p + __builtin_ctzll(commas);

            if (f == c->fields + CSV_MOST_FIELDS)
                return NULL;
            *f++ = (struct csv_field){from, (size_t)(comma - from)};
            from = comma + 1;
        }
    }
    c->field_count = (size_t)(f - c->fields);
    ASSERT_HOT(c->field_count <= CSV_MOST_FIELDS && from <= end);
    return from;
}

/* Splits [p, end), a line without its line end. False when a quote is anywhere except around a whole field, or
 * when there are too many fields. */
static bool split_line(struct csv *c, char *p, char *end)
{
    c->field_count = 0;
    for (;; p++) { /* each step handles one field and the comma after it */
        char *quote = memchr(p, '"', (size_t)(end - p)), *stop = quote ? quote : end;

        p = split(c, p, stop);
        if (!p || c->field_count == CSV_MOST_FIELDS || (quote && p != quote))
            return false;
        if (quote) {
            p = quote + 1;
            stop = memchr(p, '"', (size_t)(end - p));
            if (!stop || (stop + 1 < end && stop[1] != ',') || (stop + 1 == end && stop[-1] == '\r'))
                return false;
        }
        ASSERT_HOT(c->field_count < CSV_MOST_FIELDS && p <= stop && stop <= end);
        c->fields[c->field_count++] = (struct csv_field){p, (size_t)(stop - p)};
        p = stop + (quote != NULL);
        if (p == end)
            return true;
    }
}

bool csv_peek(const struct csv *c, const char **line, size_t *length)
{
    const char *end;

    ASSERT_HOT(c->begin <= c->end && c->end <= c->capacity);
    *line = c->buffer + c->begin;
    end = memchr(*line, '\n', c->end - c->begin);
    *length = end ? (size_t)(end - *line) : 0;
    return end && *length < c->most;
}

void csv_skip(struct csv *c, size_t length)
{
    ASSERT_HOT(length < c->end - c->begin);
    c->begin += length + 1;
    c->line = ++c->lines_after;
}

/* Reads the row when the whole row is in the buffer and has no special case. False: the caller uses
 * csv_next_any(). */
static bool csv_next_simple(struct csv *c)
{
    char *row = c->buffer + c->begin;
    const char *line;
    size_t length;

    if (!csv_peek(c, &line, &length) || !split_line(c, row, row + length - (length > 0 && row[length - 1] == '\r')))
        return false;
    ASSERT_HOT(c->field_count > 0);
    for (size_t i = 0; i < c->field_count; i++)
        c->fields[i].text[c->fields[i].length] = '\0';
    csv_skip(c, length);
    return true;
}

int csv_next(struct csv *c, struct err *e)
{
    return csv_next_simple(c) ? 1 : csv_next_any(c, e);
}
