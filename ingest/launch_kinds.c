#include "ingest/launch_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/demangle.h"
#include "base/hash.h"

/* --- texts --- */

static int text_add(struct launch_kinds *k, const char *text, uint32_t *out, struct err *e)
{
    uint64_t hash = hash_words(text, strlen(text));
    size_t at = hash;
    int64_t i;

    while ((i = hash_index_next(&k->text_index, hash, &at)) >= 0)
        if (strcmp(k->texts[i].text, text) == 0) {
            *out = (uint32_t)i;
            return 0;
        }
    if (array_reserve((void **)&k->texts, &k->text_capacity, k->text_count + 1, sizeof *k->texts, e) < 0)
        return -1;
    ASSERT(k->text_count < UINT32_MAX);
    *out = (uint32_t)k->text_count;
    k->texts[*out] = (struct launch_text){mem_strdup(text, e), UINT32_MAX};
    if (!k->texts[*out].text)
        return -1;
    k->text_count++;
    return hash_index_add(&k->text_index, hash, e);
}

static uint32_t root(const struct launch_kinds *k, uint32_t text)
{
    while (k->texts[text].form != text) {
        ASSERT(k->texts[text].form < k->text_count);
        text = k->texts[text].form;
    }
    return text;
}

/* Adds a spelling of a name, with its plain form. */
static int name_add(struct launch_kinds *k, const char *name, uint32_t *out, struct err *e)
{
    uint32_t form;
    char *plain;
    int ret;

    if (text_add(k, name, out, e) < 0)
        return -1;
    if (k->texts[*out].form != UINT32_MAX)
        return 0;
    plain = kernel_name_plain(name, e);
    if (!plain)
        return -1;
    ret = text_add(k, plain, &form, e);
    free(plain);
    if (ret < 0)
        return -1;
    if (k->texts[form].form == UINT32_MAX)
        k->texts[form].form = form;
    ASSERT(form < k->text_count && *out < k->text_count);
    if (*out != form)
        k->texts[*out].form = form;
    return 0;
}

/* The two spellings of a kernel become one name, even if their plain forms differ. */
static int kernel_add(struct launch_kinds *k, size_t kernel, struct err *e)
{
    const struct profile_kernel *p = &k->p->kernels[kernel];
    uint32_t mangled, a, b;

    ASSERT(kernel < k->p->kernel_count);
    if (name_add(k, p->name, &k->kernel_text[kernel], e) < 0)
        return -1;
    if (!p->mangled_name)
        return 0;
    if (name_add(k, p->mangled_name, &mangled, e) < 0)
        return -1;
    a = root(k, k->kernel_text[kernel]);
    b = root(k, mangled);
    k->texts[b].form = a;
    return 0;
}

int launch_kinds_init(struct launch_kinds *k, const struct profile *p, struct err *e)
{
    *k = (struct launch_kinds){.p = p, .kernel_text = mem_zalloc(p->kernel_count, sizeof *k->kernel_text, e)};
    if (!k->kernel_text)
        return -1;
    for (size_t i = 0; i < p->kernel_count; i++)
        if (kernel_add(k, i, e) < 0)
            return -1;
    return 0;
}

void launch_kinds_release(struct launch_kinds *k)
{
    for (size_t i = 0; i < k->text_count; i++)
        free(k->texts[i].text);
    hash_index_release(&k->text_index);
    hash_index_release(&k->kind_index);
    free(k->texts);
    free(k->kinds);
    free(k->kernel_text);
    *k = (struct launch_kinds){.p = NULL};
}

/* --- kinds --- */

