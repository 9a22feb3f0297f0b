/* server/domain/queue/dispatcher.h: handles frequent worker requests in batches: claims on one thread and
 * connection, heartbeats and completions (reports.c) on another.
 *
 * Requests that arrive within 2 ms, or while the previous batch was served (at most 64), share one transaction.
 * A claim that finds no job stays parked until a job becomes ready on this server (dispatcher_wake) or on
 * another one (checked each second), or until its time is over. */
#ifndef VIVACE_SERVER_DISPATCHER_H
#define VIVACE_SERVER_DISPATCHER_H

#include "base/strbuf.h"
#include "server/domain/farm.h"
#include "wire/json.h"
#include "wire/lease.h"

struct parked; /* a request that waits for its reply; owned by server/api */

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
    int64_t token;     /* id of the token in the request; 0: a person's session */
    uint64_t until_us; /* monotonic; a parked claim ends at this time */
    struct hot_request *next;
};

/* Callbacks that answer requests. The dispatcher's threads call them. Each but `gone` ends the parked request. */
struct dispatcher_answers {
    /* Takes ownership of v. NULL means out of memory. */
    void (*json)(struct parked *p, const char *request_id, json_t *v);
    void (*error)(struct parked *p, const char *request_id, const struct err *why);
    void (*nothing)(struct parked *p); /* the client has disconnected */
    bool (*gone)(const struct parked *p);
};

struct dispatcher_settings {
    int64_t job_time_s, job_memory_bytes;
    uint32_t heartbeat_s;
};
/* `answers` must outlive the dispatcher. */
int dispatcher_start(struct farm *farm, const struct dispatcher_settings *s,
                     const struct dispatcher_answers *answers, struct dispatcher **out, struct err *e);
/* Answers waiting and new claims at once, with the jobs that are ready. Other requests are served as before. */
void dispatcher_drain(struct dispatcher *d);
/* Answers all waiting requests: claims with an empty list, others with 503. */
void dispatcher_stop(struct dispatcher *d);

/* Allocates a request. NULL: too many are waiting (ERR_BUSY). The caller fills it, parks the HTTP request and
 * submits it, or drops it if parking fails. */
struct hot_request *dispatcher_request(struct dispatcher *d, enum hot_kind kind, struct err *e);
void dispatcher_drop(struct dispatcher *d, struct hot_request *h);
/* Takes ownership of h and its parked request. */
void dispatcher_submit(struct dispatcher *d, struct hot_request *h);
/* A job may have become ready: a run was created, a trace was bound, a job was retried. Thread-safe. */
void dispatcher_wake(struct dispatcher *d);
/* As dispatcher_wake(), for a notice from another server: this server does not notify others. */
void dispatcher_look(struct dispatcher *d);

/* Whether claims and reports use most of a thread's time at present. Then other work should yield. For
 * executor_yield_to(). */
bool dispatcher_strained(void *dispatcher);

/* Appends the dispatcher's metrics, for /metrics. */
void dispatcher_metrics(struct dispatcher *d, struct strbuf *out);

#endif
