#include "simcore/footprint/repeats.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

#define KEPT_BYTES_MAX ((size_t)128 << 20) /* for texts and touches */
enum { TEXT_MIN = 64 };

/* A trace as text: a header and the rest. The launch and stream numbers in the header do not affect its accesses.
 */
struct text {
    const char *at;
    size_t bytes, header; /* header: length of the header */
};
struct repeated {
    char *copy;
    struct text text;
    struct touch_list touches;
};
struct repeats {
    struct repeated *items;
    size_t count, capacity, kept_bytes;
};

struct repeats *repeats_new(struct err *e)
{
    return mem_zalloc(1, sizeof(struct repeats), e);
}

void repeats_free(struct repeats *r)
{
    for (size_t i = 0; r && i < r->count; i++) {
        free(r->items[i].copy);
        touch_list_release(&r->items[i].touches);
    }
    if (r)
        free(r->items);
    free(r);
}

/* --- texts --- */

/* False: the file is not such a text or cannot be read; then the trace reader reports the reason. */
static bool open_text(const struct trace_place *place, struct text *out)
{
    static const char first[] = "-kernel name", begin[] = "#BEGIN_TB";
    int fd = place->format == TRACE_ACCEL_SIM ? open(place->path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat st;
    const char *body;
    void *at = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > TEXT_MIN)
        at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (at == MAP_FAILED)
        return false;
    *out = (struct text){at, (size_t)st.st_size, 0};
    body = memcmp(at, first, sizeof first - 1) == 0 ? memmem(at, out->bytes, begin, sizeof begin - 1) : NULL;
    if (body)
        out->header = (size_t)(body - out->at);
    else
        munmap(at, (size_t)st.st_size);
    return body != NULL;
}

static void close_text(const struct text *t)
{
    munmap((void *)t->at, t->bytes);
}

static bool starts_with(const char *line, size_t n, const char *word)
{
    return n >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

/* The next header line that affects the accesses; 0: no more. */
static size_t next_line(const struct text *t, size_t *at, const char **line)
{
    while (*at < t->header) {
        const char *p = t->at + *at, *end = memchr(p, '\n', t->header - *at);
        size_t n = end ? (size_t)(end - p) + 1 : t->header - *at;

        *at += n;
        *line = p;
        if (!starts_with(p, n, "-kernel id") && !starts_with(p, n, "-cuda stream id"))
            return n;
    }
    return 0;
}

static bool same_headers(const struct text *a, const struct text *b)
{
    size_t in_a = 0, in_b = 0, n;
    const char *x, *y;

    do {
        n = next_line(a, &in_a, &x);
        if (next_line(b, &in_b, &y) != n || (n && memcmp(x, y, n) != 0))
            return false;
    } while (n);
    return true;
}

static bool same(const struct text *a, const struct text *b)
{
    size_t body = a->bytes - a->header;

    return body == b->bytes - b->header && same_headers(a, b) &&
           memcmp(a->at + a->header, b->at + b->header, body) == 0;
}

static const struct repeated *find(const struct repeats *r, const struct text *t)
{
    for (size_t i = 0; i < r->count; i++)
        if (same(&r->items[i].text, t))
            return &r->items[i];
    return NULL;
}

/* --- launches --- */

static int read_launch(struct footprints *f, const struct trace_place *place, struct warm_image **image,
                       struct err *e)
{
    struct inst_source *s;
    int ret;

    if (trace_file_open(place, &s, e) < 0)
        return -1;
    ret = footprints_launch(f, s, image, e);
    inst_source_release(s);
    return ret;
}

/* Stores a launch. Takes ownership of the touches. */
static int keep(struct repeats *r, const struct text *t, struct touch_list *touches, struct err *e)
{
    size_t bytes = t->bytes + touches->count * sizeof *touches->items;
    struct repeated *x;

    if (r->kept_bytes + bytes > KEPT_BYTES_MAX)
        return 0;
    if (array_reserve((void **)&r->items, &r->capacity, r->count + 1, sizeof *r->items, e) < 0)
        return -1;
    x = &r->items[r->count];
    *x = (struct repeated){.copy = mem_zalloc(t->bytes, 1, e), .text = *t, .touches = *touches};
    if (!x->copy)
        return -1;
    memcpy(x->copy, t->at, t->bytes);
    x->text.at = x->copy;
    *touches = (struct touch_list){NULL, 0, 0};
    r->kept_bytes += bytes;
    r->count++;
    return 0;
}

static int first_time(struct repeats *r, struct footprints *f, const struct trace_place *place,
                      const struct text *t, struct warm_image **image, struct err *e)
{
    struct touch_list touches = {NULL, 0, 0};
    int ret;

    footprints_record(f, &touches);
    ret = read_launch(f, place, image, e);
    footprints_record(f, NULL);
    if (ret == 0)
        ret = keep(r, t, &touches, e);
    touch_list_release(&touches);
    return ret;
}

int repeats_launch(struct repeats *r, struct footprints *f, const struct trace_place *place,
                   struct warm_image **image, struct err *e)
{
    const struct repeated *known;
    struct text t;
    int ret;

    if (!open_text(place, &t))
        return read_launch(f, place, image, e);
    known = find(r, &t);
    if (known)
        ret = footprints_repeat(f, &known->touches, image, e);
    else if (r->kept_bytes + t.bytes > KEPT_BYTES_MAX)
        ret = read_launch(f, place, image, e);
    else
        ret = first_time(r, f, place, &t, image, e);
    close_text(&t);
    return ret;
}
