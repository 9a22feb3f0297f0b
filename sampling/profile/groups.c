/* Launches by a key, sorted by value, as runs of equal values. Moments are exact: sum x and sum x^2 as whole
 * numbers,
 *
 *     S^2 = (N sum x^2 - (sum x)^2) / (N (N - 1)),   sigma^2 = (N sum x^2 - (sum x)^2) / N^2
 *
 * Assumes: launches whose value is 0 take no time anywhere; they are in no group and in no projection. */
#include "sampling/profile/groups.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/math/order.h"

enum {
    PAIRS_MAX = 1 << 20,   /* 32 MB of scratch */
    THREADS_FROM = 1 << 19 /* number of rows that justifies a second thread: about 20 ms of sorting */
};

/* The key of a launch: from its kernel, or from a label per launch. */
struct key_of {
    const uint32_t *of_kernel, *label; /* one of the two is set */
};

static inline uint32_t key_of_row(const struct profile *p, const struct key_of *k, size_t i)
{
    ASSERT_HOT(!k->of_kernel != !k->label);
    if (!p->value[i])
        return GROUP_NOWHERE;
    return k->of_kernel ? k->of_kernel[p->kernel[i]] : k->label[i];
}

/* Rows by key (a counting sort, so ids stay ascending); at[k] is then the end of key k. Returns the number of rows.
 */
static size_t groups_gather(const struct profile *p, const struct key_of *key, uint32_t *rows, size_t *at,
                            size_t keys)
{
    size_t sum = 0;

    for (size_t i = 0; i < p->count; i++) {
        uint32_t k = key_of_row(p, key, i);

        ASSERT_HOT(k == GROUP_NOWHERE || k < keys);
        if (k != GROUP_NOWHERE)
            at[k]++;
    }
    for (size_t k = 0; k < keys; k++) {
        size_t count = at[k];

        at[k] = sum;
        sum += count;
    }
    for (size_t i = 0; i < p->count; i++) {
        uint32_t k = key_of_row(p, key, i);

        if (k != GROUP_NOWHERE)
            rows[at[k]++] = (uint32_t)i;
    }
    ASSERT(sum <= p->count);
    return sum;
}

/* Appends one row to the current group: to its last run, or as a new run. */
static int add_row(struct groups *g, size_t place, bool first, uint64_t value, size_t *capacity, struct err *e)
{
    ASSERT_HOT(first || g->runs[g->run_count - 1].value <= value);
    if (!first && g->runs[g->run_count - 1].value == value)
        return 0;
    if (array_reserve((void **)&g->runs, capacity, g->run_count + 2, sizeof *g->runs, e) < 0)
        return -1;
    g->runs[g->run_count++] = (struct value_run){value, (uint32_t)place};
    return 0;
}

struct sorter {
    size_t run_capacity, pair_capacity;
    struct order_pair *pairs; /* two halves, for groups of up to PAIRS_MAX */
    uint32_t *rows;           /* scratch, only when a group is larger */
};

static void sorter_release(struct sorter *s)
{
    free(s->pairs);
    free(s->rows);
}

static int sort_by_pairs(const struct profile *p, struct groups *g, size_t begin, size_t end, struct sorter *s,
                         struct err *e)
{
    size_t n = end - begin;

    ASSERT(begin < end && end <= g->row_count && n <= PAIRS_MAX);
    if (array_reserve((void **)&s->pairs, &s->pair_capacity, 2 * n, sizeof *s->pairs, e) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        s->pairs[i] = (struct order_pair){p->value[g->rows[begin + i]], g->rows[begin + i]};
    order_pairs(s->pairs, s->pairs + n, n);
    for (size_t i = 0; i < n; i++) {
        g->rows[begin + i] = s->pairs[i].row;
        if (add_row(g, begin + i, i == 0, s->pairs[i].key, &s->run_capacity, e) < 0)
            return -1;
    }
    return 0;
}

static int sort_group(const struct profile *p, struct groups *g, size_t begin, size_t end, struct sorter *s,
                      struct err *e)
{
    struct order_key by_value = {.wide = p->value};

