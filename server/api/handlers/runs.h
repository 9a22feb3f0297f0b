/* server/api/handlers/runs.h: what handlers below /runs/{run} share. */
#ifndef VIVACE_SERVER_HANDLERS_RUNS_H
#define VIVACE_SERVER_HANDLERS_RUNS_H

#include "server/store/repo/repo_run.h"
#include "server/api/http/http.h"

/* The run that {run} names, if it is the caller's team's; otherwise ERR_NOT_FOUND. */
int run_of_request(struct db *db, const struct request *req, struct run_row *run, struct err *e) MUST_CHECK;
/* Answers with the run as it is now. */
int answer_run(struct db *db, const char *id, int status, struct reply *rep, struct err *e) MUST_CHECK;
/* ERR_NOT_FOUND: what to say where ?design names none of the run's. */
int no_design(const char *design, struct err *e);

#endif
