/* Writing JSON as a stream of tokens. */
#include "wire/json_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"

enum { FLUSH_AT = 65536, DEPTH_MAX = 64 };
#define EXACT_MAX ((uint64_t)1 << 53)

void jw_init(struct jw *w, jw_sink sink, void *sink_ctx, struct err *e)
{
    ASSERT(e);
    *w = (struct jw){.sink = sink, .sink_ctx = sink_ctx, .e = e};
    w->text.text = strbuf_empty;
}

static void jw_flush(struct jw *w)
{
    if (w->sink && !w->failed && w->text.length) {
        w->failed = w->sink(w->sink_ctx, w->text.text, w->text.length, w->e) < 0;
        strbuf_clear(&w->text);
    }
    ASSERT(!w->sink || w->failed || w->text.length == 0);
}

int jw_finish(struct jw *w)
{
    ASSERT(w->failed || (w->depth == 0 && !w->after_key));
    if (!w->failed && w->text.failed) {
        err_no_memory(w->e);
        w->failed = true;
    }
    if (w->indent && !w->failed)
        strbuf_addc(&w->text, '\n');
    jw_flush(w);
    return w->failed ? -1 : 0;
}

void jw_release(struct jw *w)
{
    strbuf_release(&w->text);
}

static bool on_one_line(const struct jw *w)
{
    ASSERT(w->depth <= DEPTH_MAX);
    return w->depth && (w->inlined >> (w->depth - 1) & 1);
}

static void new_line(struct jw *w)
{
    ASSERT(w->indent);
    strbuf_addc(&w->text, '\n');
    for (unsigned i = 0; i < w->depth; i++)
        strbuf_add(&w->text, "  ", 2);
}

/* Writes the separator before an entry of the current level. */
static void before_entry(struct jw *w)
{
    uint64_t bit;

    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (!w->depth)
        return;
    bit = (uint64_t)1 << (w->depth - 1);
    ASSERT(w->depth <= DEPTH_MAX);
    if (w->used & bit)
        strbuf_addc(&w->text, ',');
    if (w->indent && !on_one_line(w))
        new_line(w);
    else if (w->indent && (w->used & bit))
        strbuf_addc(&w->text, ' ');
    w->used |= bit;
    if (w->text.length >= FLUSH_AT)
        jw_flush(w);
}

static void jw_raw(struct jw *w, const char *s, size_t n)
{
    ASSERT(n > 0);
    if (w->failed)
        return;
    before_entry(w);
    strbuf_add(&w->text, s, n);
}

static void jw_begin(struct jw *w, char bracket, bool inlined)
{
    bool outer = on_one_line(w);
    uint64_t bit;

    if (w->depth >= DEPTH_MAX && !w->failed) {
        w->failed = true;
        err_set(w->e, ERR_INTERNAL, "JSON: nested deeper than %d levels", DEPTH_MAX);
    }
    if (w->failed)
        return;
    jw_raw(w, &bracket, 1);
    ASSERT(w->depth < DEPTH_MAX && !w->after_key);
    bit = (uint64_t)1 << w->depth++;
    w->used &= ~bit;
    w->inlined = inlined || outer ? w->inlined | bit : w->inlined & ~bit;
}

void jw_object(struct jw *w)
{
    jw_begin(w, '{', false);
}

void jw_object_inline(struct jw *w)
{
    jw_begin(w, '{', true);
}

void jw_array(struct jw *w)
{
    jw_begin(w, '[', false);
}

void jw_array_inline(struct jw *w)
{
    jw_begin(w, '[', true);
}

void jw_end(struct jw *w, char bracket)
{
    bool filled, one_line;

    ASSERT(w->failed || (w->depth > 0 && !w->after_key));
    if (w->failed || !w->depth)
        return;
    filled = w->used >> (w->depth - 1) & 1;
    one_line = on_one_line(w);
    w->depth--;
    if (w->indent && filled && !one_line)
        new_line(w);
    strbuf_addc(&w->text, bracket);
}

static void add_escaped(struct strbuf *b, const char *s)
{
    strbuf_addc(b, '"');
    for (const char *from = s;; s++) {
        unsigned char c = (unsigned char)*s;

        if (c >= 0x20 && !strchr("\"\\<>&\x7f", c))
            continue;
        strbuf_add(b, from, (size_t)(s - from));
        if (!c)
            break;
        if (c == '"' || c == '\\')
            strbuf_addf(b, "\\%c", c);
        else if (c == '\n')
            strbuf_add(b, "\\n", 2);
        else if (c == '\t')
            strbuf_add(b, "\\t", 2);
        else
            strbuf_addf(b, "\\u%04x", c);
        from = s + 1;
    }
    strbuf_addc(b, '"');
}

void jw_key(struct jw *w, const char *name)
{
    ASSERT(w->failed || (w->depth > 0 && !w->after_key));
    if (w->failed)
        return;
    before_entry(w);
    add_escaped(&w->text, name);
    strbuf_add(&w->text, ": ", w->indent ? 2 : 1);
    w->after_key = true;
}

