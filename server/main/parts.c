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
#include "server/domain/run/run_moves.h"
#include "server/domain/tasks/trace_pack.h"
#include "server/platform/config.h"
#include "server/store/blob/collector.h"

static int open_designs(struct app *app, struct err *e)
{
    struct db *db;
    int ret;

    if (db_open(app->farm.store.conninfo, &db, e) < 0)
        return -1;
    ret = design_store_open(&app->farm, app->config->vivace_sim, db, &app->farm.designs, e);
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
    const struct sweeper_also also = {
        .jobs_made = trace_pack_kick, .rechecks = rechecks_tick, .cancels = run_cancels_tick};

    app->farm.pilots_serve = pilots_serve;
    if (open_designs(app, e) < 0 ||
        dispatcher_start(&app->farm, &d, &parked_answers, &app->farm.dispatcher, e) < 0 ||
        peer_notify_start(&app->farm, app->farm.store.direct, &app->farm.hints, e) < 0 ||
        event_hub_start(app, &app->events, e) < 0 || projector_start(&app->farm, &app->farm.projector, e) < 0 ||
        watch_start(&app->farm, &app->farm.watch, e) < 0)
        return -1;
    return sweeper_start(&app->farm, &s, &also, &app->farm.sweeper, e) < 0
               ? -1
               : collector_start(&app->farm.store, &app->farm.store.collector, e);
}

void parts_init(struct app *app, const struct server_config *config, struct clock *clock)
{
    app->config = app->farm.config = app->farm.store.config = config;
    app->clock = app->farm.clock = app->farm.store.clock = clock;
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
    collector_stop(app->farm.store.collector);
    sweeper_stop(app->farm.sweeper);
    projector_stop(app->farm.projector);
    watch_stop(app->farm.watch);
    app->farm.store.collector = NULL;
    app->farm.sweeper = NULL;
    app->farm.projector = NULL;
    app->farm.watch = NULL;
}

void parts_stop(struct app *app)
{
    parts_quiet(app);
    event_hub_stop(app->events);
    peer_notify_stop(app->farm.hints);
    dispatcher_stop(app->farm.dispatcher);
    design_store_free(app->farm.designs);
    plan_cache_clear();
    app->events = NULL;
    app->farm.hints = NULL;
    app->farm.dispatcher = NULL;
    app->farm.designs = NULL;
}
