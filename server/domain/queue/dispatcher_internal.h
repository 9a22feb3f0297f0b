/* server/domain/queue/dispatcher_internal.h: the two lanes of the dispatcher: dispatcher.c leases, reports.c takes
 * signs of life and results. Each has a thread and a connection, so that the commits of both wait for the disk at
 * once.
 */
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
    struct hot_request *first, **last; /* not yet taken */
    size_t count;                      /* of those */
    struct db *db;
    uint64_t since_us, busy_us; /* at work since (0: waits), and in all until then */
};

struct dispatcher {
    struct farm *farm;
    struct dispatcher_settings settings;
    const struct dispatcher_answers *answers;
    pthread_mutex_t lock;
    struct lane claiming, reporting;
    size_t waiting; /* requests that were not answered yet */
    bool woken, stopping;
    /* how busy both lanes were between the last two looks */
    uint64_t looked_us, busy_then_us[2];
    bool strained;
    atomic_bool draining; /* nobody waits for jobs any more */
    /* from reports to claims, under lock: what ended jobs took; something may be ready again */
    double ended_s;
    uint64_t ended;
    bool changed;
    /* the claiming thread's own */
    struct claims *claims;
    struct hot_request *parked; /* claims that found nothing yet */
    uint64_t look_us;
    unsigned turn;
    /* counters, under lock */
    uint64_t claims_done, claim_batches, leases, late, disputed, beats, outcomes[OUTCOME_COUNT];
    uint64_t simulated_cycles;
    double simulation_seconds;
    struct histogram claim_times, report_times; /* of transactions */
};

/* Before waiting, with the lock. */
void lane_rests(struct lane *lane);
/* Waits until something has come (or there is no more), then where several have come a moment for more, and takes
 * all. Called with the lock held, returns with it held. */
struct hot_request *lane_take(struct dispatcher *d, struct lane *lane);
/* Calls `act` for all requests of a kind in batches; the others stay in order. */
typedef void (*batch_fn)(struct dispatcher *d, struct hot_request **items, size_t n);
void lane_batches(struct dispatcher *d, struct hot_request **list, enum hot_kind kind, batch_fn act);

/* Each ends the request. */
void answer_error(struct dispatcher *d, struct hot_request *h, const struct err *why);
void answer_json(struct dispatcher *d, struct hot_request *h, json_t *v);
void session_is_gone(struct err *e);

/* The thread of the reporting lane. */
void *reports_run(void *dispatcher);

#endif
