/* tests/scenario/worker.h: model workers. They say what the real worker says, through wire/lease.h, and keep what
 * it keeps (worker/agent.c, report.c, spool.c), but simulate nothing: a result is a function of its trace and
 * design. They die, freeze past their lease and go on, forget, and send again what was acknowledged. */
#ifndef VIVACE_TESTS_SCENARIO_WORKER_H
#define VIVACE_TESTS_SCENARIO_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#define WORKERS_MAX 5

void workers_begin(int count);
void workers_calm(void);  /* faults are over: all of them live, and nothing fails any more */
bool workers_idle(void);  /* nothing is held, nothing undelivered */
void workers_check(void); /* what was acknowledged is there */
void workers_forget(void);
/* What the simulation of this trace on this design counts, always. */
uint64_t cycles_of(const char *trace, const char *design);

#endif
