/* server/domain/run/take_out.h: a launch that could not be simulated, taken out of its run by somebody's word: the
 * next of its stratum's order replaces it, or nothing does. Both take it to be like the others of its stratum,
 * which the run says from then on. Runs with a rule do it by themselves at their looks (stopping.h). */
#ifndef VIVACE_SERVER_RUN_TAKE_OUT_H
#define VIVACE_SERVER_RUN_TAKE_OUT_H

#include "server/store/repo/repo_run.h"

struct take_out {
    struct clock *clock;
    const struct run_row *run; /* as it was found */
    const char *job, *by;      /* a failed job of it; who asks */
};
/* The launch leaves the run on all designs, its jobs with it, and one of a replacing launch comes for each; a
 * run that was over goes on. ERR_CONFLICT: the job has not failed, no launch can stand in, or the run is past that.
 * Takes a second for some million launches. */
int sample_replace(struct db *db, const struct take_out *t, struct err *e) MUST_CHECK;
/* Its stratum is projected from its other samples; the failed job stays and says why. ERR_CONFLICT also where there
 * is no other sample that has a result or may get one. */
int take_out_drop(struct db *db, const struct take_out *t, struct err *e) MUST_CHECK;

#endif
