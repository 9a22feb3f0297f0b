#include "server/domain/run/runs.h"

#include <stdlib.h>

#include "base/array.h"
#include "server/store/blob/collector.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_run.h"
#include "server/domain/plan/design_store.h"
#include "server/domain/queue/dispatcher.h"
#include "server/api/http/event_hub.h"
#include "server/domain/queue/peer_notify.h"
#include "server/domain/plan/plan_cache.h"
#include "server/domain/project/projector.h"
#include "server/domain/queue/sweeper.h"
#include "server/domain/operate/watch.h"
#include "wire/json.h"

struct runs {
    struct sweeper *sweeper;
    struct projector *projector;
    struct collector *collector;
};

static int open_designs(struct app *app, struct err *e)
{
    struct db *db;
    int ret;

    if (db_open(app->conninfo, &db, e) < 0)
        return -1;
    ret = design_store_open(app, app->config->vivace_sim, db, &app->designs, e);
    db_close(db);
    return ret;
}

static int start_all(struct app *app, struct err *e)
{
    const struct server_config *c = app->config;
    const struct dispatcher_settings d = {.job_time_s = (int64_t)c->job_time_s,
                                          .job_memory_bytes = (int64_t)c->job_memory_bytes,
                                          .heartbeat_s = (uint32_t)c->heartbeat_s};
    const struct sweeper_settings s = {.dead_after_s = (uint32_t)c->dead_after_s,
                                       .overdue_after_s = (uint32_t)c->dead_after_s,
                                       .archive = {.archive_after_s = c->archive_after_s,
                                                   .keep_jobs_s = c->keep_jobs_s,
                                                   .keep_attempts_s = c->keep_attempts_s,
                                                   .keep_events_s = c->keep_events_s,
                                                   .keep_audit_s = c->keep_audit_s}};

    if (open_designs(app, e) < 0 || dispatcher_start(app, &d, &app->dispatcher, e) < 0 ||
        peer_notify_start(app, app->direct, &app->hints, e) < 0 || event_hub_start(app, &app->events, e) < 0 ||
        projector_start(app, &app->runs->projector, e) < 0 || watch_start(app, &app->watch, e) < 0)
        return -1;
    return sweeper_start(app, &s, &app->runs->sweeper, e) < 0 ? -1 : collector_start(app, &app->runs->collector, e);
}

int runs_start(struct app *app, struct err *e)
{
    app->runs = mem_zalloc(1, sizeof *app->runs, e);
    if (!app->runs)
        return -1;
    if (start_all(app, e) == 0)
        return 0;
    runs_stop(app);
    return -1;
}

bool runs_leads(const struct app *app)
{
    return app->runs && app->runs->sweeper && sweeper_leads(app->runs->sweeper);
}

void runs_wake_leader(struct app *app)
{
    if (app->runs && app->runs->sweeper)
        sweeper_wake(app->runs->sweeper);
}

size_t runs_stuck(const struct app *app)
{
    return app->runs && app->runs->projector ? projector_stuck(app->runs->projector) : 0;
}

void runs_quiet(struct app *app)
{
    if (app->runs) {
        collector_stop(app->runs->collector);
        sweeper_stop(app->runs->sweeper);
        projector_stop(app->runs->projector);
        *app->runs = (struct runs){.sweeper = NULL};
    }
    watch_stop(app->watch);
    app->watch = NULL;
}

void runs_stop(struct app *app)
{
    runs_quiet(app);
    event_hub_stop(app->events);
    peer_notify_stop(app->hints);
    app->hints = NULL;
    dispatcher_stop(app->dispatcher);
    design_store_free(app->designs);
    plan_cache_clear();
    free(app->runs);
    app->runs = NULL;
    app->events = NULL;
    app->dispatcher = NULL;
    app->designs = NULL;
}

/* --- For the pages about workloads --- */

static int to_json(const struct strbuf *text, void **out, struct err *e)
{
    json_error_t je;

    *out = text->failed ? NULL : json_loadb(text->text, text->length, JSON_DECODE_ANY, &je);
    return *out ? 0 : err_no_memory(e);
}

static int both_to_json(struct strbuf *a, struct strbuf *b, void **out_a, void **out_b, struct err *e)
{
    int ret = to_json(a, out_a, e);

    if (ret == 0 && to_json(b, out_b, e) < 0) {
        json_decref(*out_a);
        ret = -1;
    }
    return ret;
}

int runs_latest_of_workload(struct db *db, const char *workload, void **latest_plan, void **latest_run,
                            struct err *e)
{
    struct strbuf plan = STRBUF_INIT, run = STRBUF_INIT;
    int ret = repo_run_latest(db, workload, &plan, &run, e);

    if (ret == 0)
        ret = both_to_json(&plan, &run, latest_plan, latest_run, e);
    strbuf_release(&plan);
    strbuf_release(&run);
    return ret;
}

int runs_lists_of_workload(struct db *db, const char *workload, void **plans, void **runs, struct err *e)
{
    struct strbuf p = STRBUF_INIT, r = STRBUF_INIT;
    int ret = repo_run_of_workload(db, workload, &p, &r, e);

    if (ret == 0)
        ret = both_to_json(&p, &r, plans, runs, e);
    strbuf_release(&p);
    strbuf_release(&r);
    return ret;
}
