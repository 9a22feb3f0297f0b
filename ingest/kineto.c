/* The trace of PyTorch's profiler (Kineto), or of JAX's (XLA): JSON in the Chrome trace event format, plain or
 * gzip. JAX has no categories: an event with `kernel_details` is a kernel, and metadata events say which process is
 * a GPU.
 *
 * Files reach gigabytes, so the JSON is parsed as a stream and only one trace event is in memory at a time.
 * Numbers are kept as text until their meaning is known. A time in microseconds since 1970 with three decimals
 * has more digits than a double can represent. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"
#include "ingest/decimal.h"
#include "ingest/json_stream.h"
#include "ingest/kineto_event.h"

#define GPUS_MAX 1024 /* JAX numbers the GPUs of one host */

#define JAX_EVENTS_MAX 1000000u /* xprof, MaybeDropEventsForTraceViewer() */

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
    {IN_ARGS, "kernel_details", K_DETAILS},
    {IN_ARGS, "memcpy_details", K_MEMORY_DETAILS},
    {IN_ARGS, "memset_details", K_MEMORY_DETAILS},
    {IN_ARGS, "context_id", K_CONTEXT},
    {IN_ARGS, "correlation_id", K_CORRELATION},
    {IN_ARGS, "name", K_PROCESS},
    {IN_GPU, "id", K_ID},
    {IN_GPU, "name", K_NAME},
};

/* State of the parser. Depth counts open objects and arrays. */
enum section { NOWHERE, EVENTS, DEVICES };

struct kineto {
    struct json_stream json;
    struct kineto_event event;
    struct strbuf gpu;
    enum section section;
    enum kineto_key key; /* key of the next value, where the value is used */
    int base;            /* depth inside the array of events or devices */
    int shape;           /* 0 grid, 1 block, -1: neither is being read */
    bool in_args, top_is_array;
    int64_t gpu_id;
    uint64_t kernels;
    struct {
        int64_t pid, gpu;
    } processes[GPUS_MAX]; /* JAX: processes of the trace that are GPUs */
    size_t process_count;
};

static enum place place_of(const struct kineto *k)
{
    ASSERT_HOT(k->json.depth >= 0 && k->base >= 0);
    if (k->section == NOWHERE)
        return k->json.depth == 1 && !k->top_is_array ? IN_TOP : ELSEWHERE;
    if (k->section == DEVICES)
        return k->json.depth == k->base + 1 ? IN_GPU : ELSEWHERE;
    if (k->json.depth == k->base + 1)
        return IN_EVENT;
    if (k->in_args && k->json.depth == k->base + 2)
        return IN_ARGS;
    return k->in_args && k->shape >= 0 && k->json.depth == k->base + 3 ? IN_SHAPE : ELSEWHERE;
}

/* --- callbacks of yajl; returning 0 stops the parser, with k->e filled --- */

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
    return json_stream_value(&k->json);
}

static int on_string(void *ctx, const unsigned char *bytes, size_t n)
{
    struct kineto *k = ctx;
    const char *text = (const char *)bytes;
    enum place place = place_of(k);

    if (place == IN_EVENT || place == IN_ARGS) {
        kineto_event_string(&k->event, k->key, text, n, k->json.im->options.most_name_bytes);
    } else if (place == IN_GPU && k->key == K_NAME) {
        strbuf_clear(&k->gpu);
        strbuf_add(&k->gpu, text, n < 1000 ? n : 1000);
    }
    k->key = K_OTHER;
    return json_stream_value(&k->json);
}

static int on_word(void *ctx) /* null, true, false: ignored, as if the key were absent */
{
    struct kineto *k = ctx;

    k->key = K_OTHER;
    return json_stream_value(&k->json);
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
    return json_stream_value(&k->json);
}

static int on_map_open(void *ctx)
{
    struct kineto *k = ctx;
    enum kineto_key key = k->key;

    k->key = K_OTHER;
    if (!json_stream_deeper(&k->json))
        return 0;
    if (k->section == EVENTS && k->json.depth == k->base + 1)
        kineto_event_begin(&k->event);
    else if (k->section == EVENTS && k->json.depth == k->base + 2)
        k->in_args = key == K_ARGS;
    else if (k->section == DEVICES && k->json.depth == k->base + 1) {
        strbuf_clear(&k->gpu);
        k->gpu_id = -1;
    }
    return 1;
}

