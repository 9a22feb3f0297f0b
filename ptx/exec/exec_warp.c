/* ptx/exec/exec_warp.c: instructions that act across the lanes of a warp: shfl, vote, match, redux, elect,
 * activemask, bar.warp.
 *
 * An instruction with a member mask waits until all live members execute the same kind of operation with the same
 * mask. The members may be at different ops. Other lanes do not take part. An instruction without a mask acts on
 * the active lanes. Results: NVIDIA, PTX ISA 9.0, "shfl.sync" and the sections after it. */
#include <string.h>

#include "ptx/ops/exec_crowd.h"
#include "ptx/ops/exec_matrix.h"
#include "ptx/warp/warp.h"
#include "ptx/warp/watch.h"

/* --- operands and results --- */

static bool is_vote(uint8_t what)
{
    return what >= PTX_VOTE_ALL && what <= PTX_VOTE_BALLOT;
}

static const uint8_t *row(const struct ptx_activation *a, uint16_t r)
{
    return a->rows + (size_t)r * PTX_ROW_BYTES;
}

static void collect_row(uint32_t *to, const struct ptx_activation *a, uint16_t r, uint32_t lanes)
{
    if (r == PTX_NO_ROW)
        return;
    if (lanes == UINT32_MAX) {
        memcpy(to, row(a, r), PTX_LANES * sizeof *to);
        return;
    }
    for (; lanes; lanes &= lanes - 1)
        memcpy(&to[__builtin_ctz(lanes)], row(a, r) + (size_t)__builtin_ctz(lanes) * 4, 4);
}

static void collect(struct crowd *x, const struct ptx_activation *a, const struct ptx_op *op, uint32_t lanes)
{
    const struct ptx_access *access = &a->code->accesses[op->access];
    const struct ptx_form_args *r = &op->args;
    uint32_t bytes = access->type == PTX_B64 ? 8 : 4;

    x->lanes |= lanes;
    if (access->what == PTX_BAR_WARP || access->what == PTX_ELECT)
        return;
    if (is_vote(access->what)) {
        x->preds |= (r->negate & 1 ? ~a->preds[r->src[0]] : a->preds[r->src[0]]) & lanes;
        return;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);

        x->a[lane] = 0;
        memcpy(&x->a[lane], row(a, r->src[0]) + (size_t)lane * bytes, bytes);
    }
    if (access->what <= PTX_SHFL_IDX) {
        collect_row(x->b, a, r->src[1], lanes);
        collect_row(x->c, a, r->src[2], lanes);
    }
}

static void put_pred(struct ptx_activation *a, uint16_t place, uint32_t value, uint32_t lanes)
{
    if (place != PTX_NO_ROW)
        a->preds[place] = (a->preds[place] & ~lanes) | (value & lanes);
}

static void spread(const struct crowd *x, struct ptx_activation *a, const struct ptx_op *op, uint32_t lanes)
{
    uint8_t what = a->code->accesses[op->access].what;

    if (what == PTX_BAR_WARP)
        return;
    if (is_vote(what) && what != PTX_VOTE_BALLOT) {
        put_pred(a, op->args.dst, x->out_preds, lanes);
        return;
    }
    if (op->args.dst != PTX_NO_ROW)
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            memcpy(a->rows + (size_t)op->args.dst * PTX_ROW_BYTES + (size_t)__builtin_ctz(rest) * 4,
                   &x->out[__builtin_ctz(rest)], 4);
    if (what <= PTX_SHFL_IDX || what == PTX_MATCH_ALL || what == PTX_ELECT)
        put_pred(a, op->args.dst2, x->out_preds, lanes);
}

static int reported_missing(struct ptx_warp *w, const struct crowd *x)
{
    if (!x->missing)
        return 0;
    return ptx_undefined(w, x->missing, "shfl reads from a lane that does not execute it");
}

