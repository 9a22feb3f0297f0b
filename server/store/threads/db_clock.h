/* server/store/threads/db_clock.h: the farm's one clock, which is the database's: every deadline is made by it, and
 * compared with it, on whichever server. Between two measurements it goes on with this machine's monotonic clock,
 * so that nobody who sets the machine's time of day moves it. */
#ifndef VIVACE_SERVER_DB_CLOCK_H
#define VIVACE_SERVER_DB_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "server/store/db/db.h"

#define DB_CLOCK_LEADS_S                                                                                           \
    5 /* a server whose own clock is further off does not lead: something is wrong with its machine */

#define DB_CLOCK_DIFFERS_S 2 /* so far apart, clocks are named */

struct db_clock {
    struct clock clock; /* this machine's time of day until it is measured */
    atomic_int_fast64_t ahead_us, skew_us;
    atomic_bool measured;
};
void db_clock_init(struct db_clock *c);
/* Asks the database what time it is. `clock` is what db_clock_init() made; others are left alone. */
int db_clock_measure(struct clock *clock, struct db *db, struct err *e) MUST_CHECK;
/* This machine's time of day less the database's, in seconds, when it was measured last; 0 for other clocks. */
double db_clock_skew_s(const struct clock *clock);
bool db_clock_may_lead(const struct clock *clock);
/* How far a wall clock has gone beyond the monotonic one between two looks, in seconds; pure. */
double db_clock_jump_s(int64_t went_us, int64_t monotonic_us);

#endif
