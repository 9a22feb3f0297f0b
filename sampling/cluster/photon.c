/* Photon's algorithm (Liu, Sun, Carlson, MICRO 2023): for each launch in order, search the simulated launches for
 * one with a near vector of basic blocks; if there is none, simulate the launch and add it to them.
 *
 * For speed with 10^5 launches, equal vectors are stored once (sampling/cluster/bbv_vectors.h). Launches of one
 * name, vector and number of warps are one case; its best match is stored and compared with newly simulated
 * launches only. Launches of different names are never compared, as blocks of different code cannot match. */
#include "sampling/cluster/photon.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/cluster/bbv_vectors.h"
#include "sampling/math/hash_index.h"
#include "sampling/cluster/representatives.h"

#define NEAR     0.05 /* both: distances below it match */
#define TINY     1e-6 /* the artifact: avoids a division by 0 */
#define NO_MATCH UINT32_MAX

struct seen { /* a case: launches with equal name, vector and number of warps */
    uint32_t name, vector;
    uint64_t warps;
    size_t compared;       /* number of the name's simulated launches that it was compared with */
    uint32_t equal, other; /* best match with the same, and with another number of warps; NO_MATCH: none */
    double distance;       /* to `equal`, squared */
    uint64_t warps_off;    /* of `other` */
};
struct simulated {
    uint32_t vector;
    uint64_t warps;
    uint32_t label;
};
struct by_name {
    struct simulated *items;
    size_t count, capacity;
};
struct matcher {
    const struct profile *p;
    enum photon_rule rule;
    struct bbv_vectors vectors;
    struct hash_index index;
    struct seen *cases;
    size_t case_count, case_capacity;
    struct by_name *names;
    uint32_t *label, *chosen; /* per launch; per label */
    size_t labels, chosen_capacity;
};

static uint64_t warps_of(const struct profile_kernel *k)
{
    unsigned __int128 ctas = (unsigned __int128)k->grid[0] * k->grid[1], threads = k->block[0];

    ctas = ctas < UINT64_MAX ? ctas * k->grid[2] : ctas;
    threads = (threads * k->block[1] * k->block[2] + 31) / 32;
    return ctas < UINT32_MAX && threads < UINT32_MAX ? (uint64_t)(ctas * threads) : UINT64_MAX;
}

static int find_case(struct matcher *m, size_t launch, struct seen **out, struct err *e)
{
    const struct profile_kernel *k = &m->p->kernels[m->p->kernel[launch]];
    struct seen fresh = {.name = k->name_id,
                         .vector = m->vectors.of[m->p->features->bbv_of[launch]],
                         .warps = warps_of(k),
                         .equal = NO_MATCH,
                         .other = NO_MATCH};
    uint64_t key[3] = {fresh.name, fresh.vector, fresh.warps}, hash = hash_fnv1a(key, sizeof key);
    size_t at = hash;
    int64_t same;

    while ((same = hash_index_next(&m->index, hash, &at)) >= 0) {
        *out = &m->cases[same];
        if ((*out)->name == fresh.name && (*out)->vector == fresh.vector && (*out)->warps == fresh.warps)
            return 0;
    }
    if (hash_index_add(&m->index, hash, e) < 0 ||
        array_reserve((void **)&m->cases, &m->case_capacity, m->case_count + 1, sizeof *m->cases, e) < 0)
        return -1;
    *out = &m->cases[m->case_count++];
    **out = fresh;
    return 0;
}

static uint64_t photon_apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Paper: the nearest of the launches with the same number of warps. Without one, and if this launch fills the GPU,
 * the one with the closest number of warps of those that fill it too. The authors search newest first, so the
 * newest wins ties. */
