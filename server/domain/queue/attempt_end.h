/* server/domain/queue/attempt_end.h: ends attempts, for a worker's report and for the sweeper: changes the
 * locked job row, stores the attempt, writes an event, and readies waiting jobs. Used inside one transaction. */
#ifndef VIVACE_SERVER_ATTEMPT_END_H
#define VIVACE_SERVER_ATTEMPT_END_H

#include "server/store/repo/repo_job.h"
#include "server/store/event/event.h"

/* Changes to a run in one batch. Each run gets one version update and few events. */
struct run_note {
    char run[UUID_TEXT];
    int failed, repeated, lost; /* numbers of jobs */
    json_t *first;              /* the first failure, an event_part() */
    bool dispute;
};
struct attempt_ends {
    wall_us now;
    struct job_rows rows; /* locked job rows */
    struct attempt_row *attempts;
    size_t attempt_count, attempt_capacity;
    struct run_note *notes;
    size_t note_count, note_capacity;
    const char *late_keys; /* as in struct job_ends; the caller owns it */
};
void attempt_ends_release(struct attempt_ends *a);
struct run_note *attempt_ends_note(struct attempt_ends *a, const char *run, struct err *e); /* NULL: no memory */

/* Ends the current attempt of a leased row with a failure. Texts must live until attempt_ends_write(). */
struct attempt_facts {
    enum attempt_end_kind kind;
    enum attempt_outcome outcome;
    const char *message, *last_lines;
    double host_seconds, cpu_seconds;
    uint64_t peak_bytes;
};
int attempt_end(struct attempt_ends *a, struct db *db, struct job_row *row, const struct attempt_facts *f,
                struct err *e) MUST_CHECK;
/* Stores a successful attempt. The caller changes the row. */
int attempt_end_well(struct attempt_ends *a, struct job_row *row, const struct attempt_facts *f,
                     struct err *e) MUST_CHECK;
/* Writes rows, attempts, waiting jobs, versions of runs and events. Locks are always taken in this order. */
int attempt_ends_write(struct attempt_ends *a, struct db *db, struct err *e) MUST_CHECK;

#endif
