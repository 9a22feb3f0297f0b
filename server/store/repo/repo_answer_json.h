/* server/store/repo/repo_answer_json.h: the last complete answer of a run and what is simulated for the next one,
 * as pages show them: SQL for statements where `r` is the run. NULL: the run has not been complete yet. */
#ifndef VIVACE_SERVER_DB_REPO_ANSWER_JSON_H
#define VIVACE_SERVER_DB_REPO_ANSWER_JSON_H

#include "server/store/repo/repo_tally.h"

/* Jobs that the answer waits for, or that were cancelled; samples of which no design has a trace. */
#define ANSWER_JSON                                                                                                \
    "(SELECT json_build_object('at', api_time(z.at), 'plan', z.plan_id, 'final', z.final, 'launches',"             \
    "   (SELECT samples FROM plan WHERE id = z.plan_id), 'under_way', CASE WHEN o.open > 0 OR"                     \
    "   r.plan_id <> z.plan_id AND r.state IN ('running', 'paused', 'cancelled')"                                  \
    "   THEN json_build_object('jobs', greatest(r.jobs - z.jobs, o.open), 'open', o.open, 'blocked', o.blocked,"   \
    "     'missing_traces', o.missing, 'designs', (SELECT count(*) FROM run_design WHERE run_id = r.id),"          \
    "     'cancelled', r.state = 'cancelled') END)"                                                                \
    "  FROM run_answer z, LATERAL (SELECT s.blocked + s.ready + s.leased AS open, s.blocked, CASE WHEN s.blocked"  \
    "     > 0 THEN (SELECT count(DISTINCT j.sample) FROM job j WHERE j.run_id = r.id AND j.state = 'blocked'"      \
    "     AND j.trace_sha256 IS NULL) ELSE 0 END AS missing"                                                       \
    "     FROM (SELECT " JOBS_BY_STATE " FROM job_tally t WHERE t.run_id = r.id"                                   \
    "   AND r.state IN ('running', 'paused', 'cancelled')) s) o"                                                   \
    " WHERE z.run_id = r.id)"

#endif
