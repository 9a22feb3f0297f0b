#include "simcore/warm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/mem/warm.h"

enum { ACCESSES_A_TURN = 16 }; /* about what a sub-core's queue and unit hold */

/* --- one launch --- */

static void seat(struct sm *sm, uint32_t place, struct launch *l, struct cta_trace *trace)
{
    sm->cta[place] = (struct cta){.trace = trace, .launch = l};
    for (uint32_t w = 0; w < trace->warp_count; w++) {
        sm->warp[place * l->fit.warps_per_cta + w] = (struct warp){.insts = trace->warps[w].insts,
                                                                   .count = trace->warps[w].count,
                                                                   .launch = l,
                                                                   .cta = (uint16_t)place,
                                                                   .index = (uint16_t)w};
        sm->cta[place].live += trace->warps[w].count > 0;
    }
    sm->cta[place].warps = (uint16_t)trace->warp_count;
}

/* The next CTA of the launch takes a place, if there is one. */
static int take_seat(struct simulator *s, struct sm *sm, uint32_t place, struct launch *l, struct err *e)
{
    struct cta_trace *trace;
    int got = l->drained ? 0 : cta_scheduler_next(&s->scheduler, l, &trace, e);

    l->drained |= got == 0;
    if (got <= 0)
        return got;
    seat(sm, place, l, trace);
    l->resident++;
    return 1;
}

/* Registers that accesses of this turn fill. */
struct awaited {
    bool any;
    bool is[UINT8_MAX + 1];
};

static void await(struct awaited *a, const struct static_inst *in)
{
    for (uint32_t i = 0; i < in->dst_count; i++)
        a->is[in->dst + i] = a->any = true;
}

static bool waits(const struct awaited *a, const struct launch *l, const struct static_inst *in)
{
    const uint8_t *dep = l->code.dep + in->dep_at;
    bool found = false;

    for (uint32_t i = 0; i < in->dep_count && a->any && !found; i++)
        found = a->is[dep[i]];
    return found;
}

static bool goes_to_memory(const struct static_inst *in, const struct warp_inst *wi)
{
    return wi->mask && in->pipe == PIPE_MEMORY && in->width && in->space != SPACE_SHARED;
}

static void do_access(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in)
{
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];

    sc->agu_free = sc->lsu_taken = 0; /* there is no time: each finds the unit idle */
    sm->lsu_free_256 = 0;
    sm_memory(sm, slot, wi, in, 0);
}

/* The warp's turn ends where it would wait: for what it loads, at a barrier, for room in its queue. */
static void turn_of_warp(struct sm *sm, uint32_t slot)
{
    struct warp *w = &sm->warp[slot];
    struct awaited awaited = {.any = false};
    uint32_t accesses = 0;

    while (w->position < w->count && accesses < ACCESSES_A_TURN) {
        const struct warp_inst *wi = &w->insts[w->position];
        const struct static_inst *in = &w->launch->code.inst[wi->inst];

        if (waits(&awaited, w->launch, in))
            return;
        w->position++;
        if (goes_to_memory(in, wi)) {
            do_access(sm, slot, wi, in);
            await(&awaited, in);
            accesses++;
        }
        if (wi->mask && in->action == ACT_INVALIDATE)
            l1_invalidate(&sm->l1);
        if (wi->mask && in->action == ACT_BARRIER)
            return;
    }
}

/* A turn for each warp of a CTA; whether any has more. */
static bool turn(struct sm *sm, uint32_t place)
{
    const struct cta *cta = &sm->cta[place];
    uint32_t first = place * cta->launch->fit.warps_per_cta;
    bool more = false;

    for (uint32_t w = 0; w < cta->warps; w++) {
        turn_of_warp(sm, first + w);
        more |= sm->warp[first + w].position < sm->warp[first + w].count;
    }
    return more;
}

/* A turn for the CTA of a place; where it is over, another takes the place. */
static int turn_of_place(struct simulator *s, struct sm *sm, uint32_t place, struct launch *l, struct err *e)
{
    if (!sm->cta[place].trace || turn(sm, place))
        return 0;
    inst_source_release_cta(l->source, sm->cta[place].trace);
    sm->cta[place].trace = NULL;
    l->resident--;
    return take_seat(s, sm, place, l, e) < 0 ? -1 : 0;
}

/* A turn for all, in the order in which they came. */
static int round_of_turns(struct simulator *s, struct launch *l, struct err *e)
{
    for (uint32_t place = 0; place < l->fit.ctas; place++)
        for (uint32_t i = 0; i < s->design->sms; i++)
            if (turn_of_place(s, &s->sms[i], place, l, e) < 0)
                return -1;
    return 0;
}

