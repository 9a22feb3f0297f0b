/* server/domain/queue/job_slices.h: what the leader does for large runs: their jobs are created, and cancelled,
 * some thousand at a time. */
#ifndef VIVACE_SERVER_QUEUE_JOB_SLICES_H
#define VIVACE_SERVER_QUEUE_JOB_SLICES_H

#include "base/clock.h"
#include "base/strbuf.h"
#include "server/store/repo/repo_job_slice.h"

struct job_slices { /* what is known of the run that is being created; dropped at any time */
    struct unmade_run run;
    struct sample_order order;
    size_t at[2];    /* in order.numbers and order.launches: samples before it have their jobs */
    int64_t samples; /* from there on */
    int64_t size;    /* jobs of the next slice; 0: the first */
};
#define JOB_SLICES_INIT                                                                                            \
    {                                                                                                              \
        .order = SAMPLE_ORDER_INIT                                                                                 \
    }
/* For most_us. 1: there is more to do. */
int job_slices_tick(struct job_slices *s, struct db *db, struct clock *clock, uint64_t most_us,
                    struct err *e) MUST_CHECK;
void job_slices_release(struct job_slices *s);

/* Jobs of the next slice, where one of `size` took so long: others wait for a slice at most. */
int64_t job_slices_size(int64_t size, uint64_t took_us);

/* Cancels jobs of a run that is cancelled ("": of any), for most_us. 1: there are more. */
int job_slices_cancel(struct db *db, const char *run, struct clock *clock, uint64_t most_us,
                      struct err *e) MUST_CHECK;

#endif
