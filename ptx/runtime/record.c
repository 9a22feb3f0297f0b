/* ptx/runtime/record.c: files written while a program runs: a profile of its launches, and traces of selected
 * launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/demangle.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "simcore/footprint/footprint.h"
#include "ptx/tools/launch_profile.h"
#include "ptx/runtime/runtime.h"
#include "simcore/trace/vtrace.h"

static struct strbuf times = STRBUF_INIT; /* the profile with --gpu */
static struct launch_profile counts;      /* the profile without --gpu */
static struct vtrace_writer *writer;
static struct footprints *footprints; /* NULL: the memory accessed before the traced launches is not recorded */
static uint64_t *only;                /* sorted */
static size_t only_count;
static bool all; /* every launch is selected */

enum { ONLY_BYTES_MAX = 64 << 20 };

bool record_wants(uint64_t number)
{
    size_t low = 0, high = only_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (only[middle] == number)
            return true;
        if (only[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return all;
}

bool record_reads(uint64_t number)
{
    bool later = all || (only_count && number < only[only_count - 1]);

    return writer && (record_wants(number) || (footprints && later));
}

static int write_source(struct inst_source *s, struct err *e)
{
    struct inst_source *followed;
    int ret;

    if (!footprints)
        return vtrace_writer_add(writer, s, e);
    if (footprints_source(footprints, s, &followed, e) != 0)
        return -1;
    ret = vtrace_writer_add(writer, followed, e);
    inst_source_release(followed);
    return ret;
}

int record_source(uint64_t number, struct inst_source *s, struct err *e)
{
    return record_wants(number) ? write_source(s, e) : footprints_launch(footprints, s, NULL, e);
}

static void follow(enum trace_copy_kind kind, const void *bytes, uint64_t n)
{
    const struct trace_copy c = {.kind = kind, .address = (uint64_t)(uintptr_t)bytes, .bytes = n};
    struct err e;

    if (footprints_copy(footprints, &c, &e) == 0)
        return;
    shim_output_failed("what copies leave in the caches is not followed", &e);
    footprints_free(footprints);
    footprints = NULL;
}

/* Records a copy row by row, because the bytes between rows are not accessed. */
static void follow_plane(enum trace_copy_kind kind, const struct plane *p, const struct work *w)
{
    bool whole = p->pitch == w->width && (w->depth == 1 || p->slice == w->width * w->height);

    if (whole) {
        follow(kind, p->bytes, (uint64_t)w->width * w->height * w->depth);
        return;
    }
    for (size_t z = 0; z < w->depth; z++)
        for (size_t y = 0; footprints && y < w->height; y++)
            follow(kind, p->bytes + z * p->slice + y * p->pitch, w->width);
}

/* A copy from device memory to device memory counts as two accesses: a read and a write. */
void record_copy(const struct work *w)
{
    bool fill = w->kind == WORK_FILL;

    if (footprints && !fill && (w->direction == cudaMemcpyDeviceToHost || w->direction == cudaMemcpyDeviceToDevice))
        follow_plane(TRACE_COPY_TO_HOST, &w->from, w);
    if (footprints && (fill || w->direction == cudaMemcpyHostToDevice || w->direction == cudaMemcpyDeviceToDevice))
        follow_plane(TRACE_MEMSET, &w->to, w);
}

static int read_only(const char *path, struct err *e)
{
    size_t n, capacity = 0;
    char *text, *at;

    if (whole_file_read(path, ONLY_BYTES_MAX, &text, &n, e) != 0)
        return -1;
    for (at = strtok(text, "\n"); at; at = strtok(NULL, "\n"))
        if (array_reserve((void **)&only, &capacity, only_count + 1, sizeof *only, e) != 0 ||
            parse_u64(at, path, &only[only_count++], e) != 0) {
            free(text);
            return -1;
        }
    free(text);
    return 0;
}

int record_open(struct err *e)
{
    const struct shim_settings *s = &shim.settings;
    const struct vtrace_options options = {.tool = "vivace " VIVACE_VERSION, .gpu = NULL};

    all = !s->only;
    if (s->only && read_only(s->only, e) != 0)
        return -1;
    launch_profile_init(&counts);
    if (s->profile && shim.gpu->ops->simulate)
        strbuf_adds(&times, "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (B),"
                            "DymSMem (B),Device,Ctx,Strm,Name\n");
    if (!s->trace)
        return 0;
    if (!s->resume && !(footprints = footprints_new(e)))
        return -1;
    return vtrace_writer_new(s->trace, &options, &writer, e);
}

/* Appends simulated times in the format of nsys's kernel trace. */
static void add_times(const struct shim_launched *x)
{
    const struct work *w = x->work;
    struct err e;
    char *name = demangle(w->kernel->name, &e);

    strbuf_addf(&times, "%llu,%llu,%llu,%u,%u,%u,%u,%u,%u,%u,%u,%u,%s (0),1,%llu,",
                (unsigned long long)(x->begin_ps / 1000), (unsigned long long)((x->length_ps + 500) / 1000),
                (unsigned long long)x->number + 1, w->grid[0], w->grid[1], w->grid[2], w->block[0], w->block[1],
                w->block[2], x->registers, x->static_shared, w->shared_bytes, shim.gpu->name,
                (unsigned long long)x->stream);
    strbuf_add_csv(&times, name ? name : w->kernel->name);
    strbuf_addc(&times, '\n');
    free(name);
}

void record_launch(const struct shim_launched *x)
{
    if (shim.settings.profile && shim.gpu->ops->simulate)
        add_times(x);
    else if (shim.settings.profile)
        launch_profile_add(&counts, x->work->kernel->name, x->work->grid, x->work->block, x->warp_instructions);
}

static int write_profile(struct err *e)
{
    if (!shim.gpu->ops->simulate)
        return launch_profile_write(&counts, shim.settings.profile, e);
    return times.failed ? err_no_memory(e) : whole_file_put(shim.settings.profile, times.text, times.length, e);
}

void record_close(void)
{
    struct err e;

    if (shim.settings.profile && write_profile(&e) != 0)
        shim_output_failed("", &e);
    launch_profile_release(&counts);
    strbuf_release(&times);
    if (writer && vtrace_writer_finish(writer, &e) != 0)
        shim_output_failed("", &e);
    vtrace_writer_release(writer);
    writer = NULL;
    footprints_free(footprints);
    footprints = NULL;
    free(only);
    only = NULL;
    only_count = 0;
}
