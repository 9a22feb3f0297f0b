#include "wire/tracer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/demangle.h"
#include "wire/tracer_script.h"

const struct tracer_tool tracer_tools[] = {
    {"accel-sim", "Accel-Sim tracer from May 2025",
     "Kernels are counted in each CUDA context from 1. A kernel that is captured into a CUDA graph counts once, "
     "when it is captured. Its replays do not count, so the list does not match then.",
     "stats_ctx_* or the folder it is in", false, false, tracer_write_accel_sim},
    {"accel-sim-old", "Accel-Sim tracer before May 2025",
     "It counts only what cuLaunchKernel starts, over all contexts of a process. A program that launches in other "
     "ways (cooperative, with attributes, by graphs) gives a shorter list, and the check stops there.",
     "stats.csv", true, false, tracer_write_accel_sim_old},
    {"macsim", "MacSim tracer",
     "It counts only what cuLaunchKernel starts, over all contexts of a process. A program that launches in other "
     "ways (cooperative, with attributes, by graphs) gives a shorter list, and the check stops there.",
     "kernel_names.txt", true, false, tracer_write_macsim},
    {"ncu", "Nsight Compute",
     "It counts kernels of one name from 1, and runs a kernel again for each group of metrics. A program that "
     "waits for other processes may hang. Kernels of a CUDA graph are listed one after the other, in the tool's "
     "order.",
     "the CSV of its dry run", false, true, tracer_write_ncu},
    {NULL, NULL, NULL, NULL, false, false, NULL},
};

