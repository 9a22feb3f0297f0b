/* simcore/ptx/cta.c: a CTA: begins, runs its warps in turns, ends. */
#include "simcore/ptx/cta.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/ptx/launch.h"

enum { QUANTUM = 4096, LONG_WHILE = 1 << 24 }; /* warp instructions: a warp's turn, a CTA's */

static uint32_t threads_of(const struct ptx_run *r)
{
    return r->launch.block[0] * r->launch.block[1] * r->launch.block[2];
}

static int make_warps(struct ptx_cta *c, struct err *e)
{
    struct ptx_cta_state *s = c->state;

    s->warp_count = (threads_of(c->run) + PTX_LANES - 1) / PTX_LANES;
    for (uint32_t k = 0; k < s->warp_count; k++) {
        s->warps[k].id = k;
        s->warps[k].cta = c;
        s->warps[k].state = mem_zalloc(1, sizeof *s->warps[k].state, e);
        if (!s->warps[k].state)
            return -1;
    }
    return 0;
}

struct ptx_cta *ptx_cta_new(struct ptx_run *r, struct err *e)
{
    struct ptx_cta *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return NULL;
    c->run = r;
    c->shared_bytes = r->shared.dynamic + r->launch.shared_bytes;
    c->memory = ptx_program_memory(r->program);
    c->params = r->launch.params;
    c->param_bytes = r->launch.param_bytes;
    c->options = &r->options;
    c->observer = r->options.observer;
    c->stats = &r->stats;
    c->shared = aligned_alloc(128, ((size_t)c->shared_bytes + 255) & ~(size_t)127);
    c->state = c->shared ? mem_zalloc(1, sizeof *c->state, e) : NULL;
    if (!c->shared)
        err_no_memory(e);
    if (!c->state || make_warps(c, e)) {
        ptx_cta_free(c);
        return NULL;
    }
    return c;
}

void ptx_cta_free(struct ptx_cta *c)
{
    if (!c)
        return;
    ptx_async_end(c);
    for (uint32_t k = 0; c->state && k < c->state->warp_count; k++)
        ptx_warp_release(&c->state->warps[k]);
    free(c->state);
    free(c->shared);
    free(c);
}

uint64_t ptx_cta_bytes(const struct ptx_cta *c)
{
    uint64_t bytes = sizeof *c + sizeof *c->state + c->shared_bytes;

    for (uint32_t k = 0; k < c->state->warp_count; k++) {
        const struct ptx_warp *w = &c->state->warps[k];

        bytes += sizeof *w->state + (uint64_t)w->local_bytes * PTX_LANES;
        for (size_t i = 0; i < w->state->activation_count; i++)
            bytes += (uint64_t)w->state->activations[i].code->rows * PTX_ROW_BYTES;
    }
    return bytes;
}

int ptx_cta_begin(struct ptx_cta *c, uint64_t linear)
{
    struct ptx_cta_state *s = c->state;
    const struct ptx_launch *l = &c->run->launch;
    uint32_t threads = threads_of(c->run);

    c->linear = linear;
    c->id[0] = (uint32_t)(linear % l->grid[0]);
    c->id[1] = (uint32_t)(linear / l->grid[0] % l->grid[1]);
    c->id[2] = (uint32_t)(linear / l->grid[0] / l->grid[1]);
    c->stores = c->clock = 0;
    c->stats->ctas++;
    memset(c->shared, 0, c->shared_bytes);
    memset(s->barriers, 0, sizeof s->barriers);
    s->barriers_used = 0;
    s->live_warps = s->warp_count == PTX_WARPS_MAX ? UINT32_MAX : (1u << s->warp_count) - 1;
    for (uint32_t k = 0; k < PTX_BARRIERS; k++)
        s->barriers[k].all = true;
    for (uint32_t k = 0; k < s->warp_count; k++)
        if (ptx_warp_begin(&s->warps[k], l->module, c->run->code, threads - k * PTX_LANES))
            return -1;
    if (c->observer && c->observer->cta)
        c->observer->cta(c->observer->ctx, c->id, s->warp_count, true);
    return 0;
}

/* Every live warp has its turn. *used: instructions; *waits: whoever ran only waited. */
static int run_round(struct ptx_cta *c, uint64_t *used, bool *waits)
{
    struct ptx_cta_state *s = c->state;

    *used = 0;
    *waits = true;
    for (uint32_t k = 0; k < s->warp_count; k++) {
        uint64_t stores = c->stores;
        uint32_t some;

        if (!(s->live_warps >> k & 1))
            continue;
        if (ptx_warp_turn(&s->warps[k], QUANTUM, &some))
            return -1;
        *used += some;
        *waits = *waits && (!some || (s->warps[k].state->waited && c->stores == stores));
    }
    return 0;
}

enum ptx_cta_turn ptx_cta_run(struct ptx_cta *c)
{
    struct ptx_cta_state *s = c->state;
    uint64_t limit = c->options->limit_instructions - c->stats->warp_instructions;
    uint64_t most = limit < LONG_WHILE ? limit : LONG_WHILE;

    if (c->observer && c->observer->turn)
        c->observer->turn(c->observer->ctx, c->id);
    for (uint64_t all = 0; s->live_warps;) {
        uint64_t used;
        bool waits;

        if (run_round(c, &used, &waits))
            return PTX_CTA_FAULT;
        if (!s->live_warps)
            break;
        if (!used)
            return ptx_dead_end(c, "all its warps wait for each other"), PTX_CTA_FAULT;
        if (waits)
            return PTX_CTA_STALLED;
        if ((all += used) > most)
            return PTX_CTA_RUNS;
    }
    ptx_async_end(c);
    if (c->observer && c->observer->cta)
        c->observer->cta(c->observer->ctx, c->id, s->warp_count, false);
    return PTX_CTA_ENDED;
}
