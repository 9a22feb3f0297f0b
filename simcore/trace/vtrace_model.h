/* simcore/trace/vtrace_model.h: predicts the address of an instruction; a .vtrace stores only differences from the
 * prediction. Writer and reader make the same predictions. Internal to .vtrace.
 *
 *
 * The prediction depends on the execution. First execution in a CTA: base = a + b . (cta - origin) + w * (warp -
 * origin's warp). First execution in a later warp of the CTA: the base of the previous warp that executed it, plus
 * w for each warp between. Next execution in the same warp: the previous base plus one step. The coefficients are
 * facts of the launch. The writer derives them from the CTAs and writes them before the CTAs that use them. All
 * sums are modulo 2^64. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_MODEL_H
#define VIVACE_SIMCORE_TRACE_VTRACE_MODEL_H

#include "simcore/trace/vtrace_bytes.h"

enum vtrace_fact_kind { FACT_BASE, FACT_CTA_X, FACT_CTA_Y, FACT_CTA_Z, FACT_WARP, FACT_KINDS };

/* "Beginning with this CTA, instruction `inst` has this coefficient." */
struct vtrace_fact {
    uint32_t inst;
    enum vtrace_fact_kind kind;
    uint64_t value;
    uint32_t origin[4]; /* FACT_BASE: cta x, y, z and warp at which the base is `value` */
};

/* The steps between the bases of an instruction's executions in a warp. */
struct vtrace_steps {
    uint64_t last, step, last_step;
    bool stepped;
};

struct vtrace_slot {
    bool known; /* a FACT_BASE was read */
    uint64_t base, slope[4];
    uint32_t origin[4];
    /* state within the CTA */
    uint64_t cta; /* the CTA of the next two members */
    uint32_t first_warp;
    uint64_t first;
    /* state within the warp */
    uint64_t warp; /* the warp of the following members */
    struct vtrace_steps steps;
    struct lane_pattern {
        bool is_list;
        int64_t stride;
        uint32_t address, mask; /* is_list: equal to those of that execution in the same CTA */
    } pattern;
};

struct vtrace_model {
    struct vtrace_slot *slots; /* indexed by static instruction */
    size_t count, capacity;
    uint64_t cta, warp; /* sequence numbers, from 1: show whether a slot's state is current */
    uint32_t place[4];  /* CTA id and warp */
};

int vtrace_model_reserve(struct vtrace_model *m, size_t insts, struct err *e) MUST_CHECK;
void vtrace_model_release(struct vtrace_model *m);
void vtrace_model_forget(struct vtrace_model *m); /* clears all facts and states */
void vtrace_model_learn(struct vtrace_model *m, const struct vtrace_fact *f);

static inline void vtrace_model_begin_cta(struct vtrace_model *m, const uint32_t id[3])
{
    m->cta++;
    memcpy(m->place, id, 3 * sizeof *id);
}

static inline void vtrace_model_begin_warp(struct vtrace_model *m, uint32_t warp)
{
    m->warp++;
    m->place[3] = warp;
}

/* Whether this is the instruction's first execution in the warp, which vtrace_first() predicts. */
static inline bool vtrace_is_first(const struct vtrace_model *m, const struct vtrace_slot *s)
{
    return s->warp != m->warp;
}

static inline uint64_t vtrace_from_facts(const struct vtrace_slot *s, const uint32_t place[4])
{
    uint64_t x = s->base;

    for (int i = 0; i < 4; i++)
        x += s->slope[i] * ((uint64_t)place[i] - s->origin[i]);
    return x;
}

static inline uint64_t vtrace_first(const struct vtrace_model *m, const struct vtrace_slot *s)
{
    if (s->cta == m->cta)
        return s->first + s->slope[3] * ((uint64_t)m->place[3] - s->first_warp);
    return s->known ? vtrace_from_facts(s, m->place) : 0;
}

static inline uint64_t vtrace_next(const struct vtrace_steps *s)
{
    return s->last + s->step;
}

/* Updates the state with the actual base of a first execution. */
static inline void vtrace_was_first(struct vtrace_model *m, struct vtrace_slot *s, uint64_t base)
{
    s->cta = m->cta;
    s->warp = m->warp;
    s->first_warp = m->place[3];
    s->first = base;
    s->steps = (struct vtrace_steps){.last = base};
}

/* Updates the step. Without an earlier step, a new step is used at once; later only after it occurs twice. So a
 * jump back to the beginning of an inner loop does not change it. */
static inline void vtrace_was(struct vtrace_steps *s, uint64_t base)
{
    uint64_t step = base - s->last;

    if (!s->stepped || step == s->last_step)
        s->step = step;
    s->stepped = true;
    s->last_step = step;
    s->last = base;
}

#endif
