#include "ingest/kineto_event.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/text.h"
#include "ingest/decimal.h"
#include "ingest/xla_details.h"

void kineto_event_begin(struct kineto_event *v)
{
    struct strbuf name = v->name;

    strbuf_clear(&name);
    *v = (struct kineto_event){.name = name, .number = v->number + 1, .gpu = -1};
    ASSERT_HOT(v->number > 0 && v->name.length == 0);
}

static enum kineto_category category_of(const char *text, size_t n)
{
    static const struct {
        const char *text;
        enum kineto_category category;
    } known[] = {
        {"kernel", KERNEL_EVENT},          {"Kernel", KERNEL_EVENT},
        {"gpu_memcpy", MEMORY_EVENT},      {"gpu_memset", MEMORY_EVENT},
        {"Memcpy", MEMORY_EVENT},          {"Memset", MEMORY_EVENT},
        {"cuda_runtime", CALL_EVENT},      {"cuda_driver", CALL_EVENT},
        {"Runtime", CALL_EVENT},           {"hip_runtime", CALL_EVENT},
        {"user_annotation", RANGE_EVENT},  {"gpu_user_annotation", GPU_RANGE_EVENT},
        {"python_function", PYTHON_EVENT}, {"cpu_op", OPERATOR_EVENT},
        {"Operator", OPERATOR_EVENT},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (str_is(text, n, known[i].text))
            return known[i].category;
    }
    return OTHER_EVENT;
}

static void take_time(struct kineto_event *v, const char *text, size_t n, int64_t *out, bool *has)
{
    *has = true;
    if (decimal_scaled(text, n, 3, out) < 0)
        v->bad_time = true;
}

static void take_number(struct kineto_event *v, const char *text, size_t n, int64_t *out)
{
    if (decimal_scaled(text, n, 0, out) < 0)
        v->bad_number = true;
}

void kineto_event_number(struct kineto_event *v, enum kineto_key key, const char *text, size_t n)
{
    switch (key) {
    case K_TS: take_time(v, text, n, &v->ts, &v->has_ts); break;
    case K_DUR: take_time(v, text, n, &v->dur, &v->has_dur); break;
    case K_TID:
        v->has_tid = decimal_scaled(text, n, 0, &v->tid) == 0;
        v->thread = hash_words(text, n);
        break;
    case K_PID: decimal_scaled(text, n, 0, &v->pid); break; /* of kernels this is the device again */
    case K_DEVICE:
        v->has_device = true;
        take_number(v, text, n, &v->device);
        break;
    case K_CONTEXT: take_number(v, text, n, &v->context); break;
    case K_STREAM:
        v->has_stream = true;
        take_number(v, text, n, &v->stream);
        break;
    case K_CORRELATION:
        v->has_correlation = true;
        take_number(v, text, n, &v->correlation);
        if (v->correlation < 0)
            v->bad_number = true;
        break;
    case K_REGISTERS: take_number(v, text, n, &v->registers); break;
    case K_SHARED: take_number(v, text, n, &v->shared); break;
    default: break;
    }
}

static void take_details(struct kineto_event *v, const char *text, size_t n)
{
    struct xla_details d;

    v->category = KERNEL_EVENT;
    v->bad_number |= !xla_details_read(text, n, &d);
    v->registers = d.registers;
    v->shared = d.shared_bytes;
    memcpy(v->shape[0], d.grid, sizeof d.grid);
    memcpy(v->shape[1], d.block, sizeof d.block);
    v->shape_count[0] = v->shape_count[1] = d.has_shape ? 3 : 0;
}

/* "/device:GPU:0", which JAX may follow with more text. */
static void take_process(struct kineto_event *v, const char *text, size_t n)
{
    static const char prefix[] = "/device:GPU:";
    size_t begin = sizeof prefix - 1, length = 0;

    while (begin + length < n && text[begin + length] >= '0' && text[begin + length] <= '9')
        length++;
    if (n <= begin || memcmp(text, prefix, begin) != 0 || decimal_scaled(text + begin, length, 0, &v->gpu) < 0)
        v->gpu = -1;
}

void kineto_event_string(struct kineto_event *v, enum kineto_key key, const char *text, size_t n,
                         size_t most_name_bytes)
{
    switch (key) {
    case K_PH: v->complete = str_is(text, n, "X"); break;
    case K_CAT: v->category = category_of(text, n); break;
    case K_DETAILS: take_details(v, text, n); break;
    case K_MEMORY_DETAILS: v->category = MEMORY_EVENT; break;
    case K_CONTEXT: kineto_event_number(v, key, text + xla_id_prefix(text, n), n - xla_id_prefix(text, n)); break;
    case K_PROCESS: take_process(v, text, n); break;
    case K_NAME:
        v->name_too_long = n > most_name_bytes;
        v->process_name = str_is(text, n, "process_name");
        strbuf_clear(&v->name);
        strbuf_add(&v->name, text, v->name_too_long ? most_name_bytes : n);
        break;
    case K_TID: /* "stream 7" in traces of 2021; otherwise a host thread */
        if (n > 7 && memcmp(text, "stream ", 7) == 0)
            v->has_tid = decimal_scaled(text + 7, n - 7, 0, &v->tid) == 0;
        v->thread = hash_words(text, n);
        break;
    default: kineto_event_number(v, key, text, n); break; /* numbers in quotes */
    }
}

