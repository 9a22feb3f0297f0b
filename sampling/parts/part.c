#include "sampling/parts/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/text.h"
#include "sampling/math/hash_index.h"

bool plan_part_any(const struct plan_part *part)
{
    return part->by[0] || plan_part_narrow(part);
}

bool plan_part_narrow(const struct plan_part *part)
{
    return part->only[0] || part->steps;
}

bool plan_part_same(const struct plan_part *a, const struct plan_part *b)
{
    return strcmp(a->only, b->only) == 0 && a->steps == b->steps &&
           (!a->steps || (a->step_first == b->step_first && a->step_last == b->step_last));
}

/* --- patterns and steps --- */

static char level(char c)
{
    return c == '/' ? '.' : c;
}

static bool glob(const char *pattern, const char *path)
{
    const char *star = NULL, *from = NULL; /* the last star, and where its text ends */

    while (*path) {
        if (*pattern == '*') {
            star = pattern++;
            from = path;
        } else if (*pattern == '?' || (*pattern && level(*pattern) == level(*path))) {
            pattern++;
            path++;
        } else if (star) {
            pattern = star + 1;
            path = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

bool part_matches(const char *pattern, const char *path)
{
    size_t n = strlen(pattern);
    char stem[PLAN_ONLY];

    ASSERT(n < sizeof stem);
    if (glob(pattern, path))
        return true;
    if (n < 2 || pattern[n - 1] != '*' || level(pattern[n - 2]) != '.')
        return false;
    memcpy(stem, pattern, n - 2);
    stem[n - 2] = '\0';
    return glob(stem, path);
}

int part_steps_read(const char *text, struct plan_part *out, struct err *e)
{
    const char *dots = strstr(text, "..");
    size_t n = dots ? (size_t)(dots - text) : strlen(text);
    char first[24] = "";

    if (n < sizeof first)
        memcpy(first, text, n);
    if (parse_u64(first, "--steps", &out->step_first, e) < 0 ||
        parse_u64(dots ? dots + 2 : first, "--steps", &out->step_last, e) < 0 || out->step_first > out->step_last) {
        err_set(e, ERR_USAGE, "--steps: `%.40s` is not a range of steps", text);
        return err_hint(e, "--steps 10..19, or --steps 12.");
    }
    out->steps = true;
    return 0;
}

void part_text(const struct plan_part *part, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    if (part->only[0])
        used = (size_t)snprintf(out, size, "layers %s", part->only);
    if (part->steps && used < size)
        snprintf(out + used, size - used, "%ssteps %llu to %llu", used ? ", " : "",
                 (unsigned long long)part->step_first, (unsigned long long)part->step_last);
}

/* --- the view --- */

static bool in_steps(const struct plan_part *part, const char *name)
{
    struct err ignored;
    uint64_t step;

    return parse_u64(name, "step", &step, &ignored) == 0 && step >= part->step_first && step <= part->step_last;
}

/* Sets the values of launches outside to 0. in[d]: whether domain d is in the part. */
static int keep(const struct profile *p, enum domain_kind kind, const struct plan_part *part, uint64_t *value,
                struct err *e)
{
    struct domain_view view;
    bool *in = NULL;
    int ret = domain_view_need(p, kind, &view, e);

    if (ret == 0)
        in = mem_zalloc(view.count, sizeof *in, e);
    for (size_t d = 0; in && d < view.count; d++)
        in[d] = kind == DOMAIN_STEP ? in_steps(part, view.names[d])
                                    : view.names[d][0] && part_matches(part->only, view.names[d]);
    for (size_t i = 0; in && i < p->count; i++)
        if (!in[domain_of(&view, i)])
            value[i] = 0;
    domain_view_release(&view);
    ret = in ? 0 : -1;
    free(in);
    return ret;
}

static int narrow(const struct profile *p, const struct plan_part *part, struct part_view *v, struct err *e)
{
    uint64_t *value = mem_zalloc(p->count, sizeof *value, e);
    char text[PLAN_ONLY + 80];

    if (!value)
        return -1;
    memcpy(value, p->value, p->count * sizeof *value);
    v->value = v->profile.value = value;
    if ((part->only[0] && keep(p, DOMAIN_LAYER, part, value, e) < 0) ||
        (part->steps && keep(p, DOMAIN_STEP, part, value, e) < 0))
        return -1;
    if (profile_total(&v->profile))
        return 0;
    part_text(part, text, sizeof text);
    err_set(e, ERR_INVALID, "no launch of the profile is in this part: %s", text);
    return err_hint(e, "`vivace inspect FILE --by layer` and `--by step` list what there is.");
}

/* Kernels by domain, while they are found. */
struct splitter {
    struct hash_index index, names;
    struct profile_kernel *kernels;
    uint32_t *original, *name_of; /* name_of: of each new name, its name_id in the original */
    const char **name_domain;
    size_t kernel_capacity, original_capacity, name_capacity, domain_capacity;
};

/* The new number of a name in a domain. */
static int64_t split_name(struct splitter *s, uint32_t name, const char *domain, uint32_t number, struct err *e)
{
    const uint32_t key[] = {name, number};
    uint64_t hash = hash_words(key, sizeof key);
    size_t at = hash;
    int64_t i;

    while ((i = hash_index_next(&s->names, hash, &at)) >= 0)
        if (s->name_of[i] == name && s->name_domain[i] == domain)
            return i;
    i = (int64_t)s->names.count;
    if (array_reserve((void **)&s->name_of, &s->name_capacity, (size_t)i + 1, sizeof *s->name_of, e) < 0 ||
        array_reserve((void **)&s->name_domain, &s->domain_capacity, (size_t)i + 1, sizeof *s->name_domain, e) <
            0 ||
        hash_index_add(&s->names, hash, e) < 0)
        return -1;
    s->name_of[i] = name;
    s->name_domain[i] = domain;
    return i;
}

static int64_t split_kernel(struct splitter *s, const struct profile *p, uint32_t kernel, uint32_t number,
                            const char *domain, struct err *e)
{
    const uint32_t key[] = {kernel, number};
    uint64_t hash = hash_words(key, sizeof key);
    size_t at = hash;
    int64_t i, name;

    while ((i = hash_index_next(&s->index, hash, &at)) >= 0)
        if (s->original[i] == kernel && s->kernels[i].domain == domain)
            return i;
    i = (int64_t)s->index.count;
    if (i == PART_KERNELS_MAX) {
        err_set(e, ERR_TOO_LARGE, "more than %d pairs of a kernel and a part of the workload", PART_KERNELS_MAX);
        return err_hint(e, "Plan fewer of them: --only 'layer.*', --steps 10..19.");
    }
    name = split_name(s, p->kernels[kernel].name_id, domain, number, e);
    if (name < 0 ||
        array_reserve((void **)&s->kernels, &s->kernel_capacity, (size_t)i + 1, sizeof *s->kernels, e) < 0 ||
        array_reserve((void **)&s->original, &s->original_capacity, (size_t)i + 1, sizeof *s->original, e) < 0 ||
        hash_index_add(&s->index, hash, e) < 0)
        return -1;
    s->kernels[i] = p->kernels[kernel];
    s->kernels[i].name_id = (uint32_t)name;
    s->kernels[i].domain = domain;
    s->original[i] = kernel;
    return i;
}

/* Distinguishes kernels by domain, numbered by first appearance. Launches outside of the part keep one kernel. */
static int split(const struct profile *p, enum domain_kind kind, struct part_view *v, struct err *e)
{
    struct splitter s = {.kernels = NULL};
    uint32_t *kernel = mem_zalloc(p->count, sizeof *kernel, e);
    int ret = kernel ? domain_view_need(p, kind, &v->domains, e) : -1;

    for (size_t i = 0; ret == 0 && i < p->count; i++) {
        uint32_t number = v->profile.value[i] ? domain_of(&v->domains, i) : 0;
        int64_t k = split_kernel(&s, p, p->kernel[i], number, v->domains.names[number], e);

        if (k < 0)
            ret = -1;
        else
            kernel[i] = (uint32_t)k;
    }
    v->kernel = v->profile.kernel = kernel;
    v->kernels = v->profile.kernels = s.kernels;
    v->profile.kernel_count = s.index.count;
    v->profile.name_count = s.names.count;
    v->original = s.original;
    free(s.name_of);
    free(s.name_domain);
    hash_index_release(&s.index);
    hash_index_release(&s.names);
    return ret;
}

int part_view_make(const struct profile *p, const struct plan_part *part, struct part_view *out, struct err *e)
{
    enum domain_kind kind;
    int ret = 0;

    *out = (struct part_view){.profile = *p};
    if (plan_part_narrow(part))
        ret = narrow(p, part, out, e);
    if (ret == 0 && part->by[0])
        ret = domain_kind_from_name(part->by, &kind, e) < 0 ? -1 : split(p, kind, out, e);
    if (ret < 0)
        part_view_release(out);
    return ret;
}

void part_view_release(struct part_view *v)
{
    free(v->value);
    free(v->kernel);
    free(v->kernels);
    free(v->original);
    domain_view_release(&v->domains);
    *v = (struct part_view){.original = NULL};
}

/* --- plans --- */

/* Writes the kernels of the profile into the strata. With a domain in each stratum, none may hold several names:
 * they differ by domain. */
static int finish_strata(const struct part_view *v, struct plan *plan, struct err *e)
{
    for (size_t h = 0; v->original && h < plan->stratum_count; h++) {
        plan->strata[h].kernel = v->original[plan->strata[h].kernel];
        if (plan->strata[h].mixed_names) {
            err_set(e, ERR_INVALID, "strata of the method %s hold several kernels, so they cannot be kept by part",
                    plan->method);
            return err_hint(e, "Methods whose strata hold one kernel: vivace, stem, root, allegro.");
        }
    }
    return 0;
}

int part_plan_make(const char *method, const struct profile *p, const struct plan_params *params,
                   const struct plan_part *part, struct plan *out, struct err *e)
{
    struct part_view v;
    int ret;

    if (!plan_part_any(part))
        return plan_make(method, p, params, out, e);
    ret = part_view_make(p, part, &v, e);
    plan_init(out);
    if (ret < 0)
        return -1;
    ret = plan_make(method, &v.profile, params, out, e);
    if (ret == 0) {
        out->part = *part;
        if (finish_strata(&v, out, e) < 0 || profile_hash(p, out->profile_sha256, e) < 0) {
            plan_release(out);
            ret = -1;
        }
    }
    part_view_release(&v);
    return ret;
}
