#include "worker/verdict.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
    int64_t code;
    enum attempt_outcome outcome;
    const char *sentence;
} by_code[] = {
    {EXIT_DONE, OUTCOME_CRASH, "the simulator ended without a result or an error"},
    {SIM_EXIT_USAGE, OUTCOME_CRASH,
     "the simulator refused the job description: worker and vivace-sim have different versions"},
    {SIM_EXIT_BAD_INPUT, OUTCOME_BAD_INPUT, "the trace or the design cannot be read"},
    {SIM_EXIT_UNSUPPORTED, OUTCOME_UNSUPPORTED,
     "the trace or the design needs a feature that this simulator does not have"},
    {SIM_EXIT_MISMATCH, OUTCOME_MISMATCH, "the trace does not fit the design"},
    {SIM_EXIT_DEADLOCK, OUTCOME_DEADLOCK,
     "the simulated kernel can never finish; the last lines show which warps wait for what"},
    {SIM_EXIT_LIMIT_CYCLES, OUTCOME_LIMIT_CYCLES, "the kernel did not finish within the limit of cycles"},
    {SIM_EXIT_MEMORY, OUTCOME_MEMORY, "the simulation needed more memory than the job's limit"},
    {EXIT_TRY_AGAIN, OUTCOME_DISK, "the simulator could not work on this machine at this time"},
};

static enum attempt_outcome by_signal(const struct sim_exit *x, char *message, size_t size)
{
    bool near_limit = x->memory_limit && x->peak_bytes >= x->memory_limit / 4 * 3;

    if (x->signal == SIGXCPU) {
        snprintf(message, size, "the simulation used up its processor time");
        return OUTCOME_TIMEOUT;
    }
    if (x->signal == SIGSYS) {
        snprintf(message, size, "the simulator tried a system call that its sandbox forbids");
        return OUTCOME_SANDBOX;
    }
    if (x->signal == SIGKILL && near_limit) {
        snprintf(message, size,
                 "the simulation was killed at %" PRIu64 " MiB of memory, near its limit of %" PRIu64 " MiB",
                 x->peak_bytes >> 20, x->memory_limit >> 20);
        return OUTCOME_MEMORY;
    }
    if (x->signal == SIGKILL)
        snprintf(message, size,
                 "the simulator was killed from outside (SIGKILL; often the system ran out of memory)");
    else
        snprintf(message, size, "the simulator crashed: %s", strsignal(x->signal));
    return OUTCOME_CRASH;
}

enum attempt_outcome sim_verdict(const struct sim_exit *x, char *message, size_t size)
{
    if (x->stop == STOP_DEADLINE) {
        snprintf(message, size, "the simulation did not end within its %" PRIu64 " s", x->time_s);
        return OUTCOME_TIMEOUT;
    }
    if (x->stop != STOP_NONE) {
        snprintf(message, size, "returned to the queue before it was finished");
        return OUTCOME_RELEASED;
    }
    if (x->signal)
        return by_signal(x, message, size);
    for (size_t i = 0; i < sizeof by_code / sizeof *by_code; i++)
        if (by_code[i].code == x->status) {
            snprintf(message, size, "%s", by_code[i].sentence);
            return by_code[i].outcome;
        }
    snprintf(message, size, "the simulator ended with the unknown exit code %" PRId64, x->status);
    return OUTCOME_CRASH;
}
