#include "ingest/launch_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/demangle.h"
#include "base/text.h"

/* One part of a list, compared with the context from its first launch on. */
struct group {
    char *name;
    uint64_t listed, matched, order;
    struct launch_mismatch mismatch;
};

struct check {
    const struct profile *p;
    const struct profile_context *context;
    size_t context_index;
    bool counts_graphs, in_order, began;
    char **accepted; /* by kernel: the spelling that was found to name it, so that most names are compared once */
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

/* The invocation that is number `order` of those that the tool counts; UINT64_MAX: there is none. */
static uint64_t at_order(const struct check *c, uint64_t order)
{
    if (!c->counts_graphs)
        return profile_at_call_order(c->p, c->context_index, order);
    return order < c->context->count ? c->context->first + order : UINT64_MAX;
}

static uint64_t expected_of(const struct check *c)
{
    return c->counts_graphs ? c->context->count : profile_calls(c->p, c->context_index);
}

/* --- one launch --- */

static struct group *group_of(struct check *c, const char *name, struct err *e)
{
    struct group *g;

    for (size_t i = 0; i < c->group_count; i++)
        if (strcmp(c->groups[i].name, name) == 0)
            return &c->groups[i];
    if (c->group_count >= LAUNCH_GROUPS_MAX) {
        err_set(e, ERR_TOO_LARGE, "the list is of more than %d processes or contexts", LAUNCH_GROUPS_MAX);
        return NULL;
    }
    if (array_reserve((void **)&c->groups, &c->group_capacity, c->group_count + 1, sizeof *c->groups, e) < 0)
        return NULL;
    g = &c->groups[c->group_count];
    *g = (struct group){.name = mem_strdup(name, e)};
    if (!g->name)
        return NULL;
    c->group_count++;
    return g;
}

/* 1 when the listed name is this kernel's, 0 when not. */
static int same_name(struct check *c, uint32_t kernel, const char *listed, struct err *e)
{
    const struct profile_kernel *k = &c->p->kernels[kernel];

    if (c->accepted[kernel] && strcmp(c->accepted[kernel], listed) == 0)
        return 1;
    if (!(k->mangled_name && strcmp(k->mangled_name, listed) == 0) && !kernel_names_match(listed, k->name) &&
        !(k->mangled_name && kernel_names_match(listed, k->mangled_name)))
        return 0;
    free(c->accepted[kernel]);
    c->accepted[kernel] = mem_strdup(listed, e);
    return c->accepted[kernel] ? 1 : -1;
}

static bool same_shape(const uint32_t profile[3], const uint32_t listed[3])
{
    return !profile[0] || memcmp(profile, listed, 3 * sizeof *profile) == 0; /* 0: the profile does not know */
}

static int note(struct group *g, const char *what, uint64_t invocation, const struct listed_launch *l,
                struct err *e)
{
    struct launch_mismatch *m = &g->mismatch;

    *m = (struct launch_mismatch){.there = true, .what = what, .order = g->order, .invocation = invocation};
    if (!l)
        return 0;
    m->place = l->place;
    m->number = l->number;
    m->listed_shape = l->has_shape;
    memcpy(m->listed_grid, l->grid, sizeof m->listed_grid);
    memcpy(m->listed_block, l->block, sizeof m->listed_block);
    m->listed_name = mem_strdup(l->name, e);
    return m->listed_name ? 0 : -1;
}

static int compare(struct check *c, struct group *g, uint64_t invocation, const struct listed_launch *l,
                   struct err *e)
{
    const struct profile_kernel *k = &c->p->kernels[c->p->kernel[invocation]];
    int same = same_name(c, c->p->kernel[invocation], l->name, e);

