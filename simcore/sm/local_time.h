/* simcore/sm/local_time.h: local times of an SM: cycles since its base, in 32 bits.
 *
 *
 * They fit into 31 bits, so that a compiler can compare sixteen of them at once with the oldest vector
 * instructions. In event mode, the end of a request is not known when it is sent. A value that depends on it has a
 * time of SM_UNKNOWN or more until it ends. A known time plus a latency is below SM_ASLEEP; an unknown time minus a
 * latency is above it. */
#ifndef VIVACE_SIMCORE_SM_LOCAL_TIME_H
#define VIVACE_SIMCORE_SM_LOCAL_TIME_H

#include <stdint.h>

#define SM_TIME_MAX 0x7fff0000u /* later times are stored as this value until the base moves */
#define SM_ASLEEP   0x7fff4000u
#define SM_UNKNOWN  0x7fffa000u
#define SM_NEVER    0x7fffffffu

static inline uint32_t time_max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The time after the base has moved by this number of cycles. Earlier times become 0. */
static inline uint32_t time_back(uint32_t t, uint32_t cycles)
{
    if (t >= SM_ASLEEP)
        return t;
    return t > cycles ? t - cycles : 0;
}

#endif
