/* server/domain/run/runs.h: plans and runs of a workload, for its pages. */
#ifndef VIVACE_SERVER_RUNS_H
#define VIVACE_SERVER_RUNS_H

#include "base/err.h"

struct db;

/* The plans and runs of a workload's row and page, as jansson values (void * so that this header needs no jansson).
 * The caller releases them. latest_plan and latest_run are JSON null where there are none.
 *   latest_plan {"id","method","speedup","promised_error"}
 *   latest_run  {"id","state","done","jobs","projections":[{"design","value_s","half_width_s","value_cycles",
 *                "half_width_cycles","level"}]} */
int runs_latest_of_workload(struct db *db, const char *workload, void **latest_plan, void **latest_run,
                            struct err *e);
/*   plans [{id,method,error,confidence,seed,samples,strata,speedup,promised_error,created_at}], newest first
 *   runs  [{id,plan,state,designs,done,jobs,created_at}], newest first */
int runs_lists_of_workload(struct db *db, const char *workload, void **plans, void **runs, struct err *e);

#endif
