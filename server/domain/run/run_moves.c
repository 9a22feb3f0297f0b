#include "server/domain/run/run_moves.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"
#include "server/store/repo/repo_run.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/queue/job_slices.h"
#include "server/domain/queue/sweeper.h"

/* Time in which the request itself cancels jobs. Pages wait for it while workers keep the server busy. The sweeper
 * cancels the rest. */
#define CANCEL_US 50000

struct moving {
    struct run_move *move;
    wall_us now;
};

static int move_body(struct db *db, void *ctx, struct err *e)
{
    const struct moving *x = ctx;
    struct run_move *m = x->move;
    const struct run_step step = {m->run, m->from, m->to, m->due};
    int changed = repo_run_move(db, &step, x->now, e);

    m->changed = changed > 0;
    if (changed <= 0)
        return changed;
    if (m->also && m->also(db, m->ctx, e) < 0)
        return -1;
    return repo_event_emit(db, m->run, x->now, "info", EVENT(run_moved, .by = m->by, .move = m->verb), e);
}

struct delaying {
    struct run_move *move;
    wall_us now;
    double after_s;
};

static int later_body(struct db *db, void *ctx, struct err *e)
{
    const struct delaying *x = ctx;
    struct run_move *m = x->move;
    int changed = repo_run_cancel_later(db, m->run, x->now + (wall_us)(x->after_s * 1e6), m->by, e);

    m->changed = changed > 0;
    if (changed <= 0)
        return changed;
    if (m->also && m->also(db, m->ctx, e) < 0)
        return -1;
    return repo_event_emit(db, m->run, x->now, "info", EVENT(run_cancel_asked, .by = m->by, .after = x->after_s),
                           e);
}

static int undo_body(struct db *db, void *ctx, struct err *e)
{
    const struct moving *x = ctx;
    struct run_move *m = x->move;
    int changed = repo_run_cancel_undo(db, m->run, e);

    m->changed = changed > 0;
    if (changed <= 0)
        return changed;
    if (m->also && m->also(db, m->ctx, e) < 0)
        return -1;
    return repo_event_emit(db, m->run, x->now, "info", EVENT(run_cancel_undone, .by = m->by), e);
}

static int reconcile(struct db *db, void *ctx, struct err *e)
{
    (void)ctx;
    return repo_job_reconcile(db, e);
}

int run_moved(struct farm *farm, struct db *db, struct run_move *m, struct err *e)
{
    struct moving x = {m, clock_now(farm->clock)};

    if (db_transaction(db, move_body, &x, e) < 0)
        return -1;
    /* Jobs of other runs may have waited for jobs of this run. */
    if (m->changed && db_transaction(db, reconcile, NULL, e) < 0)
        return -1;
    dispatcher_wake(farm->dispatcher);
    return 0;
}

static int touch(struct db *db, void *ctx, struct err *e)
{
    char ids[UUID_TEXT + 4];

    snprintf(ids, sizeof ids, "{%s}", (const char *)ctx);
    return repo_run_touch(db, ids, e);
}

int run_cancel(struct farm *farm, struct db *db, struct run_move *m, struct err *e)
{
    char run[UUID_TEXT];
    struct run_row row;
    int more;

    m->from = "running,paused";
    m->to = "cancelled";
    m->verb = "cancelled";
    snprintf(run, sizeof run, "%s", m->run);
    if (run_moved(farm, db, m, e) < 0)
        return -1;
    if (!m->changed) { /* a run that was cancelled before may still have jobs */
        int found = repo_run_find(db, run, -1, &row, e);

        if (found <= 0 || strcmp(row.state, "cancelled") != 0)
            return found < 0 ? -1 : 0;
    }
    more = job_slices_cancel(db, run, farm->clock, CANCEL_US, e);
    if (more < 0)
        return -1;
    if (more)
        sweeper_wake(farm->sweeper);
    return db_transaction(db, touch, run, e) < 0 || db_transaction(db, reconcile, NULL, e) < 0 ? -1 : 0;
}

int run_cancel_later(struct farm *farm, struct db *db, struct run_move *m, double after_s, struct err *e)
{
    struct delaying x = {m, clock_now(farm->clock), after_s};

    ASSERT(after_s > 0);
    if (db_transaction(db, later_body, &x, e) < 0 || db_transaction(db, reconcile, NULL, e) < 0)
        return -1;
    dispatcher_wake(farm->dispatcher);
    sweeper_wake(farm->sweeper);
    return 0;
}

int run_cancel_undo(struct farm *farm, struct db *db, struct run_move *m, struct err *e)
{
    struct moving x = {m, clock_now(farm->clock)};

    if (db_transaction(db, undo_body, &x, e) < 0 || db_transaction(db, reconcile, NULL, e) < 0)
        return -1;
    dispatcher_wake(farm->dispatcher);
    return 0;
}

int run_cancels_tick(struct farm *farm, struct db *db, wall_us *next, struct err *e)
{
    wall_us now = clock_now(farm->clock);
    struct db_rows q;
    int ret = 0;

    if (repo_run_cancel_due(db, &q, e) < 0)
        return -1;
    for (int i = 0; i < q.count; i++) {
        struct run_move m = {.run = db_get(&q, i, 0), .by = db_get(&q, i, 1), .due = true};

        *next = db_get_time(&q, i, 2);
        if (*next > now)
            break;
        if (run_cancel(farm, db, &m, e) < 0)
            ret = -1; /* the other runs do not wait */
    }
    db_rows_release(&q);
    return ret;
}
