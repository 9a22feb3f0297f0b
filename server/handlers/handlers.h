/* server/handlers/handlers.h: every handler, one section a resource, in the order of routes.c. */
#ifndef VIVACE_SERVER_HANDLERS_HANDLERS_H
#define VIVACE_SERVER_HANDLERS_HANDLERS_H

#include "server/app.h"
#include "server/http/http.h"

#define HANDLER(name)                                                                                              \
    int name(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)

/* health.c */
HANDLER(healthz_get);
HANDLER(readyz_get);
HANDLER(metrics_get);
/* openapi.c */
HANDLER(openapi_get);
HANDLER(problem_get);
/* session.c, tokens.c */
HANDLER(session_post);
HANDLER(session_get);
HANDLER(session_patch);
HANDLER(session_delete);
HANDLER(tokens_post);
HANDLER(tokens_get);
HANDLER(token_delete);
/* users.c, teams.c */
HANDLER(users_get);
HANDLER(users_post);
HANDLER(user_patch);
HANDLER(team_patch);
HANDLER(user_password_put);
HANDLER(teams_get);
HANDLER(teams_post);
HANDLER(members_get);
HANDLER(members_post);
HANDLER(member_put);
HANDLER(member_delete);
HANDLER(invitations_post);
HANDLER(invitation_use_post);
/* shares.c, audit.c */
HANDLER(shares_post);
HANDLER(shares_get);
HANDLER(share_delete);
HANDLER(share_open);
HANDLER(audit_get);
/* uploads.c */
HANDLER(uploads_post);
HANDLER(upload_get);
HANDLER(upload_piece_put);
HANDLER(upload_finish_post);
HANDLER(upload_delete);
/* blobs.c */
HANDLER(blob_put_handler);
HANDLER(blob_get);
/* imports.c */
HANDLER(import_get);
/* workloads.c */
HANDLER(workloads_get);
HANDLER(workload_get);
HANDLER(workload_patch);
HANDLER(workload_delete);
/* profiles.c, histogram.c, launches.c, search.c */
HANDLER(search_get);
HANDLER(profile_get);
HANDLER(profile_kernels_get);
HANDLER(profile_histogram_get);
HANDLER(profile_series_get);
HANDLER(profile_spreads_get);
HANDLER(profile_lanes_get);
/* features.c, examples.c */
HANDLER(features_post);
HANDLER(examples_get);
HANDLER(example_post);
/* static.c: the dashboard's files, and its page for every other path */
HANDLER(asset_get);
HANDLER(page_get);

/* plans.c, sweep.c, trace_commands.c, traces.c, designs.c */
HANDLER(methods_get);
HANDLER(plans_post);
HANDLER(profile_costs_get);
HANDLER(profile_cycles_get);
HANDLER(pilots_post);
HANDLER(pilots_get);
HANDLER(pilot_get);
HANDLER(pilot_cancel_post);
HANDLER(pilot_retry_post);
HANDLER(plan_costs_get);
HANDLER(plans_get);
HANDLER(plan_get);
HANDLER(plan_samples_get);
HANDLER(plan_file_get);
HANDLER(sweep_get);
HANDLER(plan_trace_commands_get);
HANDLER(plan_launch_list_post);
HANDLER(plan_traces_get);
HANDLER(plan_traces_post);
HANDLER(profile_traces_post);
HANDLER(designs_get);
HANDLER(designs_post);
HANDLER(design_get);
/* runs.c, looks.c, estimates.c, jobs.c, results.c */
HANDLER(runs_post);
HANDLER(runs_get);
HANDLER(run_get);
HANDLER(run_projection_get);
HANDLER(run_estimate_get);
HANDLER(run_metrics_get);
HANDLER(run_strata_get);
HANDLER(run_convergence_get);
HANDLER(run_events_get);
HANDLER(run_compare_get);
/* not_simulated.c */
HANDLER(run_not_simulated_get);
HANDLER(compare_get);
HANDLER(run_cancel_post);
HANDLER(run_pause_post);
HANDLER(run_resume_post);
HANDLER(run_restart_post);
HANDLER(run_extend_post);
HANDLER(run_extend_cost_post);
HANDLER(run_cache_check_post);
HANDLER(run_look_accept_post);
HANDLER(run_look_undo_post);
HANDLER(run_jobs_get);
HANDLER(job_get);
HANDLER(job_retry_post);
HANDLER(job_redraw_post);
HANDLER(job_drop_post);
HANDLER(result_get);
/* recordings.c */
HANDLER(result_series_post);
HANDLER(discards_get);
HANDLER(discards_post);
HANDLER(result_series_get);
HANDLER(worker_recordings_post);
/* worker.c, farm.c, events.c */
HANDLER(worker_sessions_post);
HANDLER(worker_claim_post);
HANDLER(worker_heartbeat_post);
HANDLER(worker_complete_post);
HANDLER(farm_get);
HANDLER(workers_get);
HANDLER(farm_activity_get);
HANDLER(worker_attempts_get);
HANDLER(events_get);

#endif
