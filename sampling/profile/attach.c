/* Measurements of the same launches from another tool, by launch order per kernel. Assumptions: see match.c. */
#include "sampling/profile/attach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/demangle.h"
#include "base/text.h"

/* --- the same launches? --- */

static bool same_shape(const struct profile_kernel *a, const struct profile_kernel *b)
{
    if (a->grid[0] == 0 || b->grid[0] == 0) /* not known */
        return true;
    return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

/* -1 only when memory ran out. */
static int same_name(const char *a, const char *b, bool shorten, struct err *e)
{
    char *x, *y;
    int same = -1;

    if (!shorten)
        return kernel_names_match(a, b);
    x = kernel_name_plain(a, e);
    y = x ? kernel_name_plain(b, e) : NULL;
    if (y) {
        kernel_name_shorten(x);
        kernel_name_shorten(y);
        same = strcmp(x, y) == 0;
    }
    free(x);
    free(y);
    return same;
}

static int same_kernel(const struct profile_kernel *a, const struct profile_kernel *b, bool shorten, struct err *e)
{
    if (!same_shape(a, b))
        return 0;
    if (strcmp(b->name, KERNEL_ANY) == 0)
        return 1;
    return same_name(a->name, b->name, shorten, e);
}

static int attach_refuse(const struct profile *p, const char *p_name, const struct profile *from,
                         const char *from_name, uint64_t at, struct err *e)
{
    char a[MATCH_LAUNCH], b[MATCH_LAUNCH];

    err_set(e, ERR_CONFLICT, "%s does not belong to %s: there it is %s, but here %s", from_name, p_name,
            match_launch_text(from, at, b), match_launch_text(p, at, a));
    return err_hint(e, "Both must come from the same run of the program, with all launches in launch order. The "
                       "list may end early, but it must not leave launches out.");
}

static int check_contexts(const struct profile *p, const char *p_name, const struct profile *from,
                          const char *from_name, struct err *e)
{
    if (from->count > p->count)
        return err_set(e, ERR_CONFLICT, "%s does not belong to %s: it has %zu launches, and the profile only %zu",
                       from_name, p_name, from->count, p->count);
    if (from->context_count == 1 || p->context_count == 1)
        return 0; /* a list without contexts numbers launches over all contexts */
    for (size_t c = 0; c < from->context_count; c++)
        if (c >= p->context_count || from->contexts[c].first != p->contexts[c].first)
            return err_set(e, ERR_CONFLICT,
                           "%s does not belong to %s: its context %zu begins at launch %llu, where the profile's "
                           "does not",
                           from_name, p_name, c, (unsigned long long)from->contexts[c].first);
    return 0;
}

static int check_launches(const struct profile *p, const char *p_name, const struct profile *from,
                          const char *from_name, struct err *e)
{
    bool shorten = profile_has_short_names(from) || profile_has_short_names(p);
    uint32_t *partner =
        mem_zalloc(from->kernel_count, sizeof *partner, e); /* index + 1 of the kernel of p that it matched last */
    int ret = partner ? 0 : -1;

    for (uint64_t i = 0; i < from->count && ret == 0; i++) {
        uint32_t a = p->kernel[i], b = from->kernel[i];
        int same;

        if (partner[b] == a + 1)
            continue;
        same = same_kernel(&p->kernels[a], &from->kernels[b], shorten, e);
        if (same <= 0)
            ret = same < 0 ? -1 : attach_refuse(p, p_name, from, from_name, i, e);
        partner[b] = a + 1;
    }
    free(partner);
    return ret;
}

/* --- moving the features into the profile --- */

/* Extends a column from `known` to `count` entries; new entries are 0. */
static int lengthen(void **column, uint64_t known, uint64_t count, size_t size, struct err *e)
{
    char *longer;

    if (!*column || known == count)
        return 0;
    longer = realloc(*column, count * size);
    if (!longer)
        return err_no_memory(e);
    memset(longer + known * size, 0, (count - known) * size);
    *column = longer;
    return 0;
}

static int lengthen_all(struct features *f, uint64_t count, struct err *e)
{
    if (lengthen((void **)&f->instructions, f->known, count, sizeof *f->instructions, e) < 0 ||
        lengthen((void **)&f->cta_cov, f->known, count, sizeof *f->cta_cov, e) < 0 ||
        lengthen((void **)&f->bbv_of, f->known, count, sizeof *f->bbv_of, e) < 0)
        return -1;
    for (int m = 0; m < FEATURE_COUNT; m++)
        if (lengthen((void **)&f->metrics[m], f->known, count, sizeof *f->metrics[m], e) < 0)
            return -1;
    return 0;
}

#define KEEP(field)                                                                                                \
    do {                                                                                                           \
        if (!f->field) {                                                                                           \
            f->field = old->field;                                                                                 \
            old->field = NULL;                                                                                     \
        }                                                                                                          \
    } while (0)

/* Keeps features that only the profile had, if they cover the same number of launches. */
static void keep_old(struct features *f, struct features *old)
{
    struct response *own = f->responses;
    size_t count = f->response_count;

    f->responses = old->responses;
    f->response_count = old->response_count;
    old->responses = own; /* goes with `old` */
    old->response_count = count;
    if (old->known < f->known)
        return;
    KEEP(instructions);
    KEEP(cta_cov);
    for (int m = 0; m < FEATURE_COUNT; m++)
        KEEP(metrics[m]);
    if (!f->bbv_of) {
        f->bbvs = old->bbvs;
        memset(&old->bbvs, 0, sizeof old->bbvs);
        KEEP(bbv_of);
    }
    if (!f->wave_begin) {
        f->wave_count = f->known ? (old->wave_begin ? (size_t)old->wave_begin[f->known] : 0) : 0;
        KEEP(wave_begin);
        KEEP(waves);
    }
}

int attach_features(struct profile *p, const char *p_name, struct profile *from, const char *from_name,
                    struct err *e)
{
    struct features *f = from->features;

    if (!f)
        return err_set(e, ERR_INVALID, "%s has no features: neither instruction counts nor metrics", from_name);
    if (check_contexts(p, p_name, from, from_name, e) < 0 || check_launches(p, p_name, from, from_name, e) < 0 ||
        lengthen_all(f, p->count, e) < 0)
        return -1;
    if (p->features) {
        keep_old(f, p->features);
        features_free(p->features);
    }
    p->features = f;
    from->features = NULL;
    return 0;
}

/* --- responses --- */

static int refuse_response(const struct profile *p, const char *name, const struct match *m, struct err *e)
{
    char text[MATCH_LAUNCH];
    enum match_reason why = MATCH_NO_KERNEL;

    while (why + 1 < MATCH_REASONS && m->a.count[why] == 0)
        why++;
    err_set(e, ERR_CONFLICT, "%s: %llu of %zu launches have no partner in it; %s, first %s", name,
            (unsigned long long)m->a.unmatched, p->count, match_reason_sentence(why),
            match_launch_text(p, m->a.examples[why][0], text));
    return err_hint(e, "Another response must be a profile of the same launches: the same program and input.");
}

static int add_response(struct profile *p, const struct profile *other, const char *name, const struct match *m,
                        struct err *e)
{
    struct response *grown, *r;

    if (!p->features && !(p->features = features_new(e)))
        return -1;
    grown = realloc(p->features->responses, (p->features->response_count + 1) * sizeof *grown);
    if (!grown)
        return err_no_memory(e);
    p->features->responses = grown;
    r = &grown[p->features->response_count];
    memset(r, 0, sizeof *r);
    memcpy(r->name, name, utf8_valid_prefix(name, strnlen(name, sizeof r->name - 1)));
    r->values = mem_zalloc(p->count, sizeof *r->values, e);
    if (!r->values)
        return -1;
    for (uint64_t i = 0; i < p->count; i++)
        r->values[i] = (double)other->value[m->of[i]];
    p->features->response_count++;
    return 0;
}

int attach_response(struct profile *p, const struct profile *other, const char *name, struct err *e)
{
    struct match m;
    int ret = match_profiles(p, other, &m, e);

    if (ret == 0)
        ret = m.a.unmatched ? refuse_response(p, name, &m, e) : add_response(p, other, name, &m, e);
    match_release(&m);
    return ret;
}
