/* ptx/runtime/state.c: initialization at the first call, the lock, the thread's last error, cleanup. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "ptx/runtime/runtime.h"

#define MEMORY_DEFAULT (16ull << 30)

struct shim shim;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local cudaError_t last_error;

void shim_lock(void)
{
    pthread_mutex_lock(&lock);
}

void shim_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void shim_say(const char *format, ...)
{
    struct strbuf b = STRBUF_INIT;
    va_list ap;

    va_start(ap, format);
    strbuf_adds(&b, "vivace exec: ");
    strbuf_vaddf(&b, format, ap);
    strbuf_addc(&b, '\n');
    va_end(ap);
    fflush(stdout); /* the program's output comes first */
    fputs(b.text, stderr);
    strbuf_release(&b);
}

void shim_output_failed(const char *what, const struct err *why)
{
    shim_say("%s%s%s", what, *what ? ": " : "", why->text);
    if (shim.output_failed == ERR_NONE)
        shim.output_failed = why->code;
}

/* --- settings --- */

static const char *text_setting(const char *name)
{
    const char *s = getenv(name);

    return s && *s ? s : NULL;
}

static int number_setting(const char *name, uint64_t otherwise, uint64_t *out, struct err *e)
{
    const char *s = text_setting(name);

    *out = otherwise;
    return s ? parse_u64(s, name, out, e) : 0;
}

int shim_settings_read(struct shim_settings *s, struct err *e)
{
    s->gpu = text_setting(SHIM_GPU);
    s->device = text_setting(SHIM_DEVICE);
    s->profile = text_setting(SHIM_PROFILE);
    s->only = text_setting(SHIM_ONLY);
    s->trace = text_setting(SHIM_TRACE);
    s->capture = text_setting(SHIM_CAPTURE);
    s->report = text_setting(SHIM_REPORT);
    s->checkpoint = text_setting(SHIM_CHECKPOINT);
    s->resume = text_setting(SHIM_RESUME);
    s->check = text_setting(SHIM_CHECK) != NULL;
    if (!s->device)
        s->device = s->gpu ? s->gpu : SHIM_DEVICE_DEFAULT;
    if (number_setting(SHIM_MEMORY, MEMORY_DEFAULT, &s->memory_bytes, e) != 0 ||
        number_setting(SHIM_CHECKPOINT_AT, 0, &s->checkpoint_at, e) != 0)
        return -1;
    return number_setting(SHIM_LIMIT, 0, &s->limit_instructions, e);
}

/* --- begin and end --- */

/* Writes the counts that `vivace exec` reports. */
static void write_report(void)
{
    struct strbuf b = STRBUF_INIT;
    uint64_t leaked;
    size_t leaks = shim_memory_leaks(&leaked);
    struct err e;

    strbuf_addf(&b, "launches %llu warp_instructions %llu leaks %zu leaked_bytes %llu failed %d not_run %llu\n",
                (unsigned long long)shim.launches, (unsigned long long)shim.warp_instructions, leaks,
                (unsigned long long)leaked, (int)shim.output_failed, (unsigned long long)shim.not_run);
    if (whole_file_write(shim.settings.report, b.text, b.length, &e) != 0)
        shim_say("%s", e.text);
    strbuf_release(&b);
}

/* Called at exit. The memory is not freed, because other threads may still use it. */
static void finish(void)
{
    shim_lock();
    if (shim.ready && !shim.closed) {
        record_close();
        resume_close();
        if (shim.settings.report)
            write_report();
        shim.closed = true;
    }
    shim_unlock();
}

static int set_up(struct err *e)
{
    if (shim_settings_read(&shim.settings, e) != 0 ||
        runtime_gpu_open(shim.settings.device, shim.settings.gpu != NULL, &shim.gpu, e) != 0)
        return -1;
    /* Host memory that the device can access uses the same range and has its own limit. */
    shim.memory = device_memory_new(2 * shim.settings.memory_bytes, e);
    shim.program = shim.memory ? ptx_program_new(shim.memory, e) : NULL;
    if (!shim.program)
        return -1;
    if (device_shift(shim.memory) != 0)
        return err_set(e, ERR_UNSUPPORTED,
                       "the addresses from 0x%llx on are taken in this process; the simulated GPU needs them",
                       (unsigned long long)PTX_GLOBAL_BASE);
    if (record_open(e) != 0 || resume_open(e) != 0)
        return -1;
    return atexit(finish) == 0 ? 0 : err_no_memory(e);
}

cudaError_t shim_enter(void)
{
    static bool failed;
    struct err e;

    shim_lock();
    if (shim.ready)
        return shim.sticky;
    if (!failed && set_up(&e) == 0) {
        shim.ready = true;
        return cudaSuccess;
    }
    if (!failed)
        shim_say("%s%s%s", e.text, *e.hint ? ": " : "", e.hint);
    failed = true;
    return cudaErrorInitializationError;
}

cudaError_t shim_leave(cudaError_t r)
{
    if (r != cudaSuccess && r != cudaErrorNotReady)
        last_error = r;
    shim_unlock();
    return r;
}

/* --- errors --- */

static const struct {
    cudaError_t code;
    const char *name, *text;
} errors[] = {
#define X(name, number, text) {name, #name, text},
    CUDA_ERRORS(X)
#undef X
};

const char *cudaGetErrorName(cudaError_t r)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == r)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t r)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == r)
            return errors[i].text;
    return "unrecognized error code";
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

/* A fault of a kernel is permanent: every call returns it. */
cudaError_t cudaGetLastError(void)
{
    cudaError_t r = last_error;

    last_error = shim.sticky;
    return r;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return cudaErrorInvalidValue;
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    return cudaRuntimeGetVersion(version);
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}
