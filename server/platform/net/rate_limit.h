/* server/platform/net/rate_limit.h: token buckets: a number of calls a second, and a burst of some more, for each
 * credential and each address. In memory, of this server alone; the table is bounded, and of four places that a key
 * may stand in the one that is fullest makes room, which loses nothing. */
#ifndef VIVACE_SERVER_RATE_LIMIT_H
#define VIVACE_SERVER_RATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct rate {
    uint32_t a_second, burst; /* a_second 0: no limit */
};
struct rate_state {
    bool limited; /* a limit applies at all */
    bool refused;
    uint32_t burst, left; /* calls */
    uint32_t wait_s;      /* until the next call is taken; 0: now */
};

struct rate_limit;
int rate_limit_new(struct rate_limit **out, struct err *e) MUST_CHECK;
void rate_limit_free(struct rate_limit *l);
/* Counts one call of `key` at a time that never runs backwards (clock_monotonic_us()). */
struct rate_state rate_take(struct rate_limit *l, const char *key, struct rate rate, uint64_t now_us);
/* The same without counting. */
struct rate_state rate_peek(struct rate_limit *l, const char *key, struct rate rate, uint64_t now_us);

#endif
