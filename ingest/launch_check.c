#include "ingest/launch_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "ingest/launch_kinds.h"
#include "ingest/launch_window.h"

/* One part of a list. In a list with launch orders, each launch is compared when it is read. Otherwise all are
 * stored first. */
struct group {
    char *name;
    uint64_t listed, matched, order, offset, places, second;
    struct launch_mismatch mismatch;
    uint32_t *kinds;   /* by position in the list */
    uint64_t *numbers; /* by position in the list: its line or kernel number, for messages */
    size_t kind_capacity, number_capacity;
    const char *place;
};

struct check {
    const struct profile *p;
    const struct profile_context *context;
    size_t context_index;
    uint64_t offset; /* of lists with orders */
    bool counts_graphs, in_order, began;
    struct launch_kinds kinds;
    struct group *groups;
    size_t group_count, group_capacity;
};

static void mismatch_release(struct launch_mismatch *m)
{
    free(m->listed_name);
    *m = (struct launch_mismatch){.there = false};
}

void launch_verdict_release(struct launch_verdict *v)
{
    free(v->group);
    mismatch_release(&v->mismatch);
    *v = (struct launch_verdict){.format = "unknown"};
}

/* The launch with number `order` among those that the tool counts. UINT64_MAX: there is none. */
static uint64_t at_order(const struct check *c, uint64_t order)
{
    ASSERT_HOT(c->context_index < c->p->context_count);
    if (!c->counts_graphs)
        return profile_at_call_order(c->p, c->context_index, order);
    return order < c->context->count ? c->context->first + order : UINT64_MAX;
}

static uint64_t expected_of(const struct check *c)
{
    return c->counts_graphs ? c->context->count : profile_calls(c->p, c->context_index);
}

static struct group *group_of(struct check *c, const char *name, struct err *e)
{
    struct group *g;

    for (size_t i = 0; i < c->group_count; i++)
        if (strcmp(c->groups[i].name, name) == 0)
            return &c->groups[i];
    if (c->group_count >= LAUNCH_GROUPS_MAX) {
        err_set(e, ERR_TOO_LARGE, "the list has more than %d processes or contexts", LAUNCH_GROUPS_MAX);
        return NULL;
    }
    if (array_reserve((void **)&c->groups, &c->group_capacity, c->group_count + 1, sizeof *c->groups, e) < 0)
        return NULL;
    g = &c->groups[c->group_count];
    *g = (struct group){.name = mem_strdup(name, e)};
    if (!g->name)
        return NULL;
    c->group_count++;
    ASSERT(c->group_count <= LAUNCH_GROUPS_MAX);
    return g;
}

/* --- one launch --- */

/* A launch of the list, for the message about a mismatch. */
struct listed_at {
    const char *place;
    uint64_t number;
    uint32_t kind;
};

/* Notes a mismatch. `at` is NULL when the list has no such launch. */
static int note(const struct check *c, struct group *g, const char *what, uint64_t launch,
                const struct listed_at *at, struct err *e)
{
    struct launch_mismatch *m = &g->mismatch;
    const struct launch_kind *k;

    ASSERT(!m->there && (!at || at->kind < c->kinds.kind_count));
    *m = (struct launch_mismatch){.there = true, .what = what, .order = g->order, .launch = launch};
    if (!at)
        return 0;
    k = &c->kinds.kinds[at->kind];
    m->place = at->place;
    m->number = at->number;
    m->listed_shape = k->has_shape;
    memcpy(m->listed_grid, k->grid, sizeof m->listed_grid);
    memcpy(m->listed_block, k->block, sizeof m->listed_block);
    m->listed_name = mem_strdup(launch_kinds_name(&c->kinds, at->kind), e);
    return m->listed_name ? 0 : -1;
}

static int compare(const struct check *c, struct group *g, uint64_t launch, const struct listed_at *at,
                   struct err *e)
{
    uint32_t kernel = c->p->kernel[launch];

    ASSERT_HOT(launch < c->p->count);
    if (!launch_kinds_same_name(&c->kinds, kernel, at->kind))
        return note(c, g, "name", launch, at, e);
    if (!launch_kinds_same_grid(&c->kinds, kernel, at->kind))
        return note(c, g, "grid", launch, at, e);
    if (!launch_kinds_same_block(&c->kinds, kernel, at->kind))
        return note(c, g, "block", launch, at, e);
    g->matched++;
    return 0;
}

/* Checks a launch whose order the list states. */
static int check_ordered(struct check *c, struct group *g, const struct listed_launch *l, uint32_t kind,
                         struct err *e)
{
    const struct listed_at at = {l->place, l->number, kind};
    uint64_t order = l->whole == c->p->count ? l->position : l->order, launch;

