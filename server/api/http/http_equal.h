/* server/api/http/http_equal.h: answers equal waiting requests together. The task begins after the last of them
 * arrived, so each answer includes all writes before its request. The cost depends on the number of different
 * requests, not on the number of clients. */
#ifndef VIVACE_SERVER_HTTP_EQUAL_H
#define VIVACE_SERVER_HTTP_EQUAL_H

#include <pthread.h>
#include <stdbool.h>

#include "server/store/threads/executor.h"

struct http_request;
struct equal_waiting {
    pthread_mutex_t lock;
    struct http_request *first; /* the first request of each group that no task has begun */
    bool (*equal)(const struct http_request *, const struct http_request *);
};
/* Runs task(db, r), unless an equal request waits for its task: then r gets the same answer. The connection is
 * suspended. */
int equal_submit(struct equal_waiting *w, struct http_request *r, struct executor *x, executor_task task,
                 struct err *e) MUST_CHECK;
/* The task calls this first. Returns the other requests that it answers, linked by `equals`. Requests that
 * arrive later wait for another task, because their answer must include later writes. */
struct http_request *equal_begin(struct equal_waiting *w, struct http_request *r);

#endif
