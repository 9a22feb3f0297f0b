/* server/store/threads/background.h: a thread with a database connection of its own that does something now and
 * then. */
#ifndef VIVACE_SERVER_BACKGROUND_H
#define VIVACE_SERVER_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/store/db/db.h"

struct background { /* lives inside its owner */
    struct db *db;  /* the thread's; the owner's again after background_stop() */
    pthread_mutex_t lock;
    pthread_cond_t cond;  /* on the monotonic clock */
    bool stopping, woken; /* under lock */
    pthread_t thread;
};

/* Opens the connection and runs run(ctx) on a thread of its own; `what` is for messages ("the projector"). On -1
 * nothing is left to release. */
int background_start(struct background *b, const char *conninfo, void *(*run)(void *), void *ctx, const char *what,
                     struct err *e);
/* The same for one that may never have anything to do: it connects with its first statement. */
int background_start_unconnected(struct background *b, const char *conninfo, void *(*run)(void *), void *ctx,
                                 const char *what, struct err *e);
/* For the thread: sleeps until woken, stopped, or `us` later. False: it is time to end. */
bool background_rest(struct background *b, uint64_t us);
/* Ends the next background_rest() at once; the caller holds the lock. */
void background_wake_locked(struct background *b);
/* Tells the thread to end and waits for it; then the owner tidies up, with the connection still open. */
void background_stop(struct background *b);
void background_release(struct background *b);

#endif