    ASSERT_HOT(l->has_order);
    if (g->mismatch.there)
        return 0;
    g->order = order >= c->offset ? order - c->offset : UINT64_MAX;
    launch = order >= c->offset ? at_order(c, g->order) : UINT64_MAX;
    if (launch == UINT64_MAX) {
        g->order = order;
        return note(c, g, "extra", 0, &at, e);
    }
    return compare(c, g, launch, &at, e);
}

static int keep(struct group *g, const struct listed_launch *l, uint32_t kind, struct err *e)
{
    ASSERT_HOT(g->listed > 0 && !l->has_order);
    if (array_reserve((void **)&g->kinds, &g->kind_capacity, g->listed, sizeof *g->kinds, e) < 0 ||
        array_reserve((void **)&g->numbers, &g->number_capacity, g->listed, sizeof *g->numbers, e) < 0)
        return -1;
    g->kinds[g->listed - 1] = kind;
    g->numbers[g->listed - 1] = l->number;
    g->place = l->place;
    return 0;
}

static int add_launch(struct check *c, const struct listed_launch *l, struct err *e)
{
    struct group *g;
    uint32_t kind;

    if (l->has_context && l->context != c->context_index)
        return 0;
    g = group_of(c, l->group, e);
    if (!g || launch_kinds_add(&c->kinds, l, &kind, e) < 0)
        return -1;
    ASSERT_HOT(kind < c->kinds.kind_count);
    ASSERT(g->listed == 0 || c->in_order == !l->has_order);
    c->in_order = !l->has_order;
    g->listed++;
    return l->has_order ? check_ordered(c, g, l, kind, e) : keep(g, l, kind, e);
}

/* Whether lists of this format include kernels that CUDA graphs replay. Lists of Vivace number whatever launches
 * the profile has. */
static bool format_counts_graphs(const char *format)
{
    return strcmp(format, "ncu") == 0 || strcmp(format, "csv") == 0;
}

struct walk {
    struct check check;
    const char **format;
};

/* The format is known at the first launch. */
static int visit(void *ctx, const struct listed_launch *l, struct err *e)
{
    struct walk *w = ctx;

    if (!w->check.began) {
        w->check.began = true;
        w->check.counts_graphs = format_counts_graphs(*w->format);
    }
    return add_launch(&w->check, l, e);
}

/* --- finding the profile's launches in an ordered list --- */

struct aligner {
    const struct check *c;
    const struct group *g;
    uint32_t *window, *list; /* numbers of launch_kinds_number() */
    bool exact;
};

static bool same_launch(void *ctx, uint64_t i, uint64_t j)
{
    const struct aligner *a = ctx;
    uint32_t kernel = a->c->p->kernel[at_order(a->c, i)], kind = a->g->kinds[j];

    ASSERT_HOT(j < a->g->listed && kind < a->c->kinds.kind_count);
    return launch_kinds_same_grid(&a->c->kinds, kernel, kind) &&
           launch_kinds_same_block(&a->c->kinds, kernel, kind);
}

static int number_launches(struct aligner *a, uint64_t calls, struct err *e)
{
    const struct check *c = a->c;
    uint32_t *kernels = mem_zalloc(c->p->kernel_count, sizeof *kernels, e);
    uint32_t *kinds = mem_zalloc(c->kinds.kind_count + 1, sizeof *kinds, e);
    int ret = kernels && kinds ? launch_kinds_number(&c->kinds, kernels, kinds, &a->exact, e) : -1;

    ASSERT(!a->window && !a->list);
    if (ret == 0) {
        a->window = mem_zalloc(calls + 1, sizeof *a->window, e);
        a->list = mem_zalloc(a->g->listed + 1, sizeof *a->list, e);
        ret = a->window && a->list ? 0 : -1;
    }
    for (uint64_t i = 0; ret == 0 && i < calls; i++)
        a->window[i] = kernels[c->p->kernel[at_order(c, i)]];
    for (uint64_t j = 0; ret == 0 && j < a->g->listed; j++)
        a->list[j] = kinds[a->g->kinds[j]];
    free(kernels);
    free(kinds);
    return ret;
}

/* Sets g->offset, where the comparison begins: the first place where all launches match, else the place where
 * most do. A list that is not longer than the profile is then compared from its beginning. */
static int align(const struct check *c, struct group *g, uint64_t calls, struct err *e)
{
    struct aligner a = {.c = c, .g = g};
    struct launch_window w = {.places = 0};
    int ret = number_launches(&a, calls, e);

    if (ret == 0)
        ret = launch_window_find(a.window, calls, a.list, g->listed, a.exact ? NULL : same_launch, &a, &w, e);
    g->places = w.places;
    g->second = w.second;
    g->offset = w.places ? w.first : g->listed > calls ? w.most_from : 0;
    ASSERT(g->offset <= g->listed && g->places <= g->listed + 1);
    free(a.window);
    free(a.list);
    return ret;
}

