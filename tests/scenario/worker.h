/* tests/scenario/worker.h: model workers. They send the messages of the real worker, through wire/lease.h, and
 * keep the same state (worker/agent.c, report.c, spool.c). They simulate nothing: a result is a function of trace
 * and design. They die, freeze beyond their lease and continue, lose their state, and repeat acknowledged
 * messages. */
#ifndef VIVACE_TESTS_SCENARIO_WORKER_H
#define VIVACE_TESTS_SCENARIO_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#define WORKERS_MAX 5

void workers_begin(int count);
void workers_calm(void);  /* faults end: all workers live, and no job fails any more */
bool workers_idle(void);  /* no leases and no undelivered outcomes */
void workers_check(void); /* every acknowledged outcome is in the database */
void workers_forget(void);
/* The number of cycles of this trace on this design, always the same. */
uint64_t cycles_of(const char *trace, const char *design);

#endif
