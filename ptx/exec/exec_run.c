/* ptx/exec/exec_run.c: the loop that runs a warp: straight-line code, and ops that change the control flow. */
#include <string.h>

#include "ptx/warp/cta.h"
#include "ptx/warp/watch.h"

/* A fragment that has branched backwards this number of times probably waits for other warps. A backward branch of
 * a polling loop counts as SPIN_POLLS branches. A polling loop reads data that others can write, and nothing has
 * been stored since its last backward branch. */
enum { SPINS_MAX = 1 << 20, SPIN_POLLS = SPINS_MAX / 64 };

/* --- straight-line code --- */

static int do_nothing(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    (void)w;
    (void)op;
    (void)mask;
    return 0;
}

static int do_load(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    if (w->code->accesses[op->access].hints &
        (PTX_HINT_VOLATILE | PTX_HINT_CV | PTX_HINT_RELAXED | PTX_HINT_ACQUIRE))
        w->state->polls = true;
    return ptx_do_load(w, op, mask);
}

static int do_atomic(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    w->state->polls = true;
    return ptx_do_atomic(w, op, mask);
}

static int do_async(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    uint8_t what = w->code->accesses[op->access].what;
    bool tests = what == PTX_MBARRIER_TEST || what == PTX_MBARRIER_TEST_PARITY;

    w->state->polls = w->state->polls || tests;
    if (ptx_do_async(w, op, mask))
        return -1;
    /* On a GPU try_wait suspends the thread until the barrier may have changed. Here, after a test that fails, the
     * warp yields at its next backward branch. */
    if (tests && op->args.dst != PTX_NO_ROW && mask & ~w->lanes.preds[op->args.dst])
        w->state->spins = SPINS_MAX;
    return 0;
}

/* The clock is the number of instructions that the CTA has executed, plus its sleep times. So it advances, and it
 * is deterministic. */
static int do_special(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    bool wide = op->args.imm == PTX_SREG_CLOCK64 || op->args.imm == PTX_SREG_GLOBALTIMER;
    bool high = op->args.imm == PTX_SREG_CLOCK_HI || op->args.imm == PTX_SREG_GLOBALTIMER_HI;
    uint64_t value = high ? w->cta->clock >> 32 : w->cta->clock;
    uint32_t bytes = wide ? 8 : 4;

    w->state->spin.progress = UINT64_MAX; /* time passes, so the warp's state does not repeat */
    for (; mask; mask &= mask - 1)
        memcpy(w->lanes.rows + (size_t)op->args.dst * PTX_ROW_BYTES + (size_t)__builtin_ctz(mask) * bytes, &value,
               bytes);
    return 0;
}

static ptx_action_fn *const straight[PTX_ACTION_COUNT] = {
    [PTX_DO_NOTHING] = do_nothing, [PTX_DO_FENCE] = do_nothing,          [PTX_DO_LOAD] = do_load,
    [PTX_DO_STORE] = ptx_do_store, [PTX_DO_ATOMIC] = do_atomic,          [PTX_DO_ASYNC] = do_async,
    [PTX_DO_SPECIAL] = do_special, [PTX_DO_SYSTEM_CALL] = ptx_do_system, [PTX_DO_TEXTURE] = ptx_do_texture,
    [PTX_DO_STACK] = ptx_do_stack,
};

static void report(const struct ptx_warp *w, uint32_t pc, uint32_t mask)
{
    const struct ptx_observer *o = w->cta->observer;

    if (o && o->executed)
        o->executed(o->ctx, w->id, w->code, pc, mask);
}

/* Reports ops *from to pc to the observer: those before pc with `lanes`, pc with `mask`. Then *from is pc + 1. */
static void report_run(const struct ptx_warp *w, uint32_t *from, uint32_t pc, uint32_t lanes, uint32_t mask)
{
    const struct ptx_observer *o = w->cta->observer;
    uint32_t first = *from;

    *from = pc + 1;
    o->ran(o->ctx, w->id, w->code, first, pc + 1 - first, lanes, mask);
}

static uint32_t guarded(const struct ptx_warp *w, const struct ptx_op *op, uint32_t lanes)
{
    uint32_t holds = w->lanes.preds[op->guard];

    return lanes & (op->guard_negated ? ~holds : holds);
}

/* --- ops that change the control flow --- */

static int do_branch(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    w->cta->stats->divergent_branches++;
    return ptx_warp_split(w, mask, op->target, w->pc + 1, op->join, w->cta->options->taken_first);
}

