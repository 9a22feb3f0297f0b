/* simcore/sm/lsu.c: how long the load/store unit is busy. */
#include "simcore/observe/observer.h"
#include "simcore/sm/access.h"

uint32_t lsu_occupy(struct sm *sm, uint32_t start, uint32_t busy_256)
{
    uint32_t least = sm->env->design->lsu_interval << 8;
    uint64_t from = (uint64_t)start << 8;

    if (busy_256 < least)
        busy_256 = least;
    /* If the unit became free within the last cycle, this fraction of a cycle is not lost. */
    if (sm->lsu_free_256 > from - 256 && sm->lsu_free_256 < from && from >= 256)
        from = sm->lsu_free_256;
    sm->lsu_free_256 = from + busy_256;
    if (sm->env->observer)
        observer_lsu(sm->env->observer, sm, start, (busy_256 + 255) >> 8);
    return (busy_256 + 255) >> 8;
}
