/* server/domain/run/runs.h: the half of the server that plans, dispatches and projects, as the other half sees it.
 */
#ifndef VIVACE_SERVER_RUNS_H
#define VIVACE_SERVER_RUNS_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>

#include "server/app.h"

struct db;

/* After migrations, before listening: starts dispatcher, sweeper, projector, event hub, and fills app->dispatcher
 * and app->events. -1: nothing was left running. */
int runs_start(struct app *app, struct err *e);
/* Ends the threads that give executors something to do; then, when executors are idle, nothing uses runs any more.
 */
void runs_quiet(struct app *app);
/* Answers what is parked, ends streams and threads. New requests no longer come in. */
void runs_stop(struct app *app);
bool runs_leads(const struct app *app); /* does this server sweep the queue? */
/* There is work for the leader: if this server is it, at once, otherwise it sees it within five seconds. */
void runs_wake_leader(struct app *app);
/* Open runs whose results this server could not project several times in a row. */
size_t runs_stuck(const struct app *app);

/* What a workload's row and page show of its plans and runs: jansson values (void * so that this header needs no
 * jansson), the caller releases them. latest_plan and latest_run are JSON null where there are none.
 *   latest_plan {"id","method","speedup","promised_error"}
 *   latest_run  {"id","state","done","jobs","projections":[{"design","value_s","half_width_s","value_cycles",
 *                "half_width_cycles","level"}]} */
int runs_latest_of_workload(struct db *db, const char *workload, void **latest_plan, void **latest_run,
                            struct err *e);
/*   plans [{id,method,error,confidence,seed,samples,strata,speedup,promised_error,created_at}], newest first
 *   runs  [{id,plan,state,designs,done,jobs,created_at}], newest first */
int runs_lists_of_workload(struct db *db, const char *workload, void **plans, void **runs, struct err *e);

#endif
