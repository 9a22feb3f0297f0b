#include "simcore/trace/vtrace_model.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

int vtrace_model_reserve(struct vtrace_model *m, size_t insts, struct err *e)
{
    void *p = m->slots;

    if (array_reserve(&p, &m->capacity, insts + 1, sizeof *m->slots, e) < 0)
        return -1;
    m->slots = p;
    if (insts > m->count) {
        memset(m->slots + m->count, 0, (insts - m->count) * sizeof *m->slots);
        m->count = insts;
    }
    ASSERT(m->count <= m->capacity);
    return 0;
}

void vtrace_model_release(struct vtrace_model *m)
{
    free(m->slots);
    *m = (struct vtrace_model){0};
}

void vtrace_model_forget(struct vtrace_model *m)
{
    if (m->count)
        memset(m->slots, 0, m->count * sizeof *m->slots);
    m->cta = m->warp = 0;
}

void vtrace_model_learn(struct vtrace_model *m, const struct vtrace_fact *f)
{
    struct vtrace_slot *s = &m->slots[f->inst];

    ASSERT(f->inst < m->count && f->kind < FACT_KINDS);
    if (f->kind != FACT_BASE) {
        s->slope[f->kind - FACT_CTA_X] = f->value;
        return;
    }
    s->known = true;
    s->base = f->value;
    memcpy(s->origin, f->origin, sizeof s->origin);
}
