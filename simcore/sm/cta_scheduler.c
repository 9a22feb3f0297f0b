#include "simcore/sm/cta_scheduler.h"

#include <inttypes.h>

/* The next CTA that has instructions, or NULL at the end; -1 on error. */
static int next_cta(struct cta_scheduler *s, struct cta_trace **out, struct err *e)
{
    struct launch *l = s->launch;

    for (;;) {
        struct cta_trace *cta;
        bool empty = true;
        int got = inst_source_next_cta(l->source, &cta, e);

        if (got <= 0) {
            l->drained = true;
            *out = NULL;
            return got;
        }
        for (uint32_t w = 0; w < cta->warp_count && empty; w++)
            empty = !cta->warps[w].count;
        if (!empty && cta->warp_count > l->fit.warps_per_cta) {
            err_set(e, ERR_INVALID, "CTA %" PRIu64 " of the trace has %u warps, but a block of this kernel has %u",
                    cta->index, cta->warp_count, l->fit.warps_per_cta);
            inst_source_release_cta(l->source, cta);
            return -1;
        }
        if (!empty) {
            *out = cta;
            return static_code_extend(&l->code, l->source, s->env->design, e) < 0 ? -1 : 1;
        }
        l->count.empty_ctas++;
        inst_source_release_cta(l->source, cta);
    }
}

/* Sends a CTA out at `cycle` or when the rate allows; returns when. */
static uint64_t dispatch(struct cta_scheduler *s, uint64_t cycle)
{
    uint64_t at = cycle > s->dispatch_free ? cycle : s->dispatch_free;

    s->dispatch_free = at + s->env->design->cta_interval_cycles;
    return at;
}

int cta_scheduler_start(struct cta_scheduler *s, uint64_t cycle, struct err *e)
{
    const struct gpu_design *d = s->env->design;
    struct launch *l = s->launch;

    s->dispatch_free = cycle;
    for (uint32_t wave = 0; wave < l->fit.ctas; wave++) {
        /* SM i lies in GPC i mod gpcs: counting up visits the GPCs in turn. */
        for (uint32_t i = 0; i < d->sms; i++) {
            struct cta_trace *cta;
            int got = next_cta(s, &cta, e);

            if (got <= 0)
                return got;
            if (!s->sms[i].active)
                sm_begin(&s->sms[i], cycle, l->fit.carveout_bytes);
            l->resident++;
            sm_add_cta(&s->sms[i], l, cta, dispatch(s, cycle));
        }
    }
    return 0;
}

void cta_scheduler_cta_done(struct cta_scheduler *s, struct sm *sm, struct cta *cta, uint64_t cycle)
{
    struct launch *l = cta->launch;
    struct cta_trace *next;
    int got;

    inst_source_release_cta(l->source, cta->trace);
    cta->trace = NULL;
    l->resident--;
    if (l->drained)
        return;
    got = next_cta(s, &next, &s->env->err);
    if (got < 0)
        s->env->failed = true;
    if (got <= 0)
        return;
    l->resident++;
    sm_add_cta(sm, l, next, dispatch(s, cycle) + s->env->design->turnover_cycles);
}
