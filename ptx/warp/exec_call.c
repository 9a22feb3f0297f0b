/* ptx/warp/exec_call.c: activations: calls, their parameters and results, returns.
 *
 * Lanes that call together return together if possible: a call creates a token at the op after it. Frames are in
 * local memory after the caller's frame, so that lanes of one fragment share offsets and lanes of different
 * fragments never overlap. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/warp/launch.h"
#include "ptx/warp/warp.h"

/* --- local memory --- */

int ptx_local_reserve(struct ptx_warp *w, uint32_t bytes)
{
    uint32_t room = w->local_bytes ? w->local_bytes : 64;
    uint8_t *grown;

    if (bytes <= w->local_bytes)
        return 0;
    if (bytes > PTX_LOCAL_MAX)
        return ptx_fault(w, 0, "a thread needs %u bytes of local memory; at most %d are available", bytes,
                         PTX_LOCAL_MAX);
    while (room < bytes)
        room *= 2;
    grown = realloc(w->local, (size_t)room * PTX_LANES);
    if (!grown)
        return err_no_memory(w->cta->e);
    memset(grown + (size_t)w->local_bytes * PTX_LANES, 0, (size_t)(room - w->local_bytes) * PTX_LANES);
    w->local = grown;
    w->local_bytes = room;
    return 0;
}

/* --- activations --- */

/* The index of a free activation, preferably one with rows for the same function. */
static uint32_t find_free(struct ptx_warp *w, const struct ptx_code *code)
{
    struct ptx_warp_state *s = w->state;
    size_t found = PTX_NONE;

    for (size_t k = 0; k < s->activation_count; k++)
        if (!s->activations[k].lanes && (found == PTX_NONE || s->activations[k].code == code)) {
            found = k;
            if (s->activations[k].code == code)
                break;
        }
    if (found != PTX_NONE)
        return (uint32_t)found;
    if (array_reserve((void **)&s->activations, &s->activation_capacity, s->activation_count + 1,
                      sizeof *s->activations, w->cta->e))
        return PTX_NONE;
    s->activations[s->activation_count] = (struct ptx_activation){0};
    return (uint32_t)s->activation_count++;
}

static size_t row_bytes(const struct ptx_code *code)
{
    size_t rows = (size_t)code->rows * PTX_ROW_BYTES, preds = (size_t)code->preds * sizeof(uint32_t);

    return (rows + preds + (size_t)2 * PTX_ROW_BYTES - 1) & ~(size_t)(PTX_ROW_BYTES - 1);
}

int ptx_activation_rows(struct ptx_warp *w, struct ptx_activation *a, const struct ptx_code *code)
{
    size_t bytes = row_bytes(code);

    if (!a->rows || a->code != code) {
        w->cta->row_bytes += bytes - (a->rows ? row_bytes(a->code) : 0);
        free(a->rows);
        a->rows = NULL;
        if (w->cta->row_bytes > PTX_CALL_BYTES)
            return ptx_fault(w, 0, "calls need more than %u MiB for the registers of a CTA", PTX_CALL_BYTES >> 20);
        a->rows = aligned_alloc(PTX_ROW_BYTES, bytes);
        if (!a->rows)
            return err_no_memory(w->cta->e);
    }
    /* Registers that were never written read as zero, independent of earlier calls. */
    memset(a->rows, 0, bytes);
    a->preds = (uint32_t *)(void *)(a->rows + (size_t)code->rows * PTX_ROW_BYTES);
    return 0;
}

uint32_t ptx_activation_new(struct ptx_warp *w, uint32_t module, const struct ptx_code *code, uint32_t parent,
                            uint32_t lanes)
{
    struct ptx_warp_state *s = w->state;
    uint32_t k = find_free(w, code);
    struct ptx_activation *a;

    if (k == PTX_NONE)
        return PTX_NONE;
    a = &s->activations[k];
    if (ptx_activation_rows(w, a, code))
        return PTX_NONE;
    a->code = code;
    a->module = module;
    a->parent = parent;
    a->carry = a->depth = a->frame = 0;
    if (parent != PTX_NONE) {
        const struct ptx_activation *p = &s->activations[parent];

        a->depth = p->depth + 1;
        a->frame = (ptx_stack_end(p, lanes) + 15) & ~15u;
    }
    if (code->has_stack)
        ptx_stack_begin(a);
    if (a->depth > PTX_DEPTH_MAX)
        return (void)ptx_fault(w, lanes, "calls nest deeper than %d", PTX_DEPTH_MAX), PTX_NONE;
    if (ptx_local_reserve(w, a->frame + code->local_bytes))
        return PTX_NONE;
    a->lanes = lanes;
    return ptx_fill_presets(w, a) ? PTX_NONE : k;
}

