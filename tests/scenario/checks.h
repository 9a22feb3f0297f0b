/* tests/scenario/checks.h: what must hold when the storm is over, read from the database. */
#ifndef VIVACE_TESTS_SCENARIO_CHECKS_H
#define VIVACE_TESTS_SCENARIO_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each row of the answer is a broken promise: its columns are reported. `run` (or NULL) is its $1. */
void check_none(const char *promise, const char *run, const char *sql);
/* Each job of the run exactly once, each done one with one result of its key; counts agree; what was cancelled is.
 */
void check_run(const char *run, bool cancel_acknowledged, bool cancel_asked);
/* Of a run whose jobs are all done: its projections are to the byte those of the same plan and designs, computed
 * afresh from what the results must be. */
void check_projection(const char *run);
/* Runs that exist against requests for one that were answered, each with a key of its own. */
void check_keys(int64_t stored, size_t answered);
/* Attempts, waiting jobs, results, leases, storage: all of the farm. */
void check_farm(void);
/* Runs that are over have left the queue's tables and look as before. */
void check_archive(void);

/* What a reader of a run's events saw, over all its connections. */
struct stream_log {
    int team;
    char run[37];
    char *rest; /* of a piece that ended within an event */
    int64_t last, *ids;
    size_t count, room;
    bool reset, over;
};
void stream_follow(struct stream_log *l, int team, const char *run);
void stream_check(const struct stream_log *l);
void stream_forget(struct stream_log *l);

#endif
