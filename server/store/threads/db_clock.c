#include "server/store/threads/db_clock.h"

#include "server/store/repo/sql/statements.h"

#include <math.h>
#include <stdlib.h>

static wall_us now(struct clock *clock)
{
    struct db_clock *c = (struct db_clock *)clock;

    return atomic_load(&c->measured) ? (wall_us)clock_monotonic_us() + (wall_us)atomic_load(&c->ahead_us)
                                     : clock_now(&clock_system);
}

void db_clock_init(struct db_clock *c)
{
    c->clock = (struct clock){.now = now};
    atomic_init(&c->ahead_us, 0);
    atomic_init(&c->skew_us, 0);
    atomic_init(&c->measured, false);
}

int db_clock_measure(struct clock *clock, struct db *db, struct err *e)
{
    struct db_clock *c = (struct db_clock *)clock;
    wall_us asked, answered, database, half, ahead;
    struct db_rows q;

    if (clock->now != now)
        return 0;
    asked = (wall_us)clock_monotonic_us();
    if (db_query(db, &sql_watch_clock, NULL, &q, e) < 0)
        return -1;
    answered = (wall_us)clock_monotonic_us();
    database = db_get_time(&q, 0, 0);
    db_rows_release(&q);
    half = (answered - asked) / 2;
    ahead = database - (asked + half);
    atomic_store(&c->skew_us, clock_now(&clock_system) - (database + half));
    /* A difference within half the round trip is measurement error. Then the clock is not changed, so it does not
     * run backwards either. */
    if (!atomic_load(&c->measured) || llabs(ahead - (wall_us)atomic_load(&c->ahead_us)) > half)
        atomic_store(&c->ahead_us, ahead);
    atomic_store(&c->measured, true);
    return 0;
}

double db_clock_skew_s(const struct clock *clock)
{
    const struct db_clock *c = (const struct db_clock *)clock;

    return clock->now == now ? (double)atomic_load(&c->skew_us) / 1e6 : 0;
}

bool db_clock_may_lead(const struct clock *clock)
{
    return fabs(db_clock_skew_s(clock)) <= DB_CLOCK_LEADS_S;
}

double db_clock_jump_s(int64_t went_us, int64_t monotonic_us)
{
    return (double)(went_us - monotonic_us) / 1e6;
}
