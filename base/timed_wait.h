/* base/timed_wait.h: condition variables whose timeouts use the monotonic clock. A jump of the time of day does not
 * change them. */
#ifndef VIVACE_BASE_TIMED_WAIT_H
#define VIVACE_BASE_TIMED_WAIT_H

#include <pthread.h>
#include <stdint.h>

void timed_cond_init(pthread_cond_t *cond);
/* Call with the lock held, on a condition of timed_cond_init(). Waits until the condition is signalled or
 * clock_monotonic_us() (base/clock.h) reaches until_us. Spurious wakeups are possible. */
void timed_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until_us);

#endif
