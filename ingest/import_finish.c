/* The end of an import (ingest/import.h): warnings about all launches together, and the profile. */
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "ingest/import.h"

/* With at least this many launches, durations that are all whole microseconds are not a coincidence. */
#define COARSE_CLOCK_LAUNCHES 100

static void name_gpu(struct import *im)
{
    struct import_report *r = im->report;
    size_t others = 0;

    for (size_t i = 0; i < im->gpu_count; i++) {
        if (!im->gpus[i].launches || !im->gpus[i].name[0])
            continue;
        if (!r->gpu_name[0])
            memcpy(r->gpu_name, im->gpus[i].name, sizeof r->gpu_name);
        else
            others += strcmp(r->gpu_name, im->gpus[i].name) != 0;
    }
    ASSERT(others < im->gpu_count || others == 0);
    if (others)
        import_warn(im, "several_gpus", others,
                    "The launches ran on GPUs of different names; the profile is labelled %s, and durations of the "
                    "others are compared with it.",
                    r->gpu_name);
    if (!r->gpu_name[0] && r->unit == PROFILE_NS)
        import_warn(
            im, "no_gpu_name", 0,
            "The file does not name the GPU. To show the model error, say on which design it was recorded.");
}

static void name_clock(struct import *im)
{
    for (size_t i = 0; i < im->gpu_count && !im->report->clock_measured; i++)
        if (im->gpus[i].launches)
            import_clock(im, im->gpus[i].peak_hz, false);
}

static void warn_about_launches(struct import *im)
{
    const struct import_report *r = im->report;

    ASSERT(im->no_shape <= r->accepted && im->no_correlation <= r->accepted && im->no_stream <= r->accepted);
    if (r->unit == PROFILE_NS && r->zero_duration)
        import_warn(im, "zero_duration", r->zero_duration,
                    "Launches with a duration of 0 ns count as 0 in the total and are never sampled.");
    if (r->unit == PROFILE_NS && !im->fine_durations && r->accepted >= COARSE_CLOCK_LAUNCHES)
        import_warn(im, "coarse_clock", r->accepted,
                    "All durations are whole microseconds. The spread of short kernels is that of the clock, so "
                    "the promises for them are rough.");
    if (im->no_shape)
        import_warn(im, "no_shape", im->no_shape,
                    "Launches without grid and block. They are grouped by name alone, and their traces are matched "
                    "by name and order alone.");
    if (im->no_correlation)
        import_warn(im, "no_correlation", im->no_correlation,
                    "Launches without a correlation id. Their launch order is taken from their start times, which "
                    "is another order if streams overlap.");
    if (im->no_stream)
        import_warn(im, "no_stream", im->no_stream,
                    "Launches without a stream in the file; they count as one stream per context.");
}

/* The contexts are sorted by process. */
static void count_profile(const struct import *im, const struct profile *p)
{
    struct import_report *r = im->report;

    ASSERT(p->count == r->accepted);
    for (size_t i = 0; i < p->context_count; i++)
        r->processes += i == 0 || p->contexts[i].process != p->contexts[i - 1].process;
    for (size_t i = 0; i < im->gpu_count; i++)
        r->devices += im->gpus[i].launches;
    r->contexts = p->context_count;
    r->streams = p->stream_count;
    r->kernels = p->name_count;
    r->kernel_shapes = p->kernel_count;
    r->makespan_ns = profile_makespan_ns(p);
    ASSERT(r->processes <= r->contexts && r->contexts <= r->streams && r->kernels <= r->kernel_shapes);
}

static int refuse_empty(const struct import *im, const char *no_launches, struct err *e)
{
    const struct import_notes *d = &im->report->dropped;

    ASSERT(im->report->accepted == 0);
    if (im->report->dropped_count == 0)
        return err_set(e, ERR_INVALID, "%s: %s", im->name, no_launches);
    return err_set(e, ERR_INVALID, "%s: none of the %llu kernel launches can be used; the first reason: %s",
                   im->name, (unsigned long long)im->report->dropped_count,
                   d->count ? d->items[0].sentence : "no memory");
}

/* Where the planning variable is the instruction count, it also becomes the feature `instructions`, for methods
 * that need it. */
static int value_as_instructions(struct import *im, const struct profile *p, struct err *e)
{
    ASSERT(!im->features);
    im->features = features_new(e);
    if (!im->features)
        return -1;
    im->features->instructions = mem_zalloc(p->count, sizeof *p->value, e);
    if (!im->features->instructions)
        return -1;
    memcpy(im->features->instructions, p->value, p->count * sizeof *p->value);
    im->features->known = p->count;
    return 0;
}

static int resolve_ranges(struct import *im, struct profile *built, struct err *e)
{
    uint64_t cut;

    if (!im->ranges)
        return 0;
    if (import_check_memory(im, e) < 0 ||
        ranges_resolve(im->ranges, profile_builder_order_of_rows(im->builder), built, &cut, e) < 0)
        return -1;
    if (cut)
        import_warn(
            im, "layers_cut", cut,
            "Launches are inside more ranges than a layer's path can have, or the file has too many layers; "
            "their paths end early.");
    return im->note_lost ? err_no_memory(e) : 0;
}

int import_finish(struct import *im, const char *no_launches, struct profile *out, struct err *e)
{
    struct import_report *r = im->report;
    struct profile built;

    if (r->accepted == 0)
        return refuse_empty(im, no_launches, e);
    name_gpu(im);
    name_clock(im);
    warn_about_launches(im);
    if (im->note_lost)
        return err_no_memory(e);
    profile_init(&built);
    if (profile_builder_finish(im->builder, &built, e) < 0) {
        profile_release(&built);
        return -1;
    }
    memcpy(built.format, r->format, sizeof built.format);
    memcpy(built.gpu_name, r->gpu_name, sizeof built.gpu_name);
    count_profile(im, &built);
    if (resolve_ranges(im, &built, e) < 0 ||
        (!im->features && built.unit == PROFILE_WARP_INSTRUCTIONS && value_as_instructions(im, &built, e) < 0)) {
        profile_release(&built);
        return -1;
    }
    ASSERT(!im->features || im->features->known <= built.count);
    built.features = im->features;
    im->features = NULL;
    *out = built;
    return 0;
}
