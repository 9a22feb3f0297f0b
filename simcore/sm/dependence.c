/* simcore/sm/dependence.c: computes when the operands and the code of a warp's next instruction are available.
 *
 *
 * Levels (model.dependence): none; one_load: an instruction waits only for the previous load; scoreboard: registers
 * and predicates have ready times; control: the compiler's control bits, see sm_control(). */
#include "simcore/sm/dependence.h"

#include "simcore/sm/flight.h"

static uint32_t field(uint32_t control, unsigned shift, unsigned bits)
{
    return control >> shift & ((1u << bits) - 1);
}

/* When the counters in the instruction's wait mask are at zero. */
static uint32_t counters_ready(const struct warp *w, const struct static_inst *in, uint32_t t)
{
    for (uint32_t left = field(in->control, CONTROL_WAIT_SHIFT, CONTROL_COUNTERS); left; left &= left - 1)
        t = time_max(t, w->counter[__builtin_ctz(left)]);
    return t;
}

/* When the operands are available, by level; times are doubled. */
static uint32_t by_level(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                         uint32_t t)
{
    const struct warp *w = &sm->warp[slot];

    switch ((enum dependence_level)sm->env->design->model.dependence) {
    case DEPENDENCE_NONE: return t;
    case DEPENDENCE_ONE_LOAD: return time_max(t, w->load_done << 1 | 1);
    case DEPENDENCE_CONTROL:
        if (in->control & CONTROL_KNOWN)
            return counters_ready(w, in, t);
        break;
    case DEPENDENCE_SCOREBOARD: break;
    }
    return scoreboard(sm, w, sm_registers(sm, slot), wi, in, t);
}

uint32_t sm_read_time(const struct sm *sm, const struct warp *w, const struct static_inst *in, uint32_t t)
{
    const struct gpu_design *d = sm->env->design;
    uint32_t words = (in->width + 3u) / 4;

    if (in->pipe != PIPE_MEMORY)
        return t + d->read_load;
    if (in->action != ACT_STORE || !words)
        return w->taken + d->read_load;
    return w->taken + d->read_store + (words - 1) * d->read_store_word;
}

uint32_t sm_control(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                    uint32_t t, uint32_t next)
{
    struct warp *w = &sm->warp[slot];
    uint32_t write = field(in->control, CONTROL_WRITE_BARRIER_SHIFT, 3);
    uint32_t read = field(in->control, CONTROL_READ_BARRIER_SHIFT, 3);
    uint32_t stall = field(in->control, CONTROL_STALL_SHIFT, 4);

    if (!(in->control & CONTROL_KNOWN)) {
        w->launch->count.control_unknown++;
        return next;
    }
    /* A clear yield bit gives the next issue slot to another warp. */
    if (stall < 2 && !field(in->control, CONTROL_YIELD_SHIFT, 1))
        stall = 2;
    if (wi->mask && write < CONTROL_COUNTERS)
        w->counter[write] =
            time_max(w->counter[write], in->pipe == PIPE_MEMORY ? w->load_done << 1 | 1 : (t + in->latency) << 1);
    if (wi->mask && read < CONTROL_COUNTERS)
        w->counter[read] = time_max(w->counter[read], sm_read_time(sm, w, in, t) << 1 | (in->pipe == PIPE_MEMORY));
    return time_max(next, t + stall);
}

uint32_t sm_enter_line(struct sm *sm, uint32_t slot, uint32_t line, uint32_t t)
{
    struct warp *w = &sm->warp[slot];

    w->line = line;
    t = fetch_line(&sm->fetch, sm->env->design, slot % SUB_CORES, line, t, &w->launch->count);
    return t < SM_TIME_MAX ? t : SM_TIME_MAX;
}

void sm_set_ready(struct sm *sm, uint32_t slot, uint32_t from, enum slot_reason reason)
{
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    struct warp *w = &sm->warp[slot];
    const struct warp_inst *wi = &w->insts[w->position];
    const struct static_inst *in = &w->launch->code.inst[wi->inst];
    uint32_t i = slot / SUB_CORES, t;

    enter_if_other(sm, slot, in->line, &from, &reason);
    t = by_level(sm, slot, wi, in, from << 1);
    if (t >> 1 >= SM_ASLEEP) {
        /* The stall reason while it sleeps is the one that it would have at the end of the wait. */
        reason = t >> 1 > from ? (t & 1 ? SLOT_MEMORY : SLOT_DEPENDENCE) : reason;
        flight_sleep(sm, slot, from, reason);
        t = SM_NEVER << 1 | (t & 1);
    }
    note_ready(sm, slot, wi, in, from, t, reason);
    if (sc->ready[i] < sc->next)
        sc->next = sc->ready[i];
}
