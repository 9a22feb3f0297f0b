/* Collects the features of launches added in any order into columns in launch order. */
#include "sampling/profile/features_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/math/hash_index.h"

struct found { /* one launch */
    double metrics[FEATURE_COUNT];
    uint64_t instructions;
    double cta_cov;
    struct wave *waves;
    size_t wave_count;
    uint32_t bbv;
    bool there;
};

struct features_builder {
    uint64_t count, added, wave_bytes;
    struct found *found;
    struct hash_index index; /* of bbvs */
    struct bbv *bbvs;        /* in order of adding */
    struct warp_type *types;
    struct block_count *blocks;
    size_t bbv_count, bbv_capacity, type_count, type_capacity, block_count, block_capacity;
};

struct features_builder *features_builder_new(uint64_t count, struct err *e)
{
    struct features_builder *b = mem_zalloc(1, sizeof *b, e);

    if (!b)
        return NULL;
    b->count = count;
    b->found = mem_zalloc(count + 1, sizeof *b->found, e);
    if (!b->found) {
        free(b);
        return NULL;
    }
    return b;
}

void features_builder_free(struct features_builder *b)
{
    if (!b)
        return;
    for (uint64_t i = 0; i < b->count; i++)
        free(b->found[i].waves);
    free(b->found);
    hash_index_release(&b->index);
    free(b->bbvs);
    free(b->types);
    free(b->blocks);
    free(b);
}

uint64_t features_builder_bytes(const struct features_builder *b)
{
    return b->count * sizeof *b->found + b->wave_bytes + b->type_capacity * sizeof *b->types +
           b->block_capacity * sizeof *b->blocks + b->bbv_capacity * sizeof *b->bbvs;
}

/* --- one canonical form for equal vectors --- */

