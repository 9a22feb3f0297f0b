#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t read_us(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static wall_us system_now(struct clock *c)
{
    (void)c;
    return read_us(CLOCK_REALTIME);
}

static wall_us manual_now(struct clock *c)
{
    return c->fixed;
}

struct clock clock_system = {.now = system_now};

void clock_manual_init(struct clock *c, wall_us at)
{
    *c = (struct clock){.now = manual_now, .fixed = at};
}

void clock_advance(struct clock *c, int64_t us)
{
    c->fixed += us;
}

uint64_t clock_monotonic_us(void)
{
    return (uint64_t)read_us(CLOCK_MONOTONIC);
}

double clock_cpu_s(void)
{
    return (double)read_us(CLOCK_PROCESS_CPUTIME_ID) / 1e6;
}

void clock_format(wall_us at, char out[CLOCK_RFC3339])
{
    int64_t s = at / 1000000, us = at % 1000000;
    time_t t;
    struct tm tm;
    char text[64];

    if (us < 0) {
        s--;
        us += 1000000;
    }
    t = (time_t)s;
    gmtime_r(&t, &tm);
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
             tm.tm_hour, tm.tm_min, tm.tm_sec, (int)us);
    memcpy(out, text, CLOCK_RFC3339 - 1);
    out[CLOCK_RFC3339 - 1] = '\0';
}