/* --- parameters and results --- */

/* The location of a value on one side of a call: a row, or bytes of a frame. */
struct end {
    uint32_t *pred;  /* a predicate; NULL: no predicate */
    uint8_t *row;    /* NULL: local memory at `local` */
    uint32_t stride; /* bytes between lanes of the row */
    uint32_t local, bytes;
};

static struct end caller_end(const struct ptx_activation *a, const struct ptx_passed *p)
{
    if (p->row != PTX_NO_ROW && p->bits == 1)
        return (struct end){.pred = &a->preds[p->row]};
    if (p->row != PTX_NO_ROW)
        return (struct end){NULL, a->rows + (size_t)p->row * PTX_ROW_BYTES, p->bits / 8u, 0, p->bits / 8u};
    return (struct end){NULL, NULL, 0, a->frame + p->frame, p->bytes};
}

static struct end callee_end(const struct ptx_activation *a, const struct ptx_param *p, uint32_t base)
{
    if (p->reg != PTX_NONE && a->code->function->registers[p->reg].type == PTX_PRED)
        return (struct end){.pred = &a->preds[a->code->row_of[p->reg]]};
    if (p->reg != PTX_NONE)
        return (struct end){NULL, a->rows + (size_t)a->code->row_of[p->reg] * PTX_ROW_BYTES,
                            p->bytes < 2 ? 2 : p->bytes, 0, p->bytes}; /* 8-bit values use 16-bit rows */
    return (struct end){NULL, NULL, 0, a->frame + base + p->offset, p->bytes};
}

static void hand_over(struct ptx_warp *w, struct end to, struct end from, uint32_t mask)
{
    uint32_t n = to.bytes < from.bytes ? to.bytes : from.bytes;
    uint8_t value[16];

    if (to.pred && from.pred)
        *to.pred = (*to.pred & ~mask) | (*from.pred & mask);
    for (; mask; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);

        for (uint32_t at = 0, some; at < n; at += some) {
            some = n - at < sizeof value ? n - at : (uint32_t)sizeof value;
            if (from.row)
                memcpy(value, from.row + (size_t)lane * from.stride + at, some);
            else
                ptx_local_read(w, lane, from.local + at, value, some);
            if (to.row)
                memcpy(to.row + (size_t)lane * to.stride + at, value, some);
            else
                ptx_local_write(w, lane, to.local + at, value, some);
        }
    }
}

static bool used(const struct ptx_activation *a, const struct ptx_param *p)
{
    return p->reg == PTX_NONE || a->code->row_of[p->reg] != PTX_NO_ROW;
}

static int pass_arguments(struct ptx_warp *w, uint32_t caller, uint32_t callee, const struct ptx_call *call)
{
    const struct ptx_activation *a = &w->state->activations[caller], *b = &w->state->activations[callee];
    const struct ptx_function *f = b->code->function;

    if (call->args != f->param_count || call->results > f->result_count)
        return ptx_fault(w, b->lanes, "%s has %u parameters and %u results; the call has %u and %u", f->name,
                         f->param_count, f->result_count, call->args, call->results);
    for (uint32_t i = 0; i < call->args; i++)
        if (used(b, &f->params[i]))
            hand_over(w, callee_end(b, &f->params[i], 0), caller_end(a, &a->code->passed[call->first + i]),
                      b->lanes);
    return 0;
}

static void pass_results(struct ptx_warp *w, const struct ptx_activation *callee, uint32_t mask)
{
    const struct ptx_activation *a = &w->state->activations[callee->parent];
    const struct ptx_call *call = &a->code->calls[callee->call];
    const struct ptx_function *f = callee->code->function;
    uint32_t base = (f->param_bytes + 15) & ~15u;

    for (uint32_t i = 0; i < call->results; i++)
        if (used(callee, &f->results[i]))
            hand_over(w, caller_end(a, &a->code->passed[call->first + call->args + i]),
                      callee_end(callee, &f->results[i], base), mask);
}

