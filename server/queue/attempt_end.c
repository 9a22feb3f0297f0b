#include "server/queue/attempt_end.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "server/db/repo_event.h"

void attempt_ends_release(struct attempt_ends *a)
{
    job_rows_release(&a->rows);
    free(a->attempts);
    free(a->notes);
    *a = (struct attempt_ends){.now = a->now};
}

struct run_note *attempt_ends_note(struct attempt_ends *a, const char *run, struct err *e)
{
    struct run_note *n;

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
    return remember(a, row, f, e);
}

static const char *next_text(const struct job_row *row, wall_us now, char *out, size_t size)
{
    char wait[NUM_TEXT];

    if (row->state == JOB_FAILED)
        snprintf(out, size, "It is not tried again.");
    else if (row->ready_at > now)
        snprintf(out, size, "It is tried again in %s.", format_duration((double)(row->ready_at - now) / 1e6, wait));
    else
        snprintf(out, size, "It is tried again.");
    return out;
}

/* The first sentence of a batch tells the story; the others are counted. */
static int tell(struct attempt_ends *a, struct db *db, struct run_note *n, const struct job_row *row,
                const struct attempt_facts *f, struct err *e)
{
    char next[80];

    if (f->kind == END_REPORTED && f->outcome == OUTCOME_RELEASED)
        return 0;
    if (n->failed + n->repeated + n->lost == 0) {
        int64_t launch;

        if (repo_job_invocation(db, row->id, &launch, e) < 0)
            return -1;
        if (f->kind == END_LOST)
            snprintf(n->first, sizeof n->first,
                     "Worker %s vanished while it simulated launch %" PRId64 " on %s. %s", row->worker, launch,
                     row->design, next_text(row, a->now, next, sizeof next));
        else
            snprintf(n->first, sizeof n->first,
                     "Launch %" PRId64 " on %s failed on worker %s (attempt %d, %s)%s%.300s. %s", launch,
                     row->design, row->worker, row->attempt, outcome_text(f),
                     f->message && f->message[0] ? ": " : "", f->message ? f->message : "",
                     next_text(row, a->now, next, sizeof next));
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
    struct run_note *note = attempt_ends_note(a, row->run, e);
    char dice[UUID_TEXT + 12];
    struct job_move m;
    int dead = 0;

    if (!note || remember(a, row, f, e) < 0)
        return -1;
    if (f->kind == END_LOST) {
        if (repo_job_dead_sessions(db, row->id, &dead, e) < 0)
            return -1;
        dead++; /* this one is not written yet */
    }
    snprintf(dice, sizeof dice, "%s %d", row->id, row->attempt);
    m = job_after_attempt(&row->budgets, f->kind, f->outcome, dead, hash_fnv1a(dice, strlen(dice)), a->now);
    row->changed = true;
    row->state = m.to;
    row->budgets = m.budgets;
    row->ready_at = m.to == JOB_READY ? m.ready_at : 0;
    row->failure = m.failure;
    if (m.to == JOB_FAILED) {
        snprintf(row->failure_text, sizeof row->failure_text, "%s",
                 f->message && f->message[0]        ? f->message
                 : strcmp(m.failure, "poison") == 0 ? "three different workers died while they ran it"
                                                    : "the budget of repeats is used up");
    }
    return tell(a, db, note, row, f, e);
}

static int say(const struct attempt_ends *a, struct db *db, const struct run_note *n, struct err *e)
{
    int all = n->failed + n->repeated + n->lost;
    const char *severity = n->failed ? "error" : "warning";

    if (n->dispute &&
        repo_event_say(db, n->run, a->now, "error", e,
                       "Two simulations of the same key gave different results: determinism is broken. "
                       "The first result is kept, both are marked disputed.") < 0)
        return -1;
    if (all == 0)
        return 0;
    if (all == 1)
        return repo_event_say(db, n->run, a->now, severity, e, "%s", n->first);
    return repo_event_say(db, n->run, a->now, severity, e,
                          "%d jobs came back without a result (%d failed for good). "
                          "The first: %s",
                          all, n->failed, n->first);
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
    for (size_t i = 0; i < a->note_count; i++)
        runs[i] = a->notes[i].run;
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
        if (say(a, db, &a->notes[i], e) < 0)
            return -1;
    }
    return 0;
}
