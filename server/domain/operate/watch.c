#include "server/domain/operate/watch.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/log.h"
#include "server/store/threads/background.h"
#include "server/store/blob/blob_store.h"
#include "server/store/blob/s3_guard.h"
#include "server/platform/config.h"
#include "server/store/threads/db_clock.h"
#include "server/store/repo/repo_watch.h"
#include "server/store/threads/executor.h"
#include "server/domain/import/importer.h"
#include "server/platform/metrics.h"
#include "server/domain/tasks/trace_pack.h"

#define EACH_US      UINT64_C(5000000)
#define FULL_US      UINT64_C(30000000)
#define SAY_AGAIN_US UINT64_C(300000000)

struct watch {
    struct farm *farm;
    struct background thread;
    /* used by the thread only */
    wall_us last_wall_us;
    uint64_t mono_us, snapshot_said_us, clock_said_us, room_said_us;
    bool full;
    /* read by /metrics, under `lock` */
    pthread_mutex_t lock;
    struct watch_snapshot snapshot;
    struct watch_facts facts;
    struct watch_table tables[WATCHED_TABLES];
    size_t table_count;
    double skew_s;
    uint64_t jumps;
};

/* Whether a lasting problem should be logged (again). */
static bool due(uint64_t *said_us, bool wrong, uint64_t now)
{
    if (!wrong) {
        *said_us = 0;
        return false;
    }
    if (*said_us && now - *said_us < SAY_AGAIN_US)
        return false;
    *said_us = now;
    return true;
}

static void judge_snapshot(struct watch *w, const struct watch_snapshot *s, uint64_t now)
{
    if (due(&w->snapshot_said_us, s->age_s >= WATCH_SNAPSHOT_S, now))
        log_warn(
            "watch",
            "a session holds an old snapshot, so vacuum cannot remove dead rows of the queue: end that session",
            "pid=%d program=%s user=%s state=%s age_s=%.0f", s->pid, log_quote(s->program, (char[160]){0}, 160),
            log_quote(s->user, (char[160]){0}, 160), log_quote(s->state, (char[80]){0}, 80), s->age_s);
}

static void judge_clocks(struct watch *w, double skew_s, uint64_t now)
{
    wall_us wall = clock_now(&clock_system);
    double jump = w->mono_us ? db_clock_jump_s(wall - w->last_wall_us, (int64_t)(now - w->mono_us)) : 0;

    w->last_wall_us = wall;
    w->mono_us = now;
    if (fabs(jump) >= DB_CLOCK_DIFFERS_S) {
        pthread_mutex_lock(&w->lock);
        w->jumps++;
        pthread_mutex_unlock(&w->lock);
        log_warn("watch", "this machine's clock jumped", "seconds=%.1f", jump);
    }
    if (due(&w->clock_said_us, fabs(skew_s) >= DB_CLOCK_DIFFERS_S, now))
        log_warn("watch",
                 db_clock_may_lead(w->farm->clock)
                     ? "this machine's clock and the database's differ: synchronise both with a time server"
                     : "this machine's clock and the database's differ, so this server does not become leader: "
                       "synchronise both with a time server",
                 "seconds=%.1f", skew_s);
}

static void judge_room(struct watch *w)
{
    struct err e;
    bool full = watch_room(w->farm, &e) < 0;

    if (full && !w->full)
        log_error("watch", "no disk space: uploads and runs are refused; running work continues", "error=%s",
                  log_quote(e.text, (char[600]){0}, 600));
    else if (!full && w->full)
        log_info("watch", "disk space is available again", "reserve_bytes=%llu",
                 (unsigned long long)w->farm->config->disk_reserve_bytes);
    w->full = full;
}

/* Runs on a thread that may wait for the store. At most one probe waits at a time. */
static void probe_task(struct db *db, void *ctx)
{
    struct farm *farm = ctx;
    struct err e;

    (void)db;
    if (blob_store_probe(farm->store.blobs, &e) < 0)
        log_warn("watch", "the bucket of stored files gave an unexpected answer", "error=%s",
                 log_quote(e.text, (char[600]){0}, 600));
}

static void probe_bucket(struct watch *w)
{
    struct s3_facts f;
    struct err full; /* ignored; the next tick tries again */

    if (blob_store_facts(w->farm->store.blobs, &f) &&
        executor_submit(w->farm->file_executor, probe_task, w->farm, &full) < 0)
        log_debug("watch", "no thread could be started to check the bucket", "error=%s",
                  log_quote(full.text, (char[300]){0}, 300));
}

