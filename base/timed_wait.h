/* base/timed_wait.h: condition variables whose waits end by the monotonic clock: a time of day that jumps neither
 * shortens nor lengthens them. */
#ifndef VIVACE_BASE_TIMED_WAIT_H
#define VIVACE_BASE_TIMED_WAIT_H

#include <pthread.h>
#include <stdint.h>

void timed_cond_init(pthread_cond_t *cond);
/* With the lock held, on a cond of timed_cond_init(): until it is signalled, until clock_monotonic_us()
 * (base/clock.h) is until_us, or for no reason, as with all condition variables. */
void timed_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until_us);

#endif
