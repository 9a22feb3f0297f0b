/* simcore/sm/warp_slots.h: vectorized operations of the issue loop on all warp slots of a sub-core.
 *
 * A new warp takes the lowest free slot, so with few resident warps only few slots were ever used (`span`). The
 * loops run over four, eight or all slots, because the compiler vectorizes loops with a constant count. */
#ifndef VIVACE_SIMCORE_SM_WARP_SLOTS_H
#define VIVACE_SIMCORE_SM_WARP_SLOTS_H

#include "simcore/sm/sm.h"

/* For the issue loop, which is compiled several times with different constants. */
#define SM_INLINE static inline __attribute__((always_inline, unused))

SM_INLINE uint32_t earliest_of(const struct sub_core *sc, uint32_t slots)
{
    int32_t t = (int32_t)SM_NEVER;

    for (uint32_t i = 0; i < slots; i++)
        t = (int32_t)sc->ready[i] < t ? (int32_t)sc->ready[i] : t;
    return (uint32_t)t;
}

/* The minimum of its ready times. */
SM_INLINE uint32_t warp_slots_earliest(const struct sub_core *sc)
{
    if (sc->span <= 4)
        return earliest_of(sc, 4);
    return sc->span <= 8 ? earliest_of(sc, 8) : earliest_of(sc, SUB_WARPS_MAX);
}

/* A slot with the minimum ready time. */
SM_INLINE uint32_t warp_slots_first(const struct sub_core *sc)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < sc->span; i++) {
        uint64_t at = (uint64_t)sc->ready[i] << 8 | i;

        first = at < first ? at : first;
    }
    return (uint32_t)first % SUB_WARPS_MAX;
}

SM_INLINE uint32_t preferred_of(const struct sub_core *sc, uint32_t t, uint32_t slots)
{
    int32_t best = 0;

    for (uint32_t i = 0; i < slots; i++) {
        int32_t rank = (int32_t)sc->ready[i] <= (int32_t)t ? sc->rank[i] : 0;

        best = rank > best ? rank : best;
    }
    return (uint32_t)best % SUB_WARPS_MAX;
}

/* The slot that the scheduler prefers among those that are ready at t. There must be at least one. */
SM_INLINE uint32_t warp_slots_preferred(const struct sub_core *sc, uint32_t t)
{
    if (sc->span <= 4)
        return preferred_of(sc, t, 4);
    return sc->span <= 8 ? preferred_of(sc, t, 8) : preferred_of(sc, t, SUB_WARPS_MAX);
}

SM_INLINE void stall_slots(struct sub_core *sc, uint8_t pipe, uint32_t t, uint32_t until, uint8_t reason,
                           uint32_t slots)
{
    for (uint32_t i = 0; i < slots; i++) {
        bool waits = sc->pipe[i] == pipe && (int32_t)sc->ready[i] <= (int32_t)t;

        sc->ready[i] = waits ? until : sc->ready[i];
        sc->reason[i] = waits ? reason : sc->reason[i];
    }
}

/* Delays all warps that are ready at t and need the pipe until `until`. */
SM_INLINE void warp_slots_stall(struct sub_core *sc, uint8_t pipe, uint32_t t, uint32_t until)
{
    uint8_t reason = pipe == PIPE_MEMORY ? SLOT_QUEUE : SLOT_UNIT;

    if (sc->span <= 4)
        stall_slots(sc, pipe, t, until, reason, 4);
    else
        stall_slots(sc, pipe, t, until, reason, SUB_WARPS_MAX);
}

#endif