/* Compares launch by launch from g->offset on and stops at the first difference. */
static int compare_from_offset(const struct check *c, struct group *g, uint64_t calls, uint64_t need, struct err *e)
{
    ASSERT(need <= calls && !g->mismatch.there);
    for (g->order = 0; g->order < calls && !g->mismatch.there; g->order += !g->mismatch.there) {
        uint64_t j = g->offset + g->order;
        struct listed_at at;

        if (j < g->offset || j >= g->listed)
            break;
        at = (struct listed_at){g->place, g->numbers[j], g->kinds[j]};
        if (compare(c, g, at_order(c, g->order), &at, e) < 0)
            return -1;
    }
    if (!g->mismatch.there && g->matched < need)
        return note(c, g, "missing", at_order(c, g->order), NULL, e);
    return 0;
}

static int check_group(const struct check *c, struct group *g, const struct launch_check_options *o, struct err *e)
{
    uint64_t calls = expected_of(c), need = o->at_least && o->at_least < calls ? o->at_least : calls;

    g->offset = o->offset;
    if (!o->has_offset && !o->at_least && align(c, g, calls, e) < 0)
        return -1;
    if (compare_from_offset(c, g, calls, need, e) < 0)
        return -1;
    ASSERT(g->places == 0 || (!g->mismatch.there && g->matched == calls));
    if (g->places > 1) {
        g->order = 0;
        return note(c, g, "ambiguous", at_order(c, 0), NULL, e);
    }
    return 0;
}

/* --- the verdict --- */

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Prefers a part that matches, then the longest match, then the most similar number of launches. */
static bool better(const struct group *a, const struct group *b, uint64_t calls)
{
    if (a->mismatch.there != b->mismatch.there)
        return b->mismatch.there;
    if (a->matched != b->matched)
        return a->matched > b->matched;
    return distance(a->listed, calls) < distance(b->listed, calls);
}

/* Selects the part of the list that is the context. Two parts that are equal in all three have equal launches, so
 * the first is as good as the other. */
static int conclude(struct check *c, const struct launch_check_options *o, struct launch_verdict *v, struct err *e)
{
    struct group *best = c->group_count ? &c->groups[0] : group_of(c, "", e);

    if (!best)
        return -1;
    best = &c->groups[0];
    ASSERT(c->group_count > 0);
    v->calls = expected_of(c);
    for (size_t i = 0; i < c->group_count; i++) {
        if (c->in_order && check_group(c, &c->groups[i], o, e) < 0)
            return -1;
        if (better(&c->groups[i], best, v->calls))
            best = &c->groups[i];
    }
    v->context = c->context_index;
    v->groups = c->group_count;
    v->in_order = c->in_order;
    v->offset = c->in_order ? best->offset : c->offset;
    v->places = best->places;
    v->second = best->second;
    v->listed = best->listed;
    v->expected = c->in_order ? v->calls : best->listed;
    v->matched = best->matched;
    v->graph_launches = c->context->count - v->calls;
    ASSERT(v->calls <= c->context->count && v->matched <= v->listed);
    v->group = best->name;
    v->mismatch = best->mismatch;
    best->name = NULL;
    best->mismatch = (struct launch_mismatch){.there = false};
    return 0;
}

static void check_release(struct check *c)
{
    for (size_t i = 0; i < c->group_count; i++) {
        free(c->groups[i].name);
        free(c->groups[i].kinds);
        free(c->groups[i].numbers);
        mismatch_release(&c->groups[i].mismatch);
    }
    launch_kinds_release(&c->kinds);
    free(c->groups);
}

static int run(const char *path, struct stream *s, const struct profile *p, const struct launch_check_options *o,
               struct launch_verdict *out, struct err *e)
{
    struct walk w = {.check = {.p = p, .in_order = true}, .format = &out->format};
    int ret = -1;

    ASSERT(!path != !s);
    *out = (struct launch_verdict){.format = "unknown"};
    if (profile_choose_context(p, o->context, &w.check.context_index, e) < 0)
        return -1;
    w.check.context = &p->contexts[w.check.context_index];
    w.check.offset = o->has_offset ? o->offset : 0;
    if (launch_kinds_init(&w.check.kinds, p, e) == 0) {
        ret = path ? launch_list_walk(path, visit, &w, &out->format, e)
                   : launch_list_walk_stream(s, "", visit, &w, &out->format, e);
        if (ret == 0)
            ret = conclude(&w.check, o, out, e);
    }
    check_release(&w.check);
    return ret;
}

int launch_check_path(const char *path, const struct profile *p, const struct launch_check_options *o,
                      struct launch_verdict *out, struct err *e)
{
    return run(path, NULL, p, o, out, e);
}

int launch_check_stream(struct stream *s, const struct profile *p, const struct launch_check_options *o,
                        struct launch_verdict *out, struct err *e)
{
    return run(NULL, s, p, o, out, e);
}
