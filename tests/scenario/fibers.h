/* tests/scenario/fibers.h: the threads of servers as fibers of one thread.
 *
 * The server's objects are linked with --wrap (see the Makefile), so that what they ask of the system is answered
 * here: pthread_create() makes a fiber, waiting and sleeping switch to another one, clocks show virtual time,
 * random bytes come from the seed. The server's code is the very code that ships. Which of several fibers goes on
 * is the seed's choice; a fiber runs until it waits, and never while another runs. */
#ifndef VIVACE_TESTS_SCENARIO_FIBERS_H
#define VIVACE_TESTS_SCENARIO_FIBERS_H

#include <stdbool.h>
#include <stdint.h>

struct fiber;
struct fiber *fiber_new(int owner, void *(*run)(void *ctx), void *ctx);
bool fibers_step(void);        /* one fiber that can, runs until it waits; false: none can */
uint64_t fibers_next_us(void); /* when the next one wakes without an event; UINT64_MAX: never */
void fibers_drop(int owner);   /* a crash: they never run again */
void fibers_forget(void);      /* all of them */

/* For the running fiber; outside of any they do nothing. */
bool fiber_running(void);
int fiber_owner(void); /* -1: outside */
void fiber_sleep(uint64_t us);
void fiber_wait(const void *on, uint64_t until_us); /* until woken, or that moment */
void fiber_wake(const void *on, bool all);

#endif
