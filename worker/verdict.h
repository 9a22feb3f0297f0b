/* worker/verdict.h: how the end of a vivace-sim process reads as the end of an attempt. A pure function, so that
 * every case is a row of a test. vivace-sim's exit codes: base/exit_code.h. */
#ifndef VIVACE_WORKER_VERDICT_H
#define VIVACE_WORKER_VERDICT_H

#include <stdint.h>

#include "wire/lease.h"

/* Why we ended it ourselves. */
enum sim_stop { STOP_NONE, STOP_DEADLINE, STOP_ABORT, STOP_RELEASE };

struct sim_exit {
    int64_t status; /* exit code, when signal is 0 */
    int signal;
    enum sim_stop stop;
    uint64_t time_s;                   /* the job's limit, for the message */
    uint64_t peak_bytes, memory_limit; /* 0: not known, none */
};
/* The outcome of the job that was running when the process ended without saying how the job ended. Writes one
 * sentence into message. */
enum attempt_outcome sim_verdict(const struct sim_exit *x, char *message, size_t size);

#endif
