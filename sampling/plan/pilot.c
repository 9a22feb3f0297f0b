#include "sampling/plan/pilot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

/* A launch considered for the median of its shape. */
struct candidate {
    uint32_t shape;
    uint64_t value, launch;
};

/* Sums over results of a shape, a name or all kernels. */
struct scale {
    double variable, fixed, instructions; /* cycles beyond the fixed part, fixed cycles, warp instructions */
    uint64_t launches;
};

int pilot_check(const struct profile *p, struct err *e)
{
    if (p->unit == PROFILE_WARP_INSTRUCTIONS)
        return 0;
    err_set(e, ERR_INVALID, "a pilot turns instruction counts into cycles, and this profile measured %s",
            profile_unit_words(p->unit));
    return err_hint(e, p->unit == PROFILE_NS ? "Plan from its times, without a pilot."
                                             : "A pilot has scaled it already: plan without a pilot.");
}

static int by_shape_and_value(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

static int by_launch(const void *a, const void *b)
{
    const struct pilot_launch *x = a, *y = b;

    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

/* Candidates [begin, end) are one shape's, sorted by value, then launch. Returns the middle launch of those with
 * the median value. */
static uint64_t middle_of(const struct candidate *c, size_t begin, size_t end)
{
    size_t median = begin + (end - begin - 1) / 2, first = median, last = median;

    ASSERT(begin < end);
    while (first > begin && c[first - 1].value == c[median].value)
        first--;
    while (last + 1 < end && c[last + 1].value == c[median].value)
        last++;
    return c[first + (last - first + 1) / 2].launch;
}

int pilot_choose(const struct profile *p, const bool *there, struct pilot_launch *out, size_t *count, struct err *e)
{
    struct candidate *c;
    size_t n = 0;

    *count = 0;
    if (pilot_check(p, e) < 0)
        return -1;
    c = mem_zalloc(p->count + 1, sizeof *c, e);
    if (!c)
        return -1;
    for (size_t i = 0; i < p->count; i++)
        if (p->value[i] > 0 && (!there || there[i]))
            c[n++] = (struct candidate){p->kernel[i], p->value[i], i};
    qsort(c, n, sizeof *c, by_shape_and_value);
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && c[end].shape == c[begin].shape;)
            end++;
        out[(*count)++] = (struct pilot_launch){middle_of(c, begin, end), NAN, NAN};
    }
    free(c);
    qsort(out, *count, sizeof *out, by_launch);
    if (*count)
        return 0;
    return err_set(e, ERR_INVALID,
                   there ? "the traces hold none of the profile's launches with instructions"
                         : "the profile has no launch with instructions");
}

/* --- scaling --- */

static void add_result(struct scale *s, const struct pilot_launch *l, double instructions)
{
    ASSERT(l->cycles >= l->fixed_cycles && l->fixed_cycles >= 0 && instructions > 0);
    s->variable += l->cycles - l->fixed_cycles;
    s->fixed += l->fixed_cycles;
    s->instructions += instructions;
    s->launches++;
}

static int add_results(const struct profile *p, const struct pilot_launch *l, size_t count, struct scale *shapes,
                       struct scale *names, struct scale *all, struct err *e)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t shape;
        double instructions;

        if (l[i].launch >= p->count)
            return err_set(e, ERR_INVALID, "the pilot has launch %llu, and the profile has %zu launches",
                           (unsigned long long)l[i].launch, p->count);
        shape = p->kernel[l[i].launch];
        instructions = (double)p->value[l[i].launch];
        if (!(instructions > 0) || !(l[i].cycles > 0) || !(l[i].fixed_cycles >= 0) ||
            l[i].cycles < l[i].fixed_cycles)
            continue;
        add_result(&shapes[shape], &l[i], instructions);
        add_result(&names[p->kernels[shape].name_id], &l[i], instructions);
        add_result(all, &l[i], instructions);
    }
    if (all->launches)
        return 0;
    err_set(e, ERR_INVALID, "none of the pilot's %zu launches has a result", count);
    return err_hint(e, "Without results there is nothing to scale the counts with; plan from the counts instead.");
}

