/* Matches the k-th launches of equal kernels; rules: match.h. Assumes: both runs launch a kernel's work in the same
 * order. Launches without a partner are counted and reported. */
#include "sampling/profile/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/demangle.h"
#include "base/text.h"
#include "sampling/math/hash_index.h"

static const struct {
    const char *name, *sentence;
} reasons[MATCH_REASONS] = {
    [MATCH_NO_KERNEL] = {"no_kernel", "the other profile has no kernel of this name"},
    [MATCH_NO_SHAPE] = {"no_shape", "the other profile has the kernel, but never with this grid and block"},
    [MATCH_FEWER_LAUNCHES] = {"fewer_launches", "the other profile launches the kernel less often"},
};

const char *match_reason_name(enum match_reason why)
{
    return reasons[why].name;
}

const char *match_reason_sentence(enum match_reason why)
{
    return reasons[why].sentence;
}

const char *match_launch_text(const struct profile *p, uint64_t launch, char out[MATCH_LAUNCH])
{
    const struct profile_kernel *k = &p->kernels[p->kernel[launch]];
    size_t length = strlen(k->name), room = 96;
    int shown = (int)(length > room ? utf8_valid_prefix(k->name, room) : length);

    ASSERT(launch < p->count);
    snprintf(out, MATCH_LAUNCH, "launch %llu: %.*s%s grid (%u,%u,%u) block (%u,%u,%u)", (unsigned long long)launch,
             shown, k->name, length > room ? "..." : "", k->grid[0], k->grid[1], k->grid[2], k->block[0],
             k->block[1], k->block[2]);
    return out;
}

/* --- equal kernels --- */

/* Kernels of both profiles as numbers: equal names have equal names[], equal (name, shape) equal groups[]. */
struct numbered {
    uint32_t *names;  /* by name_id */
    uint32_t *groups; /* by kernel */
};
struct numbering {
    struct numbered side[2];
    size_t name_count, group_count;
    uint8_t *name_on, *group_on; /* bit 0, 1: profile A, B has it */
};

static void numbering_release(struct numbering *n)
{
    for (int s = 0; s < 2; s++) {
        free(n->side[s].names);
        free(n->side[s].groups);
    }
    free(n->name_on);
    free(n->group_on);
}

bool profile_has_short_names(const struct profile *p)
{
    for (size_t k = 0; k < p->kernel_count; k++) {
        const char *name = p->kernels[k].name;

        if (strpbrk(name, "<( ") || strstr(name, "::") || str_starts(name, "_Z"))
            return false;
    }
    return true;
}

static bool has_shapes(const struct profile *p)
{
    for (size_t k = 0; k < p->kernel_count; k++) {
        if (p->kernels[k].grid[0] == 0)
            return false;
    }
    return true;
}

struct names {
    struct hash_index index;
    char **texts; /* plain forms, owned */
    size_t count;
};

/* The number of a plain form; takes ownership of it. -1: out of memory. */
static int64_t name_number(struct names *names, char *plain, struct err *e)
{
    uint64_t hash = hash_fnv1a(plain, strlen(plain));
    size_t at = hash;
    int64_t found;

    while ((found = hash_index_next(&names->index, hash, &at)) >= 0) {
        if (strcmp(names->texts[found], plain) == 0) {
            free(plain);
            return found;
        }
    }
    if (hash_index_add(&names->index, hash, e) < 0) {
        free(plain);
        return -1;
    }
    names->texts[names->count] = plain;
    return (int64_t)names->count++;
}

static int number_names_of(const struct profile *p, bool shorten, struct names *names, uint32_t **out,
                           struct err *e)
{
    uint8_t *seen = mem_zalloc(p->name_count + 1, 1, e);
    int ret = 0;

    *out = seen ? mem_zalloc(p->name_count + 1, sizeof **out, e) : NULL;
    if (!*out) {
        free(seen);
        return -1;
    }
    for (size_t k = 0; k < p->kernel_count && ret == 0; k++) {
        uint32_t id = p->kernels[k].name_id;
        int64_t number = 0;
        char *plain;

        ASSERT(id < p->name_count);
        if (seen[id])
            continue;
        seen[id] = 1;
        plain = kernel_name_plain(p->kernels[k].name, e);
        if (plain && shorten)
            kernel_name_shorten(plain);
        number = plain ? name_number(names, plain, e) : -1;
        ret = number < 0 ? -1 : 0;
        (*out)[id] = (uint32_t)number;
    }
    free(seen);
    return ret;
}

static int number_names(const struct profile *const p[2], bool shorten, struct numbering *n, struct err *e)
{
    struct names names = {0};
    int ret = 0;

    names.texts = mem_zalloc(p[0]->name_count + p[1]->name_count + 1, sizeof *names.texts, e);
    if (!names.texts)
        return -1;
    for (int s = 0; s < 2 && ret == 0; s++)
        ret = number_names_of(p[s], shorten, &names, &n->side[s].names, e);
    n->name_count = names.count;
    n->name_on = ret == 0 ? mem_zalloc(names.count + 1, 1, e) : NULL;
    for (int s = 0; s < 2 && n->name_on; s++)
        for (size_t k = 0; k < p[s]->kernel_count; k++)
            n->name_on[n->side[s].names[p[s]->kernels[k].name_id]] |= (uint8_t)(1 << s);
    for (size_t i = 0; i < names.count; i++)
        free(names.texts[i]);
    free(names.texts);
    hash_index_release(&names.index);
    return n->name_on ? 0 : -1;
}

