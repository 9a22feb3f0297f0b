/* server/store/threads/db_clock.h: the farm's clock is the database's clock. All servers set and compare deadlines
 * by it. Between two measurements the clock continues with this machine's monotonic clock, so a change of the
 * machine's time of day does not affect it. */
#ifndef VIVACE_SERVER_DB_CLOCK_H
#define VIVACE_SERVER_DB_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "server/store/db/db.h"

#define DB_CLOCK_LEADS_S                                                                                           \
    5 /* seconds; a server whose own clock differs by more does not become leader: its machine may be faulty */

#define DB_CLOCK_DIFFERS_S 2 /* seconds; a larger difference of clocks is reported */

struct db_clock {
    struct clock clock; /* this machine's time of day until the first measurement */
    atomic_int_fast64_t ahead_us, skew_us;
    atomic_bool measured;
};
void db_clock_init(struct db_clock *c);
/* Reads the database's time. `clock` comes from db_clock_init(); other clocks are not changed. */
int db_clock_measure(struct clock *clock, struct db *db, struct err *e) MUST_CHECK;
/* This machine's time of day minus the database's at the last measurement, in seconds; 0 for other clocks. */
double db_clock_skew_s(const struct clock *clock);
bool db_clock_may_lead(const struct clock *clock);
/* The difference between the progress of a wall clock and of the monotonic clock between two readings, in seconds.
 * Pure. */
double db_clock_jump_s(int64_t went_us, int64_t monotonic_us);

#endif
