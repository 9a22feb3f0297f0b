/* simcore/engine/clock_domain.h: conversion between cycles of a clock and picoseconds.
 *
 *
 * The period is stored in 1/65536 ps, so cycle n begins at n * period >> 16, without drift. Valid up to 2^38 cycles
 * (minutes of simulated time). */
#ifndef VIVACE_SIMCORE_ENGINE_CLOCK_DOMAIN_H
#define VIVACE_SIMCORE_ENGINE_CLOCK_DOMAIN_H

#include <stdint.h>

#include "simcore/engine/event_queue.h"

#define CLOCK_CYCLES_MAX (1ull << 38)

struct clock_domain {
    uint64_t period;     /* 1/65536 ps */
    uint64_t reciprocal; /* 2^80 / period */
};

enum { CLOCK_KHZ_MIN = 1000, CLOCK_KHZ_MAX = 10000000 }; /* 1 MHz to 10 GHz */
void clock_domain_init(struct clock_domain *c, uint32_t khz);

static inline sim_time_ps clock_to_ps(const struct clock_domain *c, uint64_t cycle)
{
    return (cycle >> 16) * c->period + (((cycle & 0xffff) * c->period) >> 16);
}

/* Consecutive cycles from a given one on, for many conversions. */
struct clock_run {
    sim_time_ps whole;
    uint64_t part, period; /* 1/65536 ps */
};
static inline struct clock_run clock_run_from(const struct clock_domain *c, uint64_t cycle)
{
    return (struct clock_run){(cycle >> 16) * c->period, (cycle & 0xffff) * c->period, c->period};
}
/* The time of the cycle n after its start (n below 2^24): the same as clock_to_ps() of the sum. */
static inline sim_time_ps clock_run_ps(const struct clock_run *r, uint32_t more)
{
    return r->whole + ((r->part + more * r->period) >> 16);
}

/* The first cycle that begins at or after t. */
static inline uint64_t clock_from_ps(const struct clock_domain *c, sim_time_ps t)
{
    uint64_t n = (uint64_t)(((unsigned __int128)t * c->reciprocal) >> 64); /* rounded down, or one less */
    uint64_t rest = (t << 16) - n * c->period; /* less than two periods: correct in spite of overflow */

    return n + (rest > 0) + (rest > c->period); /* without a branch, which would be unpredictable */
}

/* The duration of `numerator / denominator` cycles, rounded to the nearest picosecond. */
static inline uint64_t clock_span_ps(const struct clock_domain *c, uint64_t numerator, uint64_t denominator)
{
    return (numerator * c->period + (denominator << 15)) / (denominator << 16);
}

#endif
