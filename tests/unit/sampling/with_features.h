/* Profiles with features built by hand, for methods that need more than durations. */
#ifndef VIVACE_TESTS_UNIT_SAMPLING_WITH_FEATURES_H
#define VIVACE_TESTS_UNIT_SAMPLING_WITH_FEATURES_H

#include "tests/harness/check.h"

#include "sampling/methods/method.h"

struct launch {
    const char *name; /* NULL: "kernel" */
    uint32_t grid;    /* CTAs of 64 threads: two warps each; 0: 1 */
    uint64_t value;
};

static inline void profile_with(const struct launch *launches, size_t n, struct profile *out)
{
    struct profile_builder *b;
    struct err e;

    b = profile_builder_new(PROFILE_NS, 0, &e);
    for (size_t i = 0; i < n; i++) {
        struct profile_row row = {.name = launches[i].name ? launches[i].name : "kernel",
                                  .grid = {launches[i].grid ? launches[i].grid : 1, 1, 1},
                                  .block = {64, 1, 1},
                                  .value = launches[i].value,
                                  .correlation = i};

        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
    out->features = features_new(&e);
    assert_non_null(out->features);
    out->features->known = n;
}

/* All twelve metrics, all equal to 1. */
static inline void with_metrics(struct profile *p)
{
    for (int m = 0; m < FEATURE_COUNT; m++) {
        p->features->metrics[m] = calloc(p->count, sizeof(double));
        assert_non_null(p->features->metrics[m]);
        for (size_t i = 0; i < p->count; i++)
            p->features->metrics[m][i] = 1;
    }
}

static inline void with_instructions(struct profile *p, uint64_t each)
{
    p->features->instructions = calloc(p->count, sizeof(uint64_t));
    assert_non_null(p->features->instructions);
    for (size_t i = 0; i < p->count; i++)
        p->features->instructions[i] = each;
}

static inline void with_cta_cov(struct profile *p)
{
    p->features->cta_cov = calloc(p->count, sizeof(double));
    assert_non_null(p->features->cta_cov);
}

/* A vector of one launch: types of warps with dense block counts, in this order. Returns its index. */
struct warp_type {
    uint64_t warps;
    size_t blocks;
    uint64_t count[4];
};
static inline uint32_t add_bbv(struct features *f, const struct warp_type *types, size_t n)
{
    struct bbv_store *s = &f->bbvs;

    s->bbvs = realloc(s->bbvs, (s->bbv_count + 1) * sizeof *s->bbvs);
    s->bbvs[s->bbv_count] = (struct bbv){s->type_count, s->type_count + n};
    for (size_t t = 0; t < n; t++) {
        s->types = realloc(s->types, (s->type_count + 1) * sizeof *s->types);
        s->types[s->type_count].warps = types[t].warps;
        s->types[s->type_count].begin = s->entry_count;
        for (uint32_t b = 0; b < types[t].blocks; b++) {
            if (!types[t].count[b])
                continue;
            s->entries = realloc(s->entries, (s->entry_count + 1) * sizeof *s->entries);
            s->entries[s->entry_count++] = (struct bbv_entry){b, types[t].count[b]};
        }
        s->types[s->type_count++].end = s->entry_count;
    }
    return (uint32_t)s->bbv_count++;
}

/* All features that a method may need, for a profile without features: work proportional to the time, three kinds
 * by value, and one mix of blocks per kernel. */
static inline void with_every_feature(struct profile *p)
{
    struct err e;

    p->features = features_new(&e);
    assert_non_null(p->features);
    p->features->known = p->count;
    with_metrics(p);
    with_instructions(p, 1);
    with_cta_cov(p);
    p->features->bbv_of = (uint32_t *)calloc(p->count, sizeof(uint32_t));
    for (size_t k = 0; k < p->kernel_count; k++) {
        struct warp_type t = {2, 3, {1 + k, 7, 1}};

        add_bbv(p->features, &t, 1);
    }
    for (size_t i = 0; i < p->count; i++) {
        p->features->instructions[i] = 10 * p->value[i] + p->kernel[i] + 1;
        p->features->metrics[FEATURE_INSTRUCTIONS][i] = (double)p->features->instructions[i];
        p->features->metrics[FEATURE_GLOBAL_LOAD_SECTORS][i] = (double)(p->value[i] % 3);
        p->features->cta_cov[i] = 0.01 * (double)(p->value[i] % 2);
        p->features->bbv_of[i] = p->kernel[i];
    }
}

/* Makes the plan of the method. plan_make() checks that it is valid: no NaN, weights that add up. */
static inline void plan_with(const char *method, const struct profile *p, double error, struct plan *out)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct err e;

    params.error = error;
    CHECK_OK(plan_make(method, p, &params, out, &e), &e);
    assert_true(isfinite(out->speedup) && out->representative && out->variance == PLAN_VARIANCE_NONE);
}

static inline double projected(const struct plan *p)
{
    double sum = 0;

    for (size_t i = 0; i < p->sample_count; i++)
        sum += p->samples[i].weight * (double)p->samples[i].value;
    return sum;
}

#endif
