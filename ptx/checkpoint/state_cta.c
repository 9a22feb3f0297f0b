/* ptx/checkpoint/state_cta.c: saves and loads a CTA: shared memory, barriers, and for each warp its fragments,
 * tokens, activations with their registers, and local memory.
 *
 * A position in the program is a function and an op number. Loaded values are checked, so that no file can cause an
 * access outside of an array. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "ptx/warp/cta.h"
#include "ptx/warp/launch.h"
#include "ptx/warp/state_io.h"
#include "ptx/warp/strict.h"

enum { ENTRIES_MAX = 1 << 20 }; /* of tokens, and of activations, that a file may have for a warp */

/* --- which function --- */

/* A hash of the decoded ops and their rows. Another build may assign registers to other rows. */
static uint64_t fingerprint(const struct ptx_code *c)
{
    uint64_t h[2] = {((uint64_t)c->rows << 32 | c->preds) ^ (uint64_t)c->op_count << 16 ^ c->local_bytes, 0};

    for (uint32_t k = 0; k < c->op_count; k++) {
        const struct ptx_op *op = &c->ops[k];
        const uint64_t own[] = {h[0],
                                op->action,
                                op->target,
                                op->join,
                                (uint64_t)op->args.dst << 16 | op->args.dst2,
                                (uint64_t)op->args.src[0] << 48 | (uint64_t)op->args.src[1] << 32 |
                                    (uint64_t)op->args.src[2] << 16 | op->args.src[3],
                                op->args.imm};

        h[0] = hash_fnv1a(own, sizeof own);
    }
    return h[0];
}

static bool code_io(struct ptx_io *io, struct ptx_run *r, uint32_t *module, const struct ptx_code **code)
{
    struct err ignored;
    uint32_t function = 0;
    uint64_t print = 0;

    if (io->saves) {
        function = (uint32_t)((*code)->function - ptx_program_module(r->program, *module)->functions);
        print = fingerprint(*code);
    }
    PTX_IO(io, *module);
    PTX_IO(io, function);
    PTX_IO(io, print);
    if (io->saves)
        return true;
    if (!ptx_io_check(io, *module < ptx_program_modules(r->program)) ||
        !ptx_io_check(io, function < ptx_program_module(r->program, *module)->function_count))
        return false;
    *code = ptx_program_code(r->program, *module, function, &ignored);
    return ptx_io_check(io, *code && fingerprint(*code) == print);
}

/* --- warps --- */

static int activation_io(struct ptx_io *io, struct ptx_warp *w, struct ptx_activation *a)
{
    PTX_IO(io, a->lanes);
    if (!a->lanes)
        return 0;
    if (!code_io(io, w->cta->run, &a->module, &a->code))
        return 0;
    if (!io->saves && ptx_activation_rows(w, a, a->code))
        return -1;
    ptx_io_bytes(io, a->rows, (size_t)a->code->rows * PTX_ROW_BYTES);
    for (uint32_t k = 0; k < a->code->preds; k++)
        PTX_IO(io, a->preds[k]);
    PTX_IO(io, a->carry);
    PTX_IO(io, a->parent);
    PTX_IO(io, a->call);
    PTX_IO(io, a->return_pc);
    PTX_IO(io, a->frame);
    PTX_IO(io, a->depth);
    for (uint32_t l = 0; a->code->has_stack && l < PTX_LANES; l++)
        PTX_IO(io, a->stack_end[l]);
    return 0;
}

/* Are the loaded indices inside the arrays that they refer to? */
static bool activation_holds(const struct ptx_warp *w, const struct ptx_activation *a)
{
    const struct ptx_warp_state *s = w->state;
    const struct ptx_activation *p;

    if (!a->lanes)
        return true;
    if (a->frame > w->local_bytes || a->code->local_bytes > w->local_bytes - a->frame)
        return false;
    if (ptx_stack_end(a, UINT32_MAX) > w->local_bytes)
        return false;
    if (a->parent == PTX_NONE)
        return a->code == w->cta->run->code;
    if (a->parent >= s->activation_count)
        return false;
    p = &s->activations[a->parent];
    return p->lanes && (a->lanes & ~p->lanes) == 0 && a->call < p->code->call_count &&
           a->return_pc <= p->code->op_count && p->code->calls[a->call].args == a->code->function->param_count;
}

static void fragment_io(struct ptx_io *io, const struct ptx_warp_state *s, struct ptx_fragment *f)
{
    PTX_IO(io, f->mask);
    PTX_IO(io, f->pc);
    PTX_IO(io, f->token);
    PTX_IO(io, f->activation);
    PTX_IO(io, f->state);
    PTX_IO(io, f->waits);
    ptx_io_check(io, f->activation < s->activation_count && s->activations[f->activation].lanes &&
                         (f->token == PTX_NONE || f->token < s->token_count) && f->state <= PTX_WAITS_BARRIER);
    if (!io->bad)
        ptx_io_check(io, f->pc <= s->activations[f->activation].code->op_count &&
                             (f->state != PTX_WAITS_BARRIER || f->waits < PTX_BARRIERS));
}

static void token_io(struct ptx_io *io, const struct ptx_warp_state *s, struct ptx_token *t)
{
    PTX_IO(io, t->join);
    PTX_IO(io, t->activation);
    PTX_IO(io, t->needed);
    PTX_IO(io, t->parked);
    PTX_IO(io, t->parent);
    ptx_io_check(io, !t->needed || (t->activation < s->activation_count &&
                                    (t->parent == PTX_NONE || t->parent < s->token_count)));
}