void kineto_event_shape(struct kineto_event *v, int which, const char *text, size_t n)
{
    int at = v->shape_count[which];

    ASSERT_HOT((which == 0 || which == 1) && at <= 4);
    if (at < 3)
        take_number(v, text, n, &v->shape[which][at]);
    if (at < 4) /* a shape with a fourth number is invalid */
        v->shape_count[which]++;
}

/* The shape is valid only when both grid and block have three numbers. ROCm writes neither. */
static bool event_has_shape(const struct kineto_event *v)
{
    return v->shape_count[0] == 3 && v->shape_count[1] == 3;
}

static int event_take(const struct kineto_event *v, struct import *im, struct err *e)
{
    struct import_launch l = {.place = "event",
                              .number = v->number,
                              .registers = v->registers,
                              .shared_bytes = v->shared,
                              .start_ns = v->ts,
                              .value = v->dur};

    ASSERT_HOT(v->category == KERNEL_EVENT && v->has_ts && v->has_dur && v->complete);
    l.device = v->has_device ? v->device : v->pid;
    l.has_shape = event_has_shape(v);
    memcpy(l.grid, v->shape[0], sizeof l.grid);
    memcpy(l.block, v->shape[1], sizeof l.block);
    l.context = (uint64_t)v->context;
    l.has_stream = v->has_stream || v->has_tid;
    l.stream = (uint64_t)(v->has_stream ? v->stream : v->tid);
    l.has_correlation = v->has_correlation;
    l.correlation = (uint64_t)v->correlation;
    if (import_intern(im, v->name.text, v->name.length, &l.name, e) < 0)
        return -1;
    return import_launch(im, &l, e);
}

/* Whether the event is a range that says where in the program a launch is. */
static bool is_range(const struct kineto_event *v)
{
    const char *name = v->name.text;

    switch (v->category) {
    case RANGE_EVENT:
    case GPU_RANGE_EVENT: return true;
    case PYTHON_EVENT: return str_starts(name, "nn.Module: ");
    case OPERATOR_EVENT: return str_starts(name, "ProfilerStep#") || str_starts(name, "Optimizer.");
    default: return false;
    }
}

/* A trace is of one process. The process id of events on a GPU is the number of the device. */
static int event_take_range(const struct kineto_event *v, struct import *im, struct err *e)
{
    struct range_thread on = {0, v->thread};
    int64_t end;

    if (!v->complete || !v->has_ts || v->bad_time || v->bad_number)
        return 0;
    if (v->category == CALL_EVENT)
        return v->correlation > 0 ? ranges_call(im->ranges, on, (uint64_t)v->correlation, v->ts, e) : 0;
    if (!v->has_dur || v->name_too_long || __builtin_add_overflow(v->ts, v->dur, &end))
        return 0;
    if (v->category == GPU_RANGE_EVENT)
        on = (struct range_thread){RANGES_GPU, ranges_stream(v->has_device ? v->device : v->pid,
                                                             (uint64_t)(v->has_stream ? v->stream : v->tid))};
    return ranges_add(im->ranges, on, v->ts, end, v->name.text, v->name.length, e);
}

int kineto_event_end(const struct kineto_event *v, struct import *im, struct err *e)
{
    unsigned long long n = v->number;

    ASSERT_HOT(n > 0);
    if (v->category == MEMORY_EVENT)
        import_ignore(im, IGNORE_MEMORY_OPERATION, 1, "event %llu: %.100s", n, v->name.text);
    if (v->name.failed)
        return err_no_memory(e);
    if (v->category == CALL_EVENT || is_range(v))
        return event_take_range(v, im, e);
    if (v->category != KERNEL_EVENT)
        return 0;
    if (v->name_too_long)
        import_drop(im, DROP_NAME_TOO_LONG, "event %llu: %.60s...", n, v->name.text);
    else if (!v->has_ts)
        import_drop(im, DROP_NO_START_TIME, "event %llu: %s", n, v->name.text);
    else if (!v->has_dur || !v->complete)
        import_drop(im, DROP_NO_END_TIME, "event %llu: %s", n, v->name.text);
    else if (v->bad_time)
        import_drop(im, DROP_TIME_RANGE, "event %llu: %s", n, v->name.text);
    else if (v->bad_number)
        import_drop(im, DROP_BAD_NUMBER, "event %llu: %s", n, v->name.text);
    else
        return event_take(v, im, e);
    return 0;
}
