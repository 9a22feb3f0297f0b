/* Scripts for Nsight Compute: one call of ncu per kernel name. It counts the launches of that name in one
 * context, from 1. If mangled names are unknown, a call counts all launches of the context instead. Source:
 * Nsight Compute CLI documentation, "Profile" (kernel-id, launch-skip, launch-count, kill). */
#include "wire/tracer_script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

/* In --kernel-id the name is between colons. All characters of a C++ mangled name are safe there. */
static bool safe_name(const char *name)
{
    return name && *name &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.") == strlen(name);
}

/* --- launches by mangled name --- */

struct naming {
    const struct profile *p;
    uint32_t *name;   /* index: kernel; number of its mangled name */
    uint32_t *bearer; /* index: name; one kernel with that name */
    size_t count;
};

static int by_mangled(const void *a, const void *b, void *profile)
{
    const struct profile *p = profile;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    int order = strcmp(p->kernels[i].mangled_name, p->kernels[j].mangled_name);

    return order ? order : (i > j) - (i < j);
}

static int naming_init(struct naming *n, const struct profile *p, struct err *e)
{
    uint32_t *order = mem_zalloc(p->kernel_count, sizeof *order, e);

    *n = (struct naming){.p = p,
                         .name = mem_zalloc(p->kernel_count, sizeof *n->name, e),
                         .bearer = mem_zalloc(p->kernel_count, sizeof *n->bearer, e)};
    if (!order || !n->name || !n->bearer) {
        ASSERT(n->count <= p->kernel_count);
        free(order);
        return -1;
    }
    for (size_t i = 0; i < p->kernel_count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, p->kernel_count, sizeof *order, by_mangled, (void *)p);
    for (size_t i = 0; i < p->kernel_count; i++) {
        const char *a = p->kernels[order[i]].mangled_name, *b = p->kernels[order[i ? i - 1 : 0]].mangled_name;

        if (i == 0 || strcmp(a, b) != 0)
            n->bearer[n->count++] = order[i];
        n->name[order[i]] = (uint32_t)n->count - 1;
    }
    free(order);
    return 0;
}

/* A kernel without a mangled name could have one of the counted names, so all must have one. */
static bool all_named(const struct profile *p)
{
    for (size_t k = 0; k < p->kernel_count; k++)
        if (!safe_name(p->kernels[k].mangled_name))
            return false;
    return true;
}

struct named_pick {
    uint32_t name;
    uint64_t number; /* among the launches of this name, from 1 */
};

