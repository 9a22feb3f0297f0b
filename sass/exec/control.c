/* sass/exec/control.c: branches, calls, convergence of lanes.
 *
 * Lanes that execute together are `active`; the others have their own address. A convergence barrier has, for each
 * lane, the lanes that it waits for: BSSY sets them, BREAK takes lanes away, BSYNC waits. An ended lane is not
 * waited for. Source: NVIDIA, patent US 10067768 B2 ("Execution of divergent threads using a convergence barrier").
 */
#include <inttypes.h>

#include "sass/exec/access.h"

enum {
    PATIENCE = 4096,        /* instructions of one group while others of its warp can run */
    PATIENCE_OF_YIELD = 256 /* until a group that yields is no longer waited for */
};

static bool waits(const struct sass_warp *w, uint32_t lane, enum lane_state state, uint32_t for_what)
{
    return w->state[lane] == state && w->waits[lane] == for_what;
}

/* Whether all living lanes of the mask wait in the same way. */
static bool all_wait(const struct sass_warp *w, uint32_t mask, enum lane_state state, uint32_t for_what)
{
    for (uint32_t rest = mask & w->alive; rest; rest &= rest - 1)
        if (!waits(w, (uint32_t)__builtin_ctz(rest), state, for_what))
            return false;
    return true;
}

void release_lanes(struct sass_warp *w)
{
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t members;

        if (!(w->alive >> l & 1) || (w->state[l] != LANE_AT_BSYNC && w->state[l] != LANE_AT_WARPSYNC))
            continue;
        members = (w->state[l] == LANE_AT_BSYNC ? w->members[w->waits[l]][l] : w->waits[l]) | 1u << l;
        if (!all_wait(w, members, w->state[l], w->waits[l]))
            continue;
        for (uint32_t rest = members & w->alive; rest; rest &= rest - 1)
            w->state[__builtin_ctz(rest)] = LANE_RUNS;
    }
}

static uint32_t ready(const struct sass_warp *w)
{
    uint32_t lanes = 0;

    for (uint32_t l = 0; l < LANES; l++)
        lanes |= (uint32_t)(w->state[l] == LANE_RUNS) << l;
    return lanes & w->alive;
}

/* The lanes with the lowest address that is not below `from`, else with the lowest one. */
static bool choose_from(struct sass_warp *w, uint64_t from)
{
    uint32_t lanes = ready(w);
    uint64_t best = UINT64_MAX, lowest = UINT64_MAX;

    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t pc = w->pc[__builtin_ctz(rest)];

        lowest = pc < lowest ? pc : lowest;
        best = pc >= from && pc < best ? pc : best;
    }
    if (lanes == 0)
        return false;
    w->at = best == UINT64_MAX ? lowest : best;
    w->active = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (w->pc[__builtin_ctz(rest)] == w->at)
            w->active |= 1u << __builtin_ctz(rest);
    w->spent = 0;
    return true;
}

bool choose_lanes(struct sass_warp *w)
{
    return choose_from(w, 0);
}

/* The lanes are no longer active; they continue at pc. */
static void put_aside(struct sass_warp *w, uint32_t lanes, uint64_t pc, enum lane_state state, uint32_t for_what)
{
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(rest);

        w->pc[l] = pc;
        w->state[l] = (uint8_t)state;
        w->waits[l] = for_what;
    }
    w->active &= ~lanes;
}

void lanes_wait(struct sass_warp *w, uint32_t lanes, enum lane_state state, uint32_t for_what)
{
    put_aside(w, lanes, w->next, state, for_what);
}

/* The lanes of the mask go to `target`, the others on. */
static void branch(struct sass_warp *w, uint32_t mask, uint64_t target)
{
    uint32_t others = w->active & ~mask;

    if (mask == 0)
        return;
    if (others == 0) {
        w->next = target;
        return;
    }
    w->cta->run->stats->divergent_branches++;
    if (w->cta->run->launch->taken_first) {
        put_aside(w, others, w->next, LANE_RUNS, 0);
        w->next = target;
    } else {
        put_aside(w, mask, target, LANE_RUNS, 0);
    }
}

static uint32_t condition(const struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    return mask & read_predicate(w, &op->preds[0]);
}

int do_bra(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    branch(w, condition(w, op, mask), op->target);
    if (w->spent > PATIENCE && w->active) {
        uint64_t at = w->next;

        /* a loop: other lanes of the warp may have to act before it ends */
        put_aside(w, w->active, at, LANE_RUNS, 0);
        (void)choose_from(w, w->at + INST_BYTES);
        w->next = w->at;
    }
    return 0;
}

/* .DIV: taken where the lanes are not exactly those of the mask (src 0; without one: of the warp); .CONV (type):
 * where they are. */
int do_bra_div(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t want = op->high ? read_u32(w, &op->src[0], 0)[0] : w->threads;
    bool converged = w->active == want;

    branch(w, converged == (op->type != 0) ? condition(w, op, mask) : 0, op->target);
    return 0;
}

