#include "server/domain/queue/sweeper.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/log.h"
#include "server/domain/queue/attempt_end.h"
#include "server/store/threads/background.h"
#include "server/store/threads/db_clock.h"
#include "server/store/repo/repo_activity.h"
#include "server/store/repo/repo_audit.h"
#include "server/store/repo/repo_claim.h"
#include "server/store/repo/repo_leader.h"
#include "server/store/repo/repo_tally.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/queue/job_slices.h"
#include "server/platform/metrics.h"

#define SECOND_US      ((int64_t)1000000)
#define SLICES_US      2000000 /* time per tick, so that the next sweep is not late */
#define BEHIND_US      250000  /* interval between sweeps while the archive is behind */
#define ROLL_US        1000000 /* as SLICES_US */
#define SWEEP_EACH_US  (5 * SECOND_US)
#define NO_CANCEL      INT64_MAX
#define LEASE_US       (15 * SECOND_US)
#define STALE_MAX      1000              /* maximum number of jobs that repo_claim_stale() lists */
#define VACUUM_EACH_US (120 * SECOND_US) /* autovacuum's interval is too long for a new queue */

/* --- One sweep --- */

struct returning {
    struct attempt_ends ends;
    const struct sweeper_settings *settings;
    bool dead;
    size_t found;
};

static int lock_stale(struct returning *r, struct db *db, struct err *e)
{
    struct strbuf ids = STRBUF_INIT;
    struct db_rows q;
    int ret;

    if (repo_claim_stale(db, r->dead, r->ends.now - (wall_us)r->settings->overdue_after_s * SECOND_US, &q, e) < 0)
        return -1;
    db_array_begin(&ids);
    for (int i = 0; i < q.count; i++)
        db_array_add(&ids, db_get(&q, i, 0));
    db_array_end(&ids);
    r->found = (size_t)q.count;
    db_rows_release(&q);
    ret = ids.failed ? err_no_memory(e) : r->found ? repo_job_lock(db, ids.text, r->found, &r->ends.rows, e) : 0;
    strbuf_release(&ids);
    ASSERT(ret < 0 || r->ends.rows.count <= r->found);
    return ret;
}

static int return_jobs(struct db *db, void *ctx, struct err *e)
{
    struct returning *r = ctx;
    const struct attempt_facts lost = {.kind = r->dead ? END_LOST : END_OVERDUE,
                                       .message = r->dead ? "the worker sent no heartbeat"
                                                          : "the worker did not end the job by its deadline"};

    attempt_ends_release(&r->ends);
    if (lock_stale(r, db, e) < 0)
        return -1;
    for (size_t i = 0; i < r->ends.rows.count; i++) {
        struct job_row *row = &r->ends.rows.items[i];

        /* the job may have ended and been leased again before it was locked */
        if (row->state != JOB_LEASED || (!r->dead && row->leased_at > r->ends.now - SWEEP_EACH_US))
            continue;
        if (attempt_end(&r->ends, db, row, &lost, e) < 0)
            return -1;
    }
    return attempt_ends_write(&r->ends, db, e);
}

static int return_all(struct db *db, const struct sweeper_settings *s, bool dead, wall_us now, struct err *e)
{
    struct returning r = {.ends = {.now = now}, .settings = s, .dead = dead};
    int ret, rounds = 0;

    do {
        ret = db_transaction(db, return_jobs, &r, e);
        ASSERT(ret < 0 || r.found <= STALE_MAX);
        if (ret == 0 && r.found > 0)
            log_info("sweeper",
                     dead ? "jobs of dead workers return to the queue" : "overdue jobs return to the queue",
                     "jobs=%zu", r.found);
        attempt_ends_release(&r.ends);
    } while (ret == 0 && r.found == STALE_MAX && ++rounds < 1000);
    return ret;
}

int sweep_dead(struct db *db, wall_us now, struct err *e)
{
    return return_all(db, &(struct sweeper_settings){.dead_after_s = 0}, true, now, e);
}

static int reconcile(struct db *db, void *ctx, struct err *e)
{
    (void)ctx;
    return repo_job_reconcile(db, e);
}

/* Updates the summary for the farm's page. Without it, the page shows the same data, but slower. 1: there is
 * more to do. */
