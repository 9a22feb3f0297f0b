/* tests/scenario/people.h: users of two teams: they plan, run, watch, pause, resume, cancel, retry, and look at
 * what is not theirs; each call is sent again, with its Idempotency-Key, until it is answered. */
#ifndef VIVACE_TESTS_SCENARIO_PEOPLE_H
#define VIVACE_TESTS_SCENARIO_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

void people_begin(void);
void people_calm(void); /* no new requests; whatever is paused goes on */
bool people_done(void);
/* For the trace: which runs have not ended, and what their jobs are. */
void people_tell_unfinished(void);   /* no call is under way, every run that was asked for has ended */
void people_check(void);             /* after that: their answers are true */
void people_check_projections(void); /* last: it makes them again */
void people_forget(void);
/* A worker was given this job by a call of that moment: was its run to be left alone? */
void people_check_lease(const char *job, uint64_t asked_us);

#endif
