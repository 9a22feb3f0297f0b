/* server/domain/project/turns.h: the queue of runs to project. A run rests, waits, or is being projected by a
 * projection worker (a thread of projector.c). One scanner thread calls turns_wait, turns_seen and
 * turns_forget_unseen. Any number of projection workers take runs and put them back. */
#ifndef VIVACE_SERVER_RUN_TURNS_H
#define VIVACE_SERVER_RUN_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "server/store/repo/repo_job.h"

struct turns;

/* The state of a run that was last published, and the earliest time of the next publication. For the scanner
 * only. */
struct last_published {
    uint64_t next_us;
    int64_t version, leased; /* values when the run's jobs were counted */
    struct job_counts counts;
};

int turns_new(struct turns **out, struct err *e) MUST_CHECK;
void turns_free(struct turns *t);

/* Queues the run, if it rests and its resting time has passed. */
void turns_wait(struct turns *t, const char *id, uint64_t now_us);
size_t turns_waiting(struct turns *t);
/* Takes the run that has been due the longest, so that no run starves when there are more runs than the projection
 * workers can serve. */
bool turns_take(struct turns *t, char id[UUID_TEXT]);
/* Puts the run back. It rests until next_us. */
void turns_back(struct turns *t, const char *id, uint64_t next_us);
/* The run is due as soon as it is not being projected: its rest is over. */
void turns_hurry(struct turns *t, const char *id);
/* Puts back a run whose projection failed. Returns the number of consecutive failures. */
unsigned turns_back_failed(struct turns *t, const char *id, uint64_t next_us);
#define TURNS_FAILURES_MAX 3 /* consecutive failures after which the run counts as stuck */
size_t turns_failing(struct turns *t);

/* Marks the run as still open. The pointer is valid until the next call of turns_wait, turns_seen or
 * turns_forget_unseen. NULL: out of memory; try again later. */
struct last_published *turns_seen(struct turns *t, const char *id);
/* Drops the resting runs that were not seen since the last call. */
void turns_forget_unseen(struct turns *t);

#endif
