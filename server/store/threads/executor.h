/* server/store/threads/executor.h: threads that do what may block. Each owns one database connection (opened at
 * first use, and again after it was lost); the queue in front of them is bounded, so that overload is answered, not
 * hoarded. */
#ifndef VIVACE_SERVER_EXECUTOR_H
#define VIVACE_SERVER_EXECUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct db;
struct executor; /* opaque */

/* `name` is for logs and metrics: "db", "cpu". wait_most_s: see executor_submit_request(); 0: however long. */
int executor_start(const char *name, unsigned threads, size_t queue_most, uint64_t wait_most_s,
                   const char *conninfo, struct executor **out, struct err *e);
/* Runs task(db, ctx) on one of the threads, in order of submission. -1: ERR_BUSY when the queue is full or the
 * executor is stopping; then task is never called. */
typedef void (*executor_task)(struct db *db, void *ctx);
int executor_submit(struct executor *x, executor_task task, void *ctx, struct err *e) MUST_CHECK;
/* The same for what somebody waits for: refused, too, where the first of the queue has waited for wait_most_s, as
 * the one who asks would have given up before the answer comes, and in the last quarter of the queue, which is for
 * what the server itself has to do. */
int executor_submit_request(struct executor *x, executor_task task, void *ctx, struct err *e) MUST_CHECK;
/* Before anything is submitted: where strained(ctx) says so, when a task could begin, tasks go one at a time, and
 * each is followed by a rest as long as it took, where few tasks wait behind it, up to four times as long where
 * many do: others have most of the machine. strained() is called often, with a lock held. */
typedef bool (*executor_strained)(void *ctx);
void executor_yield_to(struct executor *x, executor_strained strained, void *ctx);
size_t executor_waiting(struct executor *x);
size_t executor_busy(struct executor *x); /* threads at work */
/* Returns when nothing is queued or at work; whether anything was. NULL: nothing is. */
bool executor_wait(struct executor *x);
/* Finishes what is queued, then ends the threads. */
void executor_stop(struct executor *x);

#endif
