/* simcore/sm/sm_init.c: creates an SM, with its entry in the event queue, and releases it. */
#include "simcore/sm/outstanding.h"

static void sm_wake(struct event *ev, sim_time_ps now)
{
    struct sm *sm = (struct sm *)((char *)ev - offsetof(struct sm, wake));

    sm_run(sm, clock_from_ps(&sm->env->clock, now));
}

_Static_assert(offsetof(struct warp, counter) <= HOST_LINE, "the data of a warp that each instruction reads");

/* Prefetches some bytes into the host's cache; none if `bytes` is 0. */
static inline __attribute__((always_inline)) void fetch_bytes(const void *from, size_t bytes)
{
    for (size_t i = 0; from && i < bytes; i += HOST_LINE)
        __builtin_prefetch((const char *)from + i, 1);
}

static void fetch_soon(const struct event *ev)
{
    const struct sm *sm = (const struct sm *)((const char *)ev - offsetof(struct sm, wake));
    const struct sm_soon *soon = &sm->soon;

    fetch_bytes(&sm->env, offsetof(struct sm, store_slot) - offsetof(struct sm, env));
    for (uint32_t s = 0; s < SUB_CORES; s++) {
        fetch_bytes(&sm->warp[soon->slot[s]], HOST_LINE);
        fetch_bytes(soon->inst[s], HOST_LINE);
        fetch_bytes(sm->reg_ready + (size_t)soon->slot[s] * REG_STRIDE, HOST_LINE);
    }
    fetch_bytes(soon->cta, HOST_LINE);
    fetch_bytes(soon->trace, (size_t)2 * HOST_LINE);
    fetch_bytes(soon->place, HOST_LINE);
    fetch_bytes(soon->list, WARP_LANES * sizeof(uint64_t));
}

/* A multiple of the host's cache line, as REG_STRIDE is. */
static size_t register_bytes(const struct gpu_design *d)
{
    return (size_t)d->warps * REG_STRIDE * sizeof(uint32_t);
}

size_t sm_room_bytes(const struct gpu_design *d)
{
    size_t bytes = register_bytes(d) + l1_bytes(d);

    return (bytes + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
}

int sm_init(struct sm *sm, struct sm_env *env, uint32_t index, char *room, struct err *e)
{
    sm->env = env;
    sm->index = index;
    sm->wake.fire = sm_wake;
    sm->wake.soon = fetch_soon;
    sm->wake.component = index;
    sm->reg_ready = (uint32_t *)(void *)room;
    l1_init(&sm->l1, env->design, room + register_bytes(env->design));
    if (fetch_init(&sm->fetch, env->design, e) < 0)
        return -1;
    return env->outstanding->init(sm, e);
}

void sm_release(struct sm *sm)
{
    fetch_release(&sm->fetch);
    sm->env->outstanding->release(sm);
}
