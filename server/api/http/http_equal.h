/* server/api/http/http_equal.h: equal requests that wait are answered together, by a task that begins after the
 * last of them came: each sees what was written before it asked. A crowd costs as much as it has different
 * questions. */
#ifndef VIVACE_SERVER_HTTP_EQUAL_H
#define VIVACE_SERVER_HTTP_EQUAL_H

#include <pthread.h>
#include <stdbool.h>

#include "server/store/threads/executor.h"

struct http_request;
struct equal_waiting {
    pthread_mutex_t lock;
    struct http_request *first; /* of each question that nobody works at, the request that came first */
    bool (*equal)(const struct http_request *, const struct http_request *);
};
/* task(db, r), unless an equal request waits for it already: r gets its answer then. The connection is suspended.
 */
int equal_submit(struct equal_waiting *w, struct http_request *r, struct executor *x, executor_task task,
                 struct err *e) MUST_CHECK;
/* To be called first in the task: the other requests that it answers, a list by `equals`. Those that come from now
 * on might know of later changes: they wait for another task. */
struct http_request *equal_begin(struct equal_waiting *w, struct http_request *r);

#endif
