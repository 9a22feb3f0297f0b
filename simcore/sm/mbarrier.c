/* A phase completes at the latest time of its arrivals and bytes. In reserve mode, copies report the arrival time
 * of their bytes when they are sent. */
#include "simcore/sm/mbarrier.h"

#include "simcore/sm/cluster.h"
#include "simcore/sm/outstanding.h"
#include "simcore/trace/fields.h"

#define RANK_MASK ((1u << FIELDS_RANK_SHIFT) - 1)

static struct mbarrier *mbarrier_find(struct sm *sm, uint32_t cta, uint32_t address)
{
    for (uint32_t i = 0; i < sm->mbarriers; i++)
        if (sm->mbarrier[i].cta == cta && sm->mbarrier[i].address == (address & RANK_MASK))
            return &sm->mbarrier[i];
    return NULL;
}

static void mbarrier_settle(struct sm *sm, struct mbarrier *b)
{
    uint64_t waiting = b->waiting;

    if (b->pending > 0 || b->bytes)
        return;
    b->phase ^= 1;
    b->pending = b->expected;
    b->done = b->latest;
    b->latest = 0;
    b->waiting = 0;
    for (; waiting; waiting &= waiting - 1)
        cluster_go_on(sm, (uint32_t)__builtin_ctzll(waiting), sm->base + b->done + sm->env->design->barrier_cycles,
                      SLOT_SYNC);
}

/* --- reports of arrivals and bytes --- */

static void tell_one(struct sm *sm, uint32_t cta, const struct mbarrier_news *n, uint32_t t)
{
    struct mbarrier *b = mbarrier_find(sm, cta, n->address);

    if (!b)
        return;
    b->pending -= n->arrivals;
    b->expected = b->expected > n->drops ? b->expected - n->drops : 0;
    b->bytes += n->bytes;
    b->latest = time_max(b->latest, t);
    mbarrier_settle(sm, b);
}

/* Reports to another CTA of the cluster. The effect on its SM is not earlier than its lookahead allows. */
static void tell_member(struct sm *sm, const struct cta *cta, uint32_t rank, const struct mbarrier_news *n,
                        uint64_t cycle)
{
    uint64_t now = clock_from_ps(&sm->env->clock, event_queue_now(sm->env->queue));
    uint32_t at = 0;
    struct sm *to = cluster_member(sm, cta, rank, &at);

    if (!to)
        return;
    if (to != sm && cycle < now + cluster_lookahead(sm->env))
        cycle = now + cluster_lookahead(sm->env);
    tell_one(to, at, n, sm_local(to, cycle));
}

void mbarrier_tell(struct sm *sm, const struct mbarrier_news *n, uint32_t t)
{
    const struct cta *cta = &sm->cta[n->cta];
    uint32_t slot = n->address >> FIELDS_RANK_SHIFT;

    if (!cta->trace || cta->born != n->born) /* the CTA has ended */
        return;
    if (n->ctas && cta->cluster) {
        for (uint32_t left = n->ctas; left; left &= left - 1)
            tell_member(sm, cta, (uint32_t)__builtin_ctz(left), n, sm->base + t);
        return;
    }
    if (slot && cta->cluster && slot - 1 != cta->rank)
        tell_member(sm, cta, slot - 1, n, sm->base + t + sm->env->design->cluster_latency);
    else
        tell_one(sm, n->cta, n, t);
}

/* --- instructions --- */

static void mbarrier_begin(struct sm *sm, uint32_t cta, uint32_t address, uint32_t count)
{
    struct mbarrier *b = mbarrier_find(sm, cta, address);

    if (!b && sm->mbarriers < MBARRIERS_MAX) /* further barriers are ignored */
        b = &sm->mbarrier[sm->mbarriers++];
    if (b)
        *b = (struct mbarrier){
            .address = address & RANK_MASK, .cta = (uint16_t)cta, .pending = count, .expected = count};
}

static void remove_at(struct sm *sm, uint32_t i)
{
    sm->mbarrier[i] = sm->mbarrier[--sm->mbarriers];
}

void mbarrier_forget(struct sm *sm, uint32_t cta)
{
    for (uint32_t i = sm->mbarriers; i-- > 0;)
        if (sm->mbarrier[i].cta == cta)
            remove_at(sm, i);
}

static bool wait_for(struct sm *sm, uint32_t slot, uint32_t address, uint32_t parity, uint32_t t, uint32_t *until)
{
    const struct warp *w = &sm->warp[slot];
    struct mbarrier *b = mbarrier_find(sm, w->cta, address);

    if (!b || w->position == w->count)
        return false;
    if (b->phase != (parity & 1)) {
        *until = b->done > t ? b->done + sm->env->design->barrier_cycles : t;
        return false;
    }
    b->waiting |= 1ull << slot;
    if (sm->cta[w->cta].cluster)
        cluster_wait_outside(sm, slot, t);
    return true;
}

/* Reports arrivals at t, or when the warp's committed copies have ended. */
static void mbarrier_arrive(struct sm *sm, uint32_t slot, const uint64_t field[], bool copies, uint32_t t)
{
    const struct warp *w = &sm->warp[slot];
    struct mbarrier_news n = {.address = (uint32_t)field[BARRIER_ADDRESS],
                              .arrivals = (uint32_t)field[BARRIER_COUNT],
                              .drops =
                                  field[BARRIER_WHAT] == BARRIER_ARRIVE_DROP ? (uint32_t)field[BARRIER_COUNT] : 0,
                              .bytes = (int32_t)field[BARRIER_BYTES],
                              .cta = w->cta,
                              .born = sm->cta[w->cta].born};

    if (field[BARRIER_WHAT] == BARRIER_ARRIVE_MORE) {
        struct mbarrier *b = mbarrier_find(sm, w->cta, n.address);

        if (b)
            b->pending += n.arrivals;
    }
    if (copies && w->groups) {
        if (sm->env->outstanding->arrive_late(sm, slot, &n))
            return;
        t = time_max(t, w->group[(w->groups - 1) % GROUPS_MAX]);
    }
    mbarrier_tell(sm, &n, t);
}

bool mbarrier_do(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in, uint32_t t,
                 uint32_t *until)
{
    const struct warp *w = &sm->warp[slot];
    uint64_t field[WARP_LANES];
    uint32_t address;

    if (!(in->flags & OP_FIELDS) || fields_of(sm->cta[w->cta].trace, wi, field) < BARRIER_FIELDS)
        return false;
    address = (uint32_t)field[BARRIER_ADDRESS];
    fields_lanes(sm, slot, wi, in, (uint32_t)field[BARRIER_LANES]);
    switch (field[BARRIER_WHAT]) {
    case BARRIER_INIT: mbarrier_begin(sm, w->cta, address, (uint32_t)field[BARRIER_COUNT]); break;
    case BARRIER_INVALIDATE: {
        struct mbarrier *b = mbarrier_find(sm, w->cta, address);

        if (b)
            remove_at(sm, (uint32_t)(b - sm->mbarrier));
        break;
    }
    case BARRIER_WAIT: return wait_for(sm, slot, address, (uint32_t)field[BARRIER_COUNT], t, until);
    default: mbarrier_arrive(sm, slot, field, in->action == ACT_COMMIT, t); break;
    }
    return false;
}

void fields_lanes(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                  uint32_t lanes)
{
    struct warp *w = &sm->warp[slot];
    uint64_t more = (uint64_t)__builtin_popcount(lanes) - (uint64_t)__builtin_popcount(wi->mask);

    w->launch->count.lane_instructions += more;
    w->launch->count.lane_mix[in->mix] += more;
    w->last_mask = lanes;
}
