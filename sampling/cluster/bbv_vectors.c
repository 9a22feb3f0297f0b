/* Photon's GPU-BBV (Liu, Sun, Carlson, MICRO 2023): the types of warps of a launch, most frequent first, each with
 * its share of warps times its block counts / their Euclidean length. The distance of two launches is that of these
 * vectors. The artifact's form uses plain counts. Assumes: launches of one name, whose blocks have the same
 * numbers. */
#include "sampling/cluster/bbv_vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/math/hash_index.h"

static int add_entry(struct bbv_vectors *v, uint64_t place, double x, struct err *e)
{
    if (array_reserve((void **)&v->entries, &v->entry_capacity, v->entry_count + 1, sizeof *v->entries, e) < 0)
        return -1;
    v->entries[v->entry_count++] = (struct bbv_entry_value){place, x};
    return 0;
}

static int add_gpu_bbv(struct bbv_vectors *v, const struct bbv_store *s, const struct bbv *b, struct err *e)
{
    double warps = 0;

    for (size_t t = b->begin; t < b->end; t++)
        warps += (double)s->types[t].warps;
    for (size_t t = b->begin; t < b->end; t++) {
        const struct bbv_type *type = &s->types[t];
        double squares = 0, scale;

        for (size_t i = type->begin; i < type->end; i++)
            squares += (double)s->entries[i].count * (double)s->entries[i].count;
        if (!(squares > 0))
            continue;
        scale = (double)type->warps / warps / sqrt(squares);
        for (size_t i = type->begin; i < type->end; i++)
            if (add_entry(v, (uint64_t)(t - b->begin) << 32 | s->entries[i].block,
                          scale * (double)s->entries[i].count, e) < 0)
                return -1;
    }
    return 0;
}

static int place_compare(const void *a, const void *b)
{
    uint64_t x = ((const struct bbv_entry_value *)a)->place, y = ((const struct bbv_entry_value *)b)->place;

    return x < y ? -1 : x > y;
}

/* Counts are whole numbers, so their sums do not depend on the order as long as they stay below 2^53. */
static int add_counts(struct bbv_vectors *v, const struct bbv_store *s, const struct bbv *b, struct err *e)
{
    size_t begin = v->entry_count, to = begin;

    for (size_t t = b->begin; t < b->end; t++)
        for (size_t i = s->types[t].begin; i < s->types[t].end; i++)
            if (add_entry(v, s->entries[i].block, (double)s->types[t].warps * (double)s->entries[i].count, e) < 0)
                return -1;
    if (v->entry_count > begin)
        qsort(v->entries + begin, v->entry_count - begin, sizeof *v->entries, place_compare);
    for (size_t i = begin; i < v->entry_count; i++) {
        if (to > begin && v->entries[to - 1].place == v->entries[i].place)
            v->entries[to - 1].x += v->entries[i].x;
        else
            v->entries[to++] = v->entries[i];
    }
    v->entry_count = to;
    return 0;
}

static uint64_t hash_of(const struct bbv_entry_value *x, size_t n)
{
    return hash_fnv1a(x, n * sizeof *x); /* two 8-byte members: no padding inside */
}

/* Closes the vector whose entries start at begin[count]; drops it if an equal vector exists already. */
static int close_vector(struct bbv_vectors *v, struct hash_index *known, uint32_t *number, struct err *e)
{
    size_t begin = v->begin[v->count], n = v->entry_count - begin, at;
    uint64_t hash = hash_of(v->entries + begin, n);
    double squares = 0;
    int64_t same;

    at = hash;
    while ((same = hash_index_next(known, hash, &at)) >= 0) {
        const struct bbv_entry_value *other = v->entries + v->begin[same];

        if (v->begin[same + 1] - v->begin[same] != n || memcmp(other, v->entries + begin, n * sizeof *other) != 0)
            continue;
        v->entry_count = begin;
        *number = (uint32_t)same;
        return 0;
    }
    for (size_t i = begin; i < v->entry_count; i++)
        squares += v->entries[i].x * v->entries[i].x;
    if (hash_index_add(known, hash, e) < 0)
        return -1;
    v->length[v->count] = sqrt(squares);
    *number = (uint32_t)v->count++;
    v->begin[v->count] = v->entry_count;
    return 0;
}

int bbv_vectors_make(const struct bbv_store *s, enum bbv_form form, struct bbv_vectors *out, struct err *e)
{
    struct hash_index known = {0};
    int ret = -1;

    *out = (struct bbv_vectors){0};
    out->begin = mem_zalloc(s->bbv_count + 1, sizeof *out->begin, e);
    out->length = mem_zalloc(s->bbv_count, sizeof *out->length, e);
    out->of = mem_zalloc(s->bbv_count, sizeof *out->of, e);
    if (!out->begin || !out->length || !out->of)
        goto out;
    for (size_t b = 0; b < s->bbv_count; b++) {
        size_t begin = out->entry_count;

        if ((form == BBV_GPU ? add_gpu_bbv : add_counts)(out, s, &s->bbvs[b], e) < 0)
            goto out;
        if (out->entry_count == begin) {
            err_set(e, ERR_INVALID, "basic-block vector %zu is empty: its launches ran nothing", b);
            goto out;
        }
        if (close_vector(out, &known, &out->of[b], e) < 0)
            goto out;
    }
    ret = 0;
out:
    hash_index_release(&known);
    if (ret < 0)
        bbv_vectors_release(out);
    return ret;
}

void bbv_vectors_release(struct bbv_vectors *v)
{
    free(v->begin);
    free(v->length);
    free(v->entries);
    free(v->of);
    *v = (struct bbv_vectors){0};
}

double bbv_distance_squared(const struct bbv_vectors *v, uint32_t a, uint32_t b, double most)
{
    size_t i = v->begin[a], j = v->begin[b], i_end = v->begin[a + 1], j_end = v->begin[b + 1];
    double apart = v->length[a] - v->length[b], sum = 0;

    if (apart * apart >= most) /* the distance is at least the difference of the lengths */
        return apart * apart;
    while ((i < i_end || j < j_end) && sum < most) {
        uint64_t x = i < i_end ? v->entries[i].place : UINT64_MAX, y = j < j_end ? v->entries[j].place : UINT64_MAX;
        double d = (x <= y ? v->entries[i].x : 0) - (y <= x ? v->entries[j].x : 0);

        sum += d * d;
        i += x <= y;
        j += y <= x;
    }
    return sum;
}
