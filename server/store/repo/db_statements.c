/* server/store/repo/db_statements.c: the list of all tables of statements; db_open() prepares every one of them. */
#include <stddef.h>

#include "server/store/db/db.h"

extern const struct db_stmt repo_access_stmts[], repo_account_stmts[], repo_share_stmts[], repo_audit_stmts[],
    repo_blob_stmts[], repo_upload_stmts[], repo_import_stmts[], repo_workload_stmts[], repo_profile_stmts[],
    repo_plan_stmts[], repo_design_stmts[], repo_trace_stmts[], repo_run_stmts[], repo_job_stmts[],
    repo_job_slice_stmts[], repo_job_end_stmts[], repo_claim_stmts[], repo_result_stmts[], repo_projection_stmts[],
    repo_event_stmts[], repo_leader_stmts[], repo_scale_stmts[], repo_archive_stmts[], repo_idempotency_stmts[],
    repo_watch_stmts[], repo_look_stmts[], repo_passed_over_stmts[], repo_again_stmts[], repo_discard_stmts[],
    repo_recheck_stmts[], repo_compare_stmts[], repo_activity_stmts[], repo_pack_stmts[], repo_task_stmts[],
    repo_recording_stmts[], repo_search_stmts[], repo_caches_stmts[], repo_answer_stmts[], repo_pilot_stmts[],
    repo_tally_stmts[], repo_job_list_stmts[];
extern const struct db_stmt *const db_statement_tables[];

const struct db_stmt *const db_statement_tables[] = {
    /* access, bytes in, profiles */
    repo_access_stmts,
    repo_account_stmts,
    repo_share_stmts,
    repo_audit_stmts,
    repo_blob_stmts,
    repo_upload_stmts,
    repo_import_stmts,
    repo_workload_stmts,
    repo_profile_stmts,
    /* plans, traces, runs, jobs, results, events */
    repo_plan_stmts,
    repo_design_stmts,
    repo_trace_stmts,
    repo_run_stmts,
    repo_job_stmts,
    repo_job_slice_stmts,
    repo_job_list_stmts,
    repo_job_end_stmts,
    repo_claim_stmts,
    repo_result_stmts,
    repo_projection_stmts,
    repo_answer_stmts,
    repo_compare_stmts,
    repo_activity_stmts,
    repo_event_stmts,
    repo_leader_stmts,
    repo_scale_stmts,
    repo_archive_stmts,
    repo_tally_stmts,
    repo_idempotency_stmts,
    repo_watch_stmts,
    repo_look_stmts,
    repo_passed_over_stmts,
    repo_again_stmts,
    repo_discard_stmts,
    repo_recheck_stmts,
    repo_pack_stmts,
    repo_task_stmts,
    repo_recording_stmts,
    repo_caches_stmts,
    repo_pilot_stmts,
    repo_search_stmts,
    NULL,
};
