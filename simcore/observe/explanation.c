#include "simcore/observe/explanation.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

struct explanation *explanation_new(const struct gpu_design *d, uint64_t cta, uint32_t warp, struct err *e)
{
    struct explanation *x = mem_zalloc(1, sizeof *x, e);

    if (!x)
        return NULL;
    clock_domain_init(&x->clock, d->sm_khz);
    x->cta = cta;
    x->warp = warp;
    return x;
}

void explanation_free(struct explanation *x)
{
    if (!x)
        return;
    free(x->inst);
    free(x->request);
    free(x->step);
    free(x);
}

static bool grow(struct explanation *x, void **items, size_t *capacity, size_t count, size_t size)
{
    struct err e; /* the only possible error is out of memory */

    if (array_reserve(items, capacity, count + 1, size, &e) < 0)
        x->failed = true;
    return !x->failed;
}

/* Finds the operand with the latest ready time, if it is later than x->from. Uses the times of issue.c and changes
 * none of them. */
static void find_operand(const struct explanation *x, struct sm *sm, uint32_t slot, const struct static_inst *in,
                         struct explained_inst *out)
{
    const struct warp *w = &sm->warp[slot];
    const uint32_t *ready = sm_registers(sm, slot);
    const uint16_t *dep = w->launch->code.dep + in->dep_at;
    uint64_t latest = out->from;

    out->operand = EXPLAINED_NOTHING;
    for (uint32_t i = 0; i < in->dep_count; i++) {
        if (sm->base + (ready[dep[i]] >> 1) <= latest)
            continue;
        latest = sm->base + (ready[dep[i]] >> 1);
        out->operand = dep[i];
    }
    for (uint32_t i = 0; i < in->dst_count; i++) { /* an earlier write to the same register is still in flight */
        uint32_t early = in->latency ? in->latency - 1u : 0, t = ready[in->dst + i] >> 1;

        if (t <= early || sm->base + t - early <= latest)
            continue;
        latest = sm->base + t - early;
        out->operand = (int16_t)(in->dst + i);
    }
    /* If the registers do not explain the ready time, the scheduler's own time does: a predicate. */
    if (out->ready > latest && out->operand == EXPLAINED_NOTHING && out->reason == SLOT_DEPENDENCE) {
        latest = out->ready;
        out->operand = EXPLAINED_PREDICATE;
    }
    out->operands = latest < out->ready ? latest : out->ready;
    (void)x;
}

static void copy_opcode(char out[32], const char *text)
{
    size_t n = 0;

    for (; n < 31 && text[n]; n++)
        out[n] = (char)(isalnum((unsigned char)text[n]) || text[n] == '.' || text[n] == '_' ? text[n] : '?');
    out[n] = '\0';
}

void explanation_issue(struct explanation *x, const struct sm *sm, uint32_t slot, uint32_t t)
{
    const struct warp *w = &sm->warp[slot];
    const struct cta *cta = &sm->cta[w->cta];
    const struct warp_inst *wi = &w->insts[w->position];
    const struct static_inst *in = &w->launch->code.inst[wi->inst];
    const struct inst_source *source = w->launch->source;
    const struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    struct explained_inst *out;

    x->issuing = cta->trace->index == x->cta && w->index == x->warp && x->count < EXPLAINED_MAX;
    if (!x->issuing || !grow(x, (void **)&x->inst, &x->capacity, x->count, sizeof *x->inst))
        return;
    if (!x->seen) {
        x->seen = true;
        x->sm = sm->index;
        x->from = x->began = w->started;
    }
    out = &x->inst[x->count++];
    *out = (struct explained_inst){.pc = source->insts[wi->inst].pc,
                                   .mask = wi->mask,
                                   .ready = sm->base + sc->ready[slot / SUB_CORES],
                                   .issued = sm->base + t,
                                   .reason = sc->reason[slot / SUB_CORES],
                                   .memory = in->pipe == PIPE_MEMORY && wi->mask,
                                   .first_request = (uint32_t)x->request_count};
    copy_opcode(out->opcode, source->opcodes[source->insts[wi->inst].opcode]);
    out->from = x->from && x->from < out->ready ? x->from : out->ready;
    find_operand(x, (struct sm *)(uintptr_t)sm, slot, in, out);
}

void explanation_issued(struct explanation *x, const struct sm *sm, uint32_t slot, const struct static_inst *in,
                        uint32_t next, const uint64_t l1[OBSERVED_L1_COUNT])
{
    const struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    struct explained_inst *out;
    uint32_t result;

    if (!x->issuing || x->failed)
        return;
    x->issuing = false;
    x->from = next == SM_NEVER ? 0 : sm->base + next;
    out = &x->inst[x->count - 1];
    if (!out->memory)
        return;
    out->generated = sm->base + sc->agu_free - sm->env->design->lsu_agu;
    result = in->dst_count ? sm_registers((struct sm *)(uintptr_t)sm, slot)[in->dst] >> 1 : 0;
    out->result = result && result < SM_TIME_MAX ? sm->base + result : 0;
    for (uint32_t i = 0; i < OBSERVED_L1_COUNT; i++)
        out->l1[i] = l1[i];
}

void explanation_lsu(struct explanation *x, const struct sm *sm, uint32_t start, uint32_t busy_cycles)
{
    struct explained_inst *out;

    if (!x->issuing || x->failed)
        return;
    out = &x->inst[x->count - 1];
    if (!out->unit_cycles)
        out->unit_from = sm->base + start;
    out->unit_cycles += busy_cycles;
}

uint32_t explanation_request(struct explanation *x, const struct mem_request *r)
{
    if (!x->issuing || x->failed ||
        !grow(x, (void **)&x->request, &x->request_capacity, x->request_count, sizeof *x->request))
        return 0;
    x->request[x->request_count] = (struct explained_request){.request = *r};
    x->inst[x->count - 1].requests++;
    return (uint32_t)++x->request_count;
}

void explanation_stage(struct explanation *x, uint32_t watch, const struct mem_step *step)
{
    struct explained_request *r;

    if (!grow(x, (void **)&x->step, &x->step_capacity, x->step_count, sizeof *x->step))
        return;
    x->step[x->step_count++] = (struct explained_step){.step = *step};
    r = &x->request[watch - 1];
    if (r->last_step)
        x->step[r->last_step - 1].next = (uint32_t)x->step_count;
    else
        r->first_step = (uint32_t)x->step_count;
    r->last_step = (uint32_t)x->step_count;
}
