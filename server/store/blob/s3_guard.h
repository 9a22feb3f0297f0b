/* server/store/blob/s3_guard.h: whether calls to the store are worth their time (a circuit breaker).
 *
 *   CLOSED --S3_GUARD_FAILURES calls in a row without an answer--> OPEN --a probe is let through--> HALF OPEN
 *     ^                                                             ^                              |      |
 *     '------------------------ any answer -------------------------|------------------------------'      |
 *                                                                   '--------- no answer -----------------'
 *
 * While it is not CLOSED, calls are refused at once. A probe is due S3_GUARD_TRY_S after the last try; where nobody
 * makes probes, a call takes its place after S3_GUARD_ALONE_S. Times are of clock_monotonic_us(). Any thread may
 * call. */
#ifndef VIVACE_SERVER_S3_GUARD_H
#define VIVACE_SERVER_S3_GUARD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { S3_GUARD_FAILURES = 3, S3_GUARD_TRY_S = 4, S3_GUARD_ALONE_S = 30 };

struct s3_guard { /* lives inside its owner */
    pthread_mutex_t lock;
    unsigned failures; /* in a row */
    bool open, probing;
    uint64_t since_us, tried_us, answered_us; /* open since; the last try of an open one; the last answer */
    uint64_t opened, refused;                 /* counters */
    char why[200];                            /* the last failure, in words */
};
struct s3_facts {
    bool answers;             /* false: calls are refused */
    double silent_s;          /* since it was opened; 0 where it answers */
    uint64_t opened, refused; /* since the start */
};

void s3_guard_init(struct s3_guard *g);
void s3_guard_release(struct s3_guard *g);

/* 0: go, and say afterwards how it went: s3_guard_left(). -1: ERR_UNAVAILABLE, at once. `where` is for the
 * sentence.
 */
int s3_guard_enter(struct s3_guard *g, bool probe, const char *where, uint64_t now_us, struct err *e) MUST_CHECK;
/* why: NULL: the store answered, whatever it said; else what happened instead. */
void s3_guard_left(struct s3_guard *g, const char *why, uint64_t now_us);
/* As s3_guard_enter() for a call that is not made: whether one would be refused. */
int s3_guard_ask(struct s3_guard *g, const char *where, uint64_t now_us, struct err *e) MUST_CHECK;
/* Whether a probe should be made now: it is open, or there was no answer for idle_us. */
bool s3_guard_due(struct s3_guard *g, uint64_t idle_us, uint64_t now_us);
void s3_guard_facts(struct s3_guard *g, uint64_t now_us, struct s3_facts *out);

#endif
