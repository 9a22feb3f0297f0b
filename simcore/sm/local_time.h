/* simcore/sm/local_time.h: times inside an SM: cycles since its base, in 32 bits.
 *
 * They fit into 31 bits, so that a compiler can compare sixteen at once with the oldest vector instructions. In
 * event mode the end of a request is not known when it is made: what waits for it holds a time from SM_UNKNOWN on
 * until it comes. A known time plus a latency lies below SM_ASLEEP, one that is not known less a latency above it.
 */
#ifndef VIVACE_SIMCORE_SM_LOCAL_TIME_H
#define VIVACE_SIMCORE_SM_LOCAL_TIME_H

#include <stdint.h>

#define SM_TIME_MAX 0x7fff0000u /* later moments count as this one until the base has moved */
#define SM_ASLEEP   0x7fff4000u
#define SM_UNKNOWN  0x7fffa000u
#define SM_NEVER    0x7fffffffu

static inline uint32_t time_max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The time after the base has moved by this number of cycles. What lies before it no longer matters. */
static inline uint32_t time_back(uint32_t t, uint32_t cycles)
{
    if (t >= SM_ASLEEP)
        return t;
    return t > cycles ? t - cycles : 0;
}

#endif
