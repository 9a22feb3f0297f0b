/* server/domain/access/login_guard.h: wrong passwords slow down those who guess, and nobody else. Three counts,
 * each of the last 15 minutes:
 *
 *   address  from the tenth failure on, each further one doubles a pause (1 s ... 5 min) in which tries from there
 *            are refused
 *   account  from the tenth on, tries are looked at in turns, one in a while, whatever they come from; who waits
 *            for a turn is not refused as long as there is a place. Addresses that have had fewer turns go first,
 *            and take the place of one that has had more; a try less than a second after the one before counts as a
 *            turn: those who guess ask often, an owner does not
 *   device   one that has signed in before (device.h) counts for itself: neither of the above holds for it, until
 *            it has failed ten times
 *
 * In memory, of this server alone; the table is bounded, and the entry that was used longest ago makes room. Any
 * thread may call. */
#ifndef VIVACE_SERVER_LOGIN_GUARD_H
#define VIVACE_SERVER_LOGIN_GUARD_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/err.h"

enum { LOGIN_FREE_TRIES = 10, LOGIN_PLACES = 8, LOGIN_TURN_S = 4 };

struct login_guard;
/* turn_us: from one look at an account's password to the next. */
int login_guard_new(struct clock *clock, uint64_t turn_us, struct login_guard **out, struct err *e) MUST_CHECK;
void login_guard_stop(struct login_guard *g); /* nobody waits any more; NULL is fine */
void login_guard_free(struct login_guard *g);

/* Seconds until a try may be made from this address; 0: now. */
int login_guard_address(struct login_guard *g, const char *address);
/* Waits for a turn, where the account has failures. 0: now. Else every place is taken: seconds until there should
 * be one. */
int login_guard_turn(struct login_guard *g, const char *login, const char *address);
/* Whether the device still counts for itself. */
bool login_guard_device(struct login_guard *g, const char *device);
/* device NULL: of none that is known. */
void login_guard_failed(struct login_guard *g, const char *login, const char *address, const char *device);
unsigned login_guard_waiting(struct login_guard *g);

#endif
