/* simcore/sm/wake.c: schedules the next run of an SM. */
#include "simcore/sm/sm.h"

void sm_schedule(struct sm *sm, uint32_t t)
{
    struct event_queue *q = sm->env->queue;
    sim_time_ps at = clock_to_ps(&sm->env->clock, sm->base + t);

    if (at < event_queue_now(q))
        at = event_queue_now(q);
    if (sm->wake.scheduled) {
        if (sm->wake.at <= at)
            return;
        event_queue_cancel(q, &sm->wake);
    }
    event_queue_schedule(q, &sm->wake, at, PHASE_ACT);
}
