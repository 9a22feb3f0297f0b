/* XLA's profile as a protocol buffer (JAX, TensorFlow: *.xplane.pb). It has the events of the trace viewer's JSON
 * without its limit of a million.
 *
 * A file is one XSpace. Fields that are read, by number (OpenXLA, tsl/profiler/protobuf/xplane.proto):
 *   XSpace 1 planes · XPlane 2 name, 3 lines, 4 event_metadata, 5 stat_metadata (maps: 1 key, 2 value)
 *   XLine 1 id, 2 name, 3 timestamp_ns, 4 events, 9 duration_ps, 10 display_id
 *   XEvent 1 metadata_id, 2 offset_ps, 3 duration_ps, 4 stats
 *   XStat 1 metadata_id, 3 uint64, 4 int64, 5 str, 7 ref
 *   XEventMetadata 1 id, 2 name · XStatMetadata 1 id, 2 name
 *
 * A plane "/device:GPU:N" is a GPU; its lines "Stream #N(...)" are streams. Other lines repeat their events in
 * groups. An event with the stat kernel_details is a kernel launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ingest/decimal.h"
#include "ingest/import.h"
#include "ingest/protobuf.h"
#include "ingest/xla_details.h"

#define GPU_PLANE   "/device:GPU:"
#define STREAM_LINE "Stream #"
#define READ_BYTES  (1u << 20)

struct text {
    const char *bytes;
    size_t length;
};

/* An entry of one of the plane's two tables of names. */
struct named {
    int64_t id;
    struct text name;
};

struct names {
    struct named *items;
    size_t count, capacity;
};

struct xplane {
    struct import *im;
    struct err *e;
    struct names events, stats;                        /* of the current plane, sorted by id */
    int64_t details, copy, fill, context, correlation; /* ids of these stats in the current plane; -1: none */
    int64_t device;
    uint64_t launches;
    size_t file_bytes;
};

static int damaged(const struct xplane *x)
{
    err_set(x->e, ERR_INVALID, "%s: a damaged profile of XLA: a field ends beyond its message", x->im->name);
    return err_hint(x->e, "Copy the file again, or let the profiler finish writing it.");
}

/* --- tables of names --- */

static int compare_names(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/* One entry of a map: key 1, value 2, which is a message with id 1 and name 2. */
static int add_name(struct xplane *x, struct names *list, struct pb_bytes entry)
{
    struct named n = {0};
    struct pb_field f, inner;
    void *items = list->items;
    int more, deeper;

    while ((more = pb_next(&entry, &f)) > 0) {
        if (f.number == 1)
            n.id = (int64_t)f.value;
        if (f.number != 2 || f.type != PB_BYTES)
            continue;
        while ((deeper = pb_next(&f.bytes, &inner)) > 0)
            if (inner.number == 2 && inner.type == PB_BYTES)
                n.name = (struct text){(const char *)inner.bytes.at, pb_left(&inner.bytes)};
        if (deeper < 0)
            return damaged(x);
    }
    if (more < 0)
        return damaged(x);
    if ((x->events.count + x->stats.count) * sizeof n + x->file_bytes > x->im->options.most_memory_bytes)
        return err_set(x->e, ERR_TOO_LARGE,
                       "%s: the file and its tables of names take more than %llu bytes of memory", x->im->name,
                       (unsigned long long)x->im->options.most_memory_bytes);
    if (array_reserve(&items, &list->capacity, list->count + 1, sizeof *list->items, x->e) < 0)
        return -1;
    list->items = items;
    list->items[list->count++] = n;
    return 0;
}

static struct text name_of(const struct names *list, int64_t id)
{
    const struct named wanted = {.id = id};
    const struct named *found =
        list->count ? bsearch(&wanted, list->items, list->count, sizeof *list->items, compare_names) : NULL;

    return found ? found->name : (struct text){NULL, 0};
}

static int64_t id_of(const struct names *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (str_is(list->items[i].name.bytes, list->items[i].name.length, name))
            return list->items[i].id;
    return -1;
}

static void sort_names(struct names *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, compare_names);
}

/* --- events --- */

struct stat_value {
    int64_t id, number;
    struct text text;
};

static int read_stat(const struct xplane *x, struct pb_bytes message, struct stat_value *out)
{
    struct pb_field f;
    int more;

    *out = (struct stat_value){0}; /* a field that is 0 is not in the file */
    while ((more = pb_next(&message, &f)) > 0) {
        switch (f.number) {
        case 1: out->id = (int64_t)f.value; break;
        case 3:
        case 4: out->number = (int64_t)f.value; break;
        case 5: out->text = (struct text){(const char *)f.bytes.at, pb_left(&f.bytes)}; break;
        case 7: out->text = name_of(&x->stats, (int64_t)f.value); break;
        default: break;
        }
    }
    return more < 0 ? damaged(x) : 0;
}

