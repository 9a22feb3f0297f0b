/* server/domain/access/login_guard.h: slows down password guessing without locking out the account's owner. There
 * are three failure counts, each over the last 15 minutes:
 *
 *   address  from the tenth failure on, tries from this address are refused during a pause. Each further failure
 *            doubles the pause (1 s ... 5 min)
 *   account  from the tenth failure on, tries are checked one after the other, with a fixed interval, from all
 *            addresses. A try waits for its turn, unless the waiting list is full. Addresses that have used fewer
 *            turns go first, and replace an address that has used more when the list is full. A try less than a
 *            second after the previous one counts as a turn, because guessing programs retry fast and owners do not
 *   device   a device that has signed in before (device.h) has a count of its own. The limits above do not apply to
 *            it before its tenth failure
 *
 * The counts are in memory and belong to this server only. The table has a fixed size; a new entry replaces the
 * least recently used one. Thread-safe. */
#ifndef VIVACE_SERVER_LOGIN_GUARD_H
#define VIVACE_SERVER_LOGIN_GUARD_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/err.h"

enum { LOGIN_FREE_TRIES = 10, LOGIN_PLACES = 8, LOGIN_TURN_S = 4 };

struct login_guard;
/* turn_us: the interval between two password checks of one account. */
int login_guard_new(struct clock *clock, uint64_t turn_us, struct login_guard **out, struct err *e) MUST_CHECK;
void login_guard_stop(struct login_guard *g); /* ends all waiting; NULL is allowed */
void login_guard_free(struct login_guard *g);

/* Seconds until a try may be made from this address; 0: now. */
int login_guard_address(struct login_guard *g, const char *address);
/* Waits for a turn if the account has too many failures. 0: check the password now. Otherwise the list is full;
 * returns the seconds until a place is expected. */
int login_guard_turn(struct login_guard *g, const char *login, const char *address);
/* Whether the device's own count still applies. */
bool login_guard_device(struct login_guard *g, const char *device);
/* device NULL: no known device. */
void login_guard_failed(struct login_guard *g, const char *login, const char *address, const char *device);
unsigned login_guard_waiting(struct login_guard *g);

#endif