/* Lanes with the same target as the first lane branch to it. The others execute this op again in their turn. */
static int do_branch_index(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const uint32_t *table = w->code->tables[op->target], lanes = w->state->fragments[w->state->current].mask;
    uint32_t index[PTX_LANES], same = 0, first = (uint32_t)__builtin_ctz(mask);

    memcpy(index, w->lanes.rows + (size_t)op->args.src[0] * PTX_ROW_BYTES, sizeof index);
    if (index[first] >= table[0])
        return ptx_fault(w, 1u << first, "brx.idx goes to target %u of %u", index[first], table[0]);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);

        if (index[lane] < table[0] && table[1 + index[lane]] == table[1 + index[first]])
            same |= 1u << lane;
    }
    if (same == lanes) {
        w->pc = table[1 + index[first]];
        return 0;
    }
    w->cta->stats->divergent_branches++;
    if (mask != lanes && ptx_warp_split(w, mask, w->pc, w->pc + 1, op->join, true))
        return -1;
    if (same == mask) {
        w->pc = table[1 + index[first]];
        return 0;
    }
    return ptx_warp_split(w, same, table[1 + index[first]], w->pc, op->join, true);
}

static int do_exit(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    (void)op;
    ptx_warp_exit(w, mask);
    return 0;
}

static int do_return(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    (void)op;
    ptx_do_return(w, mask);
    return 0;
}

static int do_trap(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    return ptx_fault(w, mask, op->args.imm ? "brkpt" : "trap");
}

static int do_sleep(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    uint32_t nanoseconds = 0;

    if (op->args.src[0] != PTX_NO_ROW)
        memcpy(&nanoseconds,
               w->lanes.rows + (size_t)op->args.src[0] * PTX_ROW_BYTES + (size_t)__builtin_ctz(mask) * 4, 4);
    /* At most a millisecond, as on a GPU. The clock advances, so a loop that waits for a time ends. */
    w->cta->clock += nanoseconds < 1000000 ? nanoseconds : 1000000;
    w->pc++;
    w->state->waited = w->state->yields = true;
    if (ptx_spin_check(w))
        return -1;
    (void)ptx_warp_give_way(w);
    return 0;
}

static int not_here(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_inst *i = &w->code->function->insts[w->pc];

    (void)op;
    return ptx_fault(w, mask, "not supported: %s%s", i->opcode, i->suffix);
}

static ptx_action_fn *const flow[PTX_ACTION_COUNT] = {
    [PTX_DO_BRANCH] = do_branch, [PTX_DO_BRANCH_INDEX] = do_branch_index,
    [PTX_DO_CALL] = ptx_do_call, [PTX_DO_RETURN] = do_return,
    [PTX_DO_EXIT] = do_exit,     [PTX_DO_TRAP] = do_trap,
    [PTX_DO_WARP] = ptx_do_warp, [PTX_DO_BARRIER] = ptx_do_barrier,
    [PTX_DO_SLEEP] = do_sleep,   [PTX_DO_MATRIX] = ptx_do_matrix,
};

/* --- loops --- */

/* The current fragment has branched backwards. */
static int turned_back(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;

    /* A store by the CTA is progress, so the loop does not only poll. */
    s->polls = s->polls && s->stores == w->cta->stores;
    s->waited = s->waited || s->polls;
    s->spins += s->polls ? SPIN_POLLS : 1;
    s->polls = false;
    s->stores = w->cta->stores;
    return s->spins < SPINS_MAX ? 0 : ptx_warp_spun(w);
}

/* If lanes have ended, operations that waited for them may be complete. */
static int settle(struct ptx_warp *w, uint32_t live_before)
{
    if (w->live == live_before)
        return 0;
    ptx_warp_leave(w);
    if (ptx_warp_sync_retry(w))
        return -1;
    ptx_barriers_retry(w);
    return 0;
}

static int change_flow(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    uint32_t live = w->live;
    ptx_action_fn *fn = flow[op->action] ? flow[op->action] : not_here;

    if (!mask) {
        w->pc++;
        return 0;
    }
    if (fn(w, op, mask))
        return -1;
    return settle(w, live);
}

/* Runs straight-line code of the current fragment. Returns the op that changes the control flow, and its lanes in
 * *mask. NULL: the turn has ended, the fragment has reached its reconvergence point or the end of the function, or
 * *fault is set. */
