/* server/domain/queue/dispatcher.h: everything hot, in batches: claims on one thread and connection, signs of life
 * and completions (reports.c) on another.
 *
 * Requests that arrive within 2 ms, or while the batch before them was served (64 at most), share one transaction.
 * A claim that finds nothing stays parked until something becomes ready here (dispatcher_wake), elsewhere (a look
 * each second), or its time is over. */
#ifndef VIVACE_SERVER_DISPATCHER_H
#define VIVACE_SERVER_DISPATCHER_H

#include "base/strbuf.h"
#include "server/domain/farm.h"
#include "wire/json.h"
#include "wire/lease.h"

struct parked; /* a request that waits for its answer: of the floor above */

enum hot_kind { HOT_CLAIM, HOT_BEAT, HOT_COMPLETE };
struct hot_request {
    enum hot_kind kind;
    union {
        struct claim_request claim;
        struct heartbeat_request beat;
        struct complete_request complete;
    } u;
    struct parked *parked;
    char request_id[37];
    int64_t token;     /* what it came with; 0: a person's session */
    uint64_t until_us; /* monotonic: a claim waits so long */
    struct hot_request *next;
};

/* How requests are answered. From the dispatcher's threads; each but `gone` ends the parked request. */
struct dispatcher_answers {
    /* Takes v over; NULL means that memory ran out. */
    void (*json)(struct parked *p, const char *request_id, json_t *v);
    void (*error)(struct parked *p, const char *request_id, const struct err *why);
    void (*nothing)(struct parked *p); /* the client went away */
    bool (*gone)(const struct parked *p);
};

struct dispatcher_settings {
    int64_t job_time_s, job_memory_bytes;
    uint32_t heartbeat_s;
};
/* `answers` outlives it. */
int dispatcher_start(struct farm *farm, const struct dispatcher_settings *s,
                     const struct dispatcher_answers *answers, struct dispatcher **out, struct err *e);
/* Claims that wait are answered with what there is, and so are new ones: at once. The rest goes on. */
void dispatcher_drain(struct dispatcher *d);
/* Answers what waits: claims with an empty list, the rest with 503. */
void dispatcher_stop(struct dispatcher *d);

/* NULL: too many wait already (ERR_BUSY). The caller fills it, parks the request and submits; when
 * that fails he drops it. */
struct hot_request *dispatcher_request(struct dispatcher *d, enum hot_kind kind, struct err *e);
void dispatcher_drop(struct dispatcher *d, struct hot_request *h);
/* Takes over h and its parked request. */
void dispatcher_submit(struct dispatcher *d, struct hot_request *h);
/* Something may have become ready: a run was made, a trace bound, a job retried. From any thread. */
void dispatcher_wake(struct dispatcher *d);
/* The same, where another server said so: it is not passed on. */
void dispatcher_look(struct dispatcher *d);

/* Whether leases and reports together need most of a thread's time at present: others should leave them the
 * machine. For executor_yield_to(). */
bool dispatcher_strained(void *dispatcher);

/* For /metrics. */
void dispatcher_metrics(struct dispatcher *d, struct strbuf *out);

#endif
