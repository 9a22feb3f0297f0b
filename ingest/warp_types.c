#include "ingest/warp_types.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/math/hash_index.h"

#define BLOCK_NONE UINT32_MAX

/* A basic block of this launch. */
struct block {
    uint64_t key;
    uint64_t count; /* of the current warp */
    uint64_t rest;  /* of all warps beyond the largest number of types */
    uint32_t next;  /* next block with the same `inst` */
};

struct warp_types {
    size_t most;
    struct block *blocks;
    size_t block_count, block_capacity;
    uint32_t *heads; /* first block of each inst; BLOCK_NONE: none yet */
    size_t head_count, head_capacity;
    uint32_t *touched; /* blocks of the current warp */
    size_t touched_count, touched_capacity;
    struct hash_index index;
    struct warp_type *types; /* begin, end into entries */
    size_t type_count, type_capacity;
    struct block_count *entries; /* the key is the block number until warp_types_give() */
    size_t entry_count, entry_capacity;
    size_t last; /* type of the previous warp: most warps have the same type */
    uint64_t rest_warps;
};

struct warp_types *warp_types_new(size_t most, struct err *e)
{
    struct warp_types *t = mem_zalloc(1, sizeof *t, e);

    ASSERT(most > 0);
    if (t)
        t->most = most;
    return t;
}

void warp_types_free(struct warp_types *t)
{
    if (!t)
        return;
    free(t->blocks);
    free(t->heads);
    free(t->touched);
    hash_index_release(&t->index);
    free(t->types);
    free(t->entries);
    free(t);
}

void warp_types_clear(struct warp_types *t)
{
    hash_index_release(&t->index);
    memset(&t->index, 0, sizeof t->index);
    t->block_count = t->head_count = t->touched_count = t->type_count = t->entry_count = t->last = 0;
    t->rest_warps = 0;
}

static int block_add(struct warp_types *t, uint32_t inst, uint64_t key, uint32_t *out, struct err *e)
{
    if (array_reserve((void **)&t->heads, &t->head_capacity, (size_t)inst + 1, sizeof *t->heads, e) < 0 ||
        array_reserve((void **)&t->blocks, &t->block_capacity, t->block_count + 1, sizeof *t->blocks, e) < 0 ||
        array_reserve((void **)&t->touched, &t->touched_capacity, t->block_count + 1, sizeof *t->touched, e) < 0)
        return -1;
    while (t->head_count <= inst)
        t->heads[t->head_count++] = BLOCK_NONE;
    ASSERT_HOT(t->block_count < BLOCK_NONE && inst < t->head_count);
    *out = (uint32_t)t->block_count++;
    t->blocks[*out] = (struct block){.key = key, .next = t->heads[inst]};
    t->heads[inst] = *out;
    return 0;
}

int warp_types_block(struct warp_types *t, uint32_t inst, uint64_t key, struct err *e)
{
    uint32_t b = inst < t->head_count ? t->heads[inst] : BLOCK_NONE;

    while (b != BLOCK_NONE && t->blocks[b].key != key)
        b = t->blocks[b].next;
    if (b == BLOCK_NONE && block_add(t, inst, key, &b, e) < 0)
        return -1;
    if (t->blocks[b].count++ == 0)
        t->touched[t->touched_count++] = b;
    ASSERT_HOT(b < t->block_count && t->touched_count <= t->block_count);
    return 0;
}

/* Does not depend on the order in which the blocks were added. */
static uint64_t warp_hash(const struct warp_types *t)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < t->touched_count; i++) {
        uint64_t x = (t->touched[i] + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15) ^ t->blocks[t->touched[i]].count;

        x = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
        sum += x ^ x >> 29;
    }
    return sum;
}

static bool is_type(const struct warp_types *t, size_t type)
{
    const struct warp_type *x = &t->types[type];

    ASSERT_HOT(type < t->type_count && x->begin <= x->end && x->end <= t->entry_count);
    if (x->end - x->begin != t->touched_count)
        return false;
    for (size_t i = x->begin; i < x->end; i++)
        if (t->blocks[t->entries[i].key].count != t->entries[i].count)
            return false;
    return true;
}

/* The index of the current warp's type; -1: a new type. */
static int64_t find_type(struct warp_types *t, uint64_t hash)
{
    size_t at = hash;
    int64_t type;

    while ((type = hash_index_next(&t->index, hash, &at)) >= 0)
        if (is_type(t, (size_t)type))
            return type;
    return -1;
}

static int type_add(struct warp_types *t, uint64_t hash, struct err *e)
{
    ASSERT(t->type_count < t->most);
    if (hash_index_add(&t->index, hash, e) < 0 ||
        array_reserve((void **)&t->types, &t->type_capacity, t->type_count + 2, sizeof *t->types, e) < 0 ||
        array_reserve((void **)&t->entries, &t->entry_capacity, t->entry_count + t->touched_count,
                      sizeof *t->entries, e) < 0)
        return -1;
    t->types[t->type_count] = (struct warp_type){0, t->entry_count, t->entry_count + t->touched_count};
    for (size_t i = 0; i < t->touched_count; i++)
        t->entries[t->entry_count++] = (struct block_count){t->touched[i], t->blocks[t->touched[i]].count};
    ASSERT(t->entry_count <= t->entry_capacity);
    t->last = t->type_count++;
    return 0;
}

static void clear_warp(struct warp_types *t, bool into_rest)
{
    for (size_t i = 0; i < t->touched_count; i++) {
        struct block *b = &t->blocks[t->touched[i]];

        b->rest += into_rest ? b->count : 0;
        b->count = 0;
    }
    t->touched_count = 0;
}

int warp_types_end_warp(struct warp_types *t, struct err *e)
{
    if (t->type_count == 0 || !is_type(t, t->last)) {
        uint64_t hash = warp_hash(t);
        int64_t type = find_type(t, hash);

        if (type < 0 && t->type_count >= t->most) {
            t->rest_warps++;
            clear_warp(t, true);
            return 0;
        }
        if (type >= 0)
            t->last = (size_t)type;
        else if (type_add(t, hash, e) < 0)
            return -1;
    }
    ASSERT_HOT(t->last < t->type_count);
    t->types[t->last].warps++;
    clear_warp(t, false);
    return 0;
}

/* Adds the warps beyond the largest number of types as one type with their mean. */
static int add_rest(struct warp_types *t, struct err *e)
{
    size_t begin = t->entry_count;

    if (t->rest_warps == 0)
        return 0;
    if (array_reserve((void **)&t->entries, &t->entry_capacity, t->entry_count + t->block_count, sizeof *t->entries,
                      e) < 0)
        return -1;
    for (size_t b = 0; b < t->block_count; b++) {
        uint64_t mean = (t->blocks[b].rest + t->rest_warps / 2) / t->rest_warps;

        if (mean)
            t->entries[t->entry_count++] = (struct block_count){b, mean};
    }
    ASSERT(t->type_count == t->most && t->type_count < t->type_capacity);
    t->types[t->type_count++] =
        (struct warp_type){t->rest_warps, begin, t->entry_count}; /* type_add() reserved it */
    t->rest_warps = 0;
    return 0;
}

int warp_types_give(struct warp_types *t, struct launch_features *out, struct err *e)
{
    ASSERT(t->touched_count == 0 && t->type_count <= t->most);
    if (add_rest(t, e) < 0)
        return -1;
    for (size_t i = 0; i < t->entry_count; i++)
        t->entries[i].key = t->blocks[t->entries[i].key].key;
    out->types = t->types;
    out->type_count = t->type_count;
    out->blocks = t->entries;
    out->block_count = t->entry_count;
    return 0;
}
