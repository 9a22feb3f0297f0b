#include "simcore/footprint/repeats.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/stream.h"

#define KEPT_BYTES_MAX     ((size_t)128 << 20) /* for texts and touches */
#define UNPACKED_BYTES_MAX ((size_t)16 << 20)  /* a compressed trace with a longer text is not compared */
enum { TEXT_MIN = 64, PIECE = 1 << 18 };

/* A trace as text: a header and the rest. The launch and stream numbers in the header do not affect its accesses.
 */
struct text {
    const char *at;
    size_t bytes, header; /* header: length of the header */
    size_t mapped;        /* bytes of the mapped file; 0: the text is in repeats.text */
};
struct repeated {
    char *copy;
    struct text text;
    struct touch_list touches;
};
struct repeats {
    struct repeated *items;
    size_t count, capacity, kept_bytes, compared;
    char *text; /* of the present trace, if its file is compressed */
    size_t text_capacity;
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
    if (r) {
        free(r->items);
        free(r->text);
    }
    free(r);
}

size_t repeats_compared(const struct repeats *r)
{
    return r->compared;
}

/* --- texts --- */

/* Sets the length of the header. False: this is not the text of a trace. */
static bool find_header(struct text *t)
{
    static const char first[] = "-kernel name", begin[] = "#BEGIN_TB";
    const char *body = NULL;

    if (t->bytes > TEXT_MIN && memcmp(t->at, first, sizeof first - 1) == 0)
        body = memmem(t->at, t->bytes, begin, sizeof begin - 1);
    t->header = body ? (size_t)(body - t->at) : 0;
    return body != NULL;
}

static bool map_text(const char *path, struct text *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *at = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > TEXT_MIN)
        at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (at == MAP_FAILED)
        return false;
    *out = (struct text){at, (size_t)st.st_size, 0, (size_t)st.st_size};
    if (!find_header(out))
        munmap(at, out->mapped);
    return out->header > 0;
}

/* Decompressing a text costs a tenth of reading its instructions. */
static bool unpack_text(struct repeats *r, const char *path, struct text *out)
{
    struct stream *s = NULL;
    struct err ignored;
    ssize_t got = stream_open(path, &s, &ignored) == 0 ? 1 : -1;

    *out = (struct text){NULL, 0, 0, 0};
    while (got > 0 && out->bytes < UNPACKED_BYTES_MAX &&
           array_reserve((void **)&r->text, &r->text_capacity, out->bytes + PIECE, 1, &ignored) == 0) {
        got = stream_read(s, r->text + out->bytes, r->text_capacity - out->bytes, &ignored);
        if (got > 0 && strcmp(stream_compression(s), "none") == 0)
            break;
        out->bytes += got > 0 ? (size_t)got : 0;
    }
    stream_close(s);
    out->at = r->text;
    return got == 0 && find_header(out);
}

/* False: the file is not such a text or cannot be read; then the trace reader reports the reason. */
static bool open_text(struct repeats *r, const struct trace_place *place, struct text *out)
{
    return place->format == TRACE_ACCEL_SIM && (map_text(place->path, out) || unpack_text(r, place->path, out));
}

static void close_text(const struct text *t)
{
    if (t->mapped)
        munmap((void *)t->at, t->mapped);
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

    if (!open_text(r, place, &t))
        return read_launch(f, place, image, e);
    known = find(r, &t);
    r->compared += known != NULL;
    if (known)
        ret = footprints_repeat(f, &known->touches, image, e);
    else if (r->kept_bytes + t.bytes > KEPT_BYTES_MAX)
        ret = read_launch(f, place, image, e);
    else
        ret = first_time(r, f, place, &t, image, e);
    close_text(&t);
    return ret;
}
