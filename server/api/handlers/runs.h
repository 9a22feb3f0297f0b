/* server/api/handlers/runs.h: functions that the handlers below /runs/{run} share. */
#ifndef VIVACE_SERVER_HANDLERS_RUNS_H
#define VIVACE_SERVER_HANDLERS_RUNS_H

#include "server/domain/project/run_results.h"
#include "server/store/repo/repo_run.h"
#include "server/api/http/http.h"

/* Finds the run in the request path. ERR_NOT_FOUND unless it belongs to the caller's team. */
int run_of_request(struct db *db, const struct request *req, struct run_row *run, struct err *e) MUST_CHECK;
/* Answers with the current state of the run. */
int answer_run(struct db *db, const char *id, int status, struct reply *rep, struct err *e) MUST_CHECK;
/* Fills *e with ERR_NOT_FOUND for a ?design that is not a design of the run. Returns -1. */
int no_design(const char *design, struct err *e);
/* The index of a design in the run's results; the first where name is NULL. ERR_NOT_FOUND: the run has none of that
 * name. */
int run_design_find(const struct run_results *r, const char *name, size_t *out, struct err *e);

#endif
