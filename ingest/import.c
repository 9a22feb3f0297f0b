#include "ingest/import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/text.h"

/* Limits that have no option in ingest.h. */
#define ROWS_MAX         200000000u
#define NAME_BYTES_MAX   (64u << 10)
#define MEMORY_BYTES_MAX (UINT64_C(8) << 30)
/* bytes per launch in the builder: 32, and 8 more during sorting */
#define LAUNCH_BYTES 40
/* Sums of two times stay below 2^63. 2^61 ns are 73 years. */
#define TIME_RANGE    (INT64_C(1) << 61)
#define CLOCK_MOST_HZ 1e11 /* far beyond any GPU; a higher clock is damaged data */
#define GPUS_MAX      1024 /* the largest machines have 16 GPUs; merged reports have some more */

/* --- begin and release --- */

static void import_defaults(struct ingest_options *o)
{
    if (!o->most_rows)
        o->most_rows = ROWS_MAX;
    if (!o->most_name_bytes)
        o->most_name_bytes = NAME_BYTES_MAX;
    if (!o->most_memory_bytes)
        o->most_memory_bytes = MEMORY_BYTES_MAX;
    ASSERT(o->most_rows && o->most_name_bytes && o->most_memory_bytes);
}

int import_begin(struct import *im, const char *format, enum profile_unit unit, bool has_times, struct err *e)
{
    ASSERT(!im->builder && !im->buckets);
    import_defaults(&im->options);
    snprintf(im->report->format, sizeof im->report->format, "%s", format);
    im->report->unit = unit;
    im->has_times = has_times;
    im->bucket_count = 1024;
    im->buckets = mem_zalloc(im->bucket_count, sizeof(struct import_name *), e);
    if (!im->buckets)
        return -1;
    im->builder = profile_builder_new(unit, has_times, e);
    return im->builder ? 0 : -1;
}

int import_ranges_begin(struct import *im, struct err *e)
{
    ASSERT(im->builder && !im->ranges && im->launches_seen == 0);
    im->ranges = ranges_new(e);
    if (!im->ranges)
        return -1;
    profile_builder_keep_order(im->builder);
    return 0;
}

int import_open(const struct import *im, struct stream **out, struct err *e)
{
    int fd = open(im->path, O_RDONLY | O_CLOEXEC);

    *out = NULL;
    if (fd < 0)
        return err_set_errno(e, errno, "cannot open %s", im->name);
    if (stream_open_fd(fd, im->name, out, e) < 0)
        return -1;
    if (stream_as_text(*out, e) == 0)
        return 0;
    stream_close(*out);
    *out = NULL;
    return -1;
}

void import_release(struct import *im)
{
    for (size_t i = 0; i < im->bucket_count && im->buckets; i++) {
        for (struct import_name *n = im->buckets[i], *next; n; n = next) {
            next = n->next;
            free(n->text);
            free(n);
        }
    }
    free(im->buckets);
    free(im->gpus);
    profile_builder_free(im->builder);
    features_free(im->features);
    ranges_free(im->ranges);
    im->ranges = NULL;
    im->features = NULL;
    im->buckets = NULL;
    im->gpus = NULL;
    im->builder = NULL;
}

/* --- names --- */

int import_check_memory(const struct import *im, struct err *e)
{
    uint64_t ranges = im->ranges ? ranges_bytes(im->ranges) : 0;

    if (im->name_bytes + im->report->accepted * LAUNCH_BYTES + ranges <= im->options.most_memory_bytes)
        return 0;
    return err_set(e, ERR_TOO_LARGE, "%s: its launches, ranges and names take more than %llu bytes of memory",
                   im->name, (unsigned long long)im->options.most_memory_bytes);
}

static int names_grow(struct import *im, struct err *e)
{
    size_t count = im->bucket_count * 4;
    struct import_name **buckets = mem_zalloc(count, sizeof(struct import_name *), e);

    ASSERT((count & (count - 1)) == 0); /* buckets are indexed by a mask */
    if (!buckets)
        return -1;
    for (size_t i = 0; i < im->bucket_count; i++) {
        for (struct import_name *n = im->buckets[i], *next; n; n = next) {
            next = n->next;
            n->next = buckets[n->hash & (count - 1)];
            buckets[n->hash & (count - 1)] = n;
        }
    }
    free(im->buckets);
    im->buckets = buckets;
    im->bucket_count = count;
    return 0;
}

