/* tests/scenario/world.h: what a scenario's seed decides: time, dice, what happens when; and the history of it.
 *
 * Time is virtual: it does not move while anything can run and then jumps to whatever comes next, so a minute of
 * the farm costs what its statements cost. One seed, one history: every line of it goes into `history`. */
#ifndef VIVACE_TESTS_SCENARIO_WORLD_H
#define VIVACE_TESTS_SCENARIO_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"

#define MS UINT64_C(1000)
#define S  UINT64_C(1000000)

#define WORLD_ZERO_US (3600 * S) /* machines have been up for a while: differences to 0 are long ago */

struct world {
    uint64_t seed, now_us; /* the monotonic clock of all servers; it begins at WORLD_ZERO_US */
    bool faults;           /* requests are lost, servers die ...; ends before the checks */
    bool tracing;          /* the history goes to stdout */
    /* Per mille of statements after which their fiber sleeps, at most so long; that lose their connection. */
    unsigned linger, linger_us, cut_before, cut_after;
    uint64_t history; /* hash of its lines */
    uint64_t lines, broken;
    unsigned blows; /* servers killed, connections to the database cut */
};
extern struct world world;

void world_begin(uint64_t seed, bool tracing);
uint64_t dice(uint64_t n);              /* 0 .. n-1 */
bool chance(unsigned per_mille);        /* of what may happen at any time */
bool fault(unsigned per_mille);         /* the same, while there are faults */
void world_random(void *out, size_t n); /* instead of the kernel's: ids and secrets */

/* Calls fn(ctx) so much later. Events of one moment come in the order in which they were made. */
void later(uint64_t us, void (*fn)(void *ctx), void *ctx);
/* Runs whatever comes next: a step of a server, or the next event. False: nothing will ever happen again. */
bool world_step(void);
/* Until then. */
void world_run(uint64_t us);

/* A line of the history, with the time before it. */
void tell(const char *format, ...) PRINTF_LIKE(1, 2);
/* A promise was broken: the scenario has failed, and says so. */
void broken(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
