/* base/clock.h: time outside the simulator. No other file reads the system's clocks, so a test can set the time. */
#ifndef VIVACE_BASE_CLOCK_H
#define VIVACE_BASE_CLOCK_H

#include <stdint.h>

typedef int64_t wall_us; /* microseconds since 1970-01-01 UTC */

struct clock {
    wall_us (*now)(struct clock *c);
    wall_us fixed; /* the time of a clock of clock_manual_init() */
};

extern struct clock clock_system;
void clock_manual_init(struct clock *c, wall_us at);
void clock_advance(struct clock *c, int64_t us); /* manual clocks only */

static inline wall_us clock_now(struct clock *c)
{
    return c->now(c);
}

uint64_t clock_monotonic_us(void); /* microseconds, for durations; the zero point is arbitrary */
double clock_cpu_s(void);          /* processor seconds of this process so far */

#define CLOCK_RFC3339 28 /* "2026-11-20T13:02:11.123456Z" and NUL */
void clock_format(wall_us at, char out[CLOCK_RFC3339]);

#endif
