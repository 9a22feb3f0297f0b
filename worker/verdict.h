/* worker/verdict.h: how the end of a vivace-sim process reads as the end of an attempt. A pure function, so that
 * every case is a row of a test. vivace-sim's own exit codes stand in its --help. */
#ifndef VIVACE_WORKER_VERDICT_H
#define VIVACE_WORKER_VERDICT_H

#include <stdint.h>

#include "wire/lease.h"

enum sim_exit_code {
    SIM_EXIT_OK = 0,
    SIM_EXIT_USAGE = 2,
    SIM_EXIT_BAD_INPUT = 3,
    SIM_EXIT_UNSUPPORTED = 4,
    SIM_EXIT_MISMATCH = 5,
    SIM_EXIT_DEADLOCK = 6,
    SIM_EXIT_LIMIT_CYCLES = 7,
    SIM_EXIT_MEMORY = 8,
    SIM_EXIT_TRY_AGAIN = 75
};

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
