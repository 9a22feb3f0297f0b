/* The trace of PyTorch's profiler (Kineto): JSON in the Chrome trace event format, plain or gzip.
 *
 * Files reach gigabytes, so the JSON is parsed as a stream and only one trace event is in memory at a time.
 * Numbers are kept as text until their meaning is known. A time in microseconds since 1970 with three decimals
 * has more digits than a double can represent. */
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/stream.h"
#include "base/text.h"
#include "ingest/decimal.h"
#include "ingest/json_repair.h"
#include "ingest/kineto_event.h"

#define CHUNK_BYTES (256u << 10)
#define DEPTH_MAX   200         /* the profiler writes about six levels */
#define VALUE_BYTES (16u << 20) /* limit of one name, text or number; call stacks have kilobytes */

enum place { IN_TOP, IN_EVENT, IN_ARGS, IN_GPU, IN_SHAPE, ELSEWHERE };
static const struct {
    enum place place;
    const char *text;
    enum kineto_key key;
} keys[] = {
    {IN_TOP, "traceEvents", K_EVENTS},
    {IN_TOP, "deviceProperties", K_DEVICES},
    {IN_EVENT, "ph", K_PH},
    {IN_EVENT, "cat", K_CAT},
    {IN_EVENT, "name", K_NAME},
    {IN_EVENT, "ts", K_TS},
    {IN_EVENT, "dur", K_DUR},
    {IN_EVENT, "pid", K_PID},
    {IN_EVENT, "tid", K_TID},
    {IN_EVENT, "args", K_ARGS},
    {IN_ARGS, "device", K_DEVICE},
    {IN_ARGS, "context", K_CONTEXT},
    {IN_ARGS, "stream", K_STREAM},
    {IN_ARGS, "correlation", K_CORRELATION},
    {IN_ARGS, "registers per thread", K_REGISTERS},
    {IN_ARGS, "shared memory", K_SHARED},
    {IN_ARGS, "grid", K_GRID},
    {IN_ARGS, "block", K_BLOCK},
    {IN_GPU, "id", K_ID},
    {IN_GPU, "name", K_NAME},
};

/* State of the parser. Depth counts open objects and arrays. */
enum section { NOWHERE, EVENTS, DEVICES };

struct kineto {
    struct import *im;
    struct stream *stream;
    struct err *e;
    struct kineto_event event;
    struct strbuf gpu;
    enum section section;
    enum kineto_key key; /* key of the next value, where the value is used */
    int depth, base;     /* base: depth inside the array of events or devices */
    int shape;           /* 0 grid, 1 block, -1: neither is being read */
    bool in_args, top_is_array;
    int64_t gpu_id;
    yajl_handle parser;
    struct json_repair repair; /* used where im->repair */
    struct strbuf repaired;
    uint64_t kernels, bytes_seen, value_at; /* value_at: bytes_seen at the parser's last callback */
};

static enum place place_of(const struct kineto *k)
{
    ASSERT_HOT(k->depth >= 0 && k->base >= 0);
    if (k->section == NOWHERE)
        return k->depth == 1 && !k->top_is_array ? IN_TOP : ELSEWHERE;
    if (k->section == DEVICES)
        return k->depth == k->base + 1 ? IN_GPU : ELSEWHERE;
    if (k->depth == k->base + 1)
        return IN_EVENT;
    if (k->in_args && k->depth == k->base + 2)
        return IN_ARGS;
    return k->in_args && k->shape >= 0 && k->depth == k->base + 3 ? IN_SHAPE : ELSEWHERE;
}

/* --- callbacks of yajl; returning 0 stops the parser, with k->e filled --- */

static int note_position(struct kineto *k)
{
    k->value_at = k->bytes_seen;
    return 1;
}

static int on_number(void *ctx, const char *text, size_t n)
{
    struct kineto *k = ctx;
    enum place place = place_of(k);

    if (place == IN_SHAPE)
        kineto_event_shape(&k->event, k->shape, text, n);
    else if (place == IN_EVENT || place == IN_ARGS)
        kineto_event_number(&k->event, k->key, text, n);
    else if (place == IN_GPU && k->key == K_ID && decimal_scaled(text, n, 0, &k->gpu_id) < 0)
        k->gpu_id = -1;
    k->key = K_OTHER;
    return note_position(k);
}

static int on_string(void *ctx, const unsigned char *bytes, size_t n)
{
    struct kineto *k = ctx;
    const char *text = (const char *)bytes;
    enum place place = place_of(k);

    if (place == IN_EVENT || place == IN_ARGS) {
        kineto_event_string(&k->event, k->key, text, n, k->im->options.most_name_bytes);
    } else if (place == IN_GPU && k->key == K_NAME) {
        strbuf_clear(&k->gpu);
        strbuf_add(&k->gpu, text, n < 1000 ? n : 1000);
    }
    k->key = K_OTHER;
    return note_position(k);
}

static int on_word(void *ctx) /* null, true, false: ignored, as if the key were absent */
{
    struct kineto *k = ctx;

    k->key = K_OTHER;
    return note_position(k);
}