static void begin(struct sm *sm, const struct launch *l)
{
    l1_begin(&sm->l1, sm->env->design, l->fit.carveout_bytes);
    memset(sm->store_slot, 0, sizeof sm->store_slot);
    for (uint32_t i = 0; i < SM_CTAS_MAX; i++)
        sm->cta[i].trace = NULL;
}

/* Breadth first, as the scheduler does. */
static int fill(struct simulator *s, struct launch *l, struct err *e)
{
    for (uint32_t place = 0; place < l->fit.ctas && !l->drained; place++)
        for (uint32_t i = 0; i < s->design->sms && !l->drained; i++)
            if (take_seat(s, &s->sms[i], place, l, e) < 0)
                return -1;
    return 0;
}

/* After an error some may be left. */
static void clear(struct sm *sm, struct launch *l)
{
    for (uint32_t i = 0; i < SM_CTAS_MAX; i++) {
        if (sm->cta[i].trace)
            inst_source_release_cta(l->source, sm->cta[i].trace);
        sm->cta[i].trace = NULL;
    }
    for (uint32_t i = 0; i < SM_WARPS_MAX; i++)
        sm->warp[i].insts = NULL;
}

static int replay(struct simulator *s, struct inst_source *source, struct err *e)
{
    struct launch *l = launch_new(s, source, 0, e);
    int ret;

    if (!l)
        return -1;
    for (uint32_t i = 0; i < s->design->sms; i++)
        begin(&s->sms[i], l);
    ret = fill(s, l, e);
    while (ret == 0 && l->resident)
        ret = round_of_turns(s, l, e);
    for (uint32_t i = 0; i < s->design->sms; i++)
        clear(&s->sms[i], l);
    s->env.charged = NULL; /* what memory counted meanwhile is nobody's */
    l->source = NULL;
    return ret;
}

/* --- what ran before --- */

static void replay_copy(struct memory *m, const struct sim_work *w)
{
    if (w->kind == SIM_COPY_TO_HOST || w->kind == SIM_COPY_DEVICE)
        memory_warm_dma(m, w->address + (w->kind == SIM_COPY_DEVICE ? w->bytes : 0), w->bytes, false);
    if (w->kind != SIM_COPY_TO_HOST)
        memory_warm_dma(m, w->address, w->bytes, true);
}

static int replay_item(struct simulator *s, const struct sim_before *b, size_t i, struct err *e)
{
    struct inst_source *source;
    int ret;

    if (b->work[i].kind == SIM_GAP)
        return 0;
    if (b->work[i].kind != SIM_KERNEL) {
        replay_copy(s->env.memory, &b->work[i]);
        return 0;
    }
    ret = b->open(b->ctx, i, &source, e);
    if (ret == 0) {
        ret = replay(s, source, e);
        inst_source_release(source);
    }
    if (ret < 0)
        err_wrap(e, "a launch before it, which warms the caches");
    return ret;
}

/* Where the last `launches` kernels begin, and the copies behind the kernel before them. */
static size_t first_of(const struct sim_before *b, uint64_t launches)
{
    size_t i = b->count;
    uint64_t kernels = 0;

    for (; i > 0 && launches; i--) {
        kernels += b->work[i - 1].kind == SIM_KERNEL;
        if (kernels > launches)
            return i;
    }
    return launches ? i : 0;
}

static int replay_all(struct simulator *s, const struct sim_before *b, size_t first, uint64_t *out, struct err *e)
{
    for (size_t i = first; i < b->count; i++) {
        if (replay_item(s, b, i, e) < 0)
            return -1;
        *out += b->work[i].kind == SIM_KERNEL;
    }
    memory_warm_end(s->env.memory);
    return 0;
}

int warm_up(struct simulator *s, const struct sim_before *before, uint64_t launches, uint64_t *out, struct err *e)
{
    struct flight **flights = mem_zalloc(s->design->sms, sizeof(struct flight *), e);
    int ret;

    *out = 0;
    if (!flights)
        return -1;
    simulator_flush(s);
    for (uint32_t i = 0; i < s->design->sms; i++) { /* nothing is ever under way, in event mode either */
        flights[i] = s->sms[i].flight;
        s->sms[i].flight = NULL;
    }
    s->env.warming = true;
    ret = replay_all(s, before, first_of(before, launches), out, e);
    s->env.warming = false;
    for (uint32_t i = 0; i < s->design->sms; i++)
        s->sms[i].flight = flights[i];
    free(flights);
    return ret;
}