void jw_text(struct jw *w, const char *s)
{
    if (!s) {
        jw_null(w);
        return;
    }
    if (w->failed)
        return;
    before_entry(w);
    if (utf8_valid_prefix(s, strlen(s)) == strlen(s)) {
        add_escaped(&w->text, s);
    } else { /* invalid UTF-8 would make the document invalid JSON */
        struct strbuf copy = STRBUF_INIT;

        strbuf_adds(&copy, s);
        if (copy.capacity)
            text_sanitize(copy.text);
        add_escaped(&w->text, copy.text);
        strbuf_release(&copy);
    }
}

void jw_u64(struct jw *w, uint64_t x)
{
    char s[32];
    int n = snprintf(s, sizeof s, x > EXACT_MAX ? "\"%llu\"" : "%llu", (unsigned long long)x);

    ASSERT(n > 0 && (size_t)n < sizeof s);
    jw_raw(w, s, (size_t)n);
}

void jw_i64(struct jw *w, int64_t x)
{
    bool exact = x <= (int64_t)EXACT_MAX && x >= -(int64_t)EXACT_MAX;
    char s[32];
    int n = snprintf(s, sizeof s, exact ? "%lld" : "\"%lld\"", (long long)x);

    ASSERT(n > 0 && (size_t)n < sizeof s);
    jw_raw(w, s, (size_t)n);
}

void jw_double(struct jw *w, double x)
{
    char s[NUM_TEXT];

    num_format(x, s);
    ASSERT(s[0] != '\0' && strlen(s) < sizeof s);
    jw_raw(w, s, strlen(s));
}

void jw_bool(struct jw *w, bool x)
{
    jw_raw(w, x ? "true" : "false", x ? 4 : 5);
}

void jw_null(struct jw *w)
{
    jw_raw(w, "null", 4);
}

void jw_dim3(struct jw *w, const uint32_t d[3])
{
    if (d[0] == 0) {
        jw_null(w);
        return;
    }
    jw_array_inline(w);
    ASSERT(w->failed || on_one_line(w));
    for (int i = 0; i < 3; i++)
        jw_u64(w, d[i]);
    jw_end(w, ']');
}

void jw_key_text(struct jw *w, const char *name, const char *s)
{
    jw_key(w, name);
    jw_text(w, s);
}

void jw_key_u64(struct jw *w, const char *name, uint64_t x)
{
    jw_key(w, name);
    jw_u64(w, x);
}

void jw_key_i64(struct jw *w, const char *name, int64_t x)
{
    jw_key(w, name);
    jw_i64(w, x);
}

void jw_key_double(struct jw *w, const char *name, double x)
{
    jw_key(w, name);
    jw_double(w, x);
}

void jw_key_bool(struct jw *w, const char *name, bool x)
{
    jw_key(w, name);
    jw_bool(w, x);
}

void jw_key_null(struct jw *w, const char *name)
{
    jw_key(w, name);
    jw_null(w);
}

void jw_key_dim3(struct jw *w, const char *name, const uint32_t d[3])
{
    jw_key(w, name);
    jw_dim3(w, d);
}

int jw_to_file(void *file, const char *text, size_t n, struct err *e)
{
    if (fwrite(text, 1, n, file) != n)
        return err_set_errno(e, errno, "writing JSON");
    return 0;
}

/* True for a device or a pipe, which must not be replaced by a new file. */
static int write_in_place(const char *path, const char *what, jw_document write, const void *document,
                          struct err *e)
{
    FILE *f = fopen(path, "we");
    int ret;

    if (!f)
        return err_set_errno(e, errno, "%s %s", what, path);
    ret = write(document, jw_to_file, f, e);
    if (fclose(f) != 0 && ret == 0)
        ret = err_set_errno(e, errno, "writing");
    return ret < 0 ? err_wrap(e, "%s %s", what, path) : 0;
}

int jw_write_path(const char *path, const char *what, jw_document write, const void *document, struct err *e)
{
    size_t size = strlen(path) + 32;
    struct stat there;
    char *part;
    FILE *f;
    int ret;

    if (strcmp(path, "-") == 0)
        return write(document, jw_to_file, stdout, e);
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return err_set(e, ERR_INVALID, "%s %s: this is a folder; name a file in it", what, path);
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return write_in_place(path, what, write, document, e);
    part = mem_zalloc(size, 1, e);
    if (!part)
        return -1;
    snprintf(part, size, "%s.part-%ld", path, (long)getpid());
    ASSERT(strlen(part) > strlen(path) && strlen(part) + 1 < size);
    f = fopen(part, "wx");
    if (!f) {
        ret = err_set_errno(e, errno, "%s %s", what, path);
        free(part);
        return ret;
    }
    ret = write(document, jw_to_file, f, e);
    if (ret == 0 && (fflush(f) != 0 || fsync(fileno(f)) != 0))
        ret = err_set_errno(e, errno, "writing");
    if (fclose(f) != 0 && ret == 0)
        ret = err_set_errno(e, errno, "writing");
    if (ret == 0 && rename(part, path) != 0)
        ret = err_set_errno(e, errno, "renaming");
    if (ret < 0) {
        unlink(part);
        err_wrap(e, "%s %s", what, path);
    }
    free(part);
    return ret;
}