    if (same < 0)
        return -1;
    if (!same)
        return note(g, "name", invocation, l, e);
    if (l->has_shape && !same_shape(k->grid, l->grid))
        return note(g, "grid", invocation, l, e);
    if (l->has_shape && !same_shape(k->block, l->block))
        return note(g, "block", invocation, l, e);
    g->matched++;
    return 0;
}

static int check_launch(void *ctx, const struct listed_launch *l, struct err *e)
{
    struct check *c = ctx;
    struct group *g;
    uint64_t invocation;

    if (l->has_context && l->context != c->context_index)
        return 0;
    g = group_of(c, l->group, e);
    if (!g)
        return -1;
    c->in_order = !l->has_order;
    g->listed++;
    if (g->mismatch.there)
        return 0;
    if (l->has_order)
        g->order = l->whole == c->p->count ? l->position : l->order;
    invocation = at_order(c, g->order);
    if (invocation == UINT64_MAX)
        return note(g, "extra", 0, l, e);
    if (compare(c, g, invocation, l, e) < 0)
        return -1;
    g->order += !g->mismatch.there;
    return 0;
}

/* Lists of these count kernels inside of graphs; ours numbers whatever the profile has. */
static bool format_counts_graphs(const char *format)
{
    return strcmp(format, "ncu") == 0 || strcmp(format, "csv") == 0;
}

struct walk {
    struct check check;
    const char **format;
};

/* The format is known when the first launch comes. */
static int visit(void *ctx, const struct listed_launch *l, struct err *e)
{
    struct walk *w = ctx;

    if (!w->check.began) {
        w->check.began = true;
        w->check.counts_graphs = format_counts_graphs(*w->format);
    }
    return check_launch(&w->check, l, e);
}

/* --- the verdict --- */

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* A part that matches, then one that matches farther, then one of about as many launches. */
static bool better(const struct group *a, const struct group *b, uint64_t calls)
{
    if (a->mismatch.there != b->mismatch.there)
        return b->mismatch.there;
    if (a->matched != b->matched)
        return a->matched > b->matched;
    return distance(a->listed, calls) < distance(b->listed, calls);
}

/* The part of the list that is the context. Two that are equal in everything launched the same, and either will do.
 */
static int conclude(struct check *c, const struct launch_check_options *o, struct launch_verdict *v, struct err *e)
{
    struct group *best = c->group_count ? &c->groups[0] : group_of(c, "", e);
    uint64_t need;

    if (!best)
        return -1;
    v->calls = expected_of(c);
    need = o->at_least && o->at_least < v->calls ? o->at_least : v->calls;
    for (size_t i = 0; i < c->group_count; i++) {
        struct group *g = &c->groups[i];

        if (c->in_order && !g->mismatch.there && g->matched < need &&
            note(g, "missing", at_order(c, g->order), NULL, e) < 0)
            return -1;
        if (better(g, best, v->calls))
            best = g;
    }
    v->context = c->context_index;
    v->groups = c->group_count;
    v->in_order = c->in_order;
    v->listed = best->listed;
    v->expected = c->in_order ? v->calls : best->listed;
    v->matched = best->matched;
    v->graph_launches = c->context->count - v->calls;
    v->group = best->name;
    v->mismatch = best->mismatch;
    best->name = NULL;
    best->mismatch = (struct launch_mismatch){.there = false};
    return 0;
}

static void check_release(struct check *c)
{
    for (size_t i = 0; c->accepted && i < c->p->kernel_count; i++)
        free(c->accepted[i]);
    for (size_t i = 0; i < c->group_count; i++) {
        free(c->groups[i].name);
        mismatch_release(&c->groups[i].mismatch);
    }
    free(c->accepted);
    free(c->groups);
}

static int run(const char *path, struct stream *s, const struct profile *p, const struct launch_check_options *o,
               struct launch_verdict *out, struct err *e)
{
    struct walk w = {.check = {.p = p, .in_order = true}, .format = &out->format};
    int ret = -1;

    *out = (struct launch_verdict){.format = "unknown"};
    if (profile_choose_context(p, o->context, &w.check.context_index, e) < 0)
        return -1;
    w.check.context = &p->contexts[w.check.context_index];
    w.check.accepted = mem_zalloc(p->kernel_count, sizeof *w.check.accepted, e);
    if (w.check.accepted) {
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