/* A stat that is a number, or a text with one ("$$1"). */
static int64_t stat_number(const struct stat_value *s)
{
    int64_t value = s->number;
    size_t skip = xla_id_prefix(s->text.bytes, s->text.length);

    if (s->text.length > 0 && decimal_scaled(s->text.bytes + skip, s->text.length - skip, 0, &value) < 0)
        value = 0;
    return value;
}

/* The data of an event, before its meaning is known. */
struct event {
    int64_t name_id, offset_ps, duration_ps;
    bool is_memory, has_correlation;
    int64_t context, correlation;
    struct text details; /* NULL: not a kernel */
};

static int read_event(const struct xplane *x, struct pb_bytes message, struct event *out)
{
    struct stat_value s;
    struct pb_field f;
    int more;

    *out = (struct event){0}; /* a field that is 0 is not in the file */
    while ((more = pb_next(&message, &f)) > 0) {
        switch (f.number) {
        case 1: out->name_id = (int64_t)f.value; break;
        case 2: out->offset_ps = (int64_t)f.value; break;
        case 3: out->duration_ps = (int64_t)f.value; break;
        case 4:
            if (f.type != PB_BYTES)
                break;
            if (read_stat(x, f.bytes, &s) < 0)
                return -1;
            if (s.id < 0) /* the mark of a stat that the plane does not have */
                break;
            if (s.id == x->details)
                out->details = s.text;
            out->is_memory |= s.id == x->copy || s.id == x->fill;
            if (s.id == x->context)
                out->context = stat_number(&s);
            if (s.id == x->correlation) {
                out->correlation = stat_number(&s);
                out->has_correlation = true;
            }
            break;
        default: break;
        }
    }
    return more < 0 ? damaged(x) : 0;
}

/* Picoseconds as nanoseconds, rounded to the nearest. */
static int64_t nanoseconds(int64_t ps)
{
    return ps / 1000 + (ps % 1000 >= 500);
}

static int take_event(struct xplane *x, const struct event *v, int64_t stream, int64_t line_ns)
{
    struct import_launch l = {.place = "kernel", .number = ++x->launches, .device = x->device, .has_stream = true};
    struct text name = name_of(&x->events, v->name_id);
    unsigned long long n = l.number;
    struct xla_details d;
    int shown = name.length < 60 ? (int)name.length : 60;

    if (!xla_details_read(v->details.bytes, v->details.length, &d)) {
        import_drop(x->im, DROP_BAD_NUMBER, "kernel %llu: %.*s", n, shown, name.bytes ? name.bytes : "");
        return 0;
    }
    if (v->offset_ps < 0 || v->duration_ps < 0 || line_ns < 0 ||
        __builtin_add_overflow(line_ns, nanoseconds(v->offset_ps), &l.start_ns)) {
        import_drop(x->im, DROP_TIME_RANGE, "kernel %llu: %.*s", n, shown, name.bytes ? name.bytes : "");
        return 0;
    }
    if (name.length > x->im->options.most_name_bytes) {
        import_drop(x->im, DROP_NAME_TOO_LONG, "kernel %llu: %.*s...", n, shown, name.bytes);
        return 0;
    }
    l.value = nanoseconds(v->duration_ps);
    l.has_shape = d.has_shape;
    memcpy(l.grid, d.grid, sizeof l.grid);
    memcpy(l.block, d.block, sizeof l.block);
    l.registers = d.registers;
    l.shared_bytes = d.shared_bytes;
    l.context = (uint64_t)v->context;
    l.stream = (uint64_t)stream;
    l.has_correlation = v->has_correlation;
    l.correlation = (uint64_t)v->correlation;
    if (name.length > 0 && import_intern(x->im, name.bytes, name.length, &l.name, x->e) < 0)
        return -1;
    return import_launch(x->im, &l, x->e);
}

static int read_events(struct xplane *x, struct pb_bytes line, int64_t stream, int64_t line_ns)
{
    struct pb_field f;
    struct event v;

    while (pb_next(&line, &f) > 0) {
        if (f.number != 4 || f.type != PB_BYTES)
            continue;
        if (read_event(x, f.bytes, &v) < 0)
            return -1;
        if (v.is_memory)
            import_ignore(x->im, IGNORE_MEMORY_OPERATION, 1, "a copy or fill on stream %lld", (long long)stream);
        else if (v.details.bytes && take_event(x, &v, stream, line_ns) < 0)
            return -1;
    }
    return 0;
}

/* --- planes --- */

static int read_line(struct xplane *x, struct pb_bytes line)
{
    struct pb_bytes rest = line;
    struct text name = {NULL, 0};
    int64_t stream = 0, line_ns = 0;
    struct pb_field f;
    int more;

    while ((more = pb_next(&rest, &f)) > 0) {
        if (f.number == 1)
            stream = (int64_t)f.value;
        else if (f.number == 2 && f.type == PB_BYTES)
            name = (struct text){(const char *)f.bytes.at, pb_left(&f.bytes)};
        else if (f.number == 3)
            line_ns = (int64_t)f.value;
    }
    if (more < 0)
        return damaged(x);
    if (name.length < strlen(STREAM_LINE) || memcmp(name.bytes, STREAM_LINE, strlen(STREAM_LINE)) != 0)
        return 0;
    return read_events(x, line, stream, line_ns);
}