static int by_name(const void *a, const void *b)
{
    const struct named_pick *x = a, *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int number_picks(const struct tracer_job *job, const struct naming *n, struct named_pick *out, struct err *e)
{
    const struct profile *p = job->profile;
    uint64_t first = p->contexts[job->context].first, *seen = mem_zalloc(n->count, sizeof *seen, e);
    size_t done = 0;

    if (!seen)
        return -1;
    for (uint64_t i = 0; done < job->pick_count; i++) { /* picks are in launch order */
        uint32_t name = n->name[p->kernel[first + i]];

        ASSERT(i < p->contexts[job->context].count);
        seen[name]++;
        if (job->picks[done].order == i)
            out[done++] = (struct named_pick){name, seen[name]};
    }
    ASSERT(done == job->pick_count);
    free(seen);
    qsort(out, job->pick_count, sizeof *out, by_name);
    return 0;
}

/* Adds one call: a name and as many launch numbers as fit in one argument. Returns how many were added. */
static size_t add_named(struct tracer_job *job, const struct naming *n, const struct named_pick *picks,
                        size_t count, struct strbuf *out)
{
    const char *name = n->p->kernels[n->bearer[picks[0].name]].mangled_name;
    size_t used = 0, before = out->length;

    ASSERT(count > 0 && picks[0].name < n->count);
    job->passes++;
    strbuf_addf(out, "pass %zu \"$context\"'::%s:^(", job->passes, name); /* safe_name(): it has no quote */
    while (used < count && picks[used].name == picks[0].name && out->length - before + 50 < TRACER_TEXT_MAX) {
        strbuf_addf(out, "%s%" PRIu64, used ? "|" : "", picks[used].number);
        used++;
    }
    ASSERT(used > 0); /* the caller continues after these */
    strbuf_addf(out, ")$' 0 %zu \"$@\"\n", used);
    return used;
}

static int add_by_name(struct tracer_job *job, struct strbuf *out, struct err *e)
{
    struct named_pick *picks = mem_zalloc(job->pick_count, sizeof *picks, e);
    struct naming n = {0};
    int ret = picks ? naming_init(&n, job->profile, e) : -1;

    ASSERT(job->offset == 0 && job->pick_count > 0);
    if (ret == 0)
        ret = number_picks(job, &n, picks, e);
    for (size_t i = 0; ret == 0 && i < job->pick_count;)
        i += add_named(job, &n, picks + i, job->pick_count - i, out);
    free(n.name);
    free(n.bearer);
    free(picks);
    return ret;
}

static int add_by_order(struct tracer_job *job, struct strbuf *out, struct err *e)
{
    struct tracer_run *runs;

    if (tracer_runs(job, job->passes_max, &runs, &job->passes, e) < 0)
        return -1;
    strbuf_addf(out, "# %s: the numbers count all launches of the context.\n",
                job->offset ? "A part of a run, whose names were launched before" : "Without mangled names");
    ASSERT(job->passes > 0 && job->passes <= job->pick_count);
    for (size_t i = 0; i < job->passes; i++) {
        uint64_t length = runs[i].last - runs[i].first + 1;

        ASSERT(runs[i].picks <= length);
        job->surplus += length - runs[i].picks;
        strbuf_addf(out, "pass %zu \"$context:::\" %" PRIu64 " %" PRIu64 " \"$@\"\n", i + 1,
                    runs[i].first + job->offset, length);
    }
    free(runs);
    return 0;
}

int tracer_write_ncu(struct tracer_job *job, struct strbuf *out, struct err *e)
{
    strbuf_adds(
        out,
        "NCU=${NCU:-ncu}\n"
        "NCU_SET=${NCU_SET:-full}\n"
        "command -v \"$NCU\" >/dev/null || stop \"$NCU is not here; NCU says where it is\"\n"
        "# PASS KERNEL-ID SKIP COUNT PROGRAM...\n"
        "pass() {\n"
        "    number=$1 id=$2 skip=$3 count=$4\n"
        "    shift 4\n"
        "    \"$NCU\" --target-processes all --graph-profiling node --kernel-name-base mangled --kernel-id \"$id\" "
        "\\\n"
        "        --launch-skip \"$skip\" --launch-count \"$count\" --kill yes --set \"$NCU_SET\" --force-overwrite "
        "\\\n"
        "        --export \"$OUT/ncu-$number\" \"$@\" || stop \"pass $number failed\"\n"
        "}\n"
        "\n"
        "# The dry run: a metric that needs no second run of a kernel, for every launch.\n"
        "[ -n \"$dry_run\" ] ||\n"
        "    \"$NCU\" --target-processes all --graph-profiling node --csv --log-file \"$OUT/dry-run.csv\" \\\n"
        "        --print-kernel-base mangled --metrics launch__thread_count \"$@\" || stop \"the dry run failed\"\n"
        "find_offset \"$OUT/dry-run.csv\" \"$@\"\n"
        "part=$(check \"$OUT/dry-run.csv\")\n"
        "context=${part##*context } # as this tool numbers it\n"
        "\n");
    if ((all_named(job->profile) && !job->offset ? add_by_name(job, out, e) : add_by_order(job, out, e)) < 0)
        return -1;
    strbuf_addf(out, "\necho \"$0: %zu reports are in $OUT\" >&2\n", job->passes);
    return 0;
}
