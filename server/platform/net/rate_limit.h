/* server/platform/net/rate_limit.h: token buckets: a rate of calls per second and a burst, for each credential and
 * each address. The counts are in memory and of this server only. The table has a fixed size with four places for
 * each key. A new key replaces the fullest of its four buckets, which loses the least information. */
#ifndef VIVACE_SERVER_RATE_LIMIT_H
#define VIVACE_SERVER_RATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct rate {
    uint32_t a_second, burst; /* calls per second, 0: no limit; calls at once */
};
struct rate_state {
    bool limited; /* a limit applies to this key */
    bool refused;
    uint32_t burst, left; /* calls */
    uint32_t wait_s;      /* seconds until the next call is accepted; 0: now */
};

struct rate_limit;
int rate_limit_new(struct rate_limit **out, struct err *e) MUST_CHECK;
void rate_limit_free(struct rate_limit *l);
/* Counts one call of `key`. now_us: a time that never decreases (clock_monotonic_us()). */
struct rate_state rate_take(struct rate_limit *l, const char *key, struct rate rate, uint64_t now_us);
/* The state that rate_take() would return, without counting a call. */
struct rate_state rate_peek(struct rate_limit *l, const char *key, struct rate rate, uint64_t now_us);

#endif