static int name_add(struct import *im, const char *bytes, size_t n, uint64_t hash, const struct import_name **out,
                    struct err *e)
{
    struct import_name *name;

    ASSERT(n > 0 && n <= im->options.most_name_bytes);
    im->name_bytes += 2 * n + sizeof *name;
    if (import_check_memory(im, e) < 0)
        return -1;
    if (im->name_count > im->bucket_count && names_grow(im, e) < 0)
        return -1;
    name = malloc(sizeof *name + n + 1);
    if (!name)
        return err_no_memory(e);
    memcpy(name->raw, bytes, n);
    name->raw[n] = '\0';
    name->raw_length = n;
    name->hash = hash;
    name->text = mem_strndup(bytes, n, e);
    if (!name->text) {
        free(name);
        return -1;
    }
    text_sanitize(name->text);
    name->length = strlen(name->text);
    ASSERT(name->length <= n);
    name->next = im->buckets[hash & (im->bucket_count - 1)];
    im->buckets[hash & (im->bucket_count - 1)] = name;
    im->name_count++;
    *out = name;
    return 0;
}

int import_intern(struct import *im, const char *bytes, size_t n, const struct import_name **out, struct err *e)
{
    uint64_t hash;

    ASSERT_HOT((im->bucket_count & (im->bucket_count - 1)) == 0);
    *out = NULL;
    n = strnlen(bytes, n); /* a NUL inside the name ends it, because the rest could not be printed */
    if (n == 0 || n > im->options.most_name_bytes)
        return 0;
    hash = hash_words(bytes, n);
    for (struct import_name *name = im->buckets[hash & (im->bucket_count - 1)]; name; name = name->next) {
        if (name->hash == hash && name->raw_length == n && memcmp(name->raw, bytes, n) == 0) {
            *out = name;
            return 0;
        }
    }
    return name_add(im, bytes, n, hash, out, e);
}

/* --- launches --- */

static bool shape_ok(const int64_t d[3])
{
    for (int i = 0; i < 3; i++) {
        if (d[i] < 1 || d[i] > UINT32_MAX)
            return false;
    }
    return true;
}

static bool in_u32(int64_t x)
{
    return x >= 0 && x <= UINT32_MAX;
}

/* Whether the launch is valid. If not, notes the reason. */
static bool launch_ok(struct import *im, const struct import_launch *l)
{
    enum import_drop why;

    if (!l->name)
        why = DROP_UNKNOWN_NAME;
    else if (l->value < 0)
        why = DROP_NEGATIVE_DURATION;
    else if (l->start_ns < -TIME_RANGE || l->start_ns > TIME_RANGE || (im->has_times && l->value > TIME_RANGE))
        why = DROP_TIME_RANGE;
    else if (l->has_shape && (!shape_ok(l->grid) || !shape_ok(l->block)))
        why = DROP_BAD_SHAPE;
    else if (!in_u32(l->registers) || !in_u32(l->shared_bytes) || l->device < INT32_MIN || l->device > INT32_MAX)
        why = DROP_BAD_NUMBER;
    else
        return true;
    import_drop(im, why, "%s %llu: %s", l->place, (unsigned long long)l->number, l->name ? l->name->text : "");
    return false;
}

/* The entry of the device, created at the first call. NULL: too many devices, or out of memory. */
static struct import_gpu *gpu_get(struct import *im, int64_t device)
{
    void *items = im->gpus;
    struct import_gpu *g;
    struct err e;

    if (im->gpu_last < im->gpu_count && im->gpus[im->gpu_last].device == device)
        return &im->gpus[im->gpu_last];
    for (size_t i = 0; i < im->gpu_count; i++) {
        if (im->gpus[i].device == device) {
            im->gpu_last = i;
            return &im->gpus[i];
        }
    }
    if (im->gpu_count == GPUS_MAX ||
        array_reserve(&items, &im->gpu_capacity, im->gpu_count + 1, sizeof *im->gpus, &e) < 0)
        return NULL;
    im->gpus = items;
    ASSERT(im->gpu_count < im->gpu_capacity && im->gpu_count < GPUS_MAX);
    g = &im->gpus[im->gpu_count++];
    memset(g, 0, sizeof *g);
    g->device = device;
    return g;
}

