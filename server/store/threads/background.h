/* server/store/threads/background.h: a thread with its own database connection that does periodic work. */
#ifndef VIVACE_SERVER_BACKGROUND_H
#define VIVACE_SERVER_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/store/db/db.h"

struct background { /* a member of its owner's structure */
    struct db *db;  /* used by the thread; by the owner again after background_stop() */
    pthread_mutex_t lock;
    pthread_cond_t cond;  /* on the monotonic clock */
    bool stopping, woken; /* the lock protects them */
    pthread_t thread;
};

/* Opens the connection and starts a thread that calls run(ctx). what: the thread's name in messages ("the
 * projector"). On -1 there is nothing to release. */
int background_start(struct background *b, const char *conninfo, void *(*run)(void *), void *ctx, const char *what,
                     struct err *e);
/* As background_start(), for a thread that may never have work: it connects at its first statement. */
int background_start_unconnected(struct background *b, const char *conninfo, void *(*run)(void *), void *ctx,
                                 const char *what, struct err *e);
/* The thread calls this. It sleeps until it is woken or stopped, or for `us` microseconds. False: the thread must
 * end. */
bool background_rest(struct background *b, uint64_t us);
/* Ends the current or next background_rest() at once. The caller holds the lock. */
void background_wake_locked(struct background *b);
/* Asks the thread to end and waits for it. The connection stays open for the owner. */
void background_stop(struct background *b);
void background_release(struct background *b);

#endif
