/* Two-level profiling of PKA (Avalos Baddouh et al., MICRO 2021). The paper labels launches after the measured ones
 * by a classifier over cheap data, but gives neither its settings nor the counting of votes. Our choice: a launch
 * whose (name, grid, block) was measured goes to the group with most of the measured launches of that kernel (ties:
 * the group that began first). All others are classified by columns of equal weight (standardised): which of 64
 * buckets the name's hash falls into, and the binary logarithms of the six grid and block dimensions.
 *
 * Assumption: launches of one name and shape do the same work throughout the run, and names and shapes that were
 * not measured behave like measured ones. The share of launches labelled each way shows how much a plan depends on
 * this. */
#include "sampling/cluster/two_level.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/cluster/classify.h"
#include "sampling/profile/groups.h"
#include "sampling/math/portable_math.h"

enum { NAME_BUCKETS = 64, COLUMNS = NAME_BUCKETS + 6 };

struct votes {
    size_t groups;
    uint64_t *count; /* kernel k for group g: count[k * groups + g] */
    uint32_t *group; /* per kernel; GROUP_NOWHERE: never measured */
};

static void cheap_features(const struct profile_kernel *k, double *x)
{
    x[hash_fnv1a(k->name, strlen(k->name)) % NAME_BUCKETS] = 1;
    for (int i = 0; i < 3; i++) {
        x[NAME_BUCKETS + i] = k->grid[i] ? portable_log2(k->grid[i]) : 0;
        x[NAME_BUCKETS + 3 + i] = k->block[i] ? portable_log2(k->block[i]) : 0;
    }
}

static int votes_init(struct votes *v, const struct profile *p, uint64_t known, size_t groups,
                      const uint32_t *label, struct err *e)
{
    *v = (struct votes){groups, mem_zalloc(p->kernel_count * groups, sizeof(uint64_t), e),
                        mem_zalloc(p->kernel_count, sizeof(uint32_t), e)};
    ASSERT(known <= p->count);
    if (!v->count || !v->group)
        return -1;
    for (uint64_t i = 0; i < known; i++)
        if (label[i] != GROUP_NOWHERE)
            v->count[p->kernel[i] * groups + label[i]]++;
    for (size_t k = 0; k < p->kernel_count; k++) {
        uint64_t most = 0;

        v->group[k] = GROUP_NOWHERE;
        for (size_t g = 0; g < groups; g++) {
            if (v->count[k * groups + g] > most) {
                most = v->count[k * groups + g];
                v->group[k] = (uint32_t)g;
            }
        }
    }
    return 0;
}

static void votes_release(struct votes *v)
{
    free(v->count);
    free(v->group);
}

/* One training row for each (kernel, group) that occurs, one query for each kernel that was not measured. */
struct lesson {
    struct points rows, queries;
    uint32_t *class_of, *kernel_of; /* of rows; of queries */
};

static int points_init(struct points *p, size_t count, struct err *e)
{
    *p = (struct points){0, COLUMNS, mem_zalloc(count * COLUMNS, sizeof(double), e),
                         mem_zalloc(count, sizeof(uint64_t), e)};
    return p->x && p->weight ? 0 : -1;
}

static int lesson_init(struct lesson *l, const struct profile *p, const struct votes *v, struct err *e)
{
    size_t rows = 0;

    for (size_t i = 0; i < p->kernel_count * v->groups; i++)
        rows += v->count[i] > 0;
    l->class_of = mem_zalloc(rows, sizeof *l->class_of, e);
    l->kernel_of = mem_zalloc(p->kernel_count, sizeof *l->kernel_of, e);
    if (!l->class_of || !l->kernel_of || points_init(&l->rows, rows, e) < 0 ||
        points_init(&l->queries, p->kernel_count, e) < 0)
        return -1;
    for (size_t k = 0; k < p->kernel_count; k++) {
        for (size_t g = 0; g < v->groups; g++) {
            if (!v->count[k * v->groups + g])
                continue;
            l->class_of[l->rows.count] = (uint32_t)g;
            l->rows.weight[l->rows.count] = v->count[k * v->groups + g];
            cheap_features(&p->kernels[k], point(&l->rows, l->rows.count++));
        }
        if (v->group[k] == GROUP_NOWHERE) {
            l->kernel_of[l->queries.count] = (uint32_t)k;
            cheap_features(&p->kernels[k], point(&l->queries, l->queries.count++));
        }
    }
    ASSERT(l->rows.count == rows);
    return 0;
}

static void lesson_release(struct lesson *l)
{
    points_release(&l->rows);
    points_release(&l->queries);
    free(l->class_of);
    free(l->kernel_of);
}

/* guess[k]: group of kernel k, for kernels that were not measured. */
static int two_level_classify(const struct profile *p, const struct votes *v, enum plan_classifier classifier,
                              uint32_t *guess, struct err *e)
{
    static int (*const ways[])(const struct training *, const struct points *, uint32_t *, struct err *) = {
        [PLAN_BAYES] = classify_bayes, [PLAN_SGD] = classify_sgd, [PLAN_MLP] = classify_mlp};
    uint32_t *label = mem_zalloc(p->kernel_count, sizeof *label, e);
    struct lesson l = {0};
    struct standard s = {0};
    int ret = -1;

    ASSERT(classifier < sizeof ways / sizeof *ways);
    if (!label || lesson_init(&l, p, v, e) < 0)
        goto out;
    if (l.queries.count && standard_fit(&l.rows, &s, e) < 0)
        goto out;
    if (l.queries.count) {
        struct training t;

        standard_apply(&s, &l.rows);
        standard_apply(&s, &l.queries);
        t = (struct training){l.rows, l.class_of, v->groups};
        if (ways[classifier](&t, &l.queries, label, e) < 0)
            goto out;
    }
    for (size_t i = 0; i < l.queries.count; i++)
        guess[l.kernel_of[i]] = label[i];
    ret = 0;
out:
    free(label);
    lesson_release(&l);
    standard_release(&s);
    return ret;
}

int two_level_label(const struct profile *p, uint64_t known, size_t groups, enum plan_classifier classifier,
                    uint32_t *label, struct two_level *out, struct err *e)
{
    uint32_t *guess = mem_zalloc(p->kernel_count, sizeof *guess, e);
    struct votes v = {0};
    int ret = -1;

    ASSERT(known <= p->count && groups > 0);
    *out = (struct two_level){0};
    if (!guess || votes_init(&v, p, known, groups, label, e) < 0 ||
        two_level_classify(p, &v, classifier, guess, e) < 0)
        goto out;
    for (uint64_t i = 0; i < known; i++)
        out->measured += label[i] != GROUP_NOWHERE;
    for (uint64_t i = known; i < p->count; i++) {
        bool exact = v.group[p->kernel[i]] != GROUP_NOWHERE;

        label[i] = GROUP_NOWHERE;
        if (!p->value[i])
            continue;
        label[i] = exact ? v.group[p->kernel[i]] : guess[p->kernel[i]];
        out->exact += exact;
        out->classified += !exact;
    }
    ret = 0;
out:
    free(guess);
    votes_release(&v);
    return ret;
}
