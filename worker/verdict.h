/* worker/verdict.h: maps the end of a vivace-sim process to the outcome of an attempt. It is a pure function, so
 * that every case can be tested. The exit codes of vivace-sim: base/exit_code.h. */
#ifndef VIVACE_WORKER_VERDICT_H
#define VIVACE_WORKER_VERDICT_H

#include <stdint.h>

#include "wire/lease.h"

/* The reason why the worker stopped the process. */
enum sim_stop { STOP_NONE, STOP_DEADLINE, STOP_ABORT, STOP_RELEASE };

struct sim_exit {
    int64_t status; /* exit code, when signal is 0 */
    int signal;
    enum sim_stop stop;
    uint64_t time_s;                   /* the job's limit, for the message */
    uint64_t peak_bytes, memory_limit; /* 0: not known, none */
};
/* The outcome of a job whose process ended before it reported the job's end. Writes one sentence to message. */
enum attempt_outcome sim_verdict(const struct sim_exit *x, char *message, size_t size);

#endif
