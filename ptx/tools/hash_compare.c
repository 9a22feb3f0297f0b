/* ptx/tools/hash_compare.c: compares two logs of hashes launch by launch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/stream.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "ptx/tools/hash_log.h"

enum { LINE_MAX_BYTES = 4096 };
#define VALUES_MAX ((size_t)1 << 40)

struct logged {
    char *name;
    enum element_type type; /* ELEMENT_TYPE_COUNT: unknown */
    uint64_t bytes;
    char hash[SHA256_HEX];
    bool changed; /* by the current launch */
};

struct log {
    const char *path;
    struct stream *in;
    struct logged *buffers;
    size_t count, capacity;
    uint64_t launch;
    char *name, *next; /* name: of the current launch; next: the line that begins the next launch, NULL at the
                        * end */
};

static int malformed(const struct log *l, struct err *e)
{
    return err_set(e, ERR_MALFORMED, "%s:%llu: not a line of a log of hashes", l->path,
                   (unsigned long long)stream_line_number(l->in));
}

static struct logged *find(struct log *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->buffers[i].name, name) == 0)
            return &l->buffers[i];
    return NULL;
}

/* Parses the fields NAME TYPE BYTES HASH. */
static int take_buffer(struct log *l, char *fields, struct err *e)
{
    char *at[4] = {fields};
    struct logged *b;
    struct err why;

    for (int i = 1; i < 4; i++) {
        char *tab = at[i - 1] ? strchr(at[i - 1], '\t') : NULL;

        if (!tab)
            return malformed(l, e);
        *tab = '\0';
        at[i] = tab + 1;
    }
    b = find(l, at[0]);
    if (!b) {
        if (array_reserve((void **)&l->buffers, &l->capacity, l->count + 1, sizeof *b, e) != 0)
            return -1;
        b = &l->buffers[l->count];
        *b = (struct logged){.name = mem_strdup(at[0], e)};
        if (!b->name)
            return -1;
        l->count++;
    }
    b->type = element_of(at[1]);
    b->changed = true;
    if (!sha256_hex_valid(at[3]) || parse_u64(at[2], "bytes", &b->bytes, &why) != 0)
        return malformed(l, e);
    memcpy(b->hash, at[3], sizeof b->hash);
    return 0;
}

static int read_line(struct log *l, char **line, struct err *e)
{
    size_t n;
    bool complete;

    return stream_line(l->in, LINE_MAX_BYTES, line, &n, &complete, e);
}

static int keep_next(struct log *l, const char *line, struct err *e)
{
    free(l->next);
    l->next = mem_strdup(line, e);
    return l->next ? 0 : -1;
}

static int open_log(struct log *l, const char *path, struct err *e)
{
    char *line;
    int more;

    *l = (struct log){.path = path};
    if (stream_open(path, &l->in, e) != 0)
        return -1;
    if ((more = read_line(l, &line, e)) < 0)
        return -1;
    if (!more || strcmp(line, HASH_LOG_FORMAT "\t1") != 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: not a log of hashes of version 1", path);
    if ((more = read_line(l, &line, e)) < 0)
        return -1;
    return more ? keep_next(l, line, e) : 0;
}

static void close_log(struct log *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->buffers[i].name);
    free(l->buffers);
    free(l->name);
    free(l->next);
    stream_close(l->in);
}

/* Reads the next launch and the buffers that it has changed. Returns 1; 0 at the end; -1 on error. */
static int next_launch(struct log *l, struct err *e)
{
    char *tab, *line;
    struct err why;
    int more;

    if (!l->next)
        return 0;
    tab = strncmp(l->next, "launch\t", 7) == 0 ? strchr(l->next + 7, '\t') : NULL;
    if (!tab)
        return malformed(l, e);
    *tab = '\0';
    free(l->name);
    l->name = mem_strdup(tab + 1, e);
    if (!l->name)
        return -1;
    if (parse_u64(l->next + 7, "launch", &l->launch, &why) != 0)
        return malformed(l, e);
    free(l->next);
    l->next = NULL;
    for (size_t i = 0; i < l->count; i++)
        l->buffers[i].changed = false;
    while ((more = read_line(l, &line, e)) > 0) {
        if (strncmp(line, "buffer\t", 7) != 0)
            return keep_next(l, line, e) != 0 ? -1 : 1;
        if (take_buffer(l, line + 7, e) != 0)
            return -1;
    }
    return more < 0 ? -1 : 1;
}