static inline __attribute__((always_inline)) const struct ptx_op *
run_seen(struct ptx_warp *w, uint32_t *left, uint32_t *mask, bool *fault, bool reported, bool runs, bool watched)
{
    const struct ptx_op *ops = w->code->ops, *op;
    const uint32_t lanes = w->state->fragments[w->state->current].mask, stop = ptx_warp_stop(w);
    const uint32_t end = w->code->op_count, all = (uint32_t)__builtin_popcount(lanes);
    uint32_t pc = w->pc, n = *left, from = pc; /* from: the first op that `ran` has not received */
    uint32_t begins = PTX_REPORTS;
    uint64_t lane_count = 0;

    *fault = false;
    for (;; pc++) {
        op = NULL;
        if (pc == stop || pc >= end || !n)
            break;
        op = &ops[pc];
        *mask = op->guarded ? guarded(w, op, lanes) : lanes;
        n--;
        w->cta->clock++;
        lane_count += *mask == lanes ? all : (uint32_t)__builtin_popcount(*mask);
        if (reported)
            report(w, pc, *mask);
        if (runs && (op->reports | begins)) {
            if (begins || op->reports == PTX_REPORTS || *mask != lanes)
                report_run(w, &from, pc, lanes, *mask);
            else if (op->reports & PTX_REPORTS_BEFORE && pc > from)
                report_run(w, &from, pc - 1, lanes, lanes);
            begins = 0;
        }
        if (watched) {
            w->pc = pc;
            if ((*fault = ptx_watch_before(w, pc, *mask)) != 0)
                break;
        }
        if (op->action == PTX_DO_FORM) {
            if (*mask == UINT32_MAX)
                op->full(&w->lanes, &op->args, UINT32_MAX);
            else if (*mask)
                op->part(&w->lanes, &op->args, *mask);
            if (watched && (*fault = ptx_watch_after(w, pc, *mask)) != 0)
                break;
            continue;
        }
        w->pc = pc;
        if (straight[op->action]) {
            if (*mask && straight[op->action](w, op, *mask)) {
                *fault = true;
                break;
            }
            if (watched && (*fault = ptx_watch_after(w, pc, *mask)) != 0)
                break;
            continue;
        }
        if (op->action != PTX_DO_BRANCH || (*mask && *mask != lanes))
            break;
        if (!*mask)
            continue;
        if (op->target <= pc) {
            w->pc = op->target;
            if (turned_back(w)) {
                *fault = true;
                break;
            }
            if (w->state->current == PTX_NONE) {
                op = NULL;
                pc = from = w->pc;
                break;
            }
        }
        from = op->target;
        pc = from - 1;
    }
    if (runs && pc > from && !op)
        report_run(w, &from, pc - 1, lanes, lanes);
    w->pc = pc;
    *left = n;
    w->cta->stats->lane_instructions += lane_count;
    return op;
}

/* The loop is compiled separately for traces, which need only `ran`. */
static const struct ptx_op *run_straight(struct ptx_warp *w, uint32_t *left, uint32_t *mask, bool *fault)
{
    const struct ptx_observer *o = w->cta->observer;
    bool reported = o && o->executed, runs = o && o->ran, watched = w->cta->options->watch;

    if (runs && !reported && !watched)
        return run_seen(w, left, mask, fault, false, true, false);
    return run_seen(w, left, mask, fault, reported, runs, watched);
}

static int run_fragment(struct ptx_warp *w, uint32_t *left)
{
    bool fault;
    uint32_t mask;

    while (w->state->current != PTX_NONE && *left && !w->state->yields) {
        const struct ptx_op *op = run_straight(w, left, &mask, &fault);

        if (fault)
            return -1;
        if (op) {
            if (change_flow(w, op, mask))
                return -1;
        } else if (w->state->current != PTX_NONE && w->pc == ptx_warp_stop(w)) {
            ptx_warp_park(w);
        } else if (w->state->current != PTX_NONE && w->pc >= w->code->op_count) {
            uint32_t live = w->live;

            ptx_do_return(w, w->state->fragments[w->state->current].mask);
            if (settle(w, live))
                return -1;
        }
    }
    return 0;
}

void ptx_warp_turn_begin(struct ptx_warp *w)
{
    w->state->waited = w->state->yields = false;
    w->state->again = PTX_NONE;
}

int ptx_warp_turn(struct ptx_warp *w, uint32_t quantum, uint32_t *used)
{
    uint32_t left = quantum;
    int ret = 0;

    if (w->state->again != PTX_NONE) {
        ptx_warp_enter(w, w->state->again);
        ret = run_fragment(w, &left);
    }
    while (!ret && left && !w->state->yields && ptx_warp_pick(w))
        ret = run_fragment(w, &left);
    w->state->again = w->state->current;
    if (!ret)
        ptx_warp_leave(w);
    *used = quantum - left;
    w->cta->stats->warp_instructions += *used;
    return ret;
}
