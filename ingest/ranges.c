/* Both ranges and launch calls are sorted by thread and time, and one sweep finds the open ranges of each call.
 * Paths are nodes of a tree (parent, name), so that a path costs no text before the end. */
#include "ingest/ranges.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"
#include "ingest/range_name.h"
#include "ingest/range_path.h"
#include "sampling/math/hash_index.h"

#define OPEN_MAX 200 /* ranges open at once; those further inside are ignored */

struct range {
    uint32_t thread, name;
    int64_t start, end;
    enum range_kind kind;
};

/* A launch call, or a launch. */
struct range_call {
    uint64_t correlation;
    int64_t start;
    uint32_t process, thread; /* of a launch: its stream */
};

struct ranges {
    struct range *items;
    struct range_call *calls, *launches;
    size_t count, capacity, call_count, call_capacity, launch_count, launch_capacity, thread_capacity;
    struct hash_index thread_index, process_index;
    struct range_thread *threads;
    uint64_t *processes;
    size_t process_capacity;
    struct range_paths paths;
};

/* When a launch was called, and on which thread. */
struct moment {
    uint32_t thread, launch;
    int64_t at;
};

/* Names of one launch; 0: none. */
struct labels {
    uint32_t path, phase, step; /* indices; path: into paths, the others: into names */
};

struct ranges *ranges_new(struct err *e)
{
    struct ranges *r = mem_zalloc(1, sizeof *r, e);

    if (r && range_paths_init(&r->paths, e) < 0) {
        ranges_free(r);
        return NULL;
    }
    return r;
}

void ranges_free(struct ranges *r)
{
    if (!r)
        return;
    free(r->items);
    free(r->calls);
    free(r->launches);
    free(r->threads);
    free(r->processes);
    hash_index_release(&r->thread_index);
    hash_index_release(&r->process_index);
    range_paths_release(&r->paths);
    free(r);
}

size_t ranges_bytes(const struct ranges *r)
{
    return r->capacity * sizeof *r->items + (r->call_capacity + r->launch_capacity) * sizeof *r->calls +
           r->launch_count * (sizeof(struct moment) + sizeof(struct labels)) + r->paths.bytes;
}

/* --- adding --- */

static int64_t process_of(struct ranges *r, uint64_t process, struct err *e)
{
    uint64_t hash = hash_words(&process, sizeof process);
    size_t at = hash;
    int64_t i;

    while ((i = hash_index_next(&r->process_index, hash, &at)) >= 0)
        if (r->processes[i] == process)
            return i;
    if (array_reserve((void **)&r->processes, &r->process_capacity, r->process_index.count + 1,
                      sizeof *r->processes, e) < 0 ||
        hash_index_add(&r->process_index, hash, e) < 0)
        return -1;
    i = (int64_t)r->process_index.count - 1;
    r->processes[i] = process;
    return i;
}

static int64_t thread_of(struct ranges *r, struct range_thread on, struct err *e)
{
    const uint64_t key[] = {on.process, on.thread};
    uint64_t hash = hash_words(key, sizeof key);
    size_t at = hash;
    int64_t i;

    while ((i = hash_index_next(&r->thread_index, hash, &at)) >= 0)
        if (r->threads[i].process == on.process && r->threads[i].thread == on.thread)
            return i;
    if (array_reserve((void **)&r->threads, &r->thread_capacity, r->thread_index.count + 1, sizeof *r->threads, e) <
            0 ||
        hash_index_add(&r->thread_index, hash, e) < 0)
        return -1;
    i = (int64_t)r->thread_index.count - 1;
    r->threads[i] = on;
    return i;
}

