/* ptx/exec/barrier.c: the sixteen barriers of a CTA: bar and barrier with sync, arrive and red.
 *
 * A barrier with a count is complete when that number of warps has arrived. Any other barrier is complete when all
 * live warps have arrived, so a warp that exits can release the waiting ones. Lanes of a warp can arrive one after
 * another, at different instructions. */
#include <string.h>

#include "ptx/ops/exec_observe.h"
#include "ptx/warp/cta.h"
#include "ptx/warp/strict.h"

static uint32_t row32(const struct ptx_warp *w, uint16_t r, uint32_t lane)
{
    uint32_t value;

    memcpy(&value, w->lanes.rows + (size_t)r * PTX_ROW_BYTES + (size_t)lane * 4, 4);
    return value;
}

/* --- release --- */

static void give_result(struct ptx_activation *a, const struct ptx_op *op, const struct ptx_barrier *b,
                        uint32_t lanes)
{
    uint8_t what = a->code->accesses[op->access].what;
    bool held = what == PTX_BARRIER_AND ? b->all : b->any;

    if (what == PTX_BARRIER_AND || what == PTX_BARRIER_OR)
        a->preds[op->args.dst] = held ? a->preds[op->args.dst] | lanes : a->preds[op->args.dst] & ~lanes;
    else if (what == PTX_BARRIER_POPC)
        for (; lanes; lanes &= lanes - 1)
            memcpy(a->rows + (size_t)op->args.dst * PTX_ROW_BYTES + (size_t)__builtin_ctz(lanes) * 4, &b->count, 4);
}

void ptx_barrier_release_warp(struct ptx_warp *w, uint32_t number)
{
    struct ptx_warp_state *s = w->state;

    for (uint32_t k = 0; k < s->fragment_count; k++) {
        struct ptx_fragment *f = &s->fragments[k];
        struct ptx_activation *a = &s->activations[f->activation];

        if (f->state != PTX_WAITS_BARRIER || f->waits != number)
            continue;
        give_result(a, &a->code->ops[f->pc], &w->cta->state->barriers[number], f->mask);
        if (w->cta->strict)
            ptx_strict_past_barrier(w, number);
        f->state = PTX_READY;
        f->pc++;
    }
    ptx_warp_merge(w);
}

static void release_if_complete(struct ptx_cta *c, uint32_t number)
{
    struct ptx_cta_state *s = c->state;
    struct ptx_barrier *b = &s->barriers[number];
    uint32_t partial = 0, warps;

    if (!b->arrived || (b->expected ? b->arrived < b->expected : (s->live_warps & ~b->warps) != 0))
        return;
    warps = b->warps;
    for (uint32_t k = 0; k < s->warp_count; k++)
        if (warps >> k & 1)
            ptx_barrier_release_warp(&s->warps[k], number);
    if (warps & (warps - 1)) {
        s->turn = PTX_TURN_FIRST;
        s->round.released = true;
        s->warps[s->round.warp].state->yields = true; /* the warp that arrived last */
    }
    if (c->strict)
        ptx_strict_barrier_over(c, number);
    /* A warp of which only some lanes have arrived belongs to the next phase. */
    for (uint32_t k = 0; k < s->warp_count; k++)
        partial |= b->lanes[k];
    b->arrived = b->warps = b->count = 0;
    b->all = true;
    b->any = false;
    if (!partial)
        s->barriers_used &= ~(1u << number);
    c->stats->barriers++;
}

/* --- arrival --- */

static void count_warp(struct ptx_warp *w, uint32_t number)
{
    struct ptx_barrier *b = &w->cta->state->barriers[number];

    if (!b->lanes[w->id] || (w->live & ~b->lanes[w->id]))
        return;
    b->lanes[w->id] = 0;
    b->arrived++;
    b->warps |= 1u << w->id;
}

static void arrive(struct ptx_warp *w, uint32_t number, const struct ptx_op *op, uint32_t lanes)
{
    struct ptx_barrier *b = &w->cta->state->barriers[number];
    uint8_t what = w->code->accesses[op->access].what;

    w->cta->state->barriers_used |= 1u << number;
    b->lanes[w->id] |= lanes;
    if (w->cta->strict)
        ptx_strict_at_barrier(w, number);
    if (what == PTX_BARRIER_POPC || what == PTX_BARRIER_AND || what == PTX_BARRIER_OR) {
        uint32_t held = w->lanes.preds[op->args.src[2]];

        held = (op->args.negate & 4 ? ~held : held) & lanes;
        b->count += (uint32_t)__builtin_popcount(held);
        b->all = b->all && held == lanes;
        b->any = b->any || held;
    }
}

