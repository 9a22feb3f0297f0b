#include "simcore/engine/clock_domain.h"

#include "base/assert.h"

void clock_domain_init(struct clock_domain *c, uint32_t khz)
{
    ASSERT(khz >= CLOCK_KHZ_MIN && khz <= CLOCK_KHZ_MAX);
    /* One period is 10^9 / kHz picoseconds. */
    c->period = ((1000000000ull << 16) + khz / 2) / khz;
    c->reciprocal = (uint64_t)(((unsigned __int128)1 << 80) / c->period);
}
