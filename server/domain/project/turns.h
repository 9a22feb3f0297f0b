/* server/domain/project/turns.h: whose turn it is to be projected: runs that rest, wait, or are in a hand
 * (projector.c). One thread finds (turns_wait, turns_seen, turns_forget_unseen), any number of hands take and put
 * back. */
#ifndef VIVACE_SERVER_RUN_TURNS_H
#define VIVACE_SERVER_RUN_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "server/store/repo/repo_job.h"

struct turns;

/* What was last published of a run, and when it may be published again. The finder's alone. */
struct last_published {
    uint64_t next_us;
    int64_t version, leased; /* when its jobs were counted */
    struct job_counts counts;
};

int turns_new(struct turns **out, struct err *e) MUST_CHECK;
void turns_free(struct turns *t);

/* The run begins to wait, if it rests and its time has come. */
void turns_wait(struct turns *t, const char *id, uint64_t now_us);
size_t turns_waiting(struct turns *t);
/* The run that has been due the longest: where there are more than the hands can do, each has its turn. */
bool turns_take(struct turns *t, char id[UUID_TEXT]);
/* It rests, and may wait again from then on. */
void turns_back(struct turns *t, const char *id, uint64_t next_us);
/* The same of one whose projection failed; how often it has, one time after the other. */
unsigned turns_back_failed(struct turns *t, const char *id, uint64_t next_us);
#define TURNS_FAILURES_MAX 3 /* so often, and it is no accident any more */
size_t turns_stuck(struct turns *t);

/* The run is open still. The pointer is good until the next call of turns_wait, turns_seen or turns_forget_unseen;
 * NULL: no memory, so another time. */
struct last_published *turns_seen(struct turns *t, const char *id);
/* Those that rest and were not seen since the last call are dropped. */
void turns_forget_unseen(struct turns *t);

#endif
