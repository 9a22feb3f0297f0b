/* server/domain/queue/job_slices.h: the leader creates and cancels the jobs of large runs in slices of some
 * thousand jobs. */
#ifndef VIVACE_SERVER_QUEUE_JOB_SLICES_H
#define VIVACE_SERVER_QUEUE_JOB_SLICES_H

#include "base/clock.h"
#include "base/strbuf.h"
#include "server/store/repo/repo_job_slice.h"

struct job_slices { /* cached state of the run whose jobs are being created; may be dropped at any time */
    struct unmade_run run;
    struct sample_order order;
    size_t at[2];    /* positions in order.numbers and order.launches; samples before them have their jobs */
    int64_t samples; /* number of samples from there on */
    int64_t size;    /* jobs of the next slice; 0: this is the first */
};
#define JOB_SLICES_INIT                                                                                            \
    {                                                                                                              \
        .order = SAMPLE_ORDER_INIT                                                                                 \
    }
/* Works for most_us at most. 1: there is more to do. */
int job_slices_tick(struct job_slices *s, struct db *db, struct clock *clock, uint64_t most_us,
                    struct err *e) MUST_CHECK;
void job_slices_release(struct job_slices *s);

/* Number of jobs of the next slice, if a slice of `size` jobs took the given time. It limits how long others
 * wait. */
int64_t job_slices_size(int64_t size, uint64_t took_us);

/* Cancels jobs of a cancelled run ("": of any), for most_us at most. 1: there are more. */
int job_slices_cancel(struct db *db, const char *run, struct clock *clock, uint64_t most_us,
                      struct err *e) MUST_CHECK;

#endif
