/* Reads a folder or tar of Accel-Sim traces as a profile. The traces have no times, so the planning variable is
 * the number of warp instructions of each launch. Only headers and counts are read. Instructions are parsed only
 * when features are requested. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/demangle.h"
#include "base/assert.h"
#include "ingest/import.h"
#include "ingest/trace_features.h"
#include "simcore/trace/accel_sim.h"
#include "simcore/trace/bundle.h"
#include "simcore/trace/vtrace.h"

struct traces {
    struct import *im;
    struct trace_counter *counter; /* NULL: only instructions are counted */
    struct features_builder *features;
    uint64_t bytes, memory_copies, id_max, visited;
    size_t count;
};

static void note_version(struct import_report *r, const struct bundle_entry *entry, const struct kernel_info *k)
{
    const struct trace_place *p = &entry->place;

    if (r->schema[0])
        return;
    if (k->tracer_version)
        snprintf(r->schema, sizeof r->schema, "tracer version %u", k->tracer_version);
    else if (p->format == TRACE_VTRACE && p->file)
        snprintf(r->schema, sizeof r->schema, ".vtrace written by %.30s", vtrace_tool(p->file));
    else
        snprintf(r->schema, sizeof r->schema, "tracer of no known version");
    if (k->binary_version)
        snprintf(r->schema + strlen(r->schema), sizeof r->schema - strlen(r->schema), ", sm_%u", k->binary_version);
    ASSERT(r->schema[0]);
}

static int take_kernel(struct traces *t, const struct bundle_entry *entry, const struct kernel_info *k,
                       uint64_t warp_instructions, struct err *e)
{
    struct import_launch l = {.place = "kernel",
                              .number = entry->id,
                              .has_shape = true,
                              .has_correlation = true,
                              .has_stream = true,
                              .registers = k->registers,
                              .shared_bytes = k->shared_bytes,
                              .context = entry->context,
                              .correlation = entry->order,
                              .stream = k->stream};
    char *name = demangle(k->name, e);
    int ret = -1;

    if (!name)
        return -1;
    for (int i = 0; i < 3; i++) {
        l.grid[i] = k->grid[i];
        l.block[i] = k->block[i];
    }
    if (warp_instructions > INT64_MAX)
        err_set(e, ERR_INVALID, "%s: more than 2^63 instructions", entry->label);
    else if (import_intern(t->im, name, strlen(name), &l.name, e) == 0 &&
             import_intern(t->im, k->name, strlen(k->name), &l.mangled, e) == 0) {
        l.value = (int64_t)warp_instructions;
        ret = import_launch(t->im, &l, e);
    }
    free(name);
    return ret;
}

/* Counts every instruction of the kernel. */
static int count_features(struct traces *t, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    const struct ingest_options *o = &t->im->options;
    struct launch_features found;
    struct inst_source *source;
    int ret = -1;

    ASSERT(entry->index < entry->count);
    if (bundle_entry_open(entry, s, &source, e) < 0)
        return -1;
    note_version(t->im->report, entry, &source->info);
    if (!t->features)
        t->features = features_builder_new(entry->count, e);
    if (t->features &&
        trace_counter_read(t->counter, source, o->wave_ctas ? o->wave_ctas(o->wave_ctx, &source->info) : 0, &found,
                           e) == 0 &&
        features_builder_add(t->features, entry->index, &found, e) == 0)
        ret = take_kernel(t, entry, &source->info, found.instructions, e);
    inst_source_release(source);
    if (ret == 0 && features_builder_bytes(t->features) > o->most_memory_bytes)
        return err_set(e, ERR_TOO_LARGE, "%s: the features of its launches take more than %llu bytes of memory",
                       t->im->name, (unsigned long long)o->most_memory_bytes);
    return ret;
}

static int count_instructions(struct traces *t, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    struct kernel_info info = {0};
    struct trace_counts counts;
    uint64_t bytes;
    int ret = bundle_entry_count(entry, s, &info, &counts, &bytes, e);

    if (ret == 0) {
        note_version(t->im->report, entry, &info);
        ret = take_kernel(t, entry, &info, counts.warp_instructions, e);
    }
    kernel_info_release(&info);
    return ret;
}

static int visit(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    struct traces *t = ctx;
    int ret;

    ASSERT(t->visited == 0 || t->count == entry->count);
    t->count = entry->count;
    t->memory_copies = entry->memory_copies;
    t->id_max = entry->id > t->id_max ? entry->id : t->id_max;
    t->visited++;
    ret = t->counter ? count_features(t, entry, s, e) : count_instructions(t, entry, s, e);
    t->bytes += s ? stream_bytes_in(s) : 0; /* a .vtrace has no stream; report() adds its size */
    import_progress(t->im, t->bytes);
    return ret;
}

/* A missing launch would shift the order of all launches after it. The bundle is therefore read completely or
 * refused. */
static int check_whole(const struct traces *t, struct err *e)
{
    if (t->visited != t->count)
        return err_set(e, ERR_INVALID,
                       "%s: the kernel lists name %zu launches, but there are %llu kernel files for them",
                       t->im->name, t->count, (unsigned long long)t->visited);
    if (t->im->report->dropped_count > 0)
        return err_set(e, ERR_INVALID, "%s: %llu of its kernels cannot be used; the first reason: %s", t->im->name,
                       (unsigned long long)t->im->report->dropped_count, t->im->report->dropped.items[0].sentence);
    return 0;
}

static void report(struct traces *t)
{
    struct import *im = t->im;
    struct stat st;

    ASSERT(t->visited == t->count && im->report->dropped_count == 0);
    import_ignore(im, IGNORE_MEMORY_OPERATION, t->memory_copies, "Memcpy lines of the kernel list");
    if (t->id_max > t->count)
        import_warn(im, "partial_trace", t->id_max - t->count,
                    "The kernel files are numbered up to %llu, but only %zu are there: totals cover the recorded "
                    "launches alone.",
                    (unsigned long long)t->id_max, t->count);
    if (stat(im->path, &st) == 0 && S_ISREG(st.st_mode))
        t->bytes = (uint64_t)st.st_size;
    im->report->bytes_read = t->bytes;
}

int accel_sim_import(struct import *im, struct err *e)
{
    struct traces t = {.im = im};
    int ret = -1;

    ASSERT(!im->features && im->launches_seen == 0);
    if (im->options.features && !(t.counter = trace_counter_new(e)))
        return -1;
    if (bundle_walk(im->path, visit, &t, e) == 0 && check_whole(&t, e) == 0) {
        report(&t);
        ret = 0;
    }
    if (ret == 0 && t.features) {
        im->features = features_builder_finish(t.features, im->options.wave_ctas != NULL, e);
        ret = im->features ? 0 : -1;
    }
    features_builder_free(t.features);
    trace_counter_free(t.counter);
    return ret;
}