/* The number in "/device:GPU:0"; -1: another plane. */
static int64_t gpu_number(const struct text *name)
{
    size_t begin = strlen(GPU_PLANE), n = 0;
    int64_t number;

    if (name->length <= begin || memcmp(name->bytes, GPU_PLANE, begin) != 0)
        return -1;
    while (begin + n < name->length && name->bytes[begin + n] >= '0' && name->bytes[begin + n] <= '9')
        n++;
    return decimal_scaled(name->bytes + begin, n, 0, &number) == 0 ? number : -1;
}

/* The tables of names are behind the lines, so a plane is read twice. */
static int read_plane(struct xplane *x, struct pb_bytes plane)
{
    struct pb_bytes rest = plane;
    struct text name = {NULL, 0};
    struct pb_field f;
    int more;

    x->events.count = x->stats.count = 0;
    while ((more = pb_next(&rest, &f)) > 0) {
        if (f.type != PB_BYTES)
            continue;
        if (f.number == 2)
            name = (struct text){(const char *)f.bytes.at, pb_left(&f.bytes)};
        if ((f.number == 4 && add_name(x, &x->events, f.bytes) < 0) ||
            (f.number == 5 && add_name(x, &x->stats, f.bytes) < 0))
            return -1;
    }
    if (more < 0)
        return damaged(x);
    x->device = gpu_number(&name);
    if (x->device < 0)
        return 0;
    sort_names(&x->events);
    sort_names(&x->stats);
    x->details = id_of(&x->stats, "kernel_details");
    x->copy = id_of(&x->stats, "memcpy_details");
    x->fill = id_of(&x->stats, "memset_details");
    x->context = id_of(&x->stats, "context_id");
    x->correlation = id_of(&x->stats, "correlation_id");
    for (rest = plane; pb_next(&rest, &f) > 0;)
        if (f.number == 3 && f.type == PB_BYTES && read_line(x, f.bytes) < 0)
            return -1;
    return 0;
}

static int read_space(struct xplane *x, struct pb_bytes space)
{
    struct pb_field f;
    int more;

    while ((more = pb_next(&space, &f)) > 0)
        if (f.number == 1 && f.type == PB_BYTES && read_plane(x, f.bytes) < 0)
            return -1;
    return more < 0 ? damaged(x) : 0;
}

/* --- the file --- */

/* The whole file: tables of names are behind the events that use them. */
static int read_file(struct import *im, struct strbuf *out, struct err *e)
{
    char *chunk = mem_zalloc(READ_BYTES, 1, e);
    struct stream *s = NULL;
    ssize_t n = -1;

    if (!chunk || import_open(im, &s, e) < 0)
        goto out;
    while ((n = stream_read(s, chunk, READ_BYTES, e)) > 0) {
        if (out->length + (size_t)n > im->options.most_memory_bytes) {
            n = err_set(e, ERR_TOO_LARGE, "%s: it is larger than %llu bytes", im->name,
                        (unsigned long long)im->options.most_memory_bytes);
            break;
        }
        strbuf_add(out, chunk, (size_t)n);
        if (out->failed) {
            n = err_no_memory(e);
            break;
        }
        import_progress(im, stream_bytes_in(s));
    }
    im->report->bytes_read = stream_bytes_in(s);
out:
    if (s)
        stream_close(s);
    free(chunk);
    return n < 0 ? -1 : 0;
}

int xplane_import(struct import *im, struct err *e)
{
    struct xplane x = {.im = im, .e = e};
    struct strbuf file = STRBUF_INIT;
    int ret = read_file(im, &file, e);

    x.file_bytes = file.length;
    if (ret == 0)
        ret =
            read_space(&x, (struct pb_bytes){(const uint8_t *)file.text, (const uint8_t *)file.text + file.length});
    strbuf_release(&file);
    free(x.events.items);
    free(x.stats.items);
    return ret;
}

/* Begins with a plane, which begins with its id (a number, absent where it is 0) and its name, and names one as XLA
 * does. An empty line before a text is the tag of a plane as well. */
bool xplane_recognise(const struct import_head *head)
{
    const uint8_t *bytes = (const uint8_t *)head->bytes;
    struct pb_bytes at = {bytes, bytes + head->length};
    struct pb_field f, inner;

    if (pb_head(&at, &f) <= 0 || f.number != 1 || f.type != PB_BYTES || pb_head(&f.bytes, &inner) <= 0)
        return false;
    if (inner.number == 1 && inner.type == PB_NUMBER && pb_head(&f.bytes, &inner) <= 0)
        return false;
    return inner.number == 2 && inner.type == PB_BYTES &&
           (memmem(head->bytes, head->length, "/device:", 8) || memmem(head->bytes, head->length, "/host:", 6));
}