static int roll_activity(struct db *db, wall_us now)
{
    uint64_t until = clock_monotonic_us() + ROLL_US;
    struct err e;
    int more = 1;

    while (more > 0 && clock_monotonic_us() < until)
        more = repo_activity_roll(db, now, &e);
    if (more < 0 || repo_activity_expire(db, now, &e) < 0)
        log_warn("sweeper", "attempts could not be archived; the server tries again", "error=%s",
                 log_quote(e.text, (char[300]){0}, 300));
    return more > 0;
}

static int fold(struct db *db, void *ctx, struct err *e)
{
    (void)ctx;
    return repo_tally_fold(db, e);
}

int sweep(struct db *db, const struct sweeper_settings *s, wall_us now, int judge_sessions, uint64_t *lost,
          struct err *e)
{
    wall_us silence = (wall_us)s->dead_after_s * SECOND_US;
    int64_t expired = 0;
    int rolls, behind;

    ASSERT(s->dead_after_s > 0);
    if (judge_sessions && repo_worker_session_expire(db, now - silence, now + silence, &expired, e) < 0)
        return -1;
    ASSERT(expired >= 0);
    *lost += (uint64_t)expired;
    if (expired > 0)
        log_warn("sweeper", "worker sessions sent no heartbeat and have expired", "sessions=%lld",
                 (long long)expired);
    if (return_all(db, s, true, now, e) < 0 || (judge_sessions && return_all(db, s, false, now, e) < 0) ||
        db_transaction(db, reconcile, NULL, e) < 0 || db_transaction(db, fold, NULL, e) < 0)
        return -1;
    if (repo_audit_expire(db, now - (wall_us)s->archive.keep_audit_s * SECOND_US, e) < 0)
        return -1;
    rolls = roll_activity(db, now);
    behind = archivist_tick(db, &s->archive, now, e);
    return behind < 0 ? -1 : behind | rolls;
}

/* --- The thread --- */

struct sweeper {
    struct farm *farm;
    struct sweeper_settings settings;
    struct sweeper_also also;
    struct background thread;
    char holder[UUID_TEXT];
    uint64_t reachable_since_us; /* monotonic; 0: not the leader, or the database was unavailable */
    uint64_t vacuumed_us;
    atomic_bool leads;
    struct job_slices slices;
    bool behind;          /* archive or slices are behind: the next sweep comes soon */
    wall_us cancel_at;    /* the next cancellation of a run; NO_CANCEL: none waits */
    wall_us last_wall_us; /* time of the last sweep */
    uint64_t last_mono_us;
};

/* Ages are differences of wall clock times, so a clock jump makes them wrong. */
static bool clock_jumped(struct sweeper *s, wall_us now, uint64_t mono)
{
    double jump = s->last_mono_us ? db_clock_jump_s(now - s->last_wall_us, (int64_t)(mono - s->last_mono_us)) : 0;

    ASSERT(mono >= s->last_mono_us);
    s->last_wall_us = now;
    s->last_mono_us = mono;
    return fabs(jump) >= DB_CLOCK_DIFFERS_S;
}

bool sweeper_leads(const struct sweeper *s)
{
    return s && atomic_load(&s->leads);
}

void sweeper_wake(struct sweeper *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->thread.lock);
    background_wake_locked(&s->thread);
    pthread_mutex_unlock(&s->thread.lock);
}

/* Creates and cancels jobs of large runs. 1: there is more to do. */
static int tick_slices(struct sweeper *s)
{
    struct err e;
    int ret = job_slices_tick(&s->slices, s->thread.db, s->farm->clock, SLICES_US, &e);

    if (ret < 0)
        log_warn("sweeper", "jobs of a large run could not be created or cancelled; the server tries again",
                 "error=%s", log_quote(e.text, (char[300]){0}, 300));
    else if (ret > 0)
        s->also.jobs_made(s->farm);
    return ret > 0;
}

/* 1: this server is the leader. A server whose own clock is wrong does not become the leader. */
static int hold(struct sweeper *s, wall_us now, struct err *e)
{
    if (db_clock_may_lead(s->farm->clock))
        return repo_leader_hold(s->thread.db, "sweeper", s->holder, now, now + LEASE_US, e);
    return atomic_load(&s->leads) && repo_leader_leave(s->thread.db, "sweeper", s->holder, now, e) < 0 ? -1 : 0;
}

