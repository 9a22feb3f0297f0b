#include "server/domain/queue/attempt_end.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"
#include "server/store/repo/repo_event.h"

#define MESSAGE_SHOWN 300 /* bytes of a failure message in an event */

void attempt_ends_release(struct attempt_ends *a)
{
    job_rows_release(&a->rows);
    free(a->attempts);
    for (size_t i = 0; i < a->note_count; i++)
        json_decref(a->notes[i].first);
    free(a->notes);
    *a = (struct attempt_ends){.now = a->now};
}

struct run_note *attempt_ends_note(struct attempt_ends *a, const char *run, struct err *e)
{
    struct run_note *n;

    ASSERT(strlen(run) < sizeof n->run);
    for (size_t i = 0; i < a->note_count; i++) {
        if (strcmp(a->notes[i].run, run) == 0)
            return &a->notes[i];
    }
    if (array_reserve((void **)&a->notes, &a->note_capacity, a->note_count + 1, sizeof *a->notes, e) < 0)
        return NULL;
    n = &a->notes[a->note_count++];
    *n = (struct run_note){.failed = 0};
    snprintf(n->run, sizeof n->run, "%s", run);
    return n;
}

static const char *outcome_text(const struct attempt_facts *f)
{
    return f->kind == END_LOST ? "lost" : f->kind == END_OVERDUE ? "overdue" : attempt_outcome_name(f->outcome);
}

static int remember(struct attempt_ends *a, const struct job_row *row, const struct attempt_facts *f, struct err *e)
{
    ASSERT(row->state == JOB_LEASED && row->attempt > 0);
    if (array_reserve((void **)&a->attempts, &a->attempt_capacity, a->attempt_count + 1, sizeof *a->attempts, e) <
        0)
        return -1;
    a->attempts[a->attempt_count++] =
        (struct attempt_row){.job = row->id,
                             .number = row->attempt,
                             .worker = row->worker,
                             .session = row->session,
                             .started_at = row->leased_at,
                             .outcome = outcome_text(f),
                             .message = f->message ? f->message : "",
                             .last_lines = f->last_lines ? f->last_lines : "",
                             .host_seconds = f->kind == END_REPORTED ? f->host_seconds : NAN,
                             .cpu_seconds = f->kind == END_REPORTED ? f->cpu_seconds : NAN,
                             .peak_bytes = (int64_t)f->peak_bytes};
    return 0;
}

int attempt_end_well(struct attempt_ends *a, struct job_row *row, const struct attempt_facts *f, struct err *e)
{
    ASSERT(f->kind == END_REPORTED && f->outcome == OUTCOME_OK);
    return remember(a, row, f, e);
}

/* Describes the end of the job's attempt, and whether the job is retried. NULL: out of memory. */
static json_t *event_of(const struct attempt_ends *a, const struct job_row *row, const struct attempt_facts *f,
                        int64_t launch)
{
    const char *message = f->message ? f->message : "";
    bool final = row->state == JOB_FAILED, waits = !final && row->ready_at > a->now;
    double wait = waits ? (double)(row->ready_at - a->now) / 1e6 : NAN;
    char start[MESSAGE_SHOWN + 1];

    ASSERT(row->state == JOB_READY || row->state == JOB_FAILED);
    if (f->kind == END_LOST)
        return event_part(EVENT(worker_vanished, .worker = row->worker, .launch = launch, .design = row->design,
                                .again = !final && !waits, .wait = wait, .final = final));
    snprintf(start, sizeof start, "%.*s", (int)utf8_cut(message, MESSAGE_SHOWN), message);
    return event_part(EVENT(job_failed, .launch = launch, .design = row->design, .worker = row->worker,
                            .attempt = row->attempt, .outcome = outcome_text(f), .message = start[0] ? start : NULL,
                            .again = !final && !waits, .wait = wait, .final = final));
}