int ranges_add(struct ranges *r, struct range_thread on, int64_t start_ns, int64_t end_ns, const char *text,
               size_t n, struct err *e)
{
    char name[RANGE_NAME_BYTES];
    enum range_kind kind = range_name_clean(text, n, name);
    int64_t thread, id;

    if (!name[0] || end_ns <= start_ns)
        return 0;
    thread = thread_of(r, on, e);
    id = thread < 0 ? -1 : range_name_id(&r->paths, name, e);
    if (id < 0 || array_reserve((void **)&r->items, &r->capacity, r->count + 1, sizeof *r->items, e) < 0)
        return -1;
    r->items[r->count++] = (struct range){(uint32_t)thread, (uint32_t)id, start_ns, end_ns, kind};
    return 0;
}

static int add_call(struct ranges *r, struct range_call **list, size_t *count, size_t *capacity, uint64_t process,
                    struct range_thread on, const struct range_call *from, struct err *e)
{
    int64_t number = process_of(r, process, e), thread = number < 0 ? -1 : thread_of(r, on, e);

    if (thread < 0 || array_reserve((void **)list, capacity, *count + 1, sizeof **list, e) < 0)
        return -1;
    (*list)[*count] = *from;
    (*list)[*count].process = (uint32_t)number;
    (*list)[(*count)++].thread = (uint32_t)thread;
    return 0;
}

int ranges_call(struct ranges *r, struct range_thread on, uint64_t correlation, int64_t start_ns, struct err *e)
{
    const struct range_call call = {.correlation = correlation, .start = start_ns};

    return add_call(r, &r->calls, &r->call_count, &r->call_capacity, on.process, on, &call, e);
}

int ranges_launch(struct ranges *r, uint64_t process, uint64_t correlation, uint64_t stream, int64_t start_ns,
                  struct err *e)
{
    const struct range_call call = {.correlation = correlation, .start = start_ns};

    return add_call(r, &r->launches, &r->launch_count, &r->launch_capacity, process,
                    (struct range_thread){RANGES_GPU, stream}, &call, e);
}

/* --- the sweep --- */

static int call_compare(const void *a, const void *b)
{
    const struct range_call *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->correlation < y->correlation ? -1 : x->correlation > y->correlation;
}

static int range_compare(const void *a, const void *b)
{
    const struct range *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end) /* the outer one first */
        return x->end > y->end ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