    ASSERT(begin < end && end <= g->row_count);
    if (end - begin <= PAIRS_MAX)
        return sort_by_pairs(p, g, begin, end, s, e);
    if (!s->rows) {
        s->rows = mem_zalloc(g->row_count, sizeof *s->rows, e);
        if (!s->rows)
            return -1;
    }
    order_rows(g->rows + begin, s->rows, end - begin, &by_value);
    for (size_t i = begin; i < end; i++)
        if (add_row(g, i, i == begin, p->value[g->rows[i]], &s->run_capacity, e) < 0)
            return -1;
    return 0;
}

/* Half of the work, for one thread: groups of neighbouring keys. */
struct part {
    const struct profile *p;
    const size_t *at;           /* ends of all keys' rows */
    const enum group_key *kind; /* kind of the group of key k; NULL: labels */
    size_t key, keys_end, begin;
    struct groups
        g; /* items and runs of this part alone; the array of rows is shared, each part sorts its own range */
    struct sorter sorter;
    int ret;
    struct err e;
};

static int sort_keys(struct part *x)
{
    struct groups *g = &x->g;

    g->items = mem_zalloc(x->keys_end - x->key, sizeof *g->items, &x->e);
    if (!g->items || array_reserve((void **)&g->runs, &x->sorter.run_capacity, 1, sizeof *g->runs, &x->e) < 0)
        return -1;
    for (size_t begin = x->begin; x->key < x->keys_end; begin = x->at[x->key++]) {
        size_t first_run = g->run_count;

        if (x->at[x->key] == begin)
            continue;
        if (sort_group(x->p, g, begin, x->at[x->key], &x->sorter, &x->e) < 0)
            return -1;
        g->items[g->count++] =
            (struct group){(uint32_t)x->key, x->kind ? x->kind[x->key] : GROUP_LABEL, first_run, g->run_count};
    }
    ASSERT(g->count <= g->run_count);
    return 0;
}

static void *sort_part(void *part)
{
    struct part *x = part;

    x->ret = sort_keys(x);
    sorter_release(&x->sorter);
    return NULL;
}

/* The first key of the second part, so that about half of the rows are before it. */
static size_t split_keys(const size_t *at, size_t keys, size_t rows)
{
    size_t k = 0;

    if (rows < THREADS_FROM)
        return keys;
    while (k < keys && at[k] < rows / 2)
        k++;
    return k < keys ? k + 1 : keys;
}

/* Appends the groups of b to those of a, whose keys are lower. */
static int groups_join(struct groups *a, const struct groups *b, struct err *e)
{
    size_t items = 0, runs = 0;

    ASSERT(a->row_count == b->row_count);
    if (array_reserve((void **)&a->items, &items, a->count + b->count + 1, sizeof *a->items, e) < 0 ||
        array_reserve((void **)&a->runs, &runs, a->run_count + b->run_count + 1, sizeof *a->runs, e) < 0)
        return -1;
    for (size_t i = 0; i < b->count; i++) {
        struct group *to = &a->items[a->count++];

        *to = b->items[i];
        to->run_begin += a->run_count;
        to->run_end += a->run_count;
    }
    if (b->run_count)
        memcpy(a->runs + a->run_count, b->runs, b->run_count * sizeof *b->runs);
    a->run_count += b->run_count;
    a->runs[a->run_count] = (struct value_run){0, (uint32_t)a->row_count};
    return 0;
}

/* Sorts both parts, in parallel if there are enough rows. The result does not depend on that. */
static void sort_parts(struct part parts[2])
{
    pthread_t second;
    bool two = parts[1].key < parts[1].keys_end && pthread_create(&second, NULL, sort_part, &parts[1]) == 0;

    sort_part(&parts[0]);
    if (two)
        pthread_join(second, NULL);
    else
        sort_part(&parts[1]);
}

/* kind[k]: kind of the group of key k; NULL: labels. */
static int make_groups(const struct profile *p, const struct key_of *key, size_t keys, const enum group_key *kind,
                       struct groups *out, struct err *e)
{
    size_t *at = mem_zalloc(keys, sizeof *at, e), split;
    uint32_t *rows = mem_zalloc(p->count, sizeof *rows, e);
    struct part parts[2] = {{.p = p, .at = at, .kind = kind}, {.p = p, .at = at, .kind = kind}};
    int ret = -1;