/* --- calls --- */

/* Lanes of `mask` that call the same function as its first lane. */
static uint32_t same_target(const struct ptx_warp *w, const struct ptx_op *op, uint32_t mask, uint64_t *address)
{
    const uint8_t *row = w->lanes.rows + (size_t)op->args.src[0] * PTX_ROW_BYTES;
    uint32_t same = 0;
    uint64_t value;

    memcpy(address, row + (size_t)__builtin_ctz(mask) * sizeof value, sizeof value);
    for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
        memcpy(&value, row + lane * sizeof value, sizeof value);
        if (mask >> lane & 1 && value == *address)
            same |= 1u << lane;
    }
    return same;
}

static int find_callee(struct ptx_warp *w, const struct ptx_op *op, uint64_t address, uint32_t mask,
                       struct ptx_program_function *out)
{
    struct ptx_program *p = w->cta->run->program;
    uint32_t module = w->state->activations[w->state->fragments[w->state->current].activation].module;
    struct err why;

    if (op->target == PTX_NONE && !ptx_program_function_at(p, address, out))
        return ptx_fault(w, mask, "calls 0x%llx, which is not a function", (unsigned long long)address);
    if (op->target != PTX_NONE)
        *out = (struct ptx_program_function){module, op->target};
    if (ptx_program_resolve(p, out->module, out->function, out, &why))
        return ptx_fault(w, mask, "%s", why.text);
    return 0;
}

static int enter_callee(struct ptx_warp *w, const struct ptx_op *op, struct ptx_program_function to)
{
    struct ptx_warp_state *s = w->state;
    uint32_t caller = s->fragments[s->current].activation, mask = s->fragments[s->current].mask, callee, token;
    struct err why;
    const struct ptx_code *code = ptx_program_code(w->cta->run->program, to.module, to.function, &why);

    if (!code)
        return ptx_fault(w, mask, "calls a function that cannot run: %s", why.text);
    token = ptx_token_new(w, w->pc + 1);
    callee = token == PTX_NONE ? PTX_NONE : ptx_activation_new(w, to.module, code, caller, mask);
    if (callee == PTX_NONE)
        return -1;
    s->activations[callee].call = op->access;
    s->activations[callee].return_pc = w->pc + 1;
    if (pass_arguments(w, caller, callee, &w->code->calls[op->access]))
        return -1;
    s->fragments[s->current].token = token;
    ptx_warp_move(w, callee, 0);
    return 0;
}

int ptx_do_call(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_warp_state *s = w->state;
    struct ptx_program_function to;
    uint64_t address = 0;
    uint32_t same = op->target == PTX_NONE ? same_target(w, op, mask, &address) : mask;

    if (find_callee(w, op, address, same, &to))
        return -1;
    /* Lanes that do not call wait after the call. Lanes that call another function execute their call later. */
    if (mask != s->fragments[s->current].mask && ptx_warp_split(w, mask, w->pc, w->pc + 1, w->pc + 1, true))
        return -1;
    if (same != mask && ptx_warp_split(w, same, w->pc, w->pc, w->pc + 1, true))
        return -1;
    return enter_callee(w, op, to);
}

void ptx_do_return(struct ptx_warp *w, uint32_t mask)
{
    struct ptx_warp_state *s = w->state;
    uint32_t from = s->fragments[s->current].activation;
    struct ptx_activation *a = &s->activations[from];
    struct ptx_fragment *f = &s->fragments[s->current];

    if (a->parent == PTX_NONE) {
        ptx_warp_exit(w, mask);
        return;
    }
    pass_results(w, a, mask);
    a->lanes &= ~mask;
    if (mask == f->mask) {
        ptx_warp_move(w, a->parent, a->return_pc);
    } else {
        f = ptx_warp_insert(w, mask);
        f->pc = a->return_pc;
        f->activation = a->parent;
        w->pc++;
    }
    ptx_warp_leave_tokens_of(w, f, from);
}
