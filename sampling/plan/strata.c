/* Draws: the first n of a stratum's random permutation, from Philox (base/rng.h) keyed by the seed and by what the
 * stratum is (name, shape, domain, rank), so a larger sample of the same stratum contains the smaller one, and
 * other strata, threads and the order of the input have no effect.
 *
 * Uniform draws without repeats are the first elements of a random permutation (each new one is uniform among those
 * not yet drawn). */
#include "sampling/plan/strata.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

void strata_release(struct strata *s)
{
    groups_release(&s->groups);
    free(s->items);
    free(s->chosen);
    free(s->kept);
    *s = (struct strata){0};
}

void strata_clear(struct strata *s)
{
    s->count = s->chosen_count = 0;
    s->caution[0] = s->note[0] = '\0';
}

/* The random stream: the same stratum gets the same stream in every profile. */
static int stream_of(const struct strata *s, const struct profile *p, size_t group, size_t rank, uint64_t *out,
                     struct err *e)
{
    uint32_t row = s->groups.rows[s->groups.runs[s->groups.items[group].run_begin].first];
    const struct profile_kernel *k = &p->kernels[p->kernel[row]];
    enum group_key kind = s->groups.items[group].kind;
    uint64_t label = kind == GROUP_LABEL ? (uint64_t)s->groups.items[group].key << 32 : 0;
    size_t n = kind == GROUP_ALL ? 0 : strlen(k->name);
    size_t domain = kind != GROUP_ALL && k->domain ? strlen(k->domain) : 0;
    size_t size = n + sizeof k->grid + sizeof k->block + 9 + domain;
    unsigned char *id = mem_zalloc(size, 1, e);

    if (!id)
        return -1;
    memcpy(id, k->name, n);
    if (kind == GROUP_KERNEL) {
        memcpy(id + n, k->grid, sizeof k->grid);
        memcpy(id + n + sizeof k->grid, k->block, sizeof k->block);
    }
    if (domain)
        memcpy(id + size - domain, k->domain, domain);
    id[size - domain - 9] = (unsigned char)kind;
    for (int i = 0; i < 8; i++)
        id[size - domain - 8 + (size_t)i] = (unsigned char)(((uint64_t)rank ^ label) >> (8 * i));
    *out = hash_fnv1a(id, size);
    free(id);
    return 0;
}

int strata_add(struct strata *s, const struct profile *p, size_t group, size_t rank, size_t run_begin,
               size_t run_end, uint64_t n, struct err *e)
{
    struct stratum_pick pick = {
        .kind = s->groups.items[group].kind, .run_begin = run_begin, .run_end = run_end, .n = n};

    ASSERT(group < s->groups.count && run_begin < run_end && run_end <= s->groups.run_count);
    if (stream_of(s, p, group, rank, &pick.stream, e) < 0 ||
        array_reserve((void **)&s->items, &s->capacity, s->count + 1, sizeof *s->items, e) < 0)
        return -1;
    s->items[s->count++] = pick;
    return 0;
}

int strata_add_chosen(struct strata *s, const struct profile *p, size_t group, size_t rank, size_t run_begin,
                      size_t run_end, const uint32_t *ids, size_t n, struct err *e)
{
    if (strata_add(s, p, group, rank, run_begin, run_end, n, e) < 0 ||
        array_reserve((void **)&s->chosen, &s->chosen_capacity, s->chosen_count + n, sizeof *s->chosen, e) < 0)
        return -1;
    ASSERT(n > 0 && ids);
    s->items[s->count - 1].chosen = s->chosen_count;
    memcpy(s->chosen + s->chosen_count, ids, n * sizeof *ids);
    s->chosen_count += n;
    return 0;
}

int drawer_init(struct drawer *d, const struct strata *s, struct err *e)
{
    uint64_t most = 0;

    for (size_t h = 0; h < s->count; h++)
        most = stratum_population(s, h) > most ? stratum_population(s, h) : most;
    d->words = (size_t)(most / 64 + 1);
    d->taken = mem_zalloc(d->words, sizeof *d->taken, e);
    return d->taken ? 0 : -1;
}

void drawer_release(struct drawer *d)
{
    free(d->taken);
    *d = (struct drawer){0};
}

static void draw_with_replacement(struct rng *r, const uint32_t *rows, uint64_t population, uint64_t n,
                                  uint32_t *out)
{
    ASSERT(population > 0);
    for (uint64_t i = 0; i < n; i++)
        out[i] = rows[rng_below(r, population)];
}

/* Uniform draws, repeats skipped: each first appearance is uniform among those not yet seen, so the sequence
 * is the beginning of a random permutation. */
static void draw_distinct(struct drawer *d, struct rng *r, const uint32_t *rows, uint64_t population, uint64_t n,
                          uint32_t *out)
{
    struct rng again = *r;

    ASSERT(n <= population && population / 64 < d->words);
    for (uint64_t got = 0; got < n;) {
        uint64_t i = rng_below(r, population), bit = (uint64_t)1 << (i % 64);

        if (d->taken[i / 64] & bit)
            continue;
        d->taken[i / 64] |= bit;
        out[got++] = rows[i];
    }
    if (population < 4096) {
        memset(d->taken, 0, (size_t)(population / 64 + 1) * sizeof *d->taken);
        return;
    }
    for (uint64_t left = n; left > 0;) { /* few draws of many members: clear only the bits that were set */
        uint64_t i = rng_below(&again, population), bit = (uint64_t)1 << (i % 64);

        left -= (d->taken[i / 64] & bit) != 0;
        d->taken[i / 64] &= ~bit;
    }
}

void draw_stratum(struct drawer *d, const struct strata *s, size_t h, uint64_t seed, enum rng_purpose purpose,
                  uint32_t *out)
{
    const struct stratum_pick *pick = &s->items[h];
    const uint32_t *rows = s->groups.rows + s->groups.runs[pick->run_begin].first;
    uint64_t population = stratum_population(s, h);
    struct rng r;

    ASSERT(h < s->count);
    if (s->chosen) {
        memcpy(out, s->chosen + pick->chosen, pick->n * sizeof *out);
        return;
    }
    rng_init(&r, seed, pick->stream, purpose);
    if (s->with_replacement)
        draw_with_replacement(&r, rows, population, pick->n, out);
    else if (pick->n >= population)
        memcpy(out, rows, population * sizeof *out);
    else
        draw_distinct(d, &r, rows, population, pick->n, out);
}
