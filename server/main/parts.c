#include "server/main/parts.h"

#include "server/api/http/event_hub.h"
#include "server/api/http/parked_answers.h"
#include "server/domain/operate/watch.h"
#include "server/domain/plan/design_store.h"
#include "server/domain/plan/plan_cache.h"
#include "server/domain/project/projector.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/queue/peer_notify.h"
#include "server/domain/queue/sweeper.h"
#include "server/domain/run/pilots.h"
#include "server/domain/run/rechecks.h"
#include "server/domain/tasks/trace_pack.h"
#include "server/platform/config.h"
#include "server/store/blob/collector.h"

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
    const struct sweeper_also also = {.jobs_made = trace_pack_kick, .rechecks = rechecks_tick};

    app->pilots_serve = pilots_serve;
    if (open_designs(app, e) < 0 || dispatcher_start(app, &d, &parked_answers, &app->dispatcher, e) < 0 ||
        peer_notify_start(app, app->direct, &app->hints, e) < 0 || event_hub_start(app, &app->events, e) < 0 ||
        projector_start(app, &app->projector, e) < 0 || watch_start(app, &app->watch, e) < 0)
        return -1;
    return sweeper_start(app, &s, &also, &app->sweeper, e) < 0 ? -1 : collector_start(app, &app->collector, e);
}

int parts_start(struct app *app, struct err *e)
{
    if (start_all(app, e) == 0)
        return 0;
    parts_stop(app);
    return -1;
}

void parts_quiet(struct app *app)
{
    collector_stop(app->collector);
    sweeper_stop(app->sweeper);
    projector_stop(app->projector);
    watch_stop(app->watch);
    app->collector = NULL;
    app->sweeper = NULL;
    app->projector = NULL;
    app->watch = NULL;
}

void parts_stop(struct app *app)
{
    parts_quiet(app);
    event_hub_stop(app->events);
    peer_notify_stop(app->hints);
    dispatcher_stop(app->dispatcher);
    design_store_free(app->designs);
    plan_cache_clear();
    app->events = NULL;
    app->hints = NULL;
    app->dispatcher = NULL;
    app->designs = NULL;
}
