#include "server/store/repo/job_state.h"

#include <string.h>

#include "base/assert.h"

/* Maximum number of repetitions of a job. After that it fails. Reasons: farm documentation, "Ends of an
 * attempt". */
enum {
    FAILURES_MAX = 2, /* three crashes of the same job are the job's own fault */
    TIMEOUTS_MAX = 1, /* repeated once with double time */
    TROUBLES_MAX = 10,
    LOSSES_MAX = 5,
    POISON_SESSIONS = 3 /* a job is poison when this number of different workers died while they ran it */
};
#define SECOND_US        ((int64_t)1000000)
#define AFTER_FAILURE_US (10 * SECOND_US)
#define AFTER_LOSS_US    (1 * SECOND_US)
#define TROUBLE_FIRST_US (5 * SECOND_US)
#define TROUBLE_MOST_US  (600 * SECOND_US)

static const char *const names[JOB_STATE_COUNT] = {
#define X(name, text) text,
    JOB_STATE_MAP(X)
#undef X
};

#define TO(state) (1u << JOB_##state)
static const unsigned may_become[JOB_STATE_COUNT] = {
    [JOB_BLOCKED] = TO(READY) | TO(DONE) | TO(CANCELLED),
    [JOB_READY] = TO(BLOCKED) | TO(LEASED) | TO(DONE) | TO(FAILED) | TO(CANCELLED),
    [JOB_LEASED] = TO(BLOCKED) | TO(READY) | TO(DONE) | TO(FAILED) | TO(CANCELLED),
    [JOB_DONE] = TO(BLOCKED) | TO(FAILED) | TO(CANCELLED),
    [JOB_FAILED] = TO(BLOCKED) | TO(DONE),
}; /* CANCELLED is final */

const char *job_state_name(enum job_state s)
{
    ASSERT(s < JOB_STATE_COUNT);
    return names[s];
}

int job_state_from_name(const char *name, enum job_state *out)
{
    for (int i = 0; i < JOB_STATE_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = (enum job_state)i;
            return 0;
        }
    }
    return -1;
}

bool job_may_become(enum job_state from, enum job_state to)
{
    ASSERT(from < JOB_STATE_COUNT && to < JOB_STATE_COUNT);
    return may_become[from] & 1u << to;
}

/* The back-off: 5 s, 10 s, 20 s ... up to 10 min. It varies by +-20 %, so that jobs that failed together are not
 * retried together. */
static int64_t trouble_backoff_us(int troubles, uint64_t jitter_seed)
{
    int64_t us = TROUBLE_FIRST_US;

    ASSERT(troubles > 0);
    for (int i = 1; i < troubles && us < TROUBLE_MOST_US; i++)
        us *= 2;
    if (us > TROUBLE_MOST_US)
        us = TROUBLE_MOST_US;
    return us + (int64_t)(jitter_seed % 401) * us / 1000 - us / 5;
}

static void ready_after(struct job_move *m, wall_us now, int64_t wait_us)
{
    ASSERT(wait_us >= 0);
    m->to = JOB_READY;
    m->ready_at = now + wait_us;
}

static void fail(struct job_move *m, const char *failure)
{
    ASSERT(*failure);
    m->to = JOB_FAILED;
    m->failure = failure;
}

static void after_loss(struct job_move *m, int dead_sessions, wall_us now)
{
    ASSERT(dead_sessions >= 0);
    m->budgets.losses++;
    if (dead_sessions >= POISON_SESSIONS)
        fail(m, "poison");
    else if (m->budgets.losses > LOSSES_MAX)
        fail(m, "lost");
    else
        ready_after(m, now, AFTER_LOSS_US);
}

static void after_failure(struct job_move *m, enum attempt_outcome outcome, wall_us now)
{
    m->budgets.failures++;
    if (m->budgets.failures > (outcome == OUTCOME_TIMEOUT ? TIMEOUTS_MAX : FAILURES_MAX)) {
        fail(m, attempt_outcome_name(outcome));
        return;
    }
    if (outcome == OUTCOME_TIMEOUT)
        m->budgets.time_class++;
    if (outcome == OUTCOME_MEMORY)
        m->budgets.memory_class++;
    ready_after(m, now, outcome == OUTCOME_TIMEOUT || outcome == OUTCOME_MEMORY ? 0 : AFTER_FAILURE_US);
}

struct job_move job_after_attempt(const struct job_budgets *before, enum attempt_end_kind kind,
                                  enum attempt_outcome outcome, int dead_sessions, uint64_t jitter_seed,
                                  wall_us now)
{
    struct job_move m = {.budgets = *before};

    if (kind != END_REPORTED) {
        after_loss(&m, dead_sessions, now);
        return m;
    }
    if (outcome == OUTCOME_OK) {
        m.to = JOB_DONE;
        return m;
    }
    switch (attempt_outcome_budget(outcome)) {
    case BUDGET_NONE: /* released: the worker was asked to stop */ ready_after(&m, now, 0); break;
    case BUDGET_PERMANENT: fail(&m, attempt_outcome_name(outcome)); break;
    case BUDGET_FAILURES: after_failure(&m, outcome, now); break;
    case BUDGET_TROUBLES:
        m.budgets.troubles++;
        if (m.budgets.troubles > TROUBLES_MAX)
            fail(&m, attempt_outcome_name(outcome));
        else
            ready_after(&m, now, trouble_backoff_us(m.budgets.troubles, jitter_seed));
        break;
    }
    ASSERT(m.to == JOB_READY || m.to == JOB_FAILED);
    return m;
}
