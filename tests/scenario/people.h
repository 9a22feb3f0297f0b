/* tests/scenario/people.h: users of two teams. They plan, run, watch, pause, resume, cancel and retry, and try to
 * read the other team's data. Each call is repeated with its Idempotency-Key until it is answered. */
#ifndef VIVACE_TESTS_SCENARIO_PEOPLE_H
#define VIVACE_TESTS_SCENARIO_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

void people_begin(void);
void people_calm(void); /* no new requests; paused runs are resumed */
/* Resumes paused runs. True: no call is in progress and every requested run has ended. */
bool people_done(void);
/* For the trace: lists runs that have not ended, and the states of their jobs. */
void people_tell_unfinished(void);
void people_check(void);             /* call after people_done(): checks the users' answers against the database */
void people_check_projections(void); /* call last, because it computes the projections again */
void people_forget(void);
/* A worker got this job in answer to a call sent at `asked_us`. Checks that its run was not paused or cancelled
 * then. */
void people_check_lease(const char *job, uint64_t asked_us);

#endif