    ASSERT(!key->of_kernel != !key->label);
    *out = (struct groups){0};
    if (!at || !rows) {
        free(rows);
        goto out;
    }
    parts[0].g.rows = parts[1].g.rows = rows;
    parts[0].g.row_count = parts[1].g.row_count = groups_gather(p, key, rows, at, keys);
    split = split_keys(at, keys, parts[0].g.row_count);
    parts[0].keys_end = parts[1].key = split;
    parts[1].keys_end = keys;
    parts[1].begin = split ? at[split - 1] : 0;
    sort_parts(parts);
    for (int i = 0; i < 2; i++)
        if (parts[i].ret < 0)
            *e = parts[i].e;
    ret = parts[0].ret < 0 || parts[1].ret < 0 ? -1 : groups_join(&parts[0].g, &parts[1].g, e);
    *out = parts[0].g;
    parts[1].g.rows = NULL;
    groups_release(&parts[1].g);
out:
    free(at);
    if (ret < 0)
        groups_release(out);
    return ret;
}

int groups_make_mapped(const struct profile *p, const struct group_map *map, struct groups *out, struct err *e)
{
    const struct key_of key = {.of_kernel = map->of_kernel};

    return make_groups(p, &key, map->keys, map->kind, out, e);
}

int groups_make_labelled(const struct profile *p, const uint32_t *label, size_t labels, struct groups *out,
                         struct err *e)
{
    const struct key_of key = {.label = label};

    return make_groups(p, &key, labels, NULL, out, e);
}

int groups_make(const struct profile *p, enum group_key key, struct groups *out, struct err *e)
{
    size_t keys = key == GROUP_KERNEL ? p->kernel_count : key == GROUP_NAME ? p->name_count : 1;
    uint32_t *of_kernel = mem_zalloc(p->kernel_count, sizeof *of_kernel, e);
    enum group_key *kind = mem_zalloc(keys, sizeof *kind, e);
    struct group_map map = {keys, of_kernel, kind};
    int ret = -1;

    *out = (struct groups){0};
    if (of_kernel && kind) {
        for (size_t k = 0; k < p->kernel_count; k++)
            of_kernel[k] = key == GROUP_KERNEL ? (uint32_t)k : key == GROUP_NAME ? p->kernels[k].name_id : 0;
        for (size_t k = 0; k < keys; k++)
            kind[k] = key;
        ret = groups_make_mapped(p, &map, out, e);
    }
    free(of_kernel);
    free(kind);
    return ret;
}

void groups_release(struct groups *g)
{
    free(g->items);
    free(g->runs);
    free(g->rows);
    *g = (struct groups){0};
}

struct moments moments_of(const struct groups *g, size_t run_begin, size_t run_end)
{
    struct moments m = {0};

    ASSERT(run_begin <= run_end);
    for (size_t r = run_begin; r < run_end; r++) {
        uint64_t n = g->runs[r + 1].first - g->runs[r].first, v = g->runs[r].value;

        m.count += n;
        m.sum += n * v;
        m.squares += (unsigned __int128)v * v * n;
    }
    return m;
}

double moments_mean(const struct moments *m)
{
    return (double)((long double)m->sum / (long double)m->count);
}

/* N sum(x^2) - (sum x)^2, exact as long as it fits 128 bits: with sums below 2^64 and counts below 2^32 the first
 * product exceeds that only if a single value is extremely large, and then the 64-bit mantissa is precise enough.
 */
static long double groups_scatter(const struct moments *m)
{
    unsigned __int128 left, right = (unsigned __int128)m->sum * m->sum;

    if (!__builtin_mul_overflow(m->squares, (unsigned __int128)m->count, &left))
        return (long double)(left - right);
    return (long double)m->squares * (long double)m->count - (long double)m->sum * (long double)m->sum;
}

double moments_sd(const struct moments *m)
{
    long double n = (long double)m->count;

    return m->count < 2 ? 0 : (double)sqrtl(fmaxl(groups_scatter(m), 0) / (n * (n - 1)));
}

double moments_sd_population(const struct moments *m)
{
    return (double)(sqrtl(fmaxl(groups_scatter(m), 0)) / (long double)m->count);
}

struct tails tails_of(const struct groups *g, size_t run_begin, size_t run_end)
{
    struct moments m = moments_of(g, run_begin, run_end);
    double mean = moments_mean(&m), n = (double)m.count, second = 0, fourth = 0;
    struct tails t = {0};

    for (size_t i = run_begin; i < run_end; i++) {
        double d = (double)g->runs[i].value - mean, count = (double)runs_rows(g, i, i + 1);

        second += count * d * d / n;
        t.third += count * d * d * d / n;
        fourth += count * d * d * d * d / n;
    }
    t.kurtosis = second > 0 ? fourth / (second * second) - 3 : 0;
    return t;
}
