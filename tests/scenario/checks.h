/* tests/scenario/checks.h: invariants that hold at the end of a scenario, checked in the database. */
#ifndef VIVACE_TESTS_SCENARIO_CHECKS_H
#define VIVACE_TESTS_SCENARIO_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs a query that must return no row. Each row is reported as a violation, with its columns. `run` (or NULL) is
 * $1. */
void check_none(const char *promise, const char *run, const char *sql);
/* Checks a run: each job exists once; each job that is done has one result with its key; counts agree;
 * acknowledged cancellations took effect. */
void check_run(const char *run, bool cancel_acknowledged, bool cancel_asked);
/* For a run whose jobs are all done: its projections have the same bytes as projections of the same plan and
 * designs that are computed again from the known results. */
void check_projection(const char *run);
/* Number of stored runs against the number of answered requests. Each request had its own idempotency key. */
void check_keys(int64_t stored, size_t answered);
/* Checks attempts, waiting jobs, results, leases and storage of the whole farm. */
void check_farm(void);
/* Finished runs have left the queue's tables, and their data is unchanged. */
void check_archive(void);

/* The events of a run that a reader received over all its connections. */
struct stream_log {
    int team;
    char run[37];
    char *rest; /* the incomplete event at the end of the last piece */
    int64_t last, *ids;
    size_t count, room;
    bool reset, over;
};
void stream_follow(struct stream_log *l, int team, const char *run);
void stream_check(const struct stream_log *l);
void stream_forget(struct stream_log *l);

#endif