static int on_boolean(void *ctx, int value)
{
    (void)value;
    return on_word(ctx);
}

static int on_key(void *ctx, const unsigned char *text, size_t n)
{
    struct kineto *k = ctx;
    enum place place = place_of(k);

    k->key = K_OTHER;
    for (size_t i = 0; place != ELSEWHERE && i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].place == place && str_is((const char *)text, n, keys[i].text))
            k->key = keys[i].key;
    }
    return note_position(k);
}

static int deeper(struct kineto *k)
{
    unsigned long long at;

    ASSERT_HOT(k->depth >= 0 && k->depth <= DEPTH_MAX);
    note_position(k);
    if (++k->depth <= DEPTH_MAX)
        return 1;
    at = k->bytes_seen + yajl_get_bytes_consumed(k->parser);
    err_set(k->e, ERR_INVALID,
            "%s: its JSON is nested more than %d levels deep (at byte %llu); no profiler writes this",
            stream_name(k->stream), DEPTH_MAX, at);
    return 0;
}

static int on_map_open(void *ctx)
{
    struct kineto *k = ctx;
    enum kineto_key key = k->key;

    k->key = K_OTHER;
    if (!deeper(k))
        return 0;
    if (k->section == EVENTS && k->depth == k->base + 1)
        kineto_event_begin(&k->event);
    else if (k->section == EVENTS && k->depth == k->base + 2)
        k->in_args = key == K_ARGS;
    else if (k->section == DEVICES && k->depth == k->base + 1) {
        strbuf_clear(&k->gpu);
        k->gpu_id = -1;
    }
    return 1;
}

static int event_end(struct kineto *k)
{
    ASSERT_HOT(k->section == EVENTS);
    k->kernels += k->event.category == KERNEL_EVENT;
    return kineto_event_end(&k->event, k->im, k->e);
}

static int on_map_close(void *ctx)
{
    struct kineto *k = ctx;
    int ok = 1;

    ASSERT_HOT(k->depth > 0);
    k->key = K_OTHER;
    if (k->section == EVENTS && k->depth == k->base + 1)
        ok = event_end(k) == 0;
    else if (k->section == EVENTS && k->depth == k->base + 2)
        k->in_args = false;
    else if (k->section == DEVICES && k->depth == k->base + 1 && k->gpu_id >= 0 && k->gpu.length > 0)
        import_gpu_name(k->im, k->gpu_id, k->gpu.text, k->gpu.length);
    k->depth--;
    return ok && note_position(k);
}

static int on_array_open(void *ctx)
{
    struct kineto *k = ctx;
    enum kineto_key key = k->key;
    enum place place = place_of(k);

    k->key = K_OTHER;
    if (!deeper(k))
        return 0;
    if (k->depth == 1) { /* Chrome's format also allows the list of events without an object around it */
        k->top_is_array = true;
        k->section = EVENTS;
        k->base = 1;
    } else if (place == IN_TOP && (key == K_EVENTS || key == K_DEVICES)) {
        k->section = key == K_EVENTS ? EVENTS : DEVICES;
        k->base = k->depth;
    } else if (place == IN_ARGS && (key == K_GRID || key == K_BLOCK)) {
        ASSERT_HOT(k->section == EVENTS && k->shape < 0);
        k->shape = key == K_BLOCK;
        k->event.shape_count[k->shape] = 0;
    }
    return 1;
}

static int on_array_close(void *ctx)
{
    struct kineto *k = ctx;

    ASSERT_HOT(k->depth > 0);
    k->key = K_OTHER;
    if (k->section != NOWHERE && k->depth == k->base)
        k->section = NOWHERE;
    if (k->shape >= 0 && k->depth == k->base + 3)
        k->shape = -1;
    k->depth--;
    return note_position(k);
}

/* --- passing bytes to the parser --- */

static int refuse_json(struct kineto *k, yajl_handle y, const unsigned char *chunk, size_t n, struct err *e)
{
    unsigned char *why = yajl_get_error(y, 0, chunk, n);
    unsigned long long at = k->bytes_seen + yajl_get_bytes_consumed(y);
    const char *text = why ? (const char *)why : "no memory";

    k->im->broken_json = !str_starts(text, "parse error: premature EOF");
    if (!k->im->broken_json)
        err_set(e, ERR_INVALID, "%s: the JSON ends in the middle, after %llu bytes", stream_name(k->stream),
                (unsigned long long)k->bytes_seen);
    else
        err_set(e, ERR_INVALID, "%s: not valid JSON near byte %llu (%.*s)", stream_name(k->stream), at,
                (int)strcspn(text, "\n"), text);
    if (why)
        yajl_free_error(y, why);
    return err_hint(e, k->im->repair ? "Known errors of PyTorch's profiler were repaired; this is another error."
                                     : "Copy the trace again, or let the profiler finish writing it.");
}

/* Passes the next bytes of the file to the parser; n == 0 at the end of the file. The second pass repairs them
 * first. */
