/* simcore/sm/flight_ops.c: struct outstanding_ops (outstanding.h) for ports that call back. */
#include "simcore/sm/flight_internal.h"
#include "simcore/sm/outstanding.h"

static void flight_copied(struct access *a, const struct mbarrier_news *news, uint32_t done)
{
    if (a->node) {
        flight_not_before(a->sm, a->node, done);
        flight_copy(a->sm, a->node, news);
    } else {
        mbarrier_tell(a->sm, news, done);
    }
}

static bool flight_admit(struct sm *sm, uint32_t sub, const struct static_inst *in, uint32_t t)
{
    if (flight_room(sm, in))
        return true;
    flight_hold(sm, sub, t);
    return false;
}

static int flight_init(struct sm *sm, struct err *e)
{
    sm->flight = flight_new(sm->env->design, e);
    return sm->flight ? 0 : -1;
}

static void flight_release(struct sm *sm)
{
    flight_free(sm->flight);
}

const struct outstanding_ops outstanding_flight = {.name = "flight",
                                                   .init = flight_init,
                                                   .release = flight_release,
                                                   .begin = flight_begin,
                                                   .begin_warp = flight_begin_warp,
                                                   .rebase = flight_rebase,
                                                   .limit = flight_limit,
                                                   .admit = flight_admit,
                                                   .wait_exit = flight_sleep_exit,
                                                   .wait_fence = flight_sleep_fence,
                                                   .wait_group = flight_sleep_group,
                                                   .arrive_late = flight_arrive_late,
                                                   .exit = flight_exit,
                                                   .look_up = loads_look_up_in_flight,
                                                   .store = flight_store,
                                                   .atomic = flight_atomic,
                                                   .copy = flight_copy_lines,
                                                   .copied = flight_copied};
