/* server/domain/queue/dispatcher_internal.h: the two lanes of the dispatcher: dispatcher.c leases jobs,
 * reports.c stores heartbeats and results. Each lane has a thread and a connection, so that their commits wait
 * for the disk in parallel. */
#ifndef VIVACE_SERVER_DISPATCHER_INTERNAL_H
#define VIVACE_SERVER_DISPATCHER_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "server/platform/metrics.h"
#include "server/domain/queue/dispatcher.h"
#include "wire/json.h"

#define BATCH_MAX 64 /* requests in one transaction */

struct lane {
    pthread_t thread;
    pthread_cond_t cond;
    struct hot_request *first, **last; /* requests that no batch has taken yet */
    size_t count;                      /* their number */
    struct db *db;
    uint64_t since_us, busy_us; /* start of the present work (0: idle), and total time of the earlier work */
};

struct dispatcher {
    struct farm *farm;
    struct dispatcher_settings settings;
    const struct dispatcher_answers *answers;
    pthread_mutex_t lock;
    struct lane claiming, reporting;
    size_t waiting; /* requests without an answer */
    bool woken, stopping;
    /* load of both lanes between the last two measurements */
    uint64_t looked_us, busy_then_us[2];
    bool strained;
    atomic_bool draining; /* claims are answered at once instead of parked */
    /* from reports to claims, under lock: durations of ended jobs; whether a job may be ready */
    double ended_s;
    uint64_t ended;
    bool changed;
    /* used by the claim thread only */
    struct claims *claims;
    struct hot_request *parked; /* claims that found no job yet */
    uint64_t look_us;
    unsigned turn;
    /* counters, under lock */
    uint64_t claims_done, claim_batches, leases, late, disputed, beats, outcomes[OUTCOME_COUNT];
    uint64_t simulated_cycles;
    double simulation_seconds;
    struct histogram claim_times, report_times; /* durations of transactions */
};

/* Call it before waiting, with the lock held. */
void lane_rests(struct lane *lane);
/* Waits until a request arrives (or the lane stops). If several have arrived, waits a moment for more. Takes all
 * of them. Called with the lock held, returns with it held. */
struct hot_request *lane_take(struct dispatcher *d, struct lane *lane);
/* Calls `act` for all requests of a kind, in batches. The others keep their order. */
typedef void (*batch_fn)(struct dispatcher *d, struct hot_request **items, size_t n);
void lane_batches(struct dispatcher *d, struct hot_request **list, enum hot_kind kind, batch_fn act);

/* Each of these functions ends the request. */
void answer_error(struct dispatcher *d, struct hot_request *h, const struct err *why);
void answer_json(struct dispatcher *d, struct hot_request *h, json_t *v);
void session_is_gone(struct err *e);

/* The thread of the reports lane. */
void *reports_run(void *dispatcher);

#endif
