/* simcore/sm/outstanding.c: for ports that return completion times at once: no state is needed. */
#include "simcore/sm/outstanding.h"

static int known_init(struct sm *sm, struct err *e)
{
    (void)sm, (void)e;
    return 0;
}

static void known_nothing(struct sm *sm)
{
    (void)sm;
}

static void known_begin_warp(struct sm *sm, uint32_t slot)
{
    (void)sm, (void)slot;
}

static void known_rebase(struct sm *sm, uint32_t cycles)
{
    (void)sm, (void)cycles;
}

static bool known_admit(struct sm *sm, uint32_t sub, const struct static_inst *in, uint32_t t)
{
    (void)sm, (void)sub, (void)in, (void)t;
    return true;
}

static bool known_wait(struct sm *sm, uint32_t slot, uint32_t t)
{
    (void)sm, (void)slot, (void)t;
    return false;
}

static bool known_wait_group(struct sm *sm, uint32_t slot, int32_t allowed, uint32_t t)
{
    (void)sm, (void)slot, (void)allowed, (void)t;
    return false;
}

static bool known_arrive_late(struct sm *sm, uint32_t slot, const struct mbarrier_news *news)
{
    (void)sm, (void)slot, (void)news;
    return false;
}

static void known_exit(struct sm *sm, uint32_t slot, uint32_t t)
{
    (void)sm, (void)slot, (void)t;
}

static void known_copied(struct access *a, const struct mbarrier_news *news, uint32_t done)
{
    mbarrier_tell(a->sm, news, done);
}

static void warm_copied(struct access *a, const struct mbarrier_news *news, uint32_t done)
{
    (void)a, (void)news, (void)done;
}

#define KNOWN(name_, copied_)                                                                                      \
    {                                                                                                              \
        .name = (name_), .known = true, .init = known_init, .release = known_nothing, .begin = known_nothing,      \
        .begin_warp = known_begin_warp, .rebase = known_rebase, .limit = known_rebase, .admit = known_admit,       \
        .wait_exit = known_wait, .wait_fence = known_wait, .wait_group = known_wait_group,                         \
        .arrive_late = known_arrive_late, .exit = known_exit, .look_up = loads_look_up, .store = stores_send,      \
        .atomic = atomics_send, .copy = bulk_send, .copied = (copied_)                                             \
    }

const struct outstanding_ops outstanding_known = KNOWN("known", known_copied);
const struct outstanding_ops outstanding_warm = KNOWN("warm", warm_copied);
