/* tests/scenario/fibers.h: the threads of servers as fibers of one thread.
 *
 * The servers' objects are linked with --wrap (see the Makefile), so their system calls end up here:
 * pthread_create() creates a fiber, waiting and sleeping switch to another fiber, clocks show virtual time, and
 * random bytes come from the seed. The servers' code is unchanged. The seed selects which fiber runs next. A
 * fiber runs until it waits, and only one fiber runs at a time. */
#ifndef VIVACE_TESTS_SCENARIO_FIBERS_H
#define VIVACE_TESTS_SCENARIO_FIBERS_H

#include <stdbool.h>
#include <stdint.h>

struct fiber;
struct fiber *fiber_new(int owner, void *(*run)(void *ctx), void *ctx);
bool fibers_step(void);        /* runs one fiber that can run until it waits; false: none can run */
uint64_t fibers_next_us(void); /* when the next fiber wakes without an event; UINT64_MAX: never */
void fibers_drop(int owner);   /* a crash of this server: its fibers never run again */
void fibers_forget(void);      /* removes all fibers */

/* For the running fiber. Outside of a fiber these do nothing. */
bool fiber_running(void);
int fiber_owner(void); /* number of the server; -1: outside of a fiber */
void fiber_sleep(uint64_t us);
void fiber_wait(const void *on, uint64_t until_us); /* until woken, or until that time */
void fiber_wake(const void *on, bool all);

#endif