/* Executes the op among these lanes of the current fragment. */
static int act_here(struct ptx_warp *w, const struct ptx_op *op, uint32_t lanes)
{
    struct ptx_warp_state *s = w->state;
    struct ptx_activation *a = &s->activations[s->fragments[s->current].activation];
    struct crowd x;

    x.lanes = x.preds = x.out_preds = x.missing = 0;
    collect(&x, a, op, lanes);
    crowd_act(&x, &a->code->accesses[op->access]);
    spread(&x, a, op, lanes);
    return reported_missing(w, &x) || ptx_watch_after(w, w->pc, lanes) ? -1 : 0;
}

/* --- member masks --- */

static uint32_t members_of(const struct ptx_warp *w, const struct ptx_op *op, uint32_t lane)
{
    uint32_t mask;

    memcpy(&mask, w->lanes.rows + (size_t)op->args.src[3] * PTX_ROW_BYTES + (size_t)lane * 4, 4);
    return mask;
}

/* The lanes of `lanes` that have the same member mask as the first of them. *members: this mask. */
static uint32_t same_members(const struct ptx_warp *w, const struct ptx_op *op, uint32_t lanes, uint32_t *members)
{
    uint32_t same = 0;

    *members = members_of(w, op, (uint32_t)__builtin_ctz(lanes));
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);

        same |= (uint32_t)(members_of(w, op, lane) == *members) << lane;
    }
    return same;
}

/* Executes the op for each group whose live members are all here. *waiting: the lanes of the other groups. */
static int act_complete(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask, uint32_t *waiting)
{
    *waiting = 0;
    for (uint32_t rest = mask, same, members; rest; rest &= ~same) {
        same = same_members(w, op, rest, &members);
        if (same & ~members) {
            if (ptx_undefined(w, same & ~members, "is not in its own member mask 0x%x", members))
                return -1;
            members |= same;
        }
        if (members & w->live & ~same)
            *waiting |= same;
        else if (act_here(w, op, same))
            return -1;
    }
    return 0;
}

/* Makes the lanes wait, in a separate fragment for each member mask. They reconverge after the op. */
static int wait_for_members(struct ptx_warp *w, const struct ptx_op *op, uint32_t waiting)
{
    struct ptx_warp_state *s = w->state;
    uint32_t members, same;

    if (waiting != s->fragments[s->current].mask && ptx_warp_split(w, waiting, w->pc, w->pc + 1, w->pc + 1, true))
        return -1;
    same = same_members(w, op, waiting, &members);
    if (same != waiting) {
        uint32_t token = ptx_token_new(w, w->pc + 1);

        if (token == PTX_NONE)
            return -1;
        s->fragments[s->current].token = token;
    }
    for (; same != waiting; waiting &= ~same, same = same_members(w, op, waiting, &members)) {
        struct ptx_fragment *f = ptx_warp_insert(w, same);

        f->pc = w->pc;
        f->state = PTX_WAITS_SYNC;
        f->waits = members | same;
    }
    s->fragments[s->current].state = PTX_WAITS_SYNC;
    s->fragments[s->current].waits = members | same;
    ptx_warp_leave(w);
    return 0;
}

int ptx_do_matrix(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_warp_state *s = w->state;

    if (mask == w->live) {
        if (ptx_matrix_run(w, op, mask))
            return -1;
        w->pc++;
        return 0;
    }
    if (mask != s->fragments[s->current].mask && ptx_warp_split(w, mask, w->pc, w->pc + 1, w->pc + 1, true))
        return -1;
    s->fragments[s->current].state = PTX_WAITS_SYNC;
    s->fragments[s->current].waits = UINT32_MAX;
    ptx_warp_leave(w);
    return ptx_warp_sync_retry(w);
}

