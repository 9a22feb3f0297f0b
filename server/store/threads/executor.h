/* server/store/threads/executor.h: threads for tasks that may block. Each thread has its own database connection,
 * which it opens at first use and again when it was lost. The queue is bounded, so that requests are refused under
 * overload instead of waiting without limit. */
#ifndef VIVACE_SERVER_EXECUTOR_H
#define VIVACE_SERVER_EXECUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct db;
struct executor; /* opaque */

/* name: for logs and metrics, like "db" or "cpu". wait_most_s: see executor_submit_request(); 0: no limit. */
int executor_start(const char *name, unsigned threads, size_t queue_max, uint64_t wait_most_s, const char *conninfo,
                   struct executor **out, struct err *e);
/* Runs task(db, ctx) on one of the threads, in order of submission. -1 with ERR_BUSY: the queue is full or the
 * executor is stopping, and task is never called. */
typedef void (*executor_task)(struct db *db, void *ctx);
int executor_submit(struct executor *x, executor_task task, void *ctx, struct err *e) MUST_CHECK;
/* As executor_submit(), for a request of a client. It is also refused when the first task of the queue has waited
 * for wait_most_s, because the client would give up before its answer, and in the last quarter of the queue, which
 * is reserved for the server's own tasks. */
int executor_submit_request(struct executor *x, executor_task task, void *ctx, struct err *e) MUST_CHECK;
/* Call it before the first task is submitted. While strained(ctx) is true, tasks run one at a time, and a pause
 * follows each. The pause is as long as the task when few tasks wait, up to four times as long when many do. So
 * other work gets most of the machine. strained() is called often, with a lock held. */
typedef bool (*executor_strained)(void *ctx);
void executor_yield_to(struct executor *x, executor_strained strained, void *ctx);
size_t executor_waiting(struct executor *x);
size_t executor_busy(struct executor *x); /* threads that run a task */
/* Waits until no task is queued or running. Returns whether there was one. x may be NULL. */
bool executor_wait(struct executor *x);
/* Runs all queued tasks, then ends the threads. */
void executor_stop(struct executor *x);

#endif
