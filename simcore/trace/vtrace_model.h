/* simcore/trace/vtrace_model.h: what a .vtrace expects an instruction's address to be; only what is otherwise is
 * stored. Writer and reader run the same predictions. Internal to .vtrace.
 *
 * Of each instruction with addresses: where it is executed first in a CTA, base = a + b . (cta - origin) +
 * w * (warp - origin's); in the CTA's later warps, w a warp more than in the last one that executed it; when it is
 * executed again in the same warp, one step more than the last time. The coefficients are facts of the launch,
 * which the writer finds out from the CTAs as they come and states in front of them; all sums are modulo 2^64. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_MODEL_H
#define VIVACE_SIMCORE_TRACE_VTRACE_MODEL_H

#include "simcore/trace/vtrace_bytes.h"

enum vtrace_fact_kind { FACT_BASE, FACT_CTA_X, FACT_CTA_Y, FACT_CTA_Z, FACT_WARP, FACT_KINDS };

/* "From here on instruction `inst` has this coefficient." */
struct vtrace_fact {
    uint32_t inst;
    enum vtrace_fact_kind kind;
    uint64_t value;
    uint32_t origin[4]; /* FACT_BASE: cta x, y, z and warp at which it is `value` */
};

/* How the base of an instruction moves from execution to execution in a warp. */
struct vtrace_steps {
    uint64_t last, step, last_step;
    bool stepped;
};

struct vtrace_slot {
    bool known; /* there was a FACT_BASE */
    uint64_t base, slope[4];
    uint32_t origin[4];
    /* in the CTA */
    uint64_t cta; /* which CTA the next two are of */
    uint32_t first_warp;
    uint64_t first;
    /* in the warp */
    uint64_t warp; /* which warp the rest is of */
    struct vtrace_steps steps;
    struct lane_pattern {
        bool is_list;
        int64_t stride;
        uint32_t address, mask; /* is_list: as that execution in the same CTA */
    } pattern;
};

struct vtrace_model {
    struct vtrace_slot *slots; /* by static instruction */
    size_t count, capacity;
    uint64_t cta, warp; /* running numbers, from 1: tell whether a slot's state is of now */
    uint32_t place[4];  /* CTA id and warp */
};

int vtrace_model_reserve(struct vtrace_model *m, size_t insts, struct err *e) MUST_CHECK;
void vtrace_model_release(struct vtrace_model *m);
void vtrace_model_forget(struct vtrace_model *m); /* all facts and states */
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

/* Whether this is the instruction's first execution in the warp: then it is predicted by vtrace_first(). */
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

/* What it was. */
static inline void vtrace_was_first(struct vtrace_model *m, struct vtrace_slot *s, uint64_t base)
{
    s->cta = m->cta;
    s->warp = m->warp;
    s->first_warp = m->place[3];
    s->first = base;
    s->steps = (struct vtrace_steps){.last = base};
}

/* A step is believed at once if there was none before, later when it is seen twice: a jump back to the beginning of
 * an inner loop does not upset it. */
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
