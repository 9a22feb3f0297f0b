/* server/access/login_guard.h: wrong passwords slow down whoever guesses. Ten failures within 15 minutes, for one
 * account or from one address, and each further one doubles the pause before the next try is looked at: 1 s, 2 s
 * ... 5 min. Nobody is locked out: after the pause the right password works. In memory, of this server alone; the
 * table is bounded, and the entry that was used longest ago makes room. */
#ifndef VIVACE_SERVER_LOGIN_GUARD_H
#define VIVACE_SERVER_LOGIN_GUARD_H

#include "base/clock.h"
#include "base/err.h"

struct login_guard;
int login_guard_new(struct clock *clock, struct login_guard **out, struct err *e) MUST_CHECK;
void login_guard_free(struct login_guard *g);

/* Seconds until a try may be made; 0: now. */
int login_guard_wait(struct login_guard *g, const char *login, const char *address);
void login_guard_failed(struct login_guard *g, const char *login, const char *address);
/* The right password clears the account's failures, not those of the address: who guesses at many accounts from one
 * place may know one password. */
void login_guard_succeeded(struct login_guard *g, const char *login);

#endif
