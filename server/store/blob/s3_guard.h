/* server/store/blob/s3_guard.h: a circuit breaker: refuses calls to a store that does not answer.
 *
 *   CLOSED --S3_GUARD_FAILURES calls in a row without an answer--> OPEN --a probe is let through--> HALF OPEN
 *     ^                                                             ^                              |      |
 *     '------------------------ any answer -------------------------|------------------------------'      |
 *                                                                   '--------- no answer -----------------'
 *
 * While it is not CLOSED, calls are refused at once. A probe is due S3_GUARD_TRY_S after the last attempt. If no
 * probe is sent, a normal call serves as the probe after S3_GUARD_ALONE_S. Times are of clock_monotonic_us(). Any
 * thread may call. */
#ifndef VIVACE_SERVER_S3_GUARD_H
#define VIVACE_SERVER_S3_GUARD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { S3_GUARD_FAILURES = 3, S3_GUARD_TRY_S = 4, S3_GUARD_ALONE_S = 30 };

struct s3_guard { /* a member of the owner's structure */
    pthread_mutex_t lock;
    unsigned failures; /* consecutive failures */
    bool open, probing;
    uint64_t since_us, tried_us, answered_us; /* time of opening; of the last try while open; of the last answer */
    uint64_t opened, refused;                 /* counters */
    char why[200];                            /* message of the last failure */
};
struct s3_facts {
    bool answers;             /* false: calls are refused */
    double silent_s;          /* seconds since it was opened; 0 while the store answers */
    uint64_t opened, refused; /* counts since the start of the process */
};

void s3_guard_init(struct s3_guard *g);
void s3_guard_release(struct s3_guard *g);

/* Call before a request. 0: the request may be sent, and s3_guard_left() must follow. -1 with ERR_UNAVAILABLE: it
 * is refused at once. where: the store's name in the message. */
int s3_guard_enter(struct s3_guard *g, bool probe, const char *where, uint64_t now_us, struct err *e) MUST_CHECK;
/* Call after a request. why: NULL: the store answered, with any status; else the failure. */
void s3_guard_left(struct s3_guard *g, const char *why, uint64_t now_us);
/* Reports whether s3_guard_enter() would refuse a request. Starts none. */
int s3_guard_ask(struct s3_guard *g, const char *where, uint64_t now_us, struct err *e) MUST_CHECK;
/* True: a probe should be sent now, because the guard is open or no answer arrived for idle_us. */
bool s3_guard_due(struct s3_guard *g, uint64_t idle_us, uint64_t now_us);
void s3_guard_facts(struct s3_guard *g, uint64_t now_us, struct s3_facts *out);

#endif