/* Makes room for the entries of the file. New entries are free. */
static int resize(struct ptx_io *io, struct ptx_warp *w, uint32_t tokens, uint32_t activations)
{
    struct ptx_warp_state *s = w->state;

    if (!ptx_io_check(io, tokens <= ENTRIES_MAX && activations <= ENTRIES_MAX))
        return 0;
    if (array_reserve((void **)&s->tokens, &s->token_capacity, tokens + 1, sizeof *s->tokens, w->cta->e) ||
        array_reserve((void **)&s->activations, &s->activation_capacity, activations + 1, sizeof *s->activations,
                      w->cta->e))
        return -1;
    for (size_t k = s->activation_count; k < activations; k++)
        s->activations[k] = (struct ptx_activation){0};
    for (size_t k = activations; k < s->activation_count; k++)
        free(s->activations[k].rows);
    s->token_count = tokens;
    s->activation_count = activations;
    return 0;
}

static int lists_io(struct ptx_io *io, struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;
    uint32_t tokens = (uint32_t)s->token_count, activations = (uint32_t)s->activation_count;

    PTX_IO(io, tokens);
    PTX_IO(io, activations);
    if (!io->saves && resize(io, w, tokens, activations))
        return -1;
    for (uint32_t k = 0; k < activations && !io->bad; k++)
        if (activation_io(io, w, &s->activations[k]))
            return -1;
    for (uint32_t k = 0; k < activations && !io->bad; k++)
        ptx_io_check(io, activation_holds(w, &s->activations[k]));
    for (uint32_t k = 0; k < tokens && !io->bad; k++)
        token_io(io, s, &s->tokens[k]);
    PTX_IO(io, s->fragment_count);
    ptx_io_check(io, s->fragment_count <= PTX_LANES);
    for (uint32_t k = 0; k < s->fragment_count && !io->bad; k++)
        fragment_io(io, s, &s->fragments[k]);
    return 0;
}

static int warp_io(struct ptx_io *io, struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;
    uint32_t local_bytes = w->local_bytes;

    PTX_IO(io, w->live);
    PTX_IO(io, local_bytes);
    if (!ptx_io_check(io, local_bytes <= PTX_LOCAL_MAX) || ptx_local_reserve(w, local_bytes))
        return io->bad ? 0 : -1;
    ptx_io_bytes(io, w->local, (size_t)local_bytes * PTX_LANES);
    PTX_IO(io, s->spins);
    PTX_IO(io, s->stores);
    PTX_IO(io, s->spin.progress);
    PTX_IO(io, s->spin.hash);
    PTX_IO(io, s->spin.checks);
    PTX_IO(io, s->spin.limit);
    PTX_IO(io, s->spin.repeats);
    PTX_IO(io, s->polls);
    PTX_IO(io, s->waited);
    PTX_IO(io, s->yields);
    if (lists_io(io, w))
        return -1;
    PTX_IO(io, s->again);
    ptx_io_check(io, s->again == PTX_NONE || s->again < s->fragment_count);
    return 0;
}

/* --- the CTA --- */

static void barrier_io(struct ptx_io *io, struct ptx_barrier *b)
{
    PTX_IO(io, b->expected);
    PTX_IO(io, b->arrived);
    PTX_IO(io, b->warps);
    for (uint32_t k = 0; k < PTX_WARPS_MAX; k++)
        PTX_IO(io, b->lanes[k]);
    PTX_IO(io, b->count);
    PTX_IO(io, b->all);
    PTX_IO(io, b->any);
}

static void round_io(struct ptx_io *io, struct ptx_round *r)
{
    PTX_IO(io, r->warp);
    PTX_IO(io, r->turn);
    PTX_IO(io, r->left);
    PTX_IO(io, r->used);
    PTX_IO(io, r->all);
    PTX_IO(io, r->stores);
    PTX_IO(io, r->waits);
    PTX_IO(io, r->moves);
    PTX_IO(io, r->released);
    ptx_io_check(io, r->left <= r->turn);
}

int ptx_cta_io(struct ptx_cta *c, struct ptx_io *io)
{
    struct ptx_cta_state *s = c->state;
    uint32_t shared = c->shared_bytes;

    PTX_IO(io, shared);
    if (!ptx_io_check(io, shared == c->shared_bytes))
        return 0;
    ptx_io_bytes(io, c->shared, shared);
    PTX_IO(io, c->stores);
    PTX_IO(io, c->clock);
    PTX_IO(io, s->live_warps);
    PTX_IO(io, s->barriers_used);
    PTX_IO(io, s->executed);
    round_io(io, &s->round);
    PTX_IO(io, s->turn);
    ptx_io_check(io, s->turn && s->turn <= PTX_TURN);
    for (uint32_t k = 0; k < PTX_BARRIERS; k++)
        barrier_io(io, &s->barriers[k]);
    for (uint32_t k = 0; k < PTX_WARPS_MAX; k++)
        PTX_IO(io, s->cluster_arrived[k]);
    for (uint32_t k = 0; k < s->warp_count && !io->bad; k++)
        if (warp_io(io, &s->warps[k]))
            return -1;
    ptx_io_check(io, !(s->live_warps & ~(s->warp_count == 32 ? UINT32_MAX : (1u << s->warp_count) - 1)) &&
                         !(s->barriers_used >> PTX_BARRIERS));
    if (!io->saves && c->strict)
        ptx_strict_resumed(c);
    return io->bad ? 0 : ptx_async_io(c, io);
}
