/* ptx/warp/faults.c: error messages: kernel, source position, CTA, warp, lanes. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx/warp/cta.h"
#include "ptx/warp/launch.h"

/* Appends "t.ptx:12:5", and the source line if the module has .loc. */
static void add_place(struct strbuf *b, const struct ptx_module *m, const struct ptx_code *code, uint32_t pc)
{
    const struct ptx_function *f = code->function;
    const struct ptx_inst *i = pc < f->inst_count ? &f->insts[pc] : NULL;
    struct ptx_place at = i ? i->place : f->end;

    strbuf_addf(b, "%s:%u:%u", m->label, at.line, at.column);
    if (i && i->loc_line && i->loc_file < m->file_count && m->files[i->loc_file])
        strbuf_addf(b, " (%s:%u)", m->files[i->loc_file], i->loc_line);
}

/* The module that contains the function. */
const struct ptx_module *ptx_module_of(const struct ptx_run *r, const struct ptx_code *code)
{
    for (uint32_t k = 0; k < ptx_program_modules(r->program); k++) {
        const struct ptx_module *m = ptx_program_module(r->program, k);

        if (code->function >= m->functions && code->function < m->functions + m->function_count)
            return m;
    }
    return ptx_program_module(r->program, r->launch.module);
}

void ptx_place_text(const struct ptx_warp *w, const struct ptx_code *code, uint32_t op, char *out, size_t room)
{
    struct strbuf b = STRBUF_INIT;

    add_place(&b, ptx_module_of(w->cta->run, code), code, op);
    snprintf(out, room, "%s", b.text);
    strbuf_release(&b);
}

static void add_thread(struct strbuf *b, const struct ptx_warp *w, uint32_t lanes)
{
    const uint32_t *block = w->cta->run->launch.block;
    uint32_t lane, linear;

    strbuf_addf(b, "CTA (%u,%u,%u), warp %u", w->cta->id[0], w->cta->id[1], w->cta->id[2], w->id);
    if (!lanes)
        return;
    lane = (uint32_t)__builtin_ctz(lanes);
    linear = w->id * PTX_LANES + lane;
    strbuf_addf(b, ", lane %u, thread (%u,%u,%u)", lane, linear % block[0], linear / block[0] % block[1],
                linear / block[0] / block[1]);
}

/* "kernel k, k.ptx:12:5 (k.cu:3), CTA ..., warp 0, lane 5, thread ...: " */
static void add_where(struct strbuf *b, const struct ptx_warp *w, uint32_t lanes)
{
    const struct ptx_run *r = w->cta->run;

    strbuf_addf(b, "kernel %s", r->code->function->name);
    if (w->code) {
        strbuf_adds(b, ", ");
        add_place(b, ptx_module_of(r, w->code), w->code, w->pc);
    }
    strbuf_adds(b, ", ");
    add_thread(b, w, lanes);
    strbuf_adds(b, ": ");
}

int ptx_fault(struct ptx_warp *w, uint32_t lanes, const char *format, ...)
{
    struct strbuf b = STRBUF_INIT;
    va_list ap;

    add_where(&b, w, lanes);
    va_start(ap, format);
    strbuf_vaddf(&b, format, ap);
    va_end(ap);
    err_set(w->cta->e, ERR_SIMULATION, "%s", b.text);
    strbuf_release(&b);
    return -1;
}

static bool is_new(struct ptx_warnings *all, const struct ptx_warp *w)
{
    for (uint32_t k = 0; k < all->count; k++)
        if (all->places[k].code == w->code && all->places[k].op == w->pc)
            return false;
    if (all->count == PTX_WARNED_MAX)
        return false;
    all->places[all->count].code = w->code;
    all->places[all->count++].op = w->pc;
    return true;
}

int ptx_undefined(struct ptx_warp *w, uint32_t lanes, const char *format, ...)
{
    struct ptx_warnings *all = w->cta->options->warnings;
    struct strbuf b = STRBUF_INIT;
    bool strict = w->cta->options->strict;
    va_list ap;

    w->cta->stats->undefined++;
    if (!strict && (!all || !is_new(all, w)))
        return 0;
    if (!strict)
        add_where(&b, w, lanes);
    va_start(ap, format);
    strbuf_vaddf(&b, format, ap);
    va_end(ap);
    if (strict)
        (void)ptx_fault(w, lanes, "%s (undefined)", b.text);
    else if (!b.failed)
        all->say(all->ctx, b.text);
    strbuf_release(&b);
    return strict ? -1 : 0;
}

/* --- dead ends --- */

static void describe_fragment(const struct ptx_warp *w, const struct ptx_fragment *f, struct strbuf *b)
{
    const struct ptx_code *code = w->state->activations[f->activation].code;

    strbuf_addf(b, "lanes 0x%x at ", f->mask);
    add_place(b, ptx_module_of(w->cta->run, code), code, f->pc);
    if (f->state == PTX_WAITS_SYNC)
        strbuf_addf(b, " wait for lanes 0x%x", f->waits & w->live & ~f->mask);
    else if (f->state == PTX_WAITS_BARRIER)
        strbuf_addf(b, " wait at barrier %u", f->waits);
    else
        strbuf_adds(b, f->state == PTX_PARKED ? " wait to reconverge with other lanes" : " run");
}

void ptx_describe_warp(const struct ptx_warp *w, struct strbuf *b)
{
    strbuf_addf(b, "warp %u:", w->id);
    for (uint32_t k = 0; k < w->state->fragment_count; k++) {
        strbuf_adds(b, k ? ", " : " ");
        describe_fragment(w, &w->state->fragments[k], b);
    }
}

/* Appends the barriers at which warps wait: warps that have arrived, and warps that are expected. */
static void describe_barriers(const struct ptx_cta *c, struct strbuf *b)
{
    const struct ptx_cta_state *s = c->state;

    for (uint32_t used = s->barriers_used; used; used &= used - 1) {
        const struct ptx_barrier *x = &s->barriers[__builtin_ctz(used)];
        uint32_t expected = x->expected ? x->expected : (uint32_t)__builtin_popcount(s->live_warps);

        strbuf_addf(b, "; barrier %d: %u of %u warps", __builtin_ctz(used), x->arrived, expected);
    }
}

int ptx_dead_end(struct ptx_cta *c, const char *why)
{
    enum { REPORTED_MAX = 3 }; /* limits the length of the message */
    struct strbuf b = STRBUF_INIT;
    uint32_t reported = 0;

    for (uint32_t live = c->state->live_warps; live; live &= live - 1) {
        if (reported++ >= REPORTED_MAX)
            continue;
        strbuf_adds(&b, reported > 1 ? "; " : "");
        ptx_describe_warp(&c->state->warps[__builtin_ctz(live)], &b);
    }
    if (reported > REPORTED_MAX)
        strbuf_addf(&b, "; %u more warps", reported - REPORTED_MAX);
    describe_barriers(c, &b);
    /* All warps may have ended before the message is built. */
    err_set(c->e, ERR_SIMULATION, "kernel %s, CTA (%u,%u,%u): %s%s%s", c->run->code->function->name, c->id[0],
            c->id[1], c->id[2], why, *b.text ? ": " : "", b.text);
    strbuf_release(&b);
    return -1;
}