/* PTX ISA, bar: a warp arrives as a whole. So lanes that arrive together must have the same barrier and count. */
static int read_numbers(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask, uint32_t *number,
                        uint32_t *expected)
{
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    uint32_t threads = op->args.src[1] == PTX_NO_ROW ? 0 : row32(w, op->args.src[1], lane);
    const struct ptx_barrier *b;

    *number = row32(w, op->args.src[0], lane);
    *expected = (threads + PTX_LANES - 1) / PTX_LANES;
    if (*number >= PTX_CLUSTER_BARRIER)
        return ptx_fault(w, mask, "barrier %u does not exist; a CTA has %d", *number, PTX_CLUSTER_BARRIER);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t other = row32(w, op->args.src[0], (uint32_t)__builtin_ctz(rest));

        if (other != *number)
            return ptx_fault(
                w, rest & -rest,
                "arrives at barrier %u, and another lane of its warp arrives at barrier %u in the same instruction",
                other, *number);
    }
    if (threads % PTX_LANES &&
        ptx_undefined(w, mask, "barrier %u expects %u threads, which is not a multiple of 32", *number, threads))
        return -1;
    b = &w->cta->state->barriers[*number];
    if (w->cta->state->barriers_used >> *number & 1 && b->expected != *expected &&
        ptx_undefined(w, mask, "barrier %u is used with %u threads and with %u", *number, b->expected * PTX_LANES,
                      *expected * PTX_LANES))
        return -1;
    return 0;
}

/* True: other lanes of the warp wait at this barrier at another op. */
static bool waits_at_other_op(const struct ptx_warp *w, uint32_t number)
{
    for (uint32_t k = 0; k < w->state->fragment_count; k++) {
        const struct ptx_fragment *f = &w->state->fragments[k];

        if (f->state == PTX_WAITS_BARRIER && f->waits == number && f->pc != w->pc)
            return true;
    }
    return false;
}

void ptx_barrier_report(const struct ptx_warp *w, uint32_t number, uint32_t expected, uint32_t mask)
{
    const uint64_t field[NAMED_FIELDS] = {
        [NAMED_NUMBER] = number, [NAMED_LANES] = mask, [NAMED_THREADS] = (uint64_t)expected * PTX_LANES};

    if (ptx_is_observed(w) && (number || expected))
        ptx_report_fields(w, field, NAMED_FIELDS);
}

int ptx_do_barrier(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_warp_state *s = w->state;
    bool waits = w->code->accesses[op->access].what != PTX_BARRIER_ARRIVE;
    uint32_t number, expected;

    if (w->code->accesses[op->access].what >= PTX_BARRIER_CLUSTER_ARRIVE)
        return ptx_do_cluster_barrier(w, op, mask);
    if (read_numbers(w, op, mask, &number, &expected))
        return -1;
    ptx_barrier_report(w, number, expected, mask);
    if (waits && mask != s->fragments[s->current].mask &&
        ptx_warp_split(w, mask, w->pc, w->pc + 1, w->pc + 1, true))
        return -1;
    arrive(w, number, op, mask);
    w->cta->state->barriers[number].expected = expected;
    if (waits) {
        s->fragments[s->current].state = PTX_WAITS_BARRIER;
        s->fragments[s->current].waits = number;
    } else {
        w->pc++;
    }
    ptx_warp_leave(w);
    if (op->uniform && waits_at_other_op(w, number) &&
        ptx_undefined(w, mask, "lanes of the warp arrive at an aligned barrier from different instructions"))
        return -1;
    count_warp(w, number);
    release_if_complete(w->cta, number);
    return 0;
}

void ptx_barriers_retry(struct ptx_warp *w)
{
    struct ptx_cta_state *s = w->cta->state;

    if (!w->live)
        s->live_warps &= ~(1u << w->id);
    for (uint32_t used = s->barriers_used; used; used &= used - 1) {
        count_warp(w, (uint32_t)__builtin_ctz(used));
        release_if_complete(w->cta, (uint32_t)__builtin_ctz(used));
    }
    ptx_cluster_retry(w->cta);
}