static bool equal_kinds(const struct launch_kind *a, const struct launch_kind *b)
{
    return a->text == b->text && a->has_shape == b->has_shape && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

static uint64_t hash_shape(uint32_t name, const uint32_t grid[3], const uint32_t block[3])
{
    const uint32_t words[8] = {name, 0, grid[0], grid[1], grid[2], block[0], block[1], block[2]};

    return hash_words(words, sizeof words);
}

int launch_kinds_add(struct launch_kinds *k, const struct listed_launch *l, uint32_t *kind, struct err *e)
{
    struct launch_kind new = {.has_shape = l->has_shape};
    uint64_t hash;
    size_t at;
    int64_t i;

    if (name_add(k, l->name, &new.text, e) < 0)
        return -1;
    if (l->has_shape) {
        memcpy(new.grid, l->grid, sizeof new.grid);
        memcpy(new.block, l->block, sizeof new.block);
    }
    hash = hash_shape(new.text, new.grid, new.block);
    for (at = hash; (i = hash_index_next(&k->kind_index, hash, &at)) >= 0;)
        if (equal_kinds(&k->kinds[i], &new)) {
            *kind = (uint32_t)i;
            return 0;
        }
    if (array_reserve((void **)&k->kinds, &k->kind_capacity, k->kind_count + 1, sizeof *k->kinds, e) < 0)
        return -1;
    ASSERT(k->kind_count < UINT32_MAX && new.text < k->text_count);
    *kind = (uint32_t)k->kind_count;
    k->kinds[k->kind_count++] = new;
    return hash_index_add(&k->kind_index, hash, e);
}

/* --- comparing --- */

const char *launch_kinds_name(const struct launch_kinds *k, uint32_t kind)
{
    ASSERT(kind < k->kind_count);
    return k->texts[k->kinds[kind].text].text;
}

bool launch_kinds_same_name(const struct launch_kinds *k, uint32_t kernel, uint32_t kind)
{
    ASSERT(kernel < k->p->kernel_count && kind < k->kind_count);
    return root(k, k->kernel_text[kernel]) == root(k, k->kinds[kind].text);
}

static bool same_size(const uint32_t profile[3], const uint32_t listed[3])
{
    return !profile[0] || memcmp(profile, listed, 3 * sizeof *profile) == 0;
}

bool launch_kinds_same_grid(const struct launch_kinds *k, uint32_t kernel, uint32_t kind)
{
    ASSERT(kernel < k->p->kernel_count && kind < k->kind_count);
    return !k->kinds[kind].has_shape || same_size(k->p->kernels[kernel].grid, k->kinds[kind].grid);
}

bool launch_kinds_same_block(const struct launch_kinds *k, uint32_t kernel, uint32_t kind)
{
    ASSERT(kernel < k->p->kernel_count && kind < k->kind_count);
    return !k->kinds[kind].has_shape || same_size(k->p->kernels[kernel].block, k->kinds[kind].block);
}

/* --- numbers --- */

struct shape {
    uint32_t name; /* number of the root text */
    uint32_t grid[3], block[3];
};
struct numbering {
    struct shape *shapes;
    size_t count, capacity;
    struct hash_index index;
};

static int number_of(struct numbering *n, const struct shape *s, uint32_t *out, struct err *e)
{
    uint64_t hash = hash_shape(s->name, s->grid, s->block);
    size_t at = hash;
    int64_t i;

    while ((i = hash_index_next(&n->index, hash, &at)) >= 0)
        if (memcmp(&n->shapes[i], s, sizeof *s) == 0) {
            *out = (uint32_t)i;
            return 0;
        }
    if (array_reserve((void **)&n->shapes, &n->capacity, n->count + 1, sizeof *n->shapes, e) < 0)
        return -1;
    ASSERT(n->count < n->capacity && n->count < UINT32_MAX);
    *out = (uint32_t)n->count;
    n->shapes[n->count++] = *s;
    return hash_index_add(&n->index, hash, e);
}

/* Marks names for which a launch has no grid or block on either side. These are numbered by name alone. */
static uint8_t *names_without_sizes(const struct launch_kinds *k, struct err *e)
{
    uint8_t *lacks = mem_zalloc(k->text_count ? k->text_count : 1, 1, e);

    for (size_t i = 0; lacks && i < k->p->kernel_count; i++)
        if (!k->p->kernels[i].grid[0] || !k->p->kernels[i].block[0])
            lacks[root(k, k->kernel_text[i])] = 1;
    for (size_t i = 0; lacks && i < k->kind_count; i++)
        if (!k->kinds[i].has_shape)
            lacks[root(k, k->kinds[i].text)] = 1;
    return lacks;
}

static int number_one(struct numbering *n, const uint8_t *lacks, uint32_t name, const uint32_t grid[3],
                      const uint32_t block[3], uint32_t *out, struct err *e)
{
    struct shape s = {.name = name};

    if (!lacks[name]) {
        memcpy(s.grid, grid, sizeof s.grid);
        memcpy(s.block, block, sizeof s.block);
    }
    return number_of(n, &s, out, e);
}

int launch_kinds_number(const struct launch_kinds *k, uint32_t *kernels, uint32_t *kinds, bool *exact,
                        struct err *e)
{
    struct numbering n = {.count = 0};
    uint8_t *lacks = names_without_sizes(k, e);
    int ret = lacks ? 0 : -1;

    *exact = true;
    for (size_t i = 0; ret == 0 && i < k->p->kernel_count; i++) {
        const struct profile_kernel *p = &k->p->kernels[i];
        uint32_t name = root(k, k->kernel_text[i]);

        *exact &= !lacks[name];
        ret = number_one(&n, lacks, name, p->grid, p->block, &kernels[i], e);
    }
    for (size_t i = 0; ret == 0 && i < k->kind_count; i++)
        ret = number_one(&n, lacks, root(k, k->kinds[i].text), k->kinds[i].grid, k->kinds[i].block, &kinds[i], e);
    hash_index_release(&n.index);
    free(n.shapes);
    free(lacks);
    return ret;
}