/* Lanes that go to several addresses. */
static int scatter(struct sass_warp *w, uint32_t mask, const uint64_t to[LANES])
{
    uint64_t first;
    bool same = true;

    if (mask == 0)
        return 0;
    first = to[__builtin_ctz(mask)];
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        same &= to[__builtin_ctz(rest)] == first;
    if (same) {
        branch(w, mask, first);
        return 0;
    }
    w->cta->run->stats->divergent_branches++;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        put_aside(w, 1u << __builtin_ctz(rest), to[__builtin_ctz(rest)], LANE_RUNS, 0);
    return 0;
}

/* target + a register pair, of the lanes */
static int jump(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint64_t *a = read_u64(w, &op->src[0], 0);
    uint64_t to[LANES];

    for (int l = 0; l < LANES; l++)
        to[l] = op->target + a[l];
    return scatter(w, condition(w, op, mask), to);
}

int do_brx(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    return jump(w, op, mask);
}

int do_call(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    if (op->high)
        return jump(w, op, mask);
    branch(w, condition(w, op, mask), op->target);
    return 0;
}

int do_ret(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    return jump(w, op, mask);
}

int do_lepc(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint64_t out[LANES];

    for (int l = 0; l < LANES; l++)
        out[l] = op->target;
    write_u64(w, op, out, mask);
    return 0;
}

int do_exit(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t lanes = condition(w, op, mask);

    w->alive &= ~lanes;
    w->active &= ~lanes;
    if (lanes) {
        release_lanes(w);
        barriers_check(w->cta);
    }
    return 0;
}

/* --- convergence; number: the barrier --- */

int do_bssy(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t lanes = condition(w, op, mask);

    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        w->members[op->number][__builtin_ctz(rest)] = lanes;
    return 0;
}

int do_bsync(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t lanes = condition(w, op, mask), gone;

    if (lanes == 0)
        return 0;
    if (lanes == w->active && (w->members[op->number][__builtin_ctz(lanes)] & w->alive) == lanes)
        return 0; /* all are here */
    gone = w->active & ~lanes;
    put_aside(w, gone, w->next, LANE_RUNS, 0);
    put_aside(w, lanes, w->next, LANE_AT_BSYNC, op->number);
    release_lanes(w);
    return 0;
}

int do_break(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t lanes = condition(w, op, mask), *members = w->members[op->number];

    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        for (uint32_t others = members[__builtin_ctz(rest)]; others; others &= others - 1)
            members[__builtin_ctz(others)] &= ~lanes;
    release_lanes(w);
    return 0;
}

int do_warpsync(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *members = read_plain(w, &op->src[0], 0);
    uint32_t lanes = condition(w, op, mask), others = w->active & ~lanes;

    if (lanes == 0)
        return 0;
    if (others == 0 && (members[__builtin_ctz(lanes)] & w->alive) == lanes)
        return 0;
    put_aside(w, others, w->next, LANE_RUNS, 0);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        put_aside(w, rest & (0 - rest), w->next, LANE_AT_WARPSYNC, members[__builtin_ctz(rest)]);
    release_lanes(w);
    return 0;
}

/* Lanes that wait at a BSYNC only for lanes that yield go on without these: the lanes that yield may wait for what
 * they do (a lock). */
static void stop_waiting(struct sass_warp *w)
{
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t members, missing = 0, number = w->waits[l];

        if (!(w->alive >> l & 1) || w->state[l] != LANE_AT_BSYNC)
            continue;
        members = w->members[number][l] & w->alive;
        for (uint32_t rest = members; rest; rest &= rest - 1)
            missing |= waits(w, (uint32_t)__builtin_ctz(rest), LANE_AT_BSYNC, number) ? 0 : rest & (0 - rest);
        if (missing & ~w->active)
            continue;
        for (uint32_t rest = members; rest; rest &= rest - 1)
            w->members[number][__builtin_ctz(rest)] &= missing >> __builtin_ctz(rest) & 1 ? missing : ~missing;
    }
    release_lanes(w);
}

int do_yield(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    (void)op;
    (void)mask;
    if (w->spent > PATIENCE_OF_YIELD)
        stop_waiting(w);
    if (ready(w) & ~w->active) {
        put_aside(w, w->active, w->next, LANE_RUNS, 0);
        (void)choose_from(w, w->next + 1);
        w->next = w->at;
    }
    return 0;
}

int do_bmov_read(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    write_u32(w, op, w->members[op->number], mask);
    for (uint32_t rest = mask; rest && op->type; rest &= rest - 1)
        w->members[op->number][__builtin_ctz(rest)] = 0;
    return 0;
}

int do_bmov_write(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0);

    for (uint32_t rest = mask; rest; rest &= rest - 1)
        w->members[op->number][__builtin_ctz(rest)] = a[__builtin_ctz(rest)];
    return 0;
}

int do_trap(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    (void)op;
    return mask ? sass_fault(w, __builtin_ctz(mask), "trap") : 0;
}

int do_nothing(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    (void)w;
    (void)op;
    (void)mask;
    return 0;
}
