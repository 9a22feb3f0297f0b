/* server/domain/run/sample_replace.h: removes a launch that could not be simulated from its run, at a user's
 * request. The next launch in its stratum's order replaces it, or none does. Both assume that the launch is similar
 * to the others of its stratum, and the run reports this assumption. Runs with a stopping rule replace launches
 * automatically (stopping.h). */
#ifndef VIVACE_SERVER_RUN_SAMPLE_REPLACE_H
#define VIVACE_SERVER_RUN_SAMPLE_REPLACE_H

#include "server/store/repo/repo_run.h"

struct sample_removal {
    struct clock *clock;
    const struct run_row *run; /* the run as it was read */
    const char *job, *by;      /* a failed job of the run; the user's name */
};
/* Replaces the launch on all designs: its jobs leave the run, and a replacing launch gets one job per design. A
 * run that was over continues. ERR_CONFLICT: the job has not failed, no other launch is available, or the run's
 * state does not allow it. Takes about a second for some million launches. */
int sample_replace(struct db *db, const struct sample_removal *t, struct err *e) MUST_CHECK;
/* Removes the launch without replacement: its stratum is projected from the other samples. The failed job keeps
 * its error. ERR_CONFLICT also if no other sample of the stratum has a result or can get one. */
int sample_drop(struct db *db, const struct sample_removal *t, struct err *e) MUST_CHECK;

#endif
