#include "sampling/profile/domains.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/profile/kernel_class.h"
#include "sampling/profile/profile.h"

static const char *const kind_names[DOMAIN_KINDS] = {"layer", "phase", "step", "class", "rank"};

const char *domain_kind_name(enum domain_kind kind)
{
    ASSERT((unsigned)kind < DOMAIN_KINDS);
    return kind_names[kind];
}

int domain_kind_from_name(const char *name, enum domain_kind *out, struct err *e)
{
    for (int k = 0; k < DOMAIN_KINDS; k++) {
        if (strcmp(name, kind_names[k]) == 0) {
            *out = k;
            return 0;
        }
    }
    err_set(e, ERR_USAGE, "`%.40s` is not a kind of part of a workload", name);
    return err_hint(e, "Parts are: layer, phase, step, class, rank.");
}

struct domains *domains_new(struct err *e)
{
    return mem_zalloc(1, sizeof(struct domains), e);
}

void domains_free(struct domains *d)
{
    for (int c = 0; d && c < DOMAIN_COLUMNS; c++) {
        for (size_t i = 0; i < d->columns[c].count; i++)
            free(d->columns[c].names[i]);
        free(d->columns[c].names);
        free(d->columns[c].of);
    }
    free(d);
}

static int view_classes(const struct profile *p, struct domain_view *out, struct err *e)
{
    out->of_kernel = mem_zalloc(p->kernel_count + 1, sizeof *out->of_kernel, e);
    if (!out->of_kernel)
        return -1;
    for (size_t k = 0; k < p->kernel_count; k++)
        out->of_kernel[k] = kernel_class_of(p->kernels[k].name);
    out->count = KERNEL_CLASSES;
    out->names = kernel_class_names;
    return 1;
}

/* Writes the rank of each context, numbered by process, then GPU, and returns the number of ranks. Contexts are
 * sorted by process, but those of one process may use a GPU in turn. */
static size_t number_ranks(const struct profile *p, uint32_t *of_context)
{
    size_t count = 0;

    for (size_t from = 0, to; from < p->context_count; from = to) {
        int64_t last = INT64_MIN;

        for (to = from; to < p->context_count && p->contexts[to].process == p->contexts[from].process;)
            to++;
        for (;;) { /* the next greater device of the process */
            int64_t next = INT64_MAX;

            for (size_t c = from; c < to; c++)
                if (p->contexts[c].device > last && p->contexts[c].device < next)
                    next = p->contexts[c].device;
            if (next == INT64_MAX)
                break;
            for (size_t c = from; c < to; c++)
                if (p->contexts[c].device == next)
                    of_context[c] = (uint32_t)count;
            last = next;
            count++;
        }
    }
    return count;
}

static int name_ranks(struct domain_view *v, const uint32_t *of_context, struct err *e)
{
    const struct profile *p = v->profile;

    v->own_names = mem_zalloc(v->count, sizeof *v->own_names, e);
    if (!v->own_names)
        return -1;
    v->names = (const char *const *)v->own_names;
    for (size_t c = 0; c < p->context_count; c++) {
        char name[64];

        if (v->own_names[of_context[c]])
            continue;
        snprintf(name, sizeof name, "rank %" PRIu32 ", GPU %" PRId32, of_context[c], p->contexts[c].device);
        v->own_names[of_context[c]] = mem_strdup(name, e);
        if (!v->own_names[of_context[c]])
            return -1;
    }
    return 0;
}

/* A profile of one rank has none: its part would be the whole. */
static int view_ranks(const struct profile *p, struct domain_view *out, struct err *e)
{
    uint32_t *of_context = mem_zalloc(p->context_count + 1, sizeof *of_context, e);
    int ret = -1;

    if (!of_context)
        return -1;
    out->count = number_ranks(p, of_context);
    if (out->count < 2) {
        free(of_context);
        out->count = 0;
        return 0;
    }
    out->of_stream = mem_zalloc(p->stream_count, sizeof *out->of_stream, e);
    if (out->of_stream && name_ranks(out, of_context, e) == 0) {
        for (size_t s = 0; s < p->stream_count; s++)
            out->of_stream[s] = of_context[p->streams[s].context];
        ret = 1;
    }
    free(of_context);
    if (ret < 0)
        domain_view_release(out);
    return ret;
}

int domain_view_make(const struct profile *p, enum domain_kind kind, struct domain_view *out, struct err *e)
{
    const struct domain_column *c;

    *out = (struct domain_view){.profile = p};
    if (kind == DOMAIN_CLASS)
        return view_classes(p, out, e);
    if (kind == DOMAIN_RANK)
        return view_ranks(p, out, e);
    c = p->domains ? &p->domains->columns[kind] : NULL;
    if (!c || !c->of)
        return 0;
    ASSERT(c->count > 1);
    out->count = c->count;
    out->names = (const char *const *)c->names;
    out->of = c->of;
    return 1;
}

int domain_view_refuse(enum domain_kind kind, struct err *e)
{
    if (kind == DOMAIN_RANK) {
        err_set(e, ERR_INVALID, "the profile has one rank: all launches ran in one process on one GPU");
        return err_hint(e,
                        "Profile all processes of the run in one report (nsys profile around mpirun or torchrun).");
    }
    err_set(e, ERR_INVALID, "the profile has no %ss: no range encloses its launch calls", domain_kind_name(kind));
    return err_hint(e, "Profile with NVTX ranges (nsys profile --trace=cuda,nvtx), or in PyTorch with "
                       "record_function or with_modules=True.");
}

int domain_view_need(const struct profile *p, enum domain_kind kind, struct domain_view *out, struct err *e)
{
    int ret = domain_view_make(p, kind, out, e);

    return ret > 0 ? 0 : ret < 0 ? -1 : domain_view_refuse(kind, e);
}

uint32_t domain_of(const struct domain_view *v, size_t launch)
{
    if (v->of)
        return v->of[launch];
    return v->of_stream ? v->of_stream[v->profile->stream[launch]] : v->of_kernel[v->profile->kernel[launch]];
}

void domain_view_release(struct domain_view *v)
{
    for (size_t i = 0; v->own_names && i < v->count; i++)
        free(v->own_names[i]);
    free(v->own_names);
    free(v->of_stream);
    free(v->of_kernel);
    *v = (struct domain_view){0};
}

static int total_compare(const void *a, const void *b)
{
    const struct domain_total *x = a, *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->domain < y->domain ? -1 : 1;
}

int domain_totals(const struct domain_view *v, enum domain_kind kind, struct domain_total **out, size_t *count,
                  struct err *e)
{
    struct domain_total *t = mem_zalloc(v->count + 1, sizeof *t, e);
    size_t used = 0;

    *out = t;
    *count = 0;
    if (!t)
        return -1;
    for (size_t i = 0; i < v->profile->count; i++) {
        struct domain_total *to = &t[domain_of(v, i)];

        to->launches++;
        to->total += v->profile->value[i];
    }
    for (size_t d = 0; d < v->count; d++) {
        if (!t[d].launches)
            continue;
        t[used] = t[d];
        t[used].name = v->names[d];
        t[used++].domain = (uint32_t)d;
    }
    if (kind != DOMAIN_STEP)
        qsort(t, used, sizeof *t, total_compare);
    *count = used;
    return 0;
}