struct group_key {
    uint32_t name, grid[3], block[3];
};

static int number_groups(const struct profile *const p[2], bool shapes, struct numbering *n, struct err *e)
{
    struct hash_index index = {0};
    struct group_key *keys = mem_zalloc(p[0]->kernel_count + p[1]->kernel_count + 1, sizeof *keys, e);
    int ret = keys ? 0 : -1;

    for (int s = 0; s < 2 && ret == 0; s++) {
        n->side[s].groups = mem_zalloc(p[s]->kernel_count + 1, sizeof *n->side[s].groups, e);
        ret = n->side[s].groups ? 0 : -1;
        for (size_t k = 0; k < p[s]->kernel_count && ret == 0; k++) {
            const struct profile_kernel *kernel = &p[s]->kernels[k];
            struct group_key key = {.name = n->side[s].names[kernel->name_id]};
            uint64_t hash;
            size_t at;
            int64_t found;

            for (int d = 0; d < 3 && shapes; d++) {
                key.grid[d] = kernel->grid[d];
                key.block[d] = kernel->block[d];
            }
            at = hash = hash_fnv1a(&key, sizeof key);
            while ((found = hash_index_next(&index, hash, &at)) >= 0 && memcmp(&keys[found], &key, sizeof key) != 0)
                continue;
            if (found < 0) {
                found = (int64_t)n->group_count;
                ret = hash_index_add(&index, hash, e);
                if (ret == 0)
                    keys[n->group_count++] = key;
            }
            n->side[s].groups[k] = (uint32_t)found;
        }
    }
    ASSERT(n->group_count <= p[0]->kernel_count + p[1]->kernel_count);
    n->group_on = ret == 0 ? mem_zalloc(n->group_count + 1, 1, e) : NULL;
    for (int s = 0; s < 2 && n->group_on; s++)
        for (size_t k = 0; k < p[s]->kernel_count; k++)
            n->group_on[n->side[s].groups[k]] |= (uint8_t)(1 << s);
    hash_index_release(&index);
    free(keys);
    return n->group_on ? 0 : -1;
}

/* --- equal contexts --- */

static int by_device(const void *a, const void *b, void *profile)
{
    const struct profile *p = profile;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    if (p->contexts[x].device != p->contexts[y].device)
        return p->contexts[x].device < p->contexts[y].device ? -1 : 1;
    return x < y ? -1 : x > y;
}

static size_t *contexts_by_device(const struct profile *p, struct err *e)
{
    size_t *order = mem_zalloc(p->context_count + 1, sizeof *order, e);

    if (!order)
        return NULL;
    for (size_t c = 0; c < p->context_count; c++)
        order[c] = c;
    qsort_r(order, p->context_count, sizeof *order, by_device, (void *)p);
    return order;
}

/* --- the launches of one pair of contexts, or of all --- */

struct range {
    uint64_t begin, end;
};
struct pairing {
    const struct profile *p[2];
    const struct numbering *n;
    uint64_t *begin; /* group_count + 1: position of a group's launches of B in `launches` */
    uint64_t *taken; /* group_count: how many of them have a partner */
    uint64_t *launches;
    struct match *out;
};

static uint32_t group_of(const struct pairing *x, int side, uint64_t launch)
{
    ASSERT_HOT(launch < x->p[side]->count);
    return x->n->side[side].groups[x->p[side]->kernel[launch]];
}

static void note_unmatched(struct pairing *x, int side, uint64_t i)
{
    const struct profile *p = x->p[side];
    struct match_side *s = side ? &x->out->b : &x->out->a;
    enum match_reason why = MATCH_NO_KERNEL;
    size_t *count;

    if (x->n->group_on[group_of(x, side, i)] == 3)
        why = MATCH_FEWER_LAUNCHES;
    else if (x->n->name_on[x->n->side[side].names[p->kernels[p->kernel[i]].name_id]] == 3)
        why = MATCH_NO_SHAPE;
    s->unmatched++;
    s->unmatched_value += p->value[i];
    s->count[why]++;
    count = &s->example_count[why];
    ASSERT(*count <= MATCH_EXAMPLES);
    for (size_t n = 0; n < *count; n++) {
        if (p->kernel[s->examples[why][n]] == p->kernel[i])
            return;
    }
    if (*count < MATCH_EXAMPLES)
        s->examples[why][(*count)++] = i;
}

