#include "server/domain/queue/archivist.h"

#include "base/assert.h"
#include "server/store/repo/repo_archive.h"
#include "server/store/repo/repo_event.h"

#define SECOND_US        ((wall_us)1000000)
#define TURN_US          500000 /* time per tick, so that the next sweep is not late */
#define SLICES_MAX       200
#define PROGRESS_KEPT_US (3600 * SECOND_US) /* events that only update progress */

struct slice_args {
    const struct archive_settings *settings;
    wall_us now;
    int64_t rows;
};

static int move_slice(struct db *db, void *ctx, struct err *e)
{
    struct slice_args *a = ctx;

    return repo_archive_slice(db, a->now - (wall_us)a->settings->archive_after_s * SECOND_US, a->now, &a->rows, e);
}

static int drop_job_slice(struct db *db, void *ctx, struct err *e)
{
    struct slice_args *a = ctx;

    ASSERT(a->settings->keep_jobs_s > 0); /* 0 means "keep forever", so the caller must skip it */
    return repo_archive_drop_jobs(db, a->now - (wall_us)a->settings->keep_jobs_s * SECOND_US, a->now, &a->rows, e);
}

static int drop_attempt_slice(struct db *db, void *ctx, struct err *e)
{
    struct slice_args *a = ctx;

    ASSERT(a->settings->keep_attempts_s > 0);
    return repo_archive_drop_attempts(db, a->now - (wall_us)a->settings->keep_attempts_s * SECOND_US, &a->rows, e);
}

static int drop_event_slice(struct db *db, void *ctx, struct err *e)
{
    struct slice_args *a = ctx;
    wall_us kept = (wall_us)a->settings->keep_events_s * SECOND_US;

    ASSERT(kept >= 0);
    return repo_event_expire(db, kept > 0 ? a->now - kept : 0,
                             a->now - (kept > 0 && kept < PROGRESS_KEPT_US ? kept : PROGRESS_KEPT_US), &a->rows, e);
}

/* 1: its time was used up before the work was done. */
static int slices(struct db *db, db_body body, struct slice_args *a, struct err *e)
{
    uint64_t until = clock_monotonic_us() + TURN_US;

    for (int i = 0; i < SLICES_MAX && clock_monotonic_us() < until; i++) {
        if (db_transaction(db, body, a, e) < 0)
            return -1;
        ASSERT(a->rows >= 0);
        if (a->rows == 0)
            return 0;
    }
    return 1;
}

int archivist_tick(struct db *db, const struct archive_settings *s, wall_us now, struct err *e)
{
    struct slice_args a = {.settings = s, .now = now};
    const struct {
        db_body body;
        bool wanted;
    } turns[] = {{drop_event_slice, true},
                 {move_slice, true},
                 {drop_job_slice, s->keep_jobs_s > 0},
                 {drop_attempt_slice, s->keep_attempts_s > 0}};
    int behind = 0;

    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        int ret = turns[i].wanted ? slices(db, turns[i].body, &a, e) : 0;

        if (ret < 0)
            return -1;
        behind |= ret;
    }
    return behind;
}