/* The first failure of a batch is shown; the others are counted. */
static int note(struct attempt_ends *a, struct db *db, struct run_note *n, const struct job_row *row,
                const struct attempt_facts *f, struct err *e)
{
    int64_t launch;

    if (f->kind == END_REPORTED && f->outcome == OUTCOME_RELEASED)
        return 0;
    if (!n->first) {
        if (repo_job_launch(db, row->id, &launch, e) < 0)
            return -1;
        n->first = event_of(a, row, f, launch);
        if (!n->first)
            return err_no_memory(e);
    }
    if (row->state == JOB_FAILED)
        n->failed++;
    else if (f->kind == END_LOST)
        n->lost++;
    else
        n->repeated++;
    return 0;
}

int attempt_end(struct attempt_ends *a, struct db *db, struct job_row *row, const struct attempt_facts *f,
                struct err *e)
{
    struct run_note *n = attempt_ends_note(a, row->run, e);
    char jitter_seed[UUID_TEXT + 12];
    struct job_move m;
    int dead = 0;

    ASSERT(!row->changed);
    ASSERT(f->kind != END_REPORTED || f->outcome != OUTCOME_OK);
    if (!n || remember(a, row, f, e) < 0)
        return -1;
    if (f->kind == END_LOST) {
        if (repo_job_dead_sessions(db, row->id, &dead, e) < 0)
            return -1;
        dead++; /* the count in the database does not include this one yet */
    }
    snprintf(jitter_seed, sizeof jitter_seed, "%s %d", row->id, row->attempt);
    m = job_after_attempt(&row->budgets, f->kind, f->outcome, dead, hash_fnv1a(jitter_seed, strlen(jitter_seed)),
                          a->now);
    ASSERT(job_may_become(row->state, m.to));
    ASSERT(m.to != JOB_FAILED || m.failure);
    row->changed = true;
    row->state = m.to;
    row->budgets = m.budgets;
    row->ready_at = m.to == JOB_READY ? m.ready_at : 0;
    row->failure = m.failure;
    if (m.to == JOB_FAILED) {
        snprintf(row->failure_text, sizeof row->failure_text, "%s",
                 f->message && f->message[0]        ? f->message
                 : strcmp(m.failure, "poison") == 0 ? "three different workers died while they ran it"
                                                    : "no further attempts are allowed");
    }
    return note(a, db, n, row, f, e);
}

static int write_events(const struct attempt_ends *a, struct db *db, const struct run_note *n, struct err *e)
{
    int all = n->failed + n->repeated + n->lost;
    const char *severity = n->failed ? "error" : "warning";

    if (n->dispute && repo_event_emit(db, n->run, a->now, "error", EVENT(results_differ), e) < 0)
        return -1;
    if (all == 0)
        return 0;
    ASSERT(n->first);
    if (all == 1)
        return repo_event_emit_part(db, n->run, a->now, severity, n->first, e);
    return repo_event_emit(
        db, n->run, a->now, severity,
        EVENT(jobs_without_result, .jobs = all, .failed = n->failed, .first = json_incref(n->first)), e);
}

static int by_run(const void *x, const void *y)
{
    return strcmp(((const struct run_note *)x)->run, ((const struct run_note *)y)->run);
}

static int write_rows(struct attempt_ends *a, struct db *db, struct err *e)
{
    const char **runs = mem_zalloc(a->note_count + 1, sizeof *runs, e);
    const struct job_ends ends = {.rows = &a->rows,
                                  .attempts = a->attempts,
                                  .attempt_count = a->attempt_count,
                                  .runs = runs,
                                  .run_count = a->note_count,
                                  .late_keys = a->late_keys};
    int ret;

    if (!runs)
        return -1;
    for (size_t i = 0; i < a->note_count; i++) {
        ASSERT(i == 0 || strcmp(a->notes[i - 1].run, a->notes[i].run) < 0); /* runs are locked in this order */
        runs[i] = a->notes[i].run;
    }
    ret = repo_job_end(db, &ends, a->now, e);
    free(runs);
    return ret;
}

int attempt_ends_write(struct attempt_ends *a, struct db *db, struct err *e)
{
    array_sort(a->notes, a->note_count, sizeof *a->notes, by_run);
    if (write_rows(a, db, e) < 0)
        return -1;
    for (size_t i = 0; i < a->note_count; i++) {
        if (write_events(a, db, &a->notes[i], e) < 0)
            return -1;
    }
    return 0;
}
