/* server/store/repo/job_state.h: the state machine of jobs. The database refuses all other transitions
 * (schema/0009_job.sql).
 *
 *             trace bound          claim             complete
 *   BLOCKED ------------> READY ---------> LEASED ------------> DONE
 *    ^                      ^                |  '-------------> FAILED   a permanent reason, or a budget is used up
 *    |                      '----------------'                    |
 *    |                        lost, released, or worth            | retry by a user, with fresh budgets
 *    |                        another attempt                     |
 *    '------------------------------------------------------------'
 *   BLOCKED, READY and LEASED may become CANCELLED. A late but valid result makes READY and FAILED jobs DONE, and a
 *   result that existed already makes BLOCKED ones DONE. CANCELLED is final.
 *   When the run restarts with another simulator version, READY, LEASED, DONE and FAILED jobs become BLOCKED.
 *   When a result is discarded, its DONE jobs become BLOCKED. When it is quarantined, they become FAILED. In a
 *   cancelled run, they become CANCELLED.
 *
 * The fence is the attempt number. Each lease increments it, and a caller that ends an attempt must pass it.
 * Repeats of a job are limited by three separate budgets. So an unreliable cluster does not make good jobs fail,
 * and a job that kills its workers is not repeated without limit. */
#ifndef VIVACE_SERVER_JOB_STATE_H
#define VIVACE_SERVER_JOB_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "wire/lease.h"

#define JOB_STATE_MAP(X)                                                                                           \
    X(BLOCKED, "blocked")                                                                                          \
    X(READY, "ready") X(LEASED, "leased") X(DONE, "done") X(FAILED, "failed") X(CANCELLED, "cancelled")
enum job_state {
#define X(name, text) JOB_##name,
    JOB_STATE_MAP(X)
#undef X
        JOB_STATE_COUNT
};
const char *job_state_name(enum job_state s);
int job_state_from_name(const char *name, enum job_state *out); /* -1: no such */
bool job_may_become(enum job_state from, enum job_state to);

/* The ways in which an attempt ends: a report of the worker (wire/lease.h), or a decision of the server. */
enum attempt_end_kind {
    END_REPORTED,
    END_LOST /* the session is dead */,
    END_OVERDUE /* the session is alive, but the deadline has passed */
};

struct job_budgets {
    int failures, troubles, losses;
    int memory_class, time_class; /* limits are doubled this number of times */
};
struct job_move {
    enum job_state to;
    wall_us ready_at;           /* the end of the back-off, for READY */
    struct job_budgets budgets; /* the budgets after this attempt */
    const char *failure;        /* for FAILED: the class, like "crash", "lost" or "poison" */
};

/* Computes the new state of a LEASED job whose attempt has ended. outcome: used for END_REPORTED only.
 * dead_sessions: number of different sessions that have died while they ran this job, including this one.
 * jitter_seed: a random number that varies the back-off by +-20 %. */
struct job_move job_after_attempt(const struct job_budgets *before, enum attempt_end_kind kind,
                                  enum attempt_outcome outcome, int dead_sessions, uint64_t jitter_seed,
                                  wall_us now);

#endif
