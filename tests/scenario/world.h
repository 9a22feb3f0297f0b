/* tests/scenario/world.h: everything that the seed of a scenario decides: time, random numbers, order of events;
 * and the history.
 *
 * Time is virtual: it stays while any fiber can run, then jumps to the next event. A minute of the farm therefore
 * takes only as long as its statements. A seed always gives the same history. Every line of it goes into
 * `history`. */
#ifndef VIVACE_TESTS_SCENARIO_WORLD_H
#define VIVACE_TESTS_SCENARIO_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"

#define MS UINT64_C(1000)
#define S  UINT64_C(1000000)

/* all machines have been running for a while, so differences to time 0 are large */
#define WORLD_ZERO_US (3600 * S)

struct world {
    uint64_t seed, now_us; /* now_us: the monotonic clock of all servers; it starts at WORLD_ZERO_US */
    bool faults;           /* requests are lost, servers die ...; false before the checks */
    bool tracing;          /* the history is printed to stdout */
    /* Per mille of statements that delay their fiber, by up to linger_us. Per mille of statements that lose their
     * connection. */
    unsigned linger, linger_us, cut_before, cut_after;
    uint64_t history; /* hash of the lines */
    uint64_t lines, broken;
    unsigned blows; /* number of killed servers and closed database connections */
};
extern struct world world;

void world_begin(uint64_t seed, bool tracing);
uint64_t random_below(uint64_t n);      /* 0 .. n-1 */
bool chance(unsigned per_mille);        /* true in `per_mille` of 1000 calls */
bool fault(unsigned per_mille);         /* the same while `faults` is set, otherwise false */
void world_random(void *out, size_t n); /* replaces the kernel's random bytes for ids and secrets */

/* Calls fn(ctx) after `us`. Events at the same time run in the order in which they were created. */
void later(uint64_t us, void (*fn)(void *ctx), void *ctx);
/* Runs the next step of a server or the next event. False: nothing is left to run. */
bool world_step(void);
/* Runs for `us` of virtual time. */
void world_run(uint64_t us);

/* Adds a line to the history, with the time before it. */
void tell(const char *format, ...) PRINTF_LIKE(1, 2);
/* Reports a violated invariant: the scenario has failed. */
void broken(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
