/* simcore/sm/dependence.h: the functions of dependence.c that the issue loop inlines: level scoreboard. */
#ifndef VIVACE_SIMCORE_SM_DEPENDENCE_H
#define VIVACE_SIMCORE_SM_DEPENDENCE_H

#include "simcore/sm/warp_slots.h"

/* The earliest doubled time, from `t` on (doubled), at which the operands of the next instruction of warp `w` are
 * available. `ready`: ready times of its registers. */
SM_INLINE uint32_t scoreboard(const struct sm *sm, const struct warp *w, const uint32_t *ready,
                              const struct warp_inst *wi, const struct static_inst *in, uint32_t t)
{
    const uint16_t *dep = w->launch->code.dep + in->dep_at;
    uint32_t guard = 0;

    /* Traces do not record which predicate guards an instruction. An instruction is assumed to be guarded by the
     * newest predicate if it is a branch, if it has no active lane, or if its active lanes differ from those of the
     * previous instruction. */
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
        /* Results must be written in order. An instruction with a known latency may issue earlier by this latency.
         */
        uint32_t old = ready[in->dst + i];

        if (old > in->early)
            t = time_max(t, old - in->early);
    }
    return t;
}

/* Stores when and why warp `slot` can issue `wi`: its operands are available at `operands` (doubled); all other
 * conditions hold at `from`, with the stall reason `reason`. */
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

/* Warp `slot` moves to another line of code at t. Returns when the line is available. */
uint32_t sm_enter_line(struct sm *sm, uint32_t slot, uint32_t line, uint32_t t);

/* If the next instruction is in another code line than the warp's current one, updates the ready time and the
 * reason.
 */
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