static double cycles_of(const struct scale *s, uint64_t instructions)
{
    ASSERT_HOT(s->launches > 0 && s->instructions > 0);
    return s->fixed / (double)s->launches + s->variable / s->instructions * (double)instructions;
}

/* The results used for a shape: its own, its name's, or those of all kernels. */
static const struct scale *scale_of(const struct profile *p, size_t shape, const struct scale *shapes,
                                    const struct scale *names, const struct scale *all)
{
    const struct scale *name = &names[p->kernels[shape].name_id];

    ASSERT_HOT(shape < p->kernel_count && all->launches > 0);
    return shapes[shape].launches ? &shapes[shape] : name->launches ? name : all;
}

static int pilot_estimate(const struct profile *p, const struct scale *shapes, const struct scale *names,
                          const struct scale *all, uint64_t *cycles, struct pilot_outcome *out, struct err *e)
{
    double total = 0;

    for (size_t i = 0; i < p->count; i++) {
        const struct scale *s = scale_of(p, p->kernel[i], shapes, names, all);
        double x = p->value[i] ? fmax(1, round(cycles_of(s, p->value[i]))) : 0;

        total += x;
        if (!(total < 0x1p63))
            return err_set(e, ERR_INVALID, "the estimated cycles of all launches pass 2^63");
        cycles[i] = (uint64_t)x;
        out->from_name += s != &shapes[p->kernel[i]] && s != all ? x : 0;
        out->from_others += s == all ? x : 0;
    }
    ASSERT(total > 0);
    out->from_name /= total;
    out->from_others /= total;
    ASSERT(out->from_name + out->from_others <= 1 + 1e-9);
    return 0;
}

static int count_shapes(const struct profile *p, const struct scale *shapes, struct pilot_outcome *out,
                        struct err *e)
{
    bool *used = mem_zalloc(p->kernel_count + 1, sizeof *used, e);

    if (!used)
        return -1;
    for (size_t i = 0; i < p->count; i++)
        used[p->kernel[i]] |= p->value[i] > 0;
    for (size_t k = 0; k < p->kernel_count; k++) {
        out->shapes += used[k];
        out->measured += used[k] && shapes[k].launches;
    }
    ASSERT(out->measured <= out->shapes);
    free(used);
    return 0;
}

/* Keeps the counts for methods that need them: the old values become the features' column, or are dropped. */
static int keep_counts(struct profile *p, uint64_t **counts, struct err *e)
{
    if (!p->features && !(p->features = features_new(e)))
        return -1;
    if (!p->features->instructions && (p->features->known == 0 || p->features->known == p->count)) {
        p->features->instructions = *counts;
        p->features->known = p->count;
        *counts = NULL;
    }
    return 0;
}

int pilot_scale(struct profile *p, const struct pilot_launch *launches, size_t count, const char *gpu,
                struct pilot_outcome *out, struct err *e)
{
    struct scale *shapes = NULL, *names = NULL, all = {0};
    uint64_t *cycles = NULL, *counts;
    int ret = -1;

    *out = (struct pilot_outcome){0};
    if (pilot_check(p, e) < 0)
        return -1;
    shapes = mem_zalloc(p->kernel_count + 1, sizeof *shapes, e);
    names = mem_zalloc(p->name_count + 1, sizeof *names, e);
    cycles = mem_zalloc(p->count + 1, sizeof *cycles, e);
    if (!shapes || !names || !cycles || add_results(p, launches, count, shapes, names, &all, e) < 0 ||
        pilot_estimate(p, shapes, names, &all, cycles, out, e) < 0 || count_shapes(p, shapes, out, e) < 0)
        goto out;
    counts = p->value;
    ret = keep_counts(p, &counts, e);
    if (ret == 0) {
        p->value = cycles;
        cycles = counts; /* freed below if they were not kept */
        p->unit = PROFILE_CYCLES;
        snprintf(p->gpu_name, sizeof p->gpu_name, "%s", gpu);
    }
out:
    free(shapes);
    free(names);
    free(cycles);
    return ret;
}