/* --- values --- */

static int read_values(const struct log *l, const struct logged *b, char **out)
{
    struct strbuf path = STRBUF_INIT;
    struct err ignored;
    size_t n = 0;
    int ret = -1;

    strbuf_addf(&path, "%s.values/%s", l->path, b->hash);
    *out = NULL;
    if (!path.failed)
        ret = whole_file_read(path.text, VALUES_MAX, out, &n, &ignored);
    strbuf_release(&path);
    if (ret == 0 && n != b->bytes) {
        free(*out);
        *out = NULL;
        ret = -1;
    }
    return ret;
}

struct spread { /* statistics of the differences in a buffer */
    uint64_t differ, bad, first, most_ulp;
};

static bool close_enough(enum element_type t, const void *a, const void *b, const struct hash_tolerance *tol)
{
    double x = element_read(t, a), y = element_read(t, b);

    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    return x == y || fabs(x - y) <= tol->atol + tol->rtol * fabs(y) || element_ulps(t, a, b) <= tol->ulp;
}

static struct spread compare_values(enum element_type t, uint64_t bytes, const char *a, const char *b,
                                    const struct hash_tolerance *tol)
{
    uint32_t size = element_bytes(t);
    struct spread s = {0};

    for (uint64_t i = 0; i < bytes / size; i++) {
        uint64_t ulp;

        if (memcmp(a + i * size, b + i * size, size) == 0)
            continue;
        s.differ++;
        ulp = element_is_float(t) ? element_ulps(t, a + i * size, b + i * size) : 0;
        s.most_ulp = ulp > s.most_ulp ? ulp : s.most_ulp;
        if (element_is_float(t) && close_enough(t, a + i * size, b + i * size, tol))
            continue;
        if (s.bad++ == 0)
            s.first = i;
    }
    return s;
}

static void add_value(struct strbuf *b, enum element_type t, const char *at)
{
    char text[NUM_TEXT];
    double x = element_read(t, at);

    strbuf_adds(b, isnan(x) ? "nan" : isinf(x) ? (x < 0 ? "-inf" : "inf") : num_format(x, text));
}

/* --- one launch of both --- */

static void say_where(struct strbuf *s, const struct log *l, const char *name)
{
    strbuf_addf(s, "launch %llu (%s): buffer %s", (unsigned long long)l->launch, l->name, name);
}

/* Compares two contents of one buffer. Returns 1: they differ, reported. 0: within tolerance. */
static int differ(const struct log *a, const struct log *b, const struct logged *x, const struct logged *y,
                  const struct hash_tolerance *tol, struct strbuf *bad, struct strbuf *near)
{
    char *from_a, *from_b = NULL;
    bool values = x->bytes == y->bytes && x->type != ELEMENT_TYPE_COUNT && read_values(a, x, &from_a) == 0;
    struct spread s;
    uint32_t size;

    if (values && read_values(b, y, &from_b) != 0) {
        free(from_a);
        values = false;
    }
    if (!values) {
        say_where(bad, a, x->name);
        strbuf_addf(bad, " differs (SHA-256 %.16s... and %.16s...)", x->hash, y->hash);
        return 1;
    }
    s = compare_values(x->type, x->bytes, from_a, from_b, tol);
    size = element_bytes(x->type);
    say_where(s.bad ? bad : near, a, x->name);
    if (s.bad) {
        strbuf_addf(bad, ", value %llu is ", (unsigned long long)s.first);
        add_value(bad, x->type, from_a + s.first * size);
        strbuf_adds(bad, " and ");
        add_value(bad, x->type, from_b + s.first * size);
        strbuf_addf(bad, "; %llu of %llu values differ", (unsigned long long)s.bad,
                    (unsigned long long)(x->bytes / size));
    } else {
        strbuf_addf(near, ": %llu values differ within tolerance", (unsigned long long)s.differ);
    }
    if (element_is_float(x->type) && s.most_ulp != UINT64_MAX)
        strbuf_addf(s.bad ? bad : near, ", by at most %llu ulp", (unsigned long long)s.most_ulp);
    strbuf_adds(s.bad ? bad : near, s.bad ? "" : "\n");
    free(from_a);
    free(from_b);
    return s.bad != 0;
}