static void tick_cancels(struct sweeper *s)
{
    struct err e;

    s->cancel_at = NO_CANCEL;
    if (s->also.cancels(s->farm, s->thread.db, &s->cancel_at, &e) < 0)
        log_warn("sweeper", "a run could not be cancelled at its time; the server tries again", "error=%s",
                 log_quote(e.text, (char[300]){0}, 300));
}

/* Time until the next sweep. */
static uint64_t rest_us(const struct sweeper *s, uint64_t each_us)
{
    wall_us until = s->cancel_at - clock_now(s->farm->clock);

    if (s->behind || until < BEHIND_US)
        return BEHIND_US;
    return (uint64_t)until < each_us ? (uint64_t)until : each_us;
}

static void tick(struct sweeper *s)
{
    wall_us now = clock_now(s->farm->clock);
    uint64_t mono = clock_monotonic_us();
    struct err e;
    int held = hold(s, now, &e);
    uint64_t lost = 0;
    bool judge;
    int ret;

    s->behind = false;
    s->cancel_at = NO_CANCEL;
    atomic_store(&s->leads, held > 0);
    if (held <= 0) {
        if (held < 0)
            log_warn("sweeper", "the database cannot be reached", "error=%s",
                     log_quote(e.text, (char[300]){0}, 300));
        s->reachable_since_us = 0;
        return;
    }
    if (!s->reachable_since_us || clock_jumped(s, now, mono))
        s->reachable_since_us = mono; /* after a jump, live workers send heartbeats before sessions are judged */
    ASSERT(mono >= s->reachable_since_us);
    judge = mono - s->reachable_since_us >= (uint64_t)s->settings.dead_after_s * SECOND_US;
    ret = sweep(s->thread.db, &s->settings, now, judge, &lost, &e);
    metrics_add(s->farm->metrics, METRIC_SESSIONS_LOST, lost);
    if (ret < 0) {
        log_warn("sweeper", "a sweep failed", "error=%s", log_quote(e.text, (char[300]){0}, 300));
        s->reachable_since_us = e.code == ERR_DATABASE ? 0 : s->reachable_since_us;
        return;
    }
    tick_cancels(s);
    s->behind = tick_slices(s) || ret > 0;
    if (s->also.rechecks(s->farm, s->thread.db, &e) < 0)
        log_warn("sweeper", "results of rechecks could not be applied; the server tries again", "error=%s",
                 log_quote(e.text, (char[300]){0}, 300));
    if (mono - s->vacuumed_us >= VACUUM_EACH_US) {
        s->vacuumed_us = mono;
        if (repo_leader_vacuum(s->thread.db, &e) < 0)
            log_warn("sweeper", "the queue table could not be vacuumed", "error=%s",
                     log_quote(e.text, (char[300]){0}, 300));
    }
    dispatcher_wake(s->farm->dispatcher);
}

static void *run(void *ctx)
{
    struct sweeper *s = ctx;
    uint64_t each_us = s->settings.dead_after_s >= 20 ? SWEEP_EACH_US : SECOND_US;
    struct err e;

    do
        tick(s);
    while (background_rest(&s->thread, rest_us(s, each_us)));
    if (repo_leader_leave(s->thread.db, "sweeper", s->holder, clock_now(s->farm->clock), &e) < 0)
        log_debug("sweeper", "the leader's row could not be released", "error=%s",
                  log_quote(e.text, (char[300]){0}, 300));
    return NULL;
}

int sweeper_start(struct farm *farm, const struct sweeper_settings *settings, const struct sweeper_also *also,
                  struct sweeper **out, struct err *e)
{
    struct sweeper *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return -1;
    s->farm = farm;
    s->slices = (struct job_slices)JOB_SLICES_INIT;
    s->settings = *settings;
    s->also = *also;
    s->vacuumed_us = clock_monotonic_us();
    uuid_make(farm->clock, s->holder);
    if (background_start(&s->thread, farm->store.conninfo, run, s, "the sweeper", e) < 0) {
        free(s);
        return -1;
    }
    *out = s;
    return 0;
}

void sweeper_stop(struct sweeper *s)
{
    if (!s)
        return;
    background_stop(&s->thread);
    background_release(&s->thread);
    job_slices_release(&s->slices);
    free(s);
}
