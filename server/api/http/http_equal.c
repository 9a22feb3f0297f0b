#include "server/api/http/http_equal.h"

#include "server/api/http/http_internal.h"

/* Call with the lock held. */
static void leave(struct equal_waiting *w, struct http_request *r)
{
    struct http_request **at = &w->first;

    while (*at != r)
        at = &(*at)->next_waiting;
    *at = r->next_waiting;
    r->next_waiting = NULL;
}

int equal_submit(struct equal_waiting *w, struct http_request *r, struct executor *x, executor_task task,
                 struct err *e)
{
    struct http_request *first;
    int ret = 0;

    pthread_mutex_lock(&w->lock);
    for (first = w->first; first && !w->equal(first, r);)
        first = first->next_waiting;
    if (first) {
        r->equals = first->equals;
        first->equals = r;
    } else {
        r->next_waiting = w->first;
        w->first = r;
        ret = executor_submit_request(x, task, r, e);
        if (ret < 0)
            leave(w, r);
    }
    pthread_mutex_unlock(&w->lock);
    return ret;
}

struct http_request *equal_begin(struct equal_waiting *w, struct http_request *r)
{
    struct http_request *others;

    pthread_mutex_lock(&w->lock);
    leave(w, r);
    others = r->equals;
    r->equals = NULL;
    pthread_mutex_unlock(&w->lock);
    return others;
}
