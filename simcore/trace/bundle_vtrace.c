/* simcore/trace/bundle_vtrace.c: .vtrace files as kernels of a bundle, file by file. The launches keep the order of
 * the file, grouped by context. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/strbuf.h"
#include "simcore/trace/bundle_list.h"
#include "simcore/trace/vtrace.h"

static int by_name(const void *a, const void *b)
{
    return catalog_compare_names(((const struct catalog_file *)a)->name, ((const struct catalog_file *)b)->name);
}

/* Compares by context, then by original order. */
static int by_context(const void *a, const void *b)
{
    const struct bundle_kernel *x = a, *y = b;

    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static char *launch_name(const char *file, size_t launch, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char *name;

    strbuf_addf(&b, "%s: launch %zu", file, launch);
    name = strbuf_detach(&b);
    if (!name)
        err_no_memory(e);
    return name;
}

static int add_launch(struct bundle *out, size_t *capacity, const struct catalog_file *f, const char *shown,
                      struct vtrace *v, size_t launch, struct err *e)
{
    const struct vtrace_launch *x = vtrace_launch_at(v, launch);
    const char *slash = strrchr(f->name, '/');
    void *p = out->kernels;
    struct bundle_kernel *k;

    if (array_reserve(&p, capacity, out->count + 1, sizeof *out->kernels, e) < 0)
        return -1;
    out->kernels = p;
    k = &out->kernels[out->count];
    *k = (struct bundle_kernel){.path = mem_strdup(f->path, e),
                                .name = launch_name(shown, launch, e),
                                .label = launch_name(slash ? slash + 1 : f->name, launch, e),
                                .context = x->context,
                                .order = out->count,
                                .id = x->info.id,
                                .format = TRACE_VTRACE,
                                .file = v,
                                .launch = launch};
    out->count++;
    return k->path && k->name && k->label ? 0 : -1;
}

static int add_file(struct bundle *out, size_t *capacity, const struct catalog_file *f, const char *what,
                    struct err *e)
{
    char *shown = catalog_shown(f, what, out->scratch != NULL, e);
    struct vtrace *v = NULL;
    int ret = shown ? vtrace_open_as(f->path, shown, &v, e) : -1;

    if (ret == 0) {
        out->files[out->file_count++] = v;
        for (size_t i = 0; ret == 0 && i < vtrace_launch_count(v); i++)
            ret = add_launch(out, capacity, f, shown, v, i, e);
    }
    free(shown);
    return ret;
}

/* Adds the copies of a file whose launches were added from `first` on. place: the current index of each kernel. */
static int add_copies(struct bundle *out, struct vtrace *v, size_t first, const size_t *place, struct err *e)
{
    const struct trace_copies *list = vtrace_copies(v);
    size_t count = vtrace_launch_count(v);

    out->memory_copies += list->count;
    for (size_t i = 0; i < list->count; i++) {
        struct trace_copy c = list->items[i];
        uint64_t n = c.before;
        bool last = n == count || (n > 0 && vtrace_launch_at(v, n)->context != c.context);

        ASSERT(n <= count && (n > 0 || !last));
        c.before = last ? place[first + n - 1] + 1 : place[first + n];
        if (trace_copies_add(&out->copies, &c, e) < 0)
            return -1;
    }
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct trace_copy *x = a, *y = b;

    if (x->before != y->before)
        return x->before < y->before ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static int take_copies(struct bundle *out, struct err *e)
{
    size_t *place = mem_zalloc(out->count + 1, sizeof *place, e), first = 0;
    int ret = place ? 0 : -1;

    for (size_t i = 0; place && i < out->count; i++) {
        ASSERT(out->kernels[i].order < out->count);
        place[out->kernels[i].order] = i;
    }
    for (size_t f = 0; ret == 0 && f < out->file_count; f++) {
        ret = add_copies(out, out->files[f], first, place, e);
        first += vtrace_launch_count(out->files[f]);
    }
    ASSERT(ret < 0 || first == out->count);
    if (out->file_count > 1 && out->copies.count)
        qsort(out->copies.items, out->copies.count, sizeof *out->copies.items, by_place);
    free(place);
    return ret;
}

int catalog_resolve_vtraces(struct catalog *c, const char *what, struct bundle *out, struct err *e)
{
    size_t capacity = 0;
    uint64_t order = 0;

    ASSERT(c->vtrace_count > 0 && out->count == 0);
    qsort(c->vtraces, c->vtrace_count, sizeof *c->vtraces, by_name);
    out->files = mem_zalloc(c->vtrace_count, sizeof(struct vtrace *), e);
    if (!out->files)
        return -1;
    for (size_t i = 0; i < c->vtrace_count; i++)
        if (add_file(out, &capacity, &c->vtraces[i], what, e) < 0)
            return -1;
    ASSERT(out->file_count == c->vtrace_count);
    qsort(out->kernels, out->count, sizeof *out->kernels, by_context);
    if (take_copies(out, e) < 0)
        return -1;
    for (size_t i = 0; i < out->count; i++) {
        order = i > 0 && out->kernels[i].context != out->kernels[i - 1].context ? 0 : order;
        out->kernels[i].order = order++;
    }
    return 0;
}
