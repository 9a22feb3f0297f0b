/* server/routes.c: the whole API, in the order in which data flows. docs/openapi.json describes each row; a test
 * holds the two together. A HEAD request is answered by its GET. */
#include <stddef.h>

#include "server/handlers/handlers.h"
#include "server/http/http.h"

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

const struct route routes[] = {
    /* health */
    {"GET", "/healthz", healthz_get, SCOPE_NONE, ROUTE_DIRECT, 0},
    {"GET", "/readyz", readyz_get, SCOPE_NONE, ROUTE_DB, 0},
    {"GET", "/metrics", metrics_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/openapi.json", openapi_get, SCOPE_READ, ROUTE_DIRECT, 0},
    {"GET", "/api/v1/problems/{code}", problem_get, SCOPE_READ, ROUTE_DIRECT, 0},

    /* who is asking */
    {"POST", "/api/v1/session", session_post, SCOPE_NONE, ROUTE_LOGIN, 4 * KIB},
    {"GET", "/api/v1/session", session_get, SCOPE_ANY, ROUTE_DB, 0},
    {"PATCH", "/api/v1/session", session_patch, SCOPE_ANY, ROUTE_DB, 4 * KIB},
    {"DELETE", "/api/v1/session", session_delete, SCOPE_ANY, ROUTE_DB, 0},
    {"POST", "/api/v1/tokens", tokens_post, SCOPE_ANY, ROUTE_DB, 64 * KIB},
    {"GET", "/api/v1/tokens", tokens_get, SCOPE_ANY, ROUTE_DB, 0},
    {"DELETE", "/api/v1/tokens/{token}", token_delete, SCOPE_ANY, ROUTE_DB, 0},
    {"GET", "/api/v1/users", users_get, SCOPE_FARM, ROUTE_DB, 0},
    {"POST", "/api/v1/users", users_post, SCOPE_FARM, ROUTE_LOGIN, 4 * KIB},
    {"PATCH", "/api/v1/users/{user}", user_patch, SCOPE_FARM, ROUTE_DB, 4 * KIB},
    {"PUT", "/api/v1/users/{user}/password", user_password_put, SCOPE_ANY, ROUTE_LOGIN, 4 * KIB},
    {"GET", "/api/v1/teams", teams_get, SCOPE_ANY, ROUTE_DB, 0},
    {"POST", "/api/v1/teams", teams_post, SCOPE_FARM, ROUTE_DB, 4 * KIB},
    {"PATCH", "/api/v1/teams/{team}", team_patch, SCOPE_FARM, ROUTE_DB, 4 * KIB},
    {"GET", "/api/v1/teams/{team}/members", members_get, SCOPE_TEAM, ROUTE_DB, 0},
    {"POST", "/api/v1/teams/{team}/members", members_post, SCOPE_TEAM, ROUTE_LOGIN, 4 * KIB},
    {"PUT", "/api/v1/teams/{team}/members/{user}", member_put, SCOPE_TEAM, ROUTE_DB, 4 * KIB},
    {"DELETE", "/api/v1/teams/{team}/members/{user}", member_delete, SCOPE_TEAM, ROUTE_DB, 0},
    {"POST", "/api/v1/teams/{team}/invitations", invitations_post, SCOPE_TEAM, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/invitations", invitation_use_post, SCOPE_NONE, ROUTE_LOGIN, 4 * KIB},
    {"GET", "/api/v1/shares", shares_get, SCOPE_ADMIN, ROUTE_DB, 0},
    {"POST", "/api/v1/shares", shares_post, SCOPE_ADMIN, ROUTE_DB, 4 * KIB},
    {"DELETE", "/api/v1/shares/{share}", share_delete, SCOPE_ADMIN, ROUTE_DB, 0},
    {"GET", "/s/{secret}", share_open, SCOPE_NONE, ROUTE_DB, 0},
    {"GET", "/api/v1/audit", audit_get, SCOPE_TEAM, ROUTE_DB, 0},

    /* bytes in */
    {"POST", "/api/v1/uploads", uploads_post, SCOPE_WRITE, ROUTE_DB, 64 * KIB},
    {"GET", "/api/v1/uploads/{upload}", upload_get, SCOPE_WRITE, ROUTE_DB, 0},
    {"PUT", "/api/v1/uploads/{upload}/pieces/{piece}", upload_piece_put, SCOPE_WRITE, ROUTE_FILE, 8 * MIB},
    {"POST", "/api/v1/uploads/{upload}/finish", upload_finish_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"DELETE", "/api/v1/uploads/{upload}", upload_delete, SCOPE_WRITE, ROUTE_DB, 0},
    {"PUT", "/api/v1/blobs/{sha256}", blob_put_handler, SCOPE_WRITE, ROUTE_FILE, 64 * GIB},
    {"GET", "/api/v1/blobs/{sha256}", blob_get, SCOPE_WORKER, ROUTE_DB, 0},

    /* imports, workloads, profiles */
    {"GET", "/api/v1/imports/{import}", import_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/search", search_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/workloads", workloads_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/workloads/{workload}", workload_get, SCOPE_READ, ROUTE_DB, 0},
    {"PATCH", "/api/v1/workloads/{workload}", workload_patch, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"DELETE", "/api/v1/workloads/{workload}", workload_delete, SCOPE_WRITE, ROUTE_DB, 0},
    {"GET", "/api/v1/profiles/{profile}", profile_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/profiles/{profile}/kernels", profile_kernels_get, SCOPE_READ, ROUTE_DB, 0},
    {"POST", "/api/v1/profiles/{profile}/features", features_post, SCOPE_WRITE, ROUTE_FILE_CPU, 2 * GIB},
    {"POST", "/api/v1/profiles/{profile}/traces", profile_traces_post, SCOPE_WRITE, ROUTE_FILE_CPU, 64 * GIB},
    {"GET", "/api/v1/examples", examples_get, SCOPE_READ, ROUTE_DB, 0},
    {"POST", "/api/v1/examples/{example}", example_post, SCOPE_WRITE, ROUTE_CPU, 4 * KIB},
    {"GET", "/api/v1/profiles/{profile}/histogram", profile_histogram_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/profiles/{profile}/series", profile_series_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/profiles/{profile}/spreads", profile_spreads_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/profiles/{profile}/lanes", profile_lanes_get, SCOPE_READ, ROUTE_CPU, 0},

    /* plans, traces, designs */
    {"GET", "/api/v1/methods", methods_get, SCOPE_READ, ROUTE_DIRECT, 0},
    {"POST", "/api/v1/profiles/{profile}/plans", plans_post, SCOPE_WRITE, ROUTE_CPU, 64 * KIB},
    {"GET", "/api/v1/profiles/{profile}/costs", profile_costs_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/profiles/{profile}/cycles", profile_cycles_get, SCOPE_READ, ROUTE_CPU, 0},
    {"POST", "/api/v1/profiles/{profile}/pilots", pilots_post, SCOPE_WRITE, ROUTE_CPU, 64 * KIB},
    {"GET", "/api/v1/profiles/{profile}/pilots", pilots_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/pilots/{pilot}", pilot_get, SCOPE_READ, ROUTE_DB, 0},
    {"POST", "/api/v1/pilots/{pilot}/cancel", pilot_cancel_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/pilots/{pilot}/retry", pilot_retry_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"GET", "/api/v1/profiles/{profile}/sweep", sweep_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/plans", plans_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/plans/{plan}", plan_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/plans/{plan}/samples", plan_samples_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/plans/{plan}/costs", plan_costs_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/plans/{plan}/file", plan_file_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/plans/{plan}/trace-commands", plan_trace_commands_get, SCOPE_READ, ROUTE_CPU, 0},
    {"POST", "/api/v1/plans/{plan}/launch-list", plan_launch_list_post, SCOPE_READ, ROUTE_CPU, 64 * MIB},
    {"GET", "/api/v1/plans/{plan}/traces", plan_traces_get, SCOPE_READ, ROUTE_DB, 0},
    {"POST", "/api/v1/plans/{plan}/traces", plan_traces_post, SCOPE_WRITE, ROUTE_CPU, 8 * MIB},
    {"GET", "/api/v1/designs", designs_get, SCOPE_READ, ROUTE_DB, 0},
    {"POST", "/api/v1/designs", designs_post, SCOPE_WRITE, ROUTE_CPU, 8 * MIB},
    {"GET", "/api/v1/designs/{design}", design_get, SCOPE_WORKER, ROUTE_DB, 0},

    /* runs, jobs, results */
    {"POST", "/api/v1/plans/{plan}/runs", runs_post, SCOPE_WRITE, ROUTE_CPU, 64 * KIB},
    {"GET", "/api/v1/runs", runs_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/runs/{run}", run_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/runs/{run}/projection", run_projection_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/runs/{run}/estimate", run_estimate_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/runs/{run}/metrics", run_metrics_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/runs/{run}/compare", run_compare_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/compare", compare_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/runs/{run}/not-simulated", run_not_simulated_get, SCOPE_READ, ROUTE_CPU, 0},
    {"GET", "/api/v1/runs/{run}/strata", run_strata_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/runs/{run}/convergence", run_convergence_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/runs/{run}/events", run_events_get, SCOPE_READ, ROUTE_STREAM, 0},
    {"GET", "/api/v1/runs/{run}/jobs", run_jobs_get, SCOPE_READ, ROUTE_DB, 0},
    {"POST", "/api/v1/runs/{run}/cancel", run_cancel_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/runs/{run}/pause", run_pause_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/runs/{run}/resume", run_resume_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/runs/{run}/restart", run_restart_post, SCOPE_WRITE, ROUTE_CPU, 4 * KIB},
    {"POST", "/api/v1/runs/{run}/extend", run_extend_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/runs/{run}/extend/cost", run_extend_cost_post, SCOPE_WRITE, ROUTE_CPU, 4 * KIB},
    {"POST", "/api/v1/runs/{run}/cache-check", run_cache_check_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/runs/{run}/looks/{look}/accept", run_look_accept_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/runs/{run}/looks/{look}/undo", run_look_undo_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"GET", "/api/v1/jobs/{job}", job_get, SCOPE_READ, ROUTE_DB, 0},
    {"POST", "/api/v1/jobs/{job}/retry", job_retry_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/jobs/{job}/redraw", job_redraw_post, SCOPE_WRITE, ROUTE_CPU, 4 * KIB},
    {"POST", "/api/v1/jobs/{job}/drop", job_drop_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"GET", "/api/v1/results/{result}", result_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/results/{result}/series", result_series_get, SCOPE_READ, ROUTE_CPU, 0},
    {"POST", "/api/v1/results/{result}/series", result_series_post, SCOPE_WRITE, ROUTE_DB, 4 * KIB},
    {"GET", "/api/v1/discards", discards_get, SCOPE_FARM, ROUTE_DB, 0},
    {"POST", "/api/v1/discards", discards_post, SCOPE_FARM, ROUTE_CPU, 4 * KIB},

    /* workers, farm, events */
    {"POST", "/api/v1/worker/sessions", worker_sessions_post, SCOPE_WORKER, ROUTE_DB, 64 * KIB},
    {"POST", "/api/v1/worker/claim", worker_claim_post, SCOPE_WORKER, ROUTE_DB, 4 * KIB},
    {"POST", "/api/v1/worker/heartbeat", worker_heartbeat_post, SCOPE_WORKER, ROUTE_DB, 8 * MIB},
    {"POST", "/api/v1/worker/complete", worker_complete_post, SCOPE_WORKER, ROUTE_DB, 64 * MIB},
    {"POST", "/api/v1/worker/recordings", worker_recordings_post, SCOPE_WORKER, ROUTE_DB, 24 * MIB},
    {"GET", "/api/v1/farm", farm_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/farm/activity", farm_activity_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/workers", workers_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/workers/{worker}/attempts", worker_attempts_get, SCOPE_READ, ROUTE_DB, 0},
    {"GET", "/api/v1/events", events_get, SCOPE_READ, ROUTE_STREAM, 0},

    /* the dashboard: its files, and its page for every path that is nothing else */
    {"GET", "/assets/{path*}", asset_get, SCOPE_NONE, ROUTE_DIRECT, 0},
    {"GET", "/{path*}", page_get, SCOPE_NONE, ROUTE_DIRECT, 0},

    {NULL, NULL, NULL, SCOPE_NONE, ROUTE_DIRECT, 0},
};
