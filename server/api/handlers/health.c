/* server/api/handlers/health.c: liveness, readiness and metrics. */
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "server/store/blob/blob_store.h"
#include "server/store/blob/s3_guard.h"
#include "server/store/db/db.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/queue/peer_notify.h"
#include "server/store/threads/executor.h"
#include "server/api/handlers/handlers.h"
#include "server/api/http/http_server.h"
#include "server/platform/metrics.h"
#include "server/domain/queue/sweeper.h"
#include "server/domain/project/projector.h"
#include "server/domain/operate/watch.h"
#include "server/store/repo/sql/statements.h"

static int say(struct reply *rep, int status, const char *text)
{
    rep->status = status;
    rep->content_type = "text/plain; charset=utf-8";
    strbuf_adds(&rep->body, text);
    strbuf_addc(&rep->body, '\n');
    return 0;
}

int healthz_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    (void)db;
    (void)req;
    (void)e;
    return say(rep, 200, "ok");
}

/* Ready: the database accepts writes, the blob store answers and has room. */
int readyz_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    uint64_t space = 0;

    (void)req;
    if (app->farm.stopping)
        return say(rep, 503, "stopping");
    if (db_query(db, &sql_farm_touch, NULL, NULL, e) < 0) {
        rep->retry_after_s = 2; /* the reason goes to the log only, because this endpoint needs no credential */
        return say(rep, 503, "the database is not available");
    }
    if (blob_space(app->farm.store.blobs, &space, e) < 0)
        return say(rep, 503, "the state folder cannot be read");
    if (blob_store_ask(app->farm.store.blobs, e) < 0)
        return say(rep, 503, "the bucket of stored files does not answer; pages and the queue still work");
    return space ? say(rep, 200, "ready") : say(rep, 503, "the state folder's disk is full");
}

static void write_job_states(struct db *db, struct strbuf *out)
{
    struct db_rows r;
    struct err e;

    if (db_query(db, &sql_metric_jobs, NULL, &r, &e) < 0)
        return; /* the counters of this process are useful without the database, too */
    for (int i = 0; i < r.count; i++) {
        char labels[40];

        snprintf(labels, sizeof labels, "state=\"%s\"", db_get(&r, i, 0));
        metric_write(out, "vivace_jobs", "gauge", i == 0 ? "jobs by state" : NULL, labels, db_get_double(&r, i, 1));
    }
    db_rows_release(&r);
}

static void write_store_state(struct blob_store *blobs, struct strbuf *b)
{
    struct s3_facts f;

    blob_store_facts(blobs, &f);
    metric_write(
        b, "vivace_blob_store_answers", "gauge",
        "1: the bucket answers, or files are in a folder; 0: requests that need stored files are refused at once",
        NULL, f.answers);
    metric_write(b, "vivace_blob_store_silent_seconds", "gauge", "time since calls are refused", NULL, f.silent_s);
    metric_write(b, "vivace_blob_store_outages_total", "counter", "number of times that calls began to be refused",
                 NULL, (double)f.opened);
    metric_write(b, "vivace_blob_store_refused_total", "counter", "calls that were refused", NULL,
                 (double)f.refused);
}

static void write_executors(const struct farm *farm, struct strbuf *b)
{
    const struct {
        const char *label;
        struct executor *executor;
    } all[] = {{"executor=\"db\"", farm->db_executor},       {"executor=\"work\"", farm->work_executor},
               {"executor=\"cpu\"", farm->cpu_executor},     {"executor=\"file\"", farm->file_executor},
               {"executor=\"login\"", farm->login_executor}, {"executor=\"device\"", farm->device_executor}};
    const char *help = "requests that wait for a thread";

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        metric_write(b, "vivace_executor_waiting", "gauge", help, all[i].label,
                     (double)executor_waiting(all[i].executor));
        help = NULL;
    }
}

int metrics_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    uint64_t space = 0;
    struct strbuf *b = &rep->body;

    (void)req;
    rep->content_type = "text/plain; version=0.0.4; charset=utf-8";
    metrics_write(app->farm.metrics, b);
    metric_write(b, "vivace_http_connections", "gauge", "open connections", NULL, http_connections(app->http));
    metric_write(b, "vivace_http_hurried_total", "counter",
                 "connections ended because their request head was late and new ones waited", NULL,
                 (double)http_hurried(app->http));
    metric_write(b, "vivace_sse_streams", "gauge", "open event streams", NULL, http_streams(app->http));
    write_executors(&app->farm, b);
    if (blob_space(app->farm.store.blobs, &space, e) == 0)
        metric_write(b, "vivace_blob_free_bytes", "gauge", "room for uploads", NULL, (double)space);
    write_store_state(app->farm.store.blobs, b);
    write_job_states(db, b);
    dispatcher_metrics(app->farm.dispatcher, b);
    peer_notify_metrics(app->farm.hints, b);
    watch_metrics(app->farm.watch, b);
    metric_write(b, "vivace_db_pool_in_use", "gauge", "database executors at work", NULL,
                 (double)executor_busy(app->farm.db_executor));
    metric_write(b, "vivace_db_retries_total", "counter", "transactions and connections that were repeated",
                 "class=\"conflict\"", (double)db_retries());
    metric_write(b, "vivace_db_retries_total", "counter", NULL, "class=\"connection\"", (double)db_reconnects());
    metric_write(b, "vivace_clock_seconds", "gauge", "this machine's clock: seconds since 1970", NULL,
                 (double)clock_now(app->clock) / 1e6);
    metric_write(b, "vivace_leader", "gauge", "1: this server sweeps the queue", NULL,
                 sweeper_leads(app->farm.sweeper));
    metric_write(b, "vivace_runs_stuck", "gauge", "runs whose projection fails repeatedly", NULL,
                 (double)projector_stuck(app->farm.projector));
    metric_write(b, "vivace_build_info", "gauge", "1; the version is in the label",
                 "version=\"" VIVACE_VERSION "\"", 1);
    return b->failed ? err_no_memory(e) : 0;
}
