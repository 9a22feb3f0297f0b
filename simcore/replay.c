#include "simcore/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "simcore/mem/warm.h"
#include "simcore/sm/outstanding.h"

enum { ACCESSES_A_TURN = 16 }; /* about the capacity of a sub-core's queue and unit */

/* --- its name --- */

const char *const sim_caches_names[] = {"warm", "flushed", "kept", "replayed", NULL};

int sim_caches_parse(const char *text, enum sim_caches *out, uint64_t *launches)
{
    struct err ignored;

    *launches = 0;
    if (strncmp(text, "replayed:", strlen("replayed:")) == 0) {
        *out = SIM_CACHES_REPLAYED;
        return parse_u64(text + strlen("replayed:"), "replayed", launches, &ignored) < 0 || !*launches ? -1 : 0;
    }
    for (int i = 0; sim_caches_names[i]; i++) {
        *out = (enum sim_caches)i;
        if (strcmp(text, sim_caches_names[i]) == 0)
            return 0;
    }
    return -1;
}

/* --- one launch --- */

/* A CTA slot of an SM. */
struct seat {
    uint16_t sm, place;
};
struct replay {
    struct simulator *s;
    struct launch *l;
    struct seat *seats; /* occupied slots, in the order of occupation */
    size_t count;
};

static void clear(struct sm *sm, struct launch *l)
{
    for (uint32_t i = 0; i < SM_CTAS_MAX; i++) {
        if (sm->cta[i].trace) /* only after an error */
            inst_source_release_cta(l->source, sm->cta[i].trace);
        sm->cta[i].trace = NULL;
    }
    for (uint32_t i = 0; i < SM_WARPS_MAX; i++)
        sm->warp[i].insts = NULL;
}

/* Prepares an SM for the first CTA of this launch. */
static void enter_sm(struct sm *sm, struct launch *l)
{
    if (l->on_sm[sm->index / 64] & 1ull << sm->index % 64)
        return;
    l->on_sm[sm->index / 64] |= 1ull << sm->index % 64;
    l1_begin(&sm->l1, sm->env->design, l->fit.carveout_bytes);
    memset(sm->store_slot, 0, sizeof sm->store_slot);
}

static void sit_down(struct sm *sm, uint32_t place, struct launch *l, struct cta_trace *trace)
{
    enter_sm(sm, l);
    sm->cta[place] = (struct cta){.trace = trace, .launch = l, .warps = (uint16_t)trace->warp_count};
    for (uint32_t w = 0; w < trace->warp_count; w++)
        sm->warp[place * l->fit.warps_per_cta + w] = (struct warp){.insts = trace->warps[w].insts,
                                                                   .count = trace->warps[w].ready,
                                                                   .launch = l,
                                                                   .cta = (uint16_t)place,
                                                                   .index = (uint16_t)w};
}

/* Places the next CTA of the launch: 1; 0: no more CTAs. */
static int take_seat(struct replay *r, struct sm *sm, uint32_t place, struct err *e)
{
    struct cta_trace *trace;
    int got = r->l->drained ? 0 : cta_scheduler_next(&r->s->scheduler, r->l, &trace, e);

    r->l->drained |= got == 0;
    if (got > 0)
        sit_down(sm, place, r->l, trace);
    return got;
}

/* Registers that accesses of this turn load, one bit each. */
struct awaited {
    bool any;
    uint64_t bits[(REG_STRIDE + 63) / 64];
};

static void await(struct awaited *a, const struct static_inst *in)
{
    for (uint32_t i = 0; i < in->dst_count; i++)
        a->bits[(in->dst + i) / 64] |= 1ull << (in->dst + i) % 64;
    a->any |= in->dst_count > 0;
}

static bool waits(const struct awaited *a, const struct launch *l, const struct static_inst *in)
{
    const uint16_t *dep = l->code.dep + in->dep_at;

    for (uint32_t i = 0; i < in->dep_count && a->any; i++)
        if (a->bits[dep[i] / 64] & 1ull << dep[i] % 64)
            return true;
    return false;
}

static bool goes_to_memory(const struct static_inst *in, const struct warp_inst *wi)
{
    return wi->mask && in->pipe == PIPE_MEMORY && in->width && in->space != SPACE_SHARED;
}

static void do_access(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in)
{
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];

    sc->agu_free = sc->lsu_taken = 0; /* without time, each access finds the unit idle */
    sm->lsu_free_256 = 0;
    sm_memory(sm, slot, wi, in, 0);
}