/* JAX: the device of a kernel is what the process is named, and metadata events come first. */
static void number_device(struct kineto *k)
{
    struct kineto_event *v = &k->event;

    if (v->process_name && v->gpu >= 0 && k->process_count < GPUS_MAX) {
        k->processes[k->process_count].pid = v->pid;
        k->processes[k->process_count++].gpu = v->gpu;
    }
    for (size_t i = 0; i < k->process_count && v->category == KERNEL_EVENT && !v->has_device; i++) {
        if (k->processes[i].pid != v->pid)
            continue;
        v->device = k->processes[i].gpu;
        v->has_device = true;
    }
}

static int event_end(struct kineto *k)
{
    ASSERT_HOT(k->section == EVENTS);
    number_device(k);
    k->kernels += k->event.category == KERNEL_EVENT;
    return kineto_event_end(&k->event, k->json.im, k->json.e);
}

static int on_map_close(void *ctx)
{
    struct kineto *k = ctx;
    int ok = 1;

    ASSERT_HOT(k->json.depth > 0);
    k->key = K_OTHER;
    if (k->section == EVENTS && k->json.depth == k->base + 1)
        ok = event_end(k) == 0;
    else if (k->section == EVENTS && k->json.depth == k->base + 2)
        k->in_args = false;
    else if (k->section == DEVICES && k->json.depth == k->base + 1 && k->gpu_id >= 0 && k->gpu.length > 0)
        import_gpu_name(k->json.im, k->gpu_id, k->gpu.text, k->gpu.length);
    k->json.depth--;
    return ok && json_stream_value(&k->json);
}

static int on_array_open(void *ctx)
{
    struct kineto *k = ctx;
    enum kineto_key key = k->key;
    enum place place = place_of(k);

    k->key = K_OTHER;
    if (!json_stream_deeper(&k->json))
        return 0;
    if (k->json.depth == 1) { /* Chrome's format also allows the list of events without an object around it */
        k->top_is_array = true;
        k->section = EVENTS;
        k->base = 1;
    } else if (place == IN_TOP && (key == K_EVENTS || key == K_DEVICES)) {
        k->section = key == K_EVENTS ? EVENTS : DEVICES;
        k->base = k->json.depth;
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

    ASSERT_HOT(k->json.depth > 0);
    k->key = K_OTHER;
    if (k->section != NOWHERE && k->json.depth == k->base)
        k->section = NOWHERE;
    if (k->shape >= 0 && k->json.depth == k->base + 3)
        k->shape = -1;
    k->json.depth--;
    return json_stream_value(&k->json);
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
    int ret = json_stream_parse(&k->json, &callbacks, k, e);

    ASSERT(ret < 0 || k->section == NOWHERE);
    return ret;
}

static int refuse_no_kernels(const struct kineto *k, struct err *e)
{
    ASSERT(k->kernels == 0);
    if (k->process_count > 0) {
        err_set(e, ERR_INVALID, "%s: no GPU kernels in this trace: none of its %llu events has kernel_details",
                stream_name(k->json.stream), (unsigned long long)k->event.number);
        return err_hint(e,
                        "Run the computation between jax.profiler.start_trace() and stop_trace(), and wait for its "
                        "result before stop_trace().");
    }
    err_set(e, ERR_INVALID,
            "%s: no GPU kernels in this trace: none of its %llu events is of the category \"kernel\"",
            stream_name(k->json.stream), (unsigned long long)k->event.number);
    return err_hint(
        e, "Profile with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] on a machine with a GPU.");
}

static void warn_of_cut(const struct kineto *k)
{
    if (k->process_count > 0 && k->event.number >= JAX_EVENTS_MAX)
        import_warn(k->json.im, "jax_cut", k->event.number,
                    "JAX writes at most %u events into this file and leaves out the rest: kernels may be missing. "
                    "Trace fewer steps.",
                    JAX_EVENTS_MAX);
}

int kineto_import(struct import *im, struct err *e)
{
    struct kineto *k = mem_zalloc(1, sizeof *k, e);
    int ret = -1;

    if (!k)
        return -1;
    k->shape = -1;
    k->event.name = (struct strbuf)STRBUF_INIT;
    k->gpu = (struct strbuf)STRBUF_INIT;
    if (import_ranges_begin(im, e) == 0 && json_stream_open(&k->json, im, e) == 0 && kineto_read(k, e) == 0)
        ret = k->kernels ? 0 : refuse_no_kernels(k, e);
    if (ret == 0) {
        json_stream_report(&k->json);
        warn_of_cut(k);
    }
    json_stream_release(&k->json);
    strbuf_release(&k->event.name);
    strbuf_release(&k->gpu);
    free(k);
    return ret;
}