/* Counting sort of B's launches by group; then A's launches are paired with them in order. */
static void pair_range(struct pairing *x, struct range a, struct range b)
{
    size_t groups = x->n->group_count;

    ASSERT(a.begin <= a.end && a.end <= x->p[0]->count);
    ASSERT(b.begin <= b.end && b.end <= x->p[1]->count);
    memset(x->begin, 0, (groups + 1) * sizeof *x->begin);
    memset(x->taken, 0, groups * sizeof *x->taken);
    for (uint64_t i = b.begin; i < b.end; i++)
        x->begin[group_of(x, 1, i) + 1]++;
    for (size_t g = 0; g < groups; g++)
        x->begin[g + 1] += x->begin[g];
    for (uint64_t i = b.begin; i < b.end; i++) {
        uint32_t g = group_of(x, 1, i);

        x->launches[x->begin[g] + x->taken[g]++] = i;
    }
    memset(x->taken, 0, groups * sizeof *x->taken);
    for (uint64_t i = a.begin; i < a.end; i++) {
        uint32_t g = group_of(x, 0, i);
        uint64_t have = x->begin[g + 1] - x->begin[g];

        x->out->of[i] = MATCH_NONE;
        if (x->taken[g] < have) {
            x->out->of[i] = x->launches[x->begin[g] + x->taken[g]++];
            x->out->matched++;
        } else {
            note_unmatched(x, 0, i);
        }
    }
    for (size_t g = 0; g < groups; g++) /* the unmatched launches of B, by group */
        for (uint64_t k = x->begin[g] + x->taken[g]; k < x->begin[g + 1]; k++)
            note_unmatched(x, 1, x->launches[k]);
}

static struct range context_range(const struct profile *p, size_t context)
{
    ASSERT(context < p->context_count);
    return (struct range){p->contexts[context].first, p->contexts[context].first + p->contexts[context].count};
}

static int pair_contexts(struct pairing *x, struct err *e)
{
    size_t *a, *b;
    int ret = -1;

    if (!x->out->by_context) {
        pair_range(x, (struct range){0, x->p[0]->count}, (struct range){0, x->p[1]->count});
        return 0;
    }
    a = contexts_by_device(x->p[0], e);
    b = a ? contexts_by_device(x->p[1], e) : NULL;
    if (b) {
        for (size_t c = 0; c < x->p[0]->context_count; c++)
            pair_range(x, context_range(x->p[0], a[c]), context_range(x->p[1], b[c]));
        ret = 0;
    }
    free(a);
    free(b);
    return ret;
}

static int pair_launches(const struct profile *const p[2], const struct numbering *n, struct match *out,
                         struct err *e)
{
    struct pairing x = {.p = {p[0], p[1]}, .n = n, .out = out};
    int ret = -1;

    x.begin = mem_zalloc(n->group_count + 1, sizeof *x.begin, e);
    x.taken = x.begin ? mem_zalloc(n->group_count + 1, sizeof *x.taken, e) : NULL;
    x.launches = x.taken ? mem_zalloc(p[1]->count + 1, sizeof *x.launches, e) : NULL;
    out->of = x.launches ? mem_zalloc(p[0]->count + 1, sizeof *out->of, e) : NULL;
    if (out->of)
        ret = pair_contexts(&x, e);
    free(x.begin);
    free(x.taken);
    free(x.launches);
    return ret;
}

/* Numbers the kernels of both profiles and fills the members of *out that say how. */
static int number_kernels(const struct profile *const p[2], struct numbering *n, struct match *out, struct err *e)
{
    memset(out, 0, sizeof *out);
    out->by_shape = has_shapes(p[0]) && has_shapes(p[1]);
    out->short_names = profile_has_short_names(p[0]) || profile_has_short_names(p[1]);
    return number_names(p, out->short_names, n, e) < 0 ? -1 : number_groups(p, out->by_shape, n, e);
}

int match_profiles(const struct profile *a, const struct profile *b, struct match *out, struct err *e)
{
    const struct profile *const p[2] = {a, b};
    struct numbering n = {0};
    int ret = number_kernels(p, &n, out, e);

    out->by_context = a->context_count == b->context_count;
    if (ret == 0)
        ret = pair_launches(p, &n, out, e);
    numbering_release(&n);
    return ret;
}

int match_by_number(const struct profile *a, const uint64_t *number, const struct profile *b, struct match *out,
                    struct err *e)
{
    const struct profile *const p[2] = {a, b};
    struct numbering n = {0};
    struct pairing x = {.p = {a, b}, .n = &n, .out = out};
    int ret = number_kernels(p, &n, out, e);

    out->of = ret == 0 ? mem_zalloc(a->count + 1, sizeof *out->of, e) : NULL;
    for (uint64_t i = 0; out->of && i < a->count; i++) {
        bool equal = number[i] < b->count && group_of(&x, 0, i) == group_of(&x, 1, number[i]);

        out->of[i] = equal ? number[i] : MATCH_NONE;
        out->matched += equal;
        if (!equal)
            note_unmatched(&x, 0, i);
    }
    numbering_release(&n);
    return out->of ? 0 : -1;
}

void match_release(struct match *m)
{
    free(m->of);
    m->of = NULL;
}