int ptx_do_warp(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *access = &w->code->accesses[op->access];
    uint32_t waiting;

    if (access->what == PTX_ACTIVEMASK) {
        for (uint32_t rest = mask; rest; rest &= rest - 1)
            memcpy(w->lanes.rows + (size_t)op->args.dst * PTX_ROW_BYTES + (size_t)__builtin_ctz(rest) * 4, &mask,
                   4);
        waiting = 0;
    } else if (op->args.src[3] == PTX_NO_ROW) {
        waiting = 0;
        if (act_here(w, op, mask))
            return -1;
    } else if (act_complete(w, op, mask, &waiting)) {
        return -1;
    }
    if (!waiting) {
        w->pc++;
        return 0;
    }
    if (wait_for_members(w, op, waiting))
        return -1;
    return ptx_warp_sync_retry(w);
}

/* --- waiting fragments --- */

static const struct ptx_op *op_of(const struct ptx_warp_state *s, const struct ptx_fragment *f)
{
    return &s->activations[f->activation].code->ops[f->pc];
}

static uint8_t what_of(const struct ptx_warp_state *s, const struct ptx_fragment *f)
{
    return s->activations[f->activation].code->accesses[op_of(s, f)->access].what;
}

/* A matrix instruction is one operation of the whole warp, so fragments execute it together only at the same op. */
static bool waits_with(const struct ptx_warp_state *s, const struct ptx_fragment *f, const struct ptx_fragment *g)
{
    bool same_place = g->pc == f->pc && g->activation == f->activation;

    return g->state == PTX_WAITS_SYNC && g->waits == f->waits && what_of(s, g) == what_of(s, f) &&
           (same_place || op_of(s, f)->action != PTX_DO_MATRIX);
}

static uint32_t crowd_of(const struct ptx_warp_state *s, const struct ptx_fragment *f)
{
    uint32_t lanes = 0;

    for (uint32_t k = 0; k < s->fragment_count; k++)
        if (waits_with(s, f, &s->fragments[k]))
            lanes |= s->fragments[k].mask;
    return lanes;
}

static int matrix_together(struct ptx_warp *w, uint32_t leader)
{
    struct ptx_warp_state *s = w->state;
    struct ptx_fragment first = s->fragments[leader];
    uint32_t lanes = crowd_of(s, &first);
    int ret;

    ptx_warp_enter(w, leader);
    ret = ptx_matrix_run(w, op_of(s, &first), lanes);
    ptx_warp_leave(w);
    for (uint32_t k = 0; k < s->fragment_count; k++)
        if (waits_with(s, &first, &s->fragments[k])) {
            s->fragments[k].state = PTX_READY;
            s->fragments[k].pc++;
        }
    return ret;
}

static int act_together(struct ptx_warp *w, uint32_t leader)
{
    struct ptx_warp_state *s = w->state;
    struct ptx_fragment first = s->fragments[leader];
    struct crowd x;

    if (op_of(s, &first)->action == PTX_DO_MATRIX)
        return matrix_together(w, leader);

    x.lanes = x.preds = x.out_preds = x.missing = 0;
    for (uint32_t k = 0; k < s->fragment_count; k++) {
        const struct ptx_fragment *f = &s->fragments[k];

        if (waits_with(s, &first, f))
            collect(&x, &s->activations[f->activation], op_of(s, f), f->mask);
    }
    crowd_act(&x, &s->activations[first.activation].code->accesses[op_of(s, &first)->access]);
    for (uint32_t k = 0; k < s->fragment_count; k++) {
        struct ptx_fragment *f = &s->fragments[k];

        if (!waits_with(s, &first, f))
            continue;
        spread(&x, &s->activations[f->activation], op_of(s, f), f->mask);
        if (ptx_watch_after_wait(w, f->activation, f->pc, f->mask))
            return -1;
        f->state = PTX_READY;
        f->pc++;
    }
    return reported_missing(w, &x);
}

int ptx_warp_sync_retry(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;

    for (uint32_t k = 0; k < s->fragment_count; k++) {
        const struct ptx_fragment *f = &s->fragments[k];

        if (f->state == PTX_WAITS_SYNC && !(f->waits & w->live & ~crowd_of(s, f)) && act_together(w, k))
            return -1;
    }
    ptx_warp_merge(w);
    return 0;
}