static int by_key(const void *a, const void *b)
{
    const struct block_count *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

/* Most frequent type first; ties are ordered by content, so that the order of adding has no effect. */
static int by_warps(const void *a, const void *b, void *blocks)
{
    const struct warp_type *x = a, *y = b;
    const struct block_count *p = (const struct block_count *)blocks + x->begin,
                             *q = (const struct block_count *)blocks + y->begin;
    size_t n = x->end - x->begin, m = y->end - y->begin;

    if (x->warps != y->warps)
        return x->warps > y->warps ? -1 : 1;
    for (size_t i = 0; i < n && i < m; i++) {
        if (p[i].key != q[i].key)
            return p[i].key < q[i].key ? -1 : 1;
        if (p[i].count != q[i].count)
            return p[i].count > q[i].count ? -1 : 1;
    }
    return n < m ? -1 : n > m;
}

static void canonical(struct launch_features *l)
{
    for (size_t t = 0; t < l->type_count; t++)
        qsort(l->blocks + l->types[t].begin, l->types[t].end - l->types[t].begin, sizeof *l->blocks, by_key);
    if (l->type_count > 0)
        qsort_r(l->types, l->type_count, sizeof *l->types, by_warps, l->blocks);
}

static uint64_t features_build_mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t bbv_hash(const struct launch_features *l)
{
    uint64_t hash = l->type_count;

    for (size_t t = 0; t < l->type_count; t++) {
        hash = features_build_mix(hash, l->types[t].warps);
        for (size_t i = l->types[t].begin; i < l->types[t].end; i++)
            hash = features_build_mix(features_build_mix(hash, l->blocks[i].key), l->blocks[i].count);
    }
    return hash;
}

static bool bbv_equals(const struct features_builder *b, const struct bbv *v, const struct launch_features *l)
{
    if (v->end - v->begin != l->type_count)
        return false;
    for (size_t t = 0; t < l->type_count; t++) {
        const struct warp_type *x = &b->types[v->begin + t], *y = &l->types[t];

        if (x->warps != y->warps || x->end - x->begin != y->end - y->begin ||
            memcmp(b->blocks + x->begin, l->blocks + y->begin, (x->end - x->begin) * sizeof *l->blocks) != 0)
            return false;
    }
    return true;
}

static int bbv_append(struct features_builder *b, const struct launch_features *l, struct err *e)
{
    if (array_reserve((void **)&b->bbvs, &b->bbv_capacity, b->bbv_count + 1, sizeof *b->bbvs, e) < 0 ||
        array_reserve((void **)&b->types, &b->type_capacity, b->type_count + l->type_count, sizeof *b->types, e) <
            0 ||
        array_reserve((void **)&b->blocks, &b->block_capacity, b->block_count + l->block_count, sizeof *b->blocks,
                      e) < 0)
        return -1;
    b->bbvs[b->bbv_count++] = (struct bbv){b->type_count, b->type_count + l->type_count};
    for (size_t t = 0; t < l->type_count; t++) {
        size_t n = l->types[t].end - l->types[t].begin;

        if (n > 0)
            memcpy(b->blocks + b->block_count, l->blocks + l->types[t].begin, n * sizeof *b->blocks);
        b->types[b->type_count++] = (struct warp_type){l->types[t].warps, b->block_count, b->block_count + n};
        b->block_count += n;
    }
    return 0;
}

static int bbv_intern(struct features_builder *b, struct launch_features *l, uint32_t *out, struct err *e)
{
    uint64_t hash;
    size_t at;
    int64_t found;

    canonical(l);
    at = hash = bbv_hash(l);
    while ((found = hash_index_next(&b->index, hash, &at)) >= 0) {
        if (bbv_equals(b, &b->bbvs[found], l)) {
            *out = (uint32_t)found;
            return 0;
        }
    }
    *out = (uint32_t)b->bbv_count;
    return hash_index_add(&b->index, hash, e) < 0 ? -1 : bbv_append(b, l, e);
}

int features_builder_add(struct features_builder *b, uint64_t index, struct launch_features *l, struct err *e)
{
    struct found *f = &b->found[index];

    if (index >= b->count || f->there)
        return err_set(e, ERR_INTERNAL, "features of launch %llu were counted twice", (unsigned long long)index);
    memcpy(f->metrics, l->metrics, sizeof f->metrics);
    f->instructions = l->instructions;
    f->cta_cov = l->cta_cov;
    if (l->wave_count > 0) {
        f->waves = mem_zalloc(l->wave_count, sizeof *f->waves, e);
        if (!f->waves)
            return -1;
        memcpy(f->waves, l->waves, l->wave_count * sizeof *f->waves);
        f->wave_count = l->wave_count;
        b->wave_bytes += l->wave_count * sizeof *f->waves;
    }
    if (bbv_intern(b, l, &f->bbv, e) < 0)
        return -1;
    f->there = true;
    b->added++;
    return 0;
}

/* --- struct features --- */

static int give_columns(const struct features_builder *b, struct features *f, struct err *e)
{
    f->known = b->count;
    f->instructions = mem_zalloc(b->count + 1, sizeof *f->instructions, e);
    f->cta_cov = f->instructions ? mem_zalloc(b->count + 1, sizeof *f->cta_cov, e) : NULL;
    if (!f->cta_cov)
        return -1;
    for (int m = 0; m < FEATURE_COUNT; m++) {
        f->metrics[m] = mem_zalloc(b->count + 1, sizeof *f->metrics[m], e);
        if (!f->metrics[m])
            return -1;
        for (uint64_t i = 0; i < b->count; i++)
            f->metrics[m][i] = b->found[i].metrics[m];
    }
    for (uint64_t i = 0; i < b->count; i++) {
        f->instructions[i] = b->found[i].instructions;
        f->cta_cov[i] = b->found[i].cta_cov;
    }
    return 0;
}

static int give_waves(const struct features_builder *b, struct features *f, struct err *e)
{
    for (uint64_t i = 0; i < b->count; i++)
        f->wave_count += b->found[i].wave_count;
    f->waves = mem_zalloc(f->wave_count + 1, sizeof *f->waves, e);
    f->wave_begin = f->waves ? mem_zalloc(b->count + 1, sizeof *f->wave_begin, e) : NULL;
    if (!f->wave_begin)
        return -1;
    for (uint64_t i = 0; i < b->count; i++) {
        const struct found *l = &b->found[i];

        if (l->wave_count > 0)
            memcpy(f->waves + f->wave_begin[i], l->waves, l->wave_count * sizeof *f->waves);
        f->wave_begin[i + 1] = f->wave_begin[i] + l->wave_count;
    }
    return 0;
}

/* All distinct keys, sorted. */
static uint64_t *distinct_keys(const struct features_builder *b, size_t *count, struct err *e)
{
    struct block_count *sorted = mem_zalloc(b->block_count + 1, sizeof *sorted, e);
    uint64_t *keys = sorted ? mem_zalloc(b->block_count + 1, sizeof *keys, e) : NULL;

    *count = 0;
    if (keys) {
        if (b->block_count > 0) {
            memcpy(sorted, b->blocks, b->block_count * sizeof *sorted);
            qsort(sorted, b->block_count, sizeof *sorted, by_key);
        }
        for (size_t i = 0; i < b->block_count; i++)
            if (*count == 0 || keys[*count - 1] != sorted[i].key)
                keys[(*count)++] = sorted[i].key;
    }
    free(sorted);
    return keys;
}

static uint32_t rank_of(const uint64_t *keys, size_t count, uint64_t key)
{
    size_t low = 0, high = count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (keys[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void copy_bbv(const struct features_builder *b, uint32_t from, const uint64_t *keys, size_t key_count,
                     struct bbv_store *s)
{
    const struct bbv *v = &b->bbvs[from];

    s->bbvs[s->bbv_count++] = (struct bbv){s->type_count, s->type_count + (v->end - v->begin)};
    for (size_t t = v->begin; t < v->end; t++) {
        const struct warp_type *type = &b->types[t];

        s->types[s->type_count++] =
            (struct bbv_type){type->warps, s->entry_count, s->entry_count + (type->end - type->begin)};
        for (size_t i = type->begin; i < type->end; i++)
            s->entries[s->entry_count++] =
                (struct bbv_entry){rank_of(keys, key_count, b->blocks[i].key), b->blocks[i].count};
    }
}

/* Stores vectors in the order of their first use by launches. */
static int give_bbvs(const struct features_builder *b, struct features *f, struct err *e)
{
    struct bbv_store *s = &f->bbvs;
    size_t key_count;
    uint64_t *keys = distinct_keys(b, &key_count, e);
    uint32_t *number =
        keys ? mem_zalloc(b->bbv_count + 1, sizeof *number, e) : NULL; /* new number + 1; 0: not used yet */

    s->bbvs = number ? mem_zalloc(b->bbv_count + 1, sizeof *s->bbvs, e) : NULL;
    s->types = s->bbvs ? mem_zalloc(b->type_count + 1, sizeof *s->types, e) : NULL;
    s->entries = s->types ? mem_zalloc(b->block_count + 1, sizeof *s->entries, e) : NULL;
    f->bbv_of = s->entries ? mem_zalloc(b->count + 1, sizeof *f->bbv_of, e) : NULL;
    for (uint64_t i = 0; f->bbv_of && i < b->count; i++) {
        uint32_t from = b->found[i].bbv;

        if (!number[from]) {
            copy_bbv(b, from, keys, key_count, s);
            number[from] = (uint32_t)s->bbv_count;
        }
        f->bbv_of[i] = number[from] - 1;
    }
    free(keys);
    free(number);
    return f->bbv_of ? 0 : -1;
}

struct features *features_builder_finish(struct features_builder *b, bool waves, struct err *e)
{
    struct features *f;

    if (b->added != b->count) {
        err_set(e, ERR_INTERNAL, "features of %llu launches were counted instead of %llu",
                (unsigned long long)b->added, (unsigned long long)b->count);
        return NULL;
    }
    f = features_new(e);
    if (f && give_columns(b, f, e) == 0 && give_bbvs(b, f, e) == 0 && (!waves || give_waves(b, f, e) == 0))
        return f;
    features_free(f);
    return NULL;
}