static int parse(struct kineto *k, yajl_handle y, const unsigned char *bytes, size_t n, struct err *e)
{
    bool last = n == 0;
    yajl_status status = yajl_status_ok;

    if (k->im->repair) {
        strbuf_clear(&k->repaired);
        json_repair_feed(&k->repair, (const char *)bytes, n, last, &k->repaired);
        if (k->repaired.failed || k->repair.rest.failed)
            return err_no_memory(e);
        bytes = (const unsigned char *)k->repaired.text;
        n = k->repaired.length;
    }
    if (n > 0)
        status = yajl_parse(y, bytes, n);
    if (status == yajl_status_ok && last)
        status = yajl_complete_parse(y);
    if (status == yajl_status_client_canceled)
        return -1; /* a callback filled *e */
    return status == yajl_status_ok ? 0 : refuse_json(k, y, bytes, n, e);
}

static int feed(struct kineto *k, yajl_handle y, unsigned char *chunk, struct err *e)
{
    for (;;) {
        ssize_t n = stream_read(k->stream, chunk, CHUNK_BYTES, e);
        size_t skip;

        if (n < 0)
            return -1;
        skip = k->bytes_seen == 0 && n >= 3 && memcmp(chunk, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* byte-order mark */
        if (n > 0 && skip == (size_t)n)
            continue;
        if (parse(k, y, chunk + skip, (size_t)n - skip, e) < 0)
            return -1;
        if (n == 0)
            return 0;
        k->bytes_seen += (uint64_t)n;
        ASSERT((size_t)n <= CHUNK_BYTES && k->value_at <= k->bytes_seen);
        if (k->bytes_seen - k->value_at > VALUE_BYTES)
            return err_set(e, ERR_INVALID,
                           "%s: a single value of more than %u MiB after byte %llu; no profiler writes this",
                           stream_name(k->stream), VALUE_BYTES >> 20, (unsigned long long)k->value_at);
        import_progress(k->im, stream_bytes_in(k->stream));
        if (import_check_memory(k->im, e) < 0)
            return -1;
    }
}

static int kineto_read(struct kineto *k, struct err *e)
{
    static const yajl_callbacks callbacks = {
        .yajl_null = on_word,
        .yajl_boolean = on_boolean,
        .yajl_number = on_number,
        .yajl_string = on_string,
        .yajl_start_map = on_map_open,
        .yajl_map_key = on_key,
        .yajl_end_map = on_map_close,
        .yajl_start_array = on_array_open,
        .yajl_end_array = on_array_close,
    };
    unsigned char *chunk = mem_zalloc(CHUNK_BYTES, 1, e);
    yajl_handle y = yajl_alloc(&callbacks, NULL, k);
    int ret = -1;

    k->parser = y;
    if (!chunk || !y) {
        err_no_memory(e);
    } else {
        /* Some names have invalid UTF-8. They are sanitized; the file is not refused. */
        yajl_config(y, yajl_dont_validate_strings, 1);
        ret = feed(k, y, chunk, e);
    }
    ASSERT(ret < 0 || (k->depth == 0 && k->section == NOWHERE));
    if (y)
        yajl_free(y);
    free(chunk);
    return ret;
}

static int refuse_no_kernels(const struct kineto *k, struct err *e)
{
    ASSERT(k->kernels == 0);
    err_set(e, ERR_INVALID,
            "%s: no GPU kernels in this trace: none of its %llu events is of the category \"kernel\"",
            stream_name(k->stream), (unsigned long long)k->event.number);
    return err_hint(
        e, "Profile with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] on a machine with a GPU.");
}

static void warn_of_repairs(struct import *im, const struct json_repair *r)
{
    uint64_t count = r->words + r->controls + r->backslashes + r->quotes;

    if (count)
        import_warn(im, "repaired_json", count,
                    "the profiler wrote invalid JSON: %llu values that are not numbers (NaN, inf, N/A) count as "
                    "missing; %llu control characters, %llu backslashes and %llu quotes inside texts were escaped",
                    (unsigned long long)r->words, (unsigned long long)r->controls,
                    (unsigned long long)r->backslashes, (unsigned long long)r->quotes);
}

int kineto_import(struct import *im, struct err *e)
{
    struct kineto k = {.im = im, .e = e, .shape = -1, .event = {.name = STRBUF_INIT}, .gpu = STRBUF_INIT};
    int ret = -1;

    k.repaired = (struct strbuf)STRBUF_INIT;
    k.repair.rest = (struct strbuf)STRBUF_INIT;

    if (import_ranges_begin(im, e) < 0 || import_open(im, &k.stream, e) < 0)
        return -1;
    if (kineto_read(&k, e) == 0)
        ret = k.kernels ? 0 : refuse_no_kernels(&k, e);
    if (ret == 0)
        warn_of_repairs(im, &k.repair);
    im->report->bytes_read = stream_bytes_in(k.stream);
    json_repair_release(&k.repair);
    strbuf_release(&k.repaired);
    strbuf_release(&k.event.name);
    strbuf_release(&k.gpu);
    stream_close(k.stream);
    return ret;
}