static int moment_compare(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

/* Ranges that are open, from outside to inside. */
struct open {
    size_t count;
    const struct range *of[OPEN_MAX];
};

static void close_ended(struct open *o, int64_t at)
{
    size_t kept = 0;

    for (size_t i = 0; i < o->count; i++)
        if (o->of[i]->end > at)
            o->of[kept++] = o->of[i];
    o->count = kept;
}

/* Labels of a launch whose call is inside the open ranges. */
static int label(struct ranges *r, const struct open *o, struct labels *out, bool *cut, struct err *e)
{
    const struct range *library = NULL;
    uint32_t path = 0;
    bool ended = false; /* the path is complete: the next name did not fit */

    for (size_t i = 0; i < o->count; i++) {
        const struct range *range = o->of[i];

        if (range->kind == RANGE_STEP)
            out->step = range->name;
        else if (range->kind == RANGE_PHASE)
            out->phase = range->name;
        else if (range->kind == RANGE_OPERATOR)
            library = library ? library : range;
        else if (!ended && range_path_child(&r->paths, &path, range->name, &ended, e) < 0)
            return -1;
    }
    if (!path && library && range_path_child(&r->paths, &path, library->name, &ended, e) < 0)
        return -1;
    *cut |= ended;
    out->path = path;
    return 0;
}

/* Sets labels[] of the launches of the moments. Both arrays are sorted by thread and time. */
static int sweep(struct ranges *r, const struct range *ranges, size_t count, const struct moment *moments,
                 size_t moment_count, struct labels *labels, uint64_t *cut, struct err *e)
{
    struct open open = {.count = 0};
    int64_t cut_until = INT64_MIN; /* end of the ranges that are ignored */
    size_t next = 0;

    for (size_t m = 0; m < moment_count; m++) {
        const struct moment *now = &moments[m];
        bool ends_early;

        if (m > 0 && moments[m - 1].thread != now->thread) {
            open.count = 0;
            cut_until = INT64_MIN;
        }
        close_ended(&open, now->at);
        for (; next < count && (ranges[next].thread < now->thread ||
                                (ranges[next].thread == now->thread && ranges[next].start <= now->at));
             next++) {
            if (ranges[next].thread != now->thread || ranges[next].end <= now->at)
                continue;
            if (open.count < OPEN_MAX)
                open.of[open.count++] = &ranges[next];
            else if (ranges[next].end > cut_until)
                cut_until = ranges[next].end;
        }
        ends_early = now->at < cut_until;
        if (label(r, &open, &labels[now->launch], &ends_early, e) < 0)
            return -1;
        *cut += ends_early;
    }
    return 0;
}

/* --- steps and phases of the process --- */

/* The ranges of host threads that are steps and phases, by process. */
static struct range *process_ranges(struct ranges *r, size_t *count, struct err *e)
{
    struct range *out = mem_zalloc(r->count + 1, sizeof *out, e);

    *count = 0;
    for (size_t i = 0; out && i < r->count; i++) {
        const struct range *from = &r->items[i];
        uint64_t process = r->threads[from->thread].process;
        int64_t number;

        if ((from->kind != RANGE_STEP && from->kind != RANGE_PHASE) || process == RANGES_GPU)
            continue;
        number = process_of(r, process, e);
        if (number < 0) {
            free(out);
            return NULL;
        }
        out[*count] = *from;
        out[(*count)++].thread = (uint32_t)number;
    }
    if (out)
        array_sort(out, *count, sizeof *out, range_compare);
    return out;
}

/* Completes labels without a step or phase. moments[]: of all launches; is reordered. */
static int sweep_processes(struct ranges *r, struct moment *moments, struct labels *labels, struct err *e)
{
    size_t count, used = 0;
    struct range *ranges = process_ranges(r, &count, e);
    struct labels *found = mem_zalloc(r->launch_count + 1, sizeof *found, e);
    uint64_t cut = 0;
    int ret = -1;

    if (!ranges || !found)
        goto out;
    for (size_t m = 0; count && m < r->launch_count; m++) {
        struct moment now = moments[m];

        if ((labels[now.launch].step && labels[now.launch].phase) || r->threads[now.thread].process == RANGES_GPU)
            continue;
        now.thread = r->launches[now.launch].process;
        moments[used++] = now;
    }
    array_sort(moments, used, sizeof *moments, moment_compare);
    if (sweep(r, ranges, count, moments, used, found, &cut, e) < 0)
        goto out;
    for (size_t m = 0; m < used; m++) {
        struct labels *to = &labels[moments[m].launch];

        to->step = to->step ? to->step : found[moments[m].launch].step;
        to->phase = to->phase ? to->phase : found[moments[m].launch].phase;
    }
    ret = 0;
out:
    free(ranges);
    free(found);
    return ret;
}

/* --- columns --- */

static uint32_t label_of(const struct labels *l, enum domain_kind kind)
{
    return kind == DOMAIN_LAYER ? l->path : kind == DOMAIN_PHASE ? l->phase : l->step;
}

/* The number of a name in the column, which takes the text; -1: no memory. Two paths can have one text: a range `b`
 * inside `a`, and a range `a/b`. They are one domain. */
static int64_t name_number(struct domain_column *c, size_t *capacity, struct hash_index *index, char *name,
                           struct err *e)
{
    size_t n = strlen(name);
    uint64_t hash = hash_words(name, n);
    size_t at = hash;
    int64_t i;

    ASSERT(c->count == index->count + 1); /* names[0]: none */
    while ((i = hash_index_next(index, hash, &at)) >= 0)
        if (strcmp(c->names[i + 1], name) == 0) {
            free(name);
            return i + 1;
        }
    if (array_reserve((void **)&c->names, capacity, c->count + 1, sizeof *c->names, e) < 0 ||
        hash_index_add(index, hash, e) < 0) {
        free(name);
        return -1;
    }
    c->names[c->count] = name;
    return (int64_t)c->count++;
}

/* Numbers the labels of one kind by first appearance. Leaves the column empty where no launch has one. */
static int make_column(const struct ranges *r, const struct labels *labels, const uint32_t *order, size_t count,
                       enum domain_kind kind, struct domain_column *out, struct err *e)
{
    size_t most = kind == DOMAIN_LAYER ? r->paths.node_count : r->paths.name_count, capacity = 0;
    uint32_t *number = mem_zalloc(most, sizeof *number, e), *of = mem_zalloc(count, sizeof *of, e);
    struct hash_index texts = {.count = 0};
    int ret = -1;

    if (!number || !of || array_reserve((void **)&out->names, &capacity, 1, sizeof *out->names, e) < 0)
        goto out;
    out->names[0] = mem_strdup("", e);
    out->count = out->names[0] != NULL;
    for (size_t i = 0; out->count && i < count; i++) {
        uint32_t id = label_of(&labels[order ? order[i] : i], kind);

        ASSERT_HOT(id < most);
        if (id && !number[id]) {
            char *name = kind == DOMAIN_LAYER ? range_path_text(&r->paths, id, e)
                                              : mem_strdup(range_name_text(&r->paths, id), e);
            int64_t known = name ? name_number(out, &capacity, &texts, name, e) : -1;

            if (known < 0)
                goto out;
            number[id] = (uint32_t)known;
        }
        of[i] = number[id];
    }
    if (!out->count)
        goto out;
    if (out->count > 1) {
        out->of = of;
        of = NULL;
    }
    ret = 0;
out:
    free(number);
    free(of);
    hash_index_release(&texts);
    return ret;
}

static int make_columns(const struct ranges *r, const struct labels *labels, const uint32_t *order,
                        struct profile *p, struct err *e)
{
    struct domains *d = domains_new(e);
    bool any = false;

    if (!d)
        return -1;
    for (int k = 0; k < DOMAIN_COLUMNS; k++) {
        if (make_column(r, labels, order, p->count, k, &d->columns[k], e) < 0) {
            domains_free(d);
            return -1;
        }
        any = any || d->columns[k].of;
    }
    if (any)
        p->domains = d;
    else
        domains_free(d);
    return 0;
}

/* The moment of each launch: of its call, or of its start on the GPU. */
static void find_moments(const struct ranges *r, struct moment *out)
{
    for (size_t i = 0; i < r->launch_count; i++) {
        const struct range_call *call =
            array_search(&r->launches[i], r->calls, r->call_count, sizeof *r->calls, call_compare);

        if (!call || !r->launches[i].correlation)
            call = &r->launches[i];
        out[i] = (struct moment){call->thread, (uint32_t)i, call->start};
    }
}

int ranges_resolve(struct ranges *r, const uint32_t *order, struct profile *p, uint64_t *cut, struct err *e)
{
    struct moment *moments;
    struct labels *labels;
    int ret = -1;

    *cut = 0;
    ASSERT(r->launch_count == p->count && !p->domains);
    if (!r->count)
        return 0;
    moments = mem_zalloc(r->launch_count, sizeof *moments, e);
    labels = mem_zalloc(r->launch_count, sizeof *labels, e);
    if (!moments || !labels)
        goto out;
    array_sort(r->calls, r->call_count, sizeof *r->calls, call_compare);
    array_sort(r->items, r->count, sizeof *r->items, range_compare);
    find_moments(r, moments);
    array_sort(moments, r->launch_count, sizeof *moments, moment_compare);
    if (sweep(r, r->items, r->count, moments, r->launch_count, labels, cut, e) == 0 &&
        sweep_processes(r, moments, labels, e) == 0)
        ret = make_columns(r, labels, order, p, e);
out:
    free(moments);
    free(labels);
    return ret;
}