const struct tracer_tool *tracer_find(const char *name, struct err *e)
{
    for (const struct tracer_tool *t = tracer_tools; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    err_set(e, ERR_INVALID, "there is no tracer `%.40s` here", name);
    err_hint(e, "Use accel-sim, accel-sim-old, macsim or ncu; for any other tracer use list.");
    return NULL;
}

/* --- plan and profile --- */

static bool same_sample(const struct plan *plan, const struct profile *p, const struct plan_sample *s)
{
    const struct plan_stratum *h = &plan->strata[s->stratum];
    const struct profile_kernel *k;

    ASSERT(s->stratum < plan->stratum_count);
    if (s->launch >= p->count || p->value[s->launch] != s->value)
        return false;
    k = &p->kernels[p->kernel[s->launch]];
    return (h->mixed_names || strcmp(k->name, h->kernel_name) == 0) &&
           (h->mixed_shapes ||
            (memcmp(k->grid, h->grid, sizeof k->grid) == 0 && memcmp(k->block, h->block, sizeof k->block) == 0));
}

int tracer_check_plan(const struct plan *plan, const struct profile *p, struct err *e)
{
    bool same = plan->unit == p->unit && plan->launches == p->count &&
                (plan->total == profile_total(p) || plan_part_any(&plan->part));

    for (size_t i = 0; same && i < plan->sample_count; i++)
        same = same_sample(plan, p, &plan->samples[i]);
    if (same)
        return 0;
    err_set(e, ERR_INVALID,
            "the plan does not belong to this profile: it belongs to one with %" PRIu64 " launches, hash %.12s…",
            plan->launches, plan->profile_sha256);
    return err_hint(e,
                    "Give the file that the plan was made from; another recording of the same program is another "
                    "profile.");
}

static int by_order(const void *a, const void *b)
{
    const struct tracer_pick *x = a, *y = b;

    return x->order < y->order ? -1 : x->order > y->order;
}

/* The order of calls between two contexts of a process is unknown: the profile keeps only the order within a
 * context. Correlation ids of one process would give the order, but traces of 2021 have none. */
static int check_process(const struct tracer_job *job, struct err *e)
{
    const struct profile *p = job->profile;
    uint64_t process = p->contexts[job->context].process;

    ASSERT(job->tool && job->tool->per_process && job->context < p->context_count);
    for (size_t c = 0; c < p->context_count; c++)
        if (c != job->context && p->contexts[c].process == process) {
            err_set(e, ERR_INVALID,
                    "according to the profile, contexts %zu and %zu belong to one process. This tracer (%s) counts "
                    "over both in the order of calls, which the profile does not have",
                    job->context, c, job->tool->name);
            return err_hint(e, "accel-sim (from May 2025) and ncu count in each context.");
        }
    return 0;
}

/* Tools store launch numbers in an int. MacSim's tracer names its files by launch number, and the reader of its
 * folder has no offset. */
static int check_offset(const struct tracer_job *job, struct err *e)
{
    if (job->offset > TRACER_OFFSET_MAX)
        return err_set(e, ERR_INVALID, "the profile cannot begin at launch %" PRIu64 ": tracers count to %d",
                       job->offset, TRACER_OFFSET_MAX);
    if (!job->offset || !job->tool || strcmp(job->tool->name, "macsim") != 0)
        return 0;
    err_set(e, ERR_INVALID,
            "the profile begins at launch %" PRIu64 " of the run, and %s names its files by its own numbers",
            job->offset, job->tool->title);
    return err_hint(
        e, "Use accel-sim, whose script numbers the traces as the profile does, or profile the whole run.");
}

static int nothing_to_trace(const struct tracer_job *job, struct err *e)
{
    ASSERT(job->tool && job->pick_count == 0);
    if (job->replayed > 0) {
        err_set(e, ERR_INVALID,
                "all %zu samples of context %zu are replays of CUDA graphs, and %s cannot address single replays",
                job->replayed, job->context, job->tool->name);
        return err_hint(
            e, "Profile and trace with CUDA graphs off, or use ncu, which records the kernels of a graph.");
    }
    return err_set(e, ERR_INVALID, "the plan drew no launch of context %zu: there is nothing to trace",
                   job->context);
}

static void add_pick(struct tracer_job *job, size_t sample)
{
    const struct profile *p = job->profile;
    uint64_t launch = job->plan->samples[sample].launch;
    const struct profile_tie *tie;
    bool counts_graphs = !job->tool || job->tool->graphs;

    if (profile_context_of(p, launch) != job->context) {
        job->elsewhere++;
        return;
    }
    tie = profile_tie_of(p, launch);
    job->tied += tie && tie->count > 1;
    if (tie && tie->graph && !counts_graphs) {
        job->replayed++;
        return;
    }
    ASSERT(job->pick_count < job->plan->sample_count);
    job->picks[job->pick_count++] = (struct tracer_pick){
        counts_graphs ? launch - p->contexts[job->context].first : profile_call_order(p, launch), sample};
}

int tracer_job_init(struct tracer_job *job, const struct tracer_tool *tool, const struct plan *plan,
                    const struct profile *profile, size_t context, uint64_t offset, struct err *e)
{
    ASSERT(context < profile->context_count);
    *job = (struct tracer_job){.tool = tool,
                               .plan = plan,
                               .profile = profile,
                               .context = context,
                               .offset = offset,
                               .passes_max = TRACER_PASSES_MAX};
    if (check_offset(job, e) < 0)
        return -1;
    if (tool && tool->per_process && check_process(job, e) < 0)
        return -1;
    job->picks = mem_zalloc(plan->sample_count, sizeof *job->picks, e);
    if (!job->picks)
        return -1;
    job->calls = !tool || tool->graphs ? profile->contexts[context].count : profile_calls(profile, context);
    for (size_t i = 0; i < plan->sample_count; i++)
        add_pick(job, i);
    ASSERT(job->pick_count + job->elsewhere + job->replayed == plan->sample_count);
    qsort(job->picks, job->pick_count, sizeof *job->picks, by_order);
    if (tool && job->pick_count == 0) {
        nothing_to_trace(job, e);
        tracer_job_release(job);
        return -1;
    }
    return 0;
}

void tracer_job_release(struct tracer_job *job)
{
    free(job->picks);
    job->picks = NULL;
    job->pick_count = 0;
}

/* --- runs of adjacent launches --- */

struct gap {
    uint64_t length;
    size_t after; /* end of the previous run */
};

static int by_length(const void *a, const void *b)
{
    const struct gap *x = a, *y = b;

    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return x->after < y->after ? -1 : 1;
}

/* Closes a gap by making the later run empty. Then removes the empty runs. */
static int close_gaps(struct tracer_run *runs, size_t *count, size_t most, struct err *e)
{
    size_t n = *count, kept = 1;
    struct gap *gaps = mem_zalloc(n, sizeof *gaps, e);
    char *closed = mem_zalloc(n, 1, e);

    ASSERT(most > 0 && n > most);
    if (!gaps || !closed) {
        free(gaps);
        free(closed);
        return -1;
    }
    for (size_t i = 0; i + 1 < n; i++)
        gaps[i] = (struct gap){runs[i + 1].first - runs[i].last - 1, i};
    qsort(gaps, n - 1, sizeof *gaps, by_length);
    for (size_t i = 0; i < n - most; i++)
        closed[gaps[i].after + 1] = 1;
    for (size_t i = 1; i < n; i++) {
        if (closed[i]) {
            runs[kept - 1].last = runs[i].last;
            runs[kept - 1].picks += runs[i].picks;
        } else {
            runs[kept++] = runs[i];
        }
    }
    ASSERT(kept == most);
    *count = kept;
    free(gaps);
    free(closed);
    return 0;
}

int tracer_runs(const struct tracer_job *job, unsigned most, struct tracer_run **out, size_t *count, struct err *e)
{
    struct tracer_run *runs = mem_zalloc(job->pick_count, sizeof *runs, e);
    size_t n = 0;

    *out = NULL;
    if (!runs)
        return -1;
    for (size_t i = 0; i < job->pick_count; i++) {
        uint64_t order = job->picks[i].order;

        if (n > 0 && runs[n - 1].last + 1 == order) {
            runs[n - 1].last = order;
            runs[n - 1].picks++;
        } else {
            runs[n++] = (struct tracer_run){order, order, i, 1};
        }
    }
    if (most > 0 && n > most && close_gaps(runs, &n, most, e) < 0) {
        free(runs);
        return -1;
    }
    ASSERT(n <= job->pick_count && (most == 0 || n <= most));
    *out = runs;
    *count = n;
    return 0;
}