static void tick(struct watch *w)
{
    struct db *db = w->thread.db;
    struct watch_snapshot snapshot;
    struct watch_facts facts;
    struct watch_table tables[WATCHED_TABLES];
    size_t count = 0;
    uint64_t now = clock_monotonic_us();
    struct err e;

    judge_room(w);
    probe_bucket(w);
    if (db_clock_measure(w->farm->clock, db, &e) < 0 || repo_watch_snapshot(db, &snapshot, &e) < 0 ||
        repo_watch_facts(db, clock_now(w->farm->clock), &facts, &e) < 0 ||
        repo_watch_tables(db, tables, &count, &e) < 0) {
        log_warn("watch", "the database does not answer", "error=%s", log_quote(e.text, (char[600]){0}, 600));
        judge_clocks(w, 0, now);
        return;
    }
    if (importer_resume(w->farm, db, &e) < 0)
        log_warn("watch", "the search for unfinished imports failed", "error=%s",
                 log_quote(e.text, (char[600]){0}, 600));
    trace_pack_kick(w->farm);
    pthread_mutex_lock(&w->lock);
    w->snapshot = snapshot;
    w->facts = facts;
    w->skew_s = db_clock_skew_s(w->farm->clock);
    for (size_t i = 0; i < count; i++)
        w->tables[i] = tables[i];
    w->table_count = count;
    pthread_mutex_unlock(&w->lock);
    judge_snapshot(w, &snapshot, now);
    judge_clocks(w, w->skew_s, now);
}

static void *run(void *ctx)
{
    struct watch *w = ctx;

    do
        tick(w);
    while (background_rest(&w->thread, EACH_US));
    return NULL;
}

int watch_start(struct farm *farm, struct watch **out, struct err *e)
{
    struct watch *w = mem_zalloc(1, sizeof *w, e);

    if (!w)
        return -1;
    w->farm = farm;
    pthread_mutex_init(&w->lock, NULL);
    if (background_start(&w->thread, farm->store.conninfo, run, w, "the watch", e) < 0) {
        pthread_mutex_destroy(&w->lock);
        free(w);
        return -1;
    }
    *out = w;
    return 0;
}

void watch_stop(struct watch *w)
{
    if (!w)
        return;
    background_stop(&w->thread);
    background_release(&w->thread);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void watch_metrics(struct watch *w, struct strbuf *out)
{
    char label[64];

    pthread_mutex_lock(&w->lock);
    metric_write(out, "vivace_db_oldest_snapshot_seconds", "gauge",
                 "age of the oldest transaction that another session holds open", NULL, w->snapshot.age_s);
    metric_write(out, "vivace_db_clock_skew_seconds", "gauge", "this machine's clock minus the database's", NULL,
                 w->skew_s);
    metric_write(out, "vivace_clock_jumps_total", "counter", "jumps of this machine's clock", NULL,
                 (double)w->jumps);
    metric_write(out, "vivace_queue_oldest_ready_seconds", "gauge", "age of the oldest run with a ready job", NULL,
                 w->facts.oldest_ready_s);
    metric_write(out, "vivace_sessions", "gauge", "worker sessions", "state=\"alive\"", (double)w->facts.alive);
    metric_write(out, "vivace_runs_stranded", "gauge", "runs whose jobs no connected worker can take", NULL,
                 (double)w->facts.stranded);
    metric_write(out, "vivace_results_quarantined", "gauge",
                 "results that differ between two workers, until a site admin decides", NULL,
                 (double)w->facts.quarantined);
    for (size_t i = 0; i < WATCHED_RECHECKS; i++) {
        snprintf(label, sizeof label, "state=\"%s\"", watched_rechecks[i]);
        metric_write(out, "vivace_rechecks", "gauge", i == 0 ? "results that a second worker simulates, too" : NULL,
                     label, (double)w->facts.rechecks[i]);
    }
    metric_write(out, "vivace_blob_bytes", "gauge", "bytes that teams have stored", NULL,
                 (double)w->facts.stored_bytes);
    metric_write(out, "vivace_worker_tokens_expiring", "gauge",
                 "tokens that workers use and that expire within 14 days, or have expired", NULL,
                 (double)w->facts.tokens_expiring);
    if (w->facts.tokens_expiring > 0)
        metric_write(out, "vivace_worker_token_left_seconds", "gauge", "time until the first of them expires", NULL,
                     w->facts.token_left_s);
    for (size_t i = 0; w->facts.clock && i < WATCHED_SETTINGS; i++) {
        snprintf(label, sizeof label, "setting=\"%s\"", watched_settings[i]);
        metric_write(out, "vivace_db_setting_on", "gauge", i == 0 ? "1: on, as required" : NULL, label,
                     w->facts.setting_on[i]);
    }
    for (size_t i = 0; i < w->table_count; i++) {
        snprintf(label, sizeof label, "table=\"%s\"", w->tables[i].name);
        metric_write(out, "vivace_db_dead_rows", "gauge",
                     i == 0 ? "dead rows that vacuum has not removed yet" : NULL, label,
                     (double)w->tables[i].dead_rows);
    }
    pthread_mutex_unlock(&w->lock);
}

int watch_room(struct farm *farm, struct err *e)
{
    uint64_t space, full = db_disk_full_us();

    if (full && clock_monotonic_us() - full < FULL_US) {
        err_set(e, ERR_NO_SPACE, "the database's disk is full");
        return err_hint(
            e, "Free disk space where PostgreSQL stores its data; the server tries again in half a minute.");
    }
    if (blob_space(farm->store.blobs, &space, e) < 0)
        return -1;
    if (space > 0)
        return 0;
    err_set(e, ERR_NO_SPACE, "the disk of the server's stored files is full");
    return err_hint(e, "Free disk space in the server's state folder; running work continues.");
}