/* Returns 1: they differ, and `bad` describes the difference. */
static int compare_launch(struct log *a, struct log *b, const struct hash_tolerance *tol, struct strbuf *bad,
                          struct strbuf *near)
{
    if (a->launch != b->launch || strcmp(a->name, b->name) != 0) {
        strbuf_addf(bad, "launch %llu (%s) in one, launch %llu (%s) in the other", (unsigned long long)a->launch,
                    a->name, (unsigned long long)b->launch, b->name);
        return 1;
    }
    for (size_t i = 0; i < a->count; i++) {
        const struct logged *y = find(b, a->buffers[i].name);

        if (!y && a->buffers[i].changed) {
            say_where(bad, a, a->buffers[i].name);
            strbuf_addf(bad, " is in %s only", a->path);
            return 1;
        }
        if (y && (a->buffers[i].changed || y->changed) && strcmp(a->buffers[i].hash, y->hash) != 0 &&
            differ(a, b, &a->buffers[i], y, tol, bad, near))
            return 1;
    }
    for (size_t i = 0; i < b->count; i++)
        if (b->buffers[i].changed && !find(a, b->buffers[i].name)) {
            say_where(bad, b, b->buffers[i].name);
            strbuf_addf(bad, " is in %s only", b->path);
            return 1;
        }
    return 0;
}

static int compare(struct log *a, struct log *b, const struct hash_tolerance *t, struct strbuf *bad,
                   struct strbuf *near, struct err *e)
{
    for (;;) {
        int in_a = next_launch(a, e), in_b = in_a < 0 ? -1 : next_launch(b, e);

        if (in_b < 0)
            return -1;
        if (in_a != in_b)
            strbuf_addf(bad, "%s ends before launch %llu (%s)", in_a ? b->path : a->path,
                        (unsigned long long)(in_a ? a : b)->launch, (in_a ? a : b)->name);
        if (in_a != in_b || !in_a || compare_launch(a, b, t, bad, near))
            return 0;
    }
}

int hash_logs_compare(const char *a, const char *b, const struct hash_tolerance *t, struct hash_difference *out,
                      struct err *e)
{
    struct strbuf bad = STRBUF_INIT, near = STRBUF_INIT;
    struct log x = {0}, y = {0};
    int ret = -1;

    *out = (struct hash_difference){0};
    if (open_log(&x, a, e) == 0 && open_log(&y, b, e) == 0)
        ret = compare(&x, &y, t, &bad, &near, e);
    if (ret == 0 && (bad.failed || near.failed))
        ret = err_no_memory(e);
    out->launch = x.launch;
    if (ret == 0 && bad.length)
        out->what = strbuf_detach(&bad);
    if (ret == 0 && near.length)
        out->near = strbuf_detach(&near);
    strbuf_release(&bad);
    strbuf_release(&near);
    close_log(&x);
    close_log(&y);
    return ret;
}

void hash_difference_release(struct hash_difference *d)
{
    free(d->what);
    free(d->near);
}
