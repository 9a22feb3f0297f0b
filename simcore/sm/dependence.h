/* simcore/sm/dependence.h: what the issue loop has of dependence.c within itself: level scoreboard. */
#ifndef VIVACE_SIMCORE_SM_DEPENDENCE_H
#define VIVACE_SIMCORE_SM_DEPENDENCE_H

#include "simcore/sm/places.h"

/* The earliest time, doubled, at which the next instruction of warp `w` finds its operands, from `t` (doubled) on.
 * `ready`: the times of its registers. */
SM_INLINE uint32_t scoreboard(const struct sm *sm, const struct warp *w, const uint32_t *ready,
                              const struct warp_inst *wi, const struct static_inst *in, uint32_t t)
{
    const uint8_t *dep = w->launch->code.dep + in->dep_at;
    uint32_t guard = 0;

    /* Predicates are not recorded. An instruction that runs with other lanes than the one before, or with none, or
     * a branch, is taken to be guarded by the newest predicate. */
    if (wi->mask != w->last_mask || !wi->mask || in->flags & OP_GUARDED)
        guard = w->predicate_ready ? (w->predicate_ready + sm->env->design->guard_cycles) << 1 : 0;
    else if (in->flags & OP_READS_PREDICATE)
        guard = w->predicate_ready << 1;
    t = time_max(t, guard);
    if (!wi->mask)
        return t;
    for (uint32_t i = 0; i < in->dep_count; i++)
        t = time_max(t, ready[dep[i]]);
    for (uint32_t i = 0; i < in->dst_count; i++) {
        /* Results must land in order; one of known latency may issue that much earlier. */
        uint32_t old = ready[in->dst + i];

        if (old > in->early)
            t = time_max(t, old - in->early);
    }
    return t;
}

/* Notes when and why warp `slot` can issue `wi`: operands are there at `operands` (doubled), all else at `from`,
 * which `reason` explains. */
SM_INLINE void note_ready(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                          uint32_t from, uint32_t operands, enum slot_reason reason)
{
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    uint32_t i = slot / SUB_CORES, t = operands >> 1;

    if (t > from)
        reason = operands & 1 ? SLOT_MEMORY : SLOT_DEPENDENCE;
    sc->ready[i] = t < SM_TIME_MAX || t == SM_NEVER ? t : SM_TIME_MAX;
    sc->reason[i] = (uint8_t)reason;
    sc->pipe[i] = wi->mask ? in->pipe : PIPE_NONE;
    sc->leaves[i] = wi->mask && in->leaves;
    sm->next_inst[slot] = wi;
    if (sc->leaves[i])
        __builtin_prefetch(cta_address_place(sm->cta[sm->warp[slot].cta].trace, wi->address));
}

/* Warp `slot`, at t, goes to another line of code. Returns when it is there. */
uint32_t sm_enter_line(struct sm *sm, uint32_t slot, uint32_t line, uint32_t t);

/* The warp is in another line than the one that its next instruction is in: the moment and reason change. */
SM_INLINE void enter_if_other(struct sm *sm, uint32_t slot, uint32_t line, uint32_t *from, enum slot_reason *reason)
{
    uint32_t t;

    if (line == sm->warp[slot].line)
        return;
    t = sm_enter_line(sm, slot, line, *from);
    if (t > *from)
        *reason = SLOT_FETCH;
    *from = t;
}

#endif
