/* Tiers by CoV of instruction counts; formula, source: sieve.h. Assumes: launches of one name with similar
 * instruction counts have the same IPC. */
#include "sampling/strata/sieve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/math/order.h"

const char *sieve_why_not(const struct profile *p)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < p->count; i++) {
        if (!p->value[i])
            continue;
        if (!p->features->instructions[i])
            return "needs an instruction count of at least 1 for every launch that takes time, and here one has 0";
        if (__builtin_add_overflow(sum, p->features->instructions[i], &sum))
            return "needs instruction counts whose sum is below 2^64";
    }
    return NULL;
}

double coefficient_of_variation(const struct moments *m)
{
    return moments_sd_population(m) / moments_mean(m);
}

int sieve_add(struct sieve *s, size_t begin, size_t end, uint32_t representative, struct err *e)
{
    if (array_reserve((void **)&s->chosen, &s->capacity, s->count + 1, sizeof *s->chosen, e) < 0)
        return -1;
    for (size_t i = begin; i < end; i++)
        s->label[s->names.rows[i]] = (uint32_t)s->count;
    s->chosen[s->count++] = representative;
    return 0;
}

/* A run of equal keys in a sorted list; the more frequent run is preferred, then the one that occurs first. */
struct mode {
    size_t begin, end;
    uint32_t first;
};

static bool mode_beats(const struct mode *a, const struct mode *b)
{
    size_t x = a->end - a->begin, y = b->end - b->begin;

    return x > y || (x == y && a->first < b->first);
}

static uint64_t count_of(const struct sieve *s, uint32_t row)
{
    return s->profile->features->instructions[row];
}

/* The most frequent key among items[begin .. end), by `key`, or by instruction count. Equal keys are adjacent. */
static struct mode most_frequent(const struct sieve *s, const struct order_pair *items, struct mode among,
                                 bool by_count)
{
    struct mode best = {0, 0, UINT32_MAX};

    for (size_t i = among.begin; i < among.end;) {
        struct mode at = {i, i, UINT32_MAX};

        for (; at.end < among.end; at.end++) {
            const struct order_pair *x = &items[at.end];

            if (by_count ? count_of(s, x->row) != count_of(s, items[i].row) : x->key != items[i].key)
                break;
            at.first = x->row < at.first ? x->row : at.first;
        }
        if (mode_beats(&at, &best))
            best = at;
        i = at.end;
    }
    return best;
}

static int add_typical(struct sieve *s, const struct group *name, const struct sieve_rules *rules, struct err *e)
{
    size_t begin = s->names.runs[name->run_begin].first, n = runs_rows(&s->names, name->run_begin, name->run_end);
    struct order_pair *items = mem_zalloc(2 * n, sizeof *items, e);
    struct mode mode = {0, n, 0};

    if (!items)
        return -1;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = s->names.rows[begin + i];

        items[i] = (struct order_pair){rules->cta_size(&s->profile->kernels[s->profile->kernel[row]]), row};
    }
    order_pairs(items, items + n, n); /* stable: by CTA size, then by instruction count, the order of the rows */
    mode = most_frequent(s, items, mode, false);
    if (rules->most_frequent_count)
        mode = most_frequent(s, items, mode, true);
    free(items);
    return sieve_add(s, begin, begin + n, mode.first, e);
}

static int add_name(struct sieve *s, const struct group *name, const struct sieve_rules *rules, struct err *e)
{
    struct moments m = moments_of(&s->names, name->run_begin, name->run_end);
    size_t begin = s->names.runs[name->run_begin].first, end = s->names.runs[name->run_end].first;

    if (name->run_end - name->run_begin == 1) {
        s->names_in_tier[0]++;
        return sieve_add(s, begin, end, s->names.rows[begin], e);
    }
    if (coefficient_of_variation(&m) < SIEVE_THETA) {
        s->names_in_tier[1]++;
        return add_typical(s, name, rules, e);
    }
    s->names_in_tier[2]++;
    return rules->split(s, name, e);
}

/* Groups launches by name with instruction counts in place of times. */
static int gather_names(struct sieve *s, struct err *e)
{
    struct profile by_count = *s->profile;
    uint64_t *counts = mem_zalloc(by_count.count, sizeof *counts, e);
    int ret;

    if (!counts)
        return -1;
    for (size_t i = 0; i < by_count.count; i++)
        counts[i] = by_count.value[i] ? by_count.features->instructions[i] : 0;
    by_count.value = counts;
    ret = groups_make(&by_count, GROUP_NAME, &s->names, e);
    free(counts);
    return ret;
}

static int sieve_finish(const struct sieve *s, const struct sieve_rules *rules, struct strata *out, struct err *e)
{
    if (groups_make_labelled(s->profile, s->label, s->count, &out->groups, e) < 0)
        return -1;
    for (size_t g = 0; g < out->groups.count; g++) {
        const struct group *of = &out->groups.items[g];

        if (strata_add_chosen(out, s->profile, g, 0, of->run_begin, of->run_end, &s->chosen[of->key], 1, e) < 0)
            return -1;
    }
    out->representative = true;
    out->estimator = rules->estimator;
    out->variance = PLAN_VARIANCE_NONE;
    out->promised_error = NAN;
    snprintf(out->note, sizeof out->note,
             "Kernel names by variation of their instruction counts: %zu constant, %zu low, %zu high; they are "
             "split into %zu strata.",
             s->names_in_tier[0], s->names_in_tier[1], s->names_in_tier[2],
             s->count - s->names_in_tier[0] - s->names_in_tier[1]);
    return 0;
}

int sieve_stratify(const struct profile *p, const struct sieve_rules *rules, struct strata *out, struct err *e)
{
    struct sieve s = {.profile = p};
    int ret = -1;

    s.label = mem_zalloc(p->count, sizeof *s.label, e);
    if (!s.label || gather_names(&s, e) < 0)
        goto out;
    for (size_t i = 0; i < p->count; i++)
        s.label[i] = GROUP_NOWHERE;
    for (size_t g = 0; g < s.names.count; g++)
        if (add_name(&s, &s.names.items[g], rules, e) < 0)
            goto out;
    ret = sieve_finish(&s, rules, out, e);
out:
    groups_release(&s.names);
    free(s.label);
    free(s.chosen);
    return ret;
}