static void compare_paper(const struct matcher *m, struct seen *c, const struct simulated *s)
{
    double d;

    if (c->warps != s->warps && (c->warps < PHOTON_CAPACITY || s->warps < PHOTON_CAPACITY))
        return;
    d = bbv_distance_squared(&m->vectors, c->vector, s->vector, NEAR * NEAR);
    if (!(d < NEAR * NEAR))
        return;
    if (c->warps == s->warps && (c->equal == NO_MATCH || d <= c->distance)) {
        c->equal = s->label;
        c->distance = d;
    } else if (c->warps != s->warps && (c->other == NO_MATCH || photon_apart(c->warps, s->warps) <= c->warps_off)) {
        c->other = s->label;
        c->warps_off = photon_apart(c->warps, s->warps);
    }
}

/* Artifact: distance relative to the length of the current vector; the closest number of warps wins, then the
 * earliest. */
static void compare_artifact(const struct matcher *m, struct seen *c, const struct simulated *s)
{
    double most = NEAR * (m->vectors.length[c->vector] + TINY);

    if (c->other != NO_MATCH && photon_apart(c->warps, s->warps) >= c->warps_off)
        return;
    if (bbv_distance_squared(&m->vectors, c->vector, s->vector, most * most) < most * most) {
        c->other = s->label;
        c->warps_off = photon_apart(c->warps, s->warps);
    }
}

static uint32_t best_match(struct matcher *m, struct seen *c)
{
    const struct by_name *n = &m->names[c->name];

    for (; c->compared < n->count; c->compared++)
        (m->rule == PHOTON_PAPER ? compare_paper : compare_artifact)(m, c, &n->items[c->compared]);
    return c->equal != NO_MATCH ? c->equal : c->other;
}

static int photon_remember(struct matcher *m, const struct seen *c, size_t launch, struct err *e)
{
    struct by_name *n = &m->names[c->name];

    if (array_reserve((void **)&n->items, &n->capacity, n->count + 1, sizeof *n->items, e) < 0 ||
        array_reserve((void **)&m->chosen, &m->chosen_capacity, m->labels + 1, sizeof *m->chosen, e) < 0)
        return -1;
    n->items[n->count++] = (struct simulated){c->vector, c->warps, (uint32_t)m->labels};
    m->chosen[m->labels++] = (uint32_t)launch;
    return 0;
}

static int match_all(struct matcher *m, struct err *e)
{
    for (size_t i = 0; i < m->p->count; i++) {
        struct seen *c;

        m->label[i] = GROUP_NOWHERE;
        if (!m->p->value[i])
            continue;
        if (find_case(m, i, &c, e) < 0)
            return -1;
        m->label[i] = best_match(m, c);
        if (m->label[i] != NO_MATCH)
            continue;
        m->label[i] = (uint32_t)m->labels;
        if (photon_remember(m, c, i, e) < 0)
            return -1;
    }
    return 0;
}

static void matcher_release(struct matcher *m)
{
    for (size_t n = 0; m->names && n < m->p->name_count; n++)
        free(m->names[n].items);
    free(m->names);
    free(m->cases);
    free(m->label);
    free(m->chosen);
    hash_index_release(&m->index);
    bbv_vectors_release(&m->vectors);
}

int photon_stratify(const struct profile *p, enum photon_rule rule, struct strata *out, struct err *e)
{
    struct matcher m = {.p = p, .rule = rule};
    int ret = -1;

    m.label = mem_zalloc(p->count, sizeof *m.label, e);
    m.names = mem_zalloc(p->name_count, sizeof *m.names, e);
    if (!m.label || !m.names ||
        bbv_vectors_make(&p->features->bbvs, rule == PHOTON_PAPER ? BBV_GPU : BBV_COUNTS, &m.vectors, e) < 0)
        goto out;
    if (match_all(&m, e) == 0 && strata_of_representatives(p, m.label, m.labels, m.chosen, out, e) == 0) {
        snprintf(out->note, sizeof out->note,
                 "%zu simulated, because no earlier launch resembles them; %zu matched", m.labels,
                 out->groups.row_count - m.labels);
        ret = 0;
    }
out:
    matcher_release(&m);
    return ret;
}
