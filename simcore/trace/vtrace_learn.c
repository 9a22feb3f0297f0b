#include "simcore/trace/vtrace_writer.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

int learner_reserve(struct learner *l, size_t insts, struct err *e)
{
    size_t before = l->inst_capacity, again = before;
    void *seen_of = l->seen_of, *fresh = l->fresh;

    if (insts <= before)
        return 0;
    if (array_reserve(&seen_of, &again, insts, sizeof *l->seen_of, e) < 0)
        return -1;
    l->seen_of = seen_of;
    again = before;
    if (array_reserve(&fresh, &again, insts, sizeof *l->fresh, e) < 0)
        return -1;
    l->fresh = fresh;
    memset(l->fresh + before, 0, again - before);
    l->inst_capacity = again;
    return 0;
}

void learner_begin_launch(struct learner *l)
{
    l->count = l->fact_count = 0;
    if (l->inst_capacity)
        memset(l->fresh, 0, l->inst_capacity);
}

void learner_release(struct learner *l)
{
    free(l->seen);
    free(l->seen_of);
    free(l->fresh);
    free(l->facts);
    *l = (struct learner){0};
}

int learner_see(struct learner *l, const struct vtrace_model *m, uint32_t inst, uint64_t base, struct err *e)
{
    void *p = l->seen;

    ASSERT_HOT(inst < l->inst_capacity);
    if (m->slots[inst].cta == m->cta) {
        struct observation *o = &l->seen[l->seen_of[inst]];

        ASSERT_HOT(o->inst == inst);
        if (!o->again) {
            o->again = true;
            o->warp[1] = m->place[3];
            o->base[1] = base;
        }
        return 0;
    }
    if (array_reserve(&p, &l->capacity, l->count + 1, sizeof *l->seen, e) < 0)
        return -1;
    l->seen = p;
    l->seen_of[inst] = (uint32_t)l->count;
    l->seen[l->count++] = (struct observation){.inst = inst, .warp = {m->place[3]}, .base = {base}};
    return 0;
}

static int add_fact(struct learner *l, struct vtrace_model *m, const struct vtrace_fact *f, struct err *e)
{
    void *p = l->facts;

    ASSERT(f->inst < l->inst_capacity && f->kind < FACT_KINDS);
    if (array_reserve(&p, &l->fact_capacity, l->fact_count + 1, sizeof *l->facts, e) < 0)
        return -1;
    l->facts = p;
    l->facts[l->fact_count++] = *f;
    l->fresh[f->inst] |= (uint8_t)(1u << f->kind);
    vtrace_model_learn(m, f);
    return 0;
}

/* Finds the slope with which `residual` over `distance` vanishes; false: no whole number does. */
static bool slope_for(uint64_t residual, int64_t distance, uint64_t *slope)
{
    int64_t r = (int64_t)residual;

    if (r == INT64_MIN || distance == 0 || r % distance != 0)
        return false;
    *slope = (uint64_t)(r / distance);
    return true;
}

static bool is_fresh(const struct learner *l, uint32_t inst, unsigned kind)
{
    ASSERT_HOT(kind < FACT_KINDS);
    return l->fresh[inst] >> kind & 1;
}

/* The base of this CTA differs from the prediction by `residual`. Attributes it to one coordinate, or to the base.
 */
static int learn_place(struct learner *l, struct vtrace_model *m, const struct observation *o,
                       const uint32_t place[4], uint64_t residual, struct err *e)
{
    const struct vtrace_slot *s = &m->slots[o->inst];
    struct vtrace_fact f = {.inst = o->inst, .kind = FACT_BASE, .value = o->base[0]};
    int blamed = 0, count = 0;
    uint64_t more;

    ASSERT(residual != 0);
    for (int i = 0; i < 3; i++)
        if (place[i] != s->origin[i] && !is_fresh(l, o->inst, FACT_CTA_X + (unsigned)i)) {
            blamed = i;
            count++;
        }
    if (count == 0 && !is_fresh(l, o->inst, FACT_BASE)) {
        memcpy(f.origin, place, sizeof f.origin);
        return add_fact(l, m, &f, e);
    }
    if (count != 1 || !slope_for(residual, (int64_t)place[blamed] - s->origin[blamed], &more))
        return 0;
    f.kind = (enum vtrace_fact_kind)(FACT_CTA_X + blamed);
    f.value = s->slope[blamed] + more;
    return add_fact(l, m, &f, e);
}

static int learn_warp(struct learner *l, struct vtrace_model *m, const struct observation *o, struct err *e)
{
    const struct vtrace_slot *s = &m->slots[o->inst];
    int64_t distance = (int64_t)o->warp[1] - o->warp[0];
    uint64_t residual = o->base[1] - o->base[0] - s->slope[3] * (uint64_t)distance, more;
    struct vtrace_fact f = {.inst = o->inst, .kind = FACT_WARP};

    ASSERT(o->again);
    if (residual == 0 || is_fresh(l, o->inst, FACT_WARP) || !slope_for(residual, distance, &more))
        return 0;
    f.value = s->slope[3] + more;
    return add_fact(l, m, &f, e);
}

static int learn(struct learner *l, struct vtrace_model *m, const struct observation *o, struct err *e)
{
    const struct vtrace_slot *s = &m->slots[o->inst];
    uint32_t place[4] = {l->cta[0], l->cta[1], l->cta[2], o->warp[0]};
    struct vtrace_fact f = {o->inst, FACT_BASE, o->base[0], {place[0], place[1], place[2], place[3]}};
    uint64_t residual;

    if (!s->known)
        return add_fact(l, m, &f, e);
    residual = o->base[0] - vtrace_from_facts(s, place);
    return residual ? learn_place(l, m, o, place, residual, e) : 0;
}

int learner_conclude(struct learner *l, struct vtrace_model *m, struct err *e)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct observation *o = &l->seen[i];

        if (o->again && learn_warp(l, m, o, e) < 0)
            return -1;
        if (learn(l, m, o, e) < 0)
            return -1;
    }
    l->count = 0;
    return 0;
}