void import_gpu_name(struct import *im, int64_t device, const char *name, size_t n)
{
    struct import_gpu *g = gpu_get(im, device);

    if (!g || g->name[0])
        return;
    if (n >= sizeof g->name)
        n = utf8_valid_prefix(name, sizeof g->name - 1);
    ASSERT(n < sizeof g->name);
    memcpy(g->name, name, n);
    g->name[n] = '\0';
    text_sanitize(g->name);
}

void import_gpu_clock(struct import *im, int64_t device, double peak_hz)
{
    struct import_gpu *g = gpu_get(im, device);

    if (g && g->peak_hz == 0)
        g->peak_hz = peak_hz;
}

void import_clock(struct import *im, double hz, bool measured)
{
    struct import_report *r = im->report;

    if (!(hz > 0 && hz <= CLOCK_MOST_HZ))
        return;
    if (r->clock_low_hz == 0 || hz < r->clock_low_hz)
        r->clock_low_hz = hz;
    if (hz > r->clock_high_hz)
        r->clock_high_hz = hz;
    r->clock_measured = measured;
    ASSERT(r->clock_low_hz > 0 && r->clock_low_hz <= r->clock_high_hz);
}

static void count_oddities(struct import *im, const struct import_launch *l)
{
    struct import_report *r = im->report;

    r->accepted++;
    ASSERT_HOT(r->accepted <= im->launches_seen);
    im->no_shape += !l->has_shape;
    im->no_correlation += !l->has_correlation;
    im->no_stream += !l->has_stream;
    im->fine_durations += l->value % 1000 != 0;
    r->zero_duration += l->value == 0;
}

int import_launch(struct import *im, const struct import_launch *l, struct err *e)
{
    struct import_gpu *gpu;
    struct profile_row row;

    if (++im->launches_seen > im->options.most_rows)
        return err_set(e, ERR_TOO_LARGE, "%s: more than %llu kernel launches", im->name,
                       (unsigned long long)im->options.most_rows);
    if (!launch_ok(im, l))
        return 0;
    if (import_check_memory(im, e) < 0)
        return -1;
    ASSERT_HOT(l->name && l->value >= 0);
    gpu = gpu_get(im, l->device);
    if (!gpu)
        return err_set(e, ERR_TOO_LARGE, "%s: the launches ran on more than %d devices", im->name, GPUS_MAX);
    gpu->launches = true;
    if (__builtin_add_overflow(im->report->total, (uint64_t)l->value, &im->report->total))
        return err_set(e, ERR_INVALID, "%s: %s %llu: the sum of all launches exceeds 64 bits", im->name, l->place,
                       (unsigned long long)l->number);
    memset(&row, 0, sizeof row);
    row.name = l->name->text;
    row.mangled_name = l->mangled ? l->mangled->text : NULL;
    for (int i = 0; i < 3 && l->has_shape; i++) {
        row.grid[i] = (uint32_t)l->grid[i];
        row.block[i] = (uint32_t)l->block[i];
    }
    row.registers = (uint32_t)l->registers;
    row.shared_bytes = (uint32_t)l->shared_bytes;
    row.device = (int32_t)l->device;
    row.process = l->process;
    row.context = l->context;
    row.stream = l->stream;
    row.correlation = l->correlation;
    row.start_ns = l->start_ns;
    row.value = (uint64_t)l->value;
    row.graph = l->graph;
    count_oddities(im, l);
    if (im->ranges && ranges_launch(im->ranges, l->process, l->has_correlation ? l->correlation : 0,
                                    ranges_stream(l->device, l->stream), l->start_ns, e) < 0)
        return -1;
    return profile_builder_add(im->builder, &row, e);
}

void import_progress(struct import *im, uint64_t bytes_in)
{
    uint64_t now;

    im->report->bytes_read = bytes_in;
    if (!im->options.progress)
        return;
    now = clock_monotonic_us();
    if (now - im->last_progress_us < 250000)
        return;
    im->last_progress_us = now;
    im->options.progress(im->options.progress_ctx, bytes_in, im->launches_seen);
}
