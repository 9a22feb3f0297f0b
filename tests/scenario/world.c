#include "tests/scenario/world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "tests/scenario/fibers.h"

struct event {
    uint64_t at_us, number;
    void (*fn)(void *ctx);
    void *ctx;
};

struct world world;
static struct rng decisions, ids;
static struct event *events; /* unsorted: there are a few dozen */
static size_t event_count, event_room;
static uint64_t event_number;

void world_begin(uint64_t seed, bool tracing)
{
    world = (struct world){
        .seed = seed, .now_us = WORLD_ZERO_US, .tracing = tracing, .history = UINT64_C(0xcbf29ce484222325)};
    rng_init(&decisions, seed, 0, RNG_TEST);
    rng_init(&ids, seed, 1, RNG_TEST);
    event_count = event_number = 0;
    fibers_forget();
}

uint64_t random_below(uint64_t n)
{
    return rng_below(&decisions, n);
}

bool chance(unsigned per_mille)
{
    return random_below(1000) < per_mille;
}

bool fault(unsigned per_mille)
{
    return world.faults && chance(per_mille);
}

void world_random(void *out, size_t n)
{
    unsigned char *to = out;

    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)rng_u32(&ids);
}

/* --- Events --- */

void later(uint64_t us, void (*fn)(void *ctx), void *ctx)
{
    if (event_count == event_room) {
        event_room = event_room ? 2 * event_room : 64;
        events = realloc(events, event_room * sizeof *events);
        if (!events)
            abort();
    }
    events[event_count++] = (struct event){world.now_us + us, event_number++, fn, ctx};
}

static size_t first_event(void)
{
    size_t best = 0;

    for (size_t i = 1; i < event_count; i++)
        if (events[i].at_us < events[best].at_us ||
            (events[i].at_us == events[best].at_us && events[i].number < events[best].number))
            best = i;
    return best;
}

bool world_step(void)
{
    uint64_t next;
    struct event e;
    size_t i;

    if (fibers_step())
        return true;
    next = fibers_next_us();
    if (event_count == 0 && next == UINT64_MAX)
        return false;
    i = first_event();
    if (event_count == 0 || next < events[i].at_us) {
        world.now_us = next > world.now_us ? next : world.now_us;
        return true;
    }
    e = events[i];
    events[i] = events[--event_count];
    world.now_us = e.at_us > world.now_us ? e.at_us : world.now_us;
    e.fn(e.ctx);
    return true;
}

void world_run(uint64_t us)
{
    uint64_t until = world.now_us + us;

    while (world.now_us < until && world_step())
        continue;
}

/* --- History --- */

static void keep(const char *line)
{
    for (const char *s = line; *s; s++)
        world.history = (world.history ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    world.lines++;
    if (world.tracing)
        printf("%10.3f  %s\n", (double)(world.now_us - WORLD_ZERO_US) / 1e6, line);
}

void tell(const char *format, ...)
{
    char line[600];
    va_list ap;
    int n = snprintf(line, sizeof line, "%" PRIu64 " ", world.now_us);

    va_start(ap, format);
    vsnprintf(line + n, sizeof line - (size_t)n, format, ap);
    va_end(ap);
    keep(line);
}

void broken(const char *format, ...)
{
    char line[800];
    va_list ap;

    va_start(ap, format);
    vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    world.broken++;
    printf("BROKEN  seed %" PRIu64 " at %.3f s: %s\n", world.seed, (double)(world.now_us - WORLD_ZERO_US) / 1e6,
           line);
}