/* Executes a warp until it would wait: for a load of this turn, at a barrier, or for its queue. */
static void turn_of_warp(struct sm *sm, uint32_t slot)
{
    struct warp *w = &sm->warp[slot];
    struct awaited awaited = {.any = false};
    uint32_t accesses = 0;

    while (w->position < w->count && accesses < ACCESSES_A_TURN) {
        const struct warp_inst *wi;
        const struct static_inst *in;

        if (w->position + 1 == w->count)
            sm_next_window(sm, w);
        wi = &w->insts[w->position];
        in = &w->launch->code.inst[wi->inst];
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

/* Gives each warp of a CTA a turn; returns whether any has more instructions. */
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

/* Gives the CTA of a slot a turn. If the CTA has ended, places the next one: 1. 0: no more CTAs. */
static int turn_of_seat(struct replay *r, const struct seat *at, struct err *e)
{
    struct sm *sm = &r->s->sms[at->sm];

    if (turn(sm, at->place))
        return 1;
    if (r->s->env.failed) {
        *e = r->s->env.err;
        return -1;
    }
    inst_source_release_cta(r->l->source, sm->cta[at->place].trace);
    sm->cta[at->place].trace = NULL;
    return take_seat(r, sm, at->place, e);
}

/* Gives all CTAs a turn. */
static int round_of_turns(struct replay *r, struct err *e)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->count; i++) {
        const struct seat at = r->seats[i];
        int more = turn_of_seat(r, &at, e);

        if (more < 0)
            return -1;
        if (more)
            r->seats[kept++] = at;
    }
    r->count = kept;
    return 0;
}

/* Places CTAs breadth first, as the scheduler does. */
static int fill(struct replay *r, struct err *e)
{
    for (uint32_t place = 0; place < r->l->fit.ctas; place++) {
        for (uint32_t i = 0; i < r->s->design->sms; i++) {
            int got = take_seat(r, &r->s->sms[i], place, e);

            if (got <= 0)
                return got;
            r->seats[r->count++] = (struct seat){(uint16_t)i, (uint16_t)place};
        }
    }
    return 0;
}

static int replay(struct replay *r, struct inst_source *source, struct err *e)
{
    int ret;

    r->l = launch_new(r->s, source, 0, e);
    if (!r->l)
        return -1;
    r->count = 0;
    ret = fill(r, e);
    while (ret == 0 && r->count)
        ret = round_of_turns(r, e);
    for (uint32_t i = 0; i < r->s->design->sms; i++)
        if (r->l->on_sm[i / 64] & 1ull << i % 64)
            clear(&r->s->sms[i], r->l);
    r->s->env.charged = NULL; /* memory counts of the replay belong to no launch */
    r->l->source = NULL;
    return ret;
}

/* --- the work before the launch --- */

static void replay_copy(struct memory *m, const struct sim_work *w)
{
    if (w->kind == SIM_COPY_TO_HOST || w->kind == SIM_COPY_DEVICE)
        memory_warm_dma(m, w->address + (w->kind == SIM_COPY_DEVICE ? w->bytes : 0), w->bytes, false);
    if (w->kind != SIM_COPY_TO_HOST)
        memory_warm_dma(m, w->address, w->bytes, true);
}

static int replay_item(struct replay *r, const struct sim_before *b, size_t i, struct err *e)
{
    struct inst_source *source;
    int ret;

    if (b->work[i].kind == SIM_GAP)
        return 0;
    if (b->work[i].kind != SIM_KERNEL) {
        replay_copy(r->s->memory, &b->work[i]);
        return 0;
    }
    ret = b->open(b->ctx, i, &source, e);
    if (ret == 0) {
        ret = replay(r, source, e);
        inst_source_release(source);
    }
    if (ret < 0)
        err_wrap(e, "a launch before it, which warms the caches");
    return ret;
}

/* The index at which the last `launches` kernels begin, including the copies after the kernel before them. */
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

static int replay_all(struct replay *r, const struct sim_before *b, size_t first, uint64_t *out, struct err *e)
{
    for (size_t i = first; i < b->count; i++) {
        if (replay_item(r, b, i, e) < 0)
            return -1;
        *out += b->work[i].kind == SIM_KERNEL;
    }
    memory_warm_end(r->s->memory);
    return 0;
}

/* Uses a port that takes no time, so no request is ever outstanding. */
static int replay_without_time(struct replay *r, const struct sim_before *b, size_t first, uint64_t *out,
                               struct err *e)
{
    const struct mem_port warm = {.ops = &mem_port_warm, .memory = r->s->memory};
    struct sm_env *env = &r->s->env;
    const struct outstanding_ops *outstanding = env->outstanding;
    int ret;

    env->port = &warm;
    env->outstanding = &outstanding_warm;
    ret = replay_all(r, b, first, out, e);
    env->port = &r->s->port;
    env->outstanding = outstanding;
    return ret;
}

int replay_before(struct simulator *s, const struct sim_before *before, uint64_t launches, uint64_t *out,
                  struct err *e)
{
    struct replay r = {.s = s, .seats = mem_zalloc((size_t)s->design->sms * SM_CTAS_MAX, sizeof *r.seats, e)};
    int ret = -1;

    *out = 0;
    simulator_flush(s);
    if (r.seats)
        ret = replay_without_time(&r, before, first_of(before, launches), out, e);
    free(r.seats);
    return ret;
}
