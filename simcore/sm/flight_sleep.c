/* simcore/sm/flight_sleep.c: event mode: warps that wait for requests in flight. */
#include "simcore/sm/flight_internal.h"

void flight_sleep(struct sm *sm, uint32_t slot, uint32_t from, enum slot_reason reason)
{
    struct flight_warp *fw = &sm->flight->warp[slot];

    fw->sleep = SLEEP_OPERANDS;
    fw->from = from;
    fw->reason = (uint8_t)reason;
}

bool flight_sleep_fence(struct sm *sm, uint32_t slot, uint32_t t)
{
    struct flight_warp *fw = &sm->flight->warp[slot];

    if (!fw->memory_open)
        return false;
    fw->sleep = SLEEP_FENCE;
    fw->from = t + 1;
    fw->reason = SLOT_SYNC;
    return true;
}

bool flight_sleep_exit(struct sm *sm, uint32_t slot, uint32_t t)
{
    struct flight_warp *fw = &sm->flight->warp[slot];

    if (!fw->results_open)
        return false;
    fw->sleep = SLEEP_EXIT;
    fw->from = t;
    return true;
}

bool flight_sleep_group(struct sm *sm, uint32_t slot, int32_t allowed, uint32_t t)
{
    struct flight_warp *fw = &sm->flight->warp[slot];
    const struct warp *w = &sm->warp[slot];
    uint32_t keep = allowed < 0 ? 0 : (uint32_t)allowed;

    if (keep >= w->groups || keep >= GROUPS_MAX || !groups_open(fw, w->groups - 1 - keep))
        return false;
    fw->sleep = SLEEP_GROUP;
    fw->wanted = w->groups - 1 - keep;
    fw->from = t + 1;
    fw->reason = SLOT_SYNC;
    return true;
}
