-- upgrade_from_0541.sql: from the last of the files before the baseline (0001_versioning to 0541_task) to the baseline.
-- The server runs it in one transaction, on a database with exactly those files. Then it registers the baseline's files.

ALTER TABLE recording RENAME CONSTRAINT new_recording_pkey TO recording_pkey;
ALTER TABLE recording RENAME CONSTRAINT new_recording_task_id_fkey TO recording_task_id_fkey;
ALTER TABLE cache_check RENAME CONSTRAINT new_check_pkey TO cache_check_pkey;
ALTER TABLE cache_check RENAME CONSTRAINT new_check_task_id_fkey TO cache_check_task_id_fkey;
ALTER TABLE recheck RENAME CONSTRAINT new_recheck_pkey TO recheck_pkey;
ALTER TABLE recheck RENAME CONSTRAINT new_recheck_task_id_fkey TO recheck_task_id_fkey;

ALTER TABLE idempotent_request RENAME COLUMN made TO created_id;
ALTER TABLE run RENAME COLUMN half_said TO half_notified;
ALTER TABLE run RENAME COLUMN promise_said TO promise_notified;
ALTER TABLE run RENAME COLUMN strata_said TO strata_notified;
ALTER TABLE run_passed_over RENAME TO skipped_sample;
ALTER TABLE skipped_sample RENAME CONSTRAINT run_passed_over_pkey TO skipped_sample_pkey;
ALTER TABLE skipped_sample RENAME CONSTRAINT run_passed_over_run_id_fkey TO skipped_sample_run_id_fkey;
ALTER TABLE cache_wish RENAME TO cache_check_request;
ALTER TABLE cache_check_request RENAME CONSTRAINT cache_wish_pkey TO cache_check_request_pkey;
ALTER TABLE cache_check_request RENAME CONSTRAINT cache_wish_run_id_fkey TO cache_check_request_run_id_fkey;
ALTER TABLE cache_check_request RENAME CONSTRAINT cache_wish_launches_check TO cache_check_request_launches_check;
ALTER TABLE cache_check_request RENAME CONSTRAINT cache_wish_looks_back_check TO cache_check_request_looks_back_check;
ALTER INDEX cache_wish_open RENAME TO cache_check_request_open;

COMMENT ON TABLE leader IS 'the server that sweeps and projects; two at once do no harm';
COMMENT ON TABLE invitation IS 'the secret admits one account to the team; its use deletes the row';
COMMENT ON COLUMN token.scopes IS 'bits: 1 << scope as in http.h';
COMMENT ON TABLE audit IS 'changes of rights: who, when, what; rows are added, never changed, and deleted after a year';
COMMENT ON COLUMN profile.tables IS 'contexts and streams, as profile_codec.h writes them';
COMMENT ON COLUMN profile_chunk.columns IS 'kernel, value, start, stream; delta, varint, zstd (profile_codec.h)';
COMMENT ON COLUMN profile_feature.bytes IS 'pieces of one text that feature_codec.h writes';
COMMENT ON COLUMN design_owner.seen_at IS 'last upload; a name means the team''s last upload, or the built-in design where that is newer';
COMMENT ON COLUMN trace.program_sha256 IS 'packed launch list that the simulator runs up to that launch; NULL: the blob has the instructions';
COMMENT ON COLUMN run.half_notified IS 'the event "half of the samples are done" was written';
COMMENT ON COLUMN run.inside_kernels IS 'largest half-width of a launch that is projected inside, as a share of its cycles; 0: all launches are simulated whole';
COMMENT ON COLUMN pilot.state IS 'starting: no run yet; simulating: its run is open; planning: cycles, then the plan, are computed';
COMMENT ON COLUMN pilot.note IS 'which share of the cycles comes from which estimate';
COMMENT ON COLUMN pilot.problem IS 'why it failed or was cancelled; while open: the error of the last try, which is repeated';
COMMENT ON COLUMN share.object IS 'no reference: a link to a deleted object shows nothing';
COMMENT ON TABLE result_discard IS 'one row for each time that results were discarded';
COMMENT ON COLUMN result_discard.chosen IS 'the filter of the request';
COMMENT ON COLUMN result.worker IS 'name of the worker that simulated it; NULL: not known';
COMMENT ON COLUMN result.discarded_key IS 'its former key, which another result may have by now';
COMMENT ON COLUMN worker_session.seen_at IS 'last heartbeat; an index on it would make heartbeats expensive';
COMMENT ON COLUMN worker_session.token_id IS 'its token, which may read the blobs of jobs that its sessions lease; NULL: a session of a person';
COMMENT ON COLUMN job.run_id IS 'a run, without a foreign key';
COMMENT ON COLUMN job.failures IS 'attempts that crashed or hit a limit; budgets: job_state.c';
COMMENT ON COLUMN job.memory_class IS 'the memory limit is the default times 2 to this power';
COMMENT ON COLUMN job.time_class IS 'the time limit is the default times 2 to this power';
COMMENT ON COLUMN job.session_id IS 'a worker_session, without a foreign key';
COMMENT ON COLUMN job.result_id IS 'a result, without a foreign key';
COMMENT ON TABLE job_tally IS 'changes of statements: the sum of a run''s rows is its jobs by state, until the run is archived; rows are only added, so that no transaction waits; the sweeper merges them';
COMMENT ON COLUMN job_tally.folded IS 'the sum of other rows, which were deleted';
COMMENT ON COLUMN projection.cross_checks IS 'the total by other estimators, in unit: name, estimator, value, half_width, df; one that is far from value needs a check';
COMMENT ON COLUMN projection.confidence IS 'that all interim analyses share';
COMMENT ON COLUMN projection.looks IS 'most interim analyses that share it; NULL: none decides by this interval';
COMMENT ON COLUMN projection.difference_level IS 'of its difference to the baseline of the run''s rule; NULL: no interim analysis decides by it';
COMMENT ON COLUMN projection.communication IS 'kernels that wait for other GPUs, and all others; NULL: the run is open, or strata do not separate them';
COMMENT ON COLUMN run_rule.confidence IS 'that all interim analyses share';
COMMENT ON COLUMN run_rule.settled IS 'the rule has decided: no more interim analyses unless the run is extended';
COMMENT ON TABLE look IS 'interim analyses: one row each time that all jobs of a run had ended; the key prevents a second one of the same number';
COMMENT ON TABLE look_promise IS 'what an interim analysis found for each promise: the total of a design, or its difference to the baseline';
COMMENT ON COLUMN look_promise.half_width IS 'at the level of this interim analysis, by which it decided';
COMMENT ON COLUMN look_promise.once IS 'at the confidence of the rule, as if analyzed once';
COMMENT ON COLUMN look_promise.information IS 'with bound and spent: the share of the level that this interim analysis spent';
COMMENT ON TABLE skipped_sample IS 'launches that could not be simulated; replaced: by the next one of their stratum';
COMMENT ON TABLE run_answer IS 'the last complete answer of a run; its rows in projection and comparison belong to it until the next one';
COMMENT ON COLUMN run_answer.final IS 'the run ended with it; false: of an interim analysis, until the next one';
COMMENT ON COLUMN task.trace_sha256 IS 'NULL: it has no trace and has failed';
COMMENT ON COLUMN task.expected_s IS 'expected time, from that of its job; limits and the demand for workers follow from it';
COMMENT ON TABLE cache_check_request IS 'requests to simulate some launches of a run again with warmed caches; they are chosen when the run is over';
COMMENT ON COLUMN cache_check_request.chosen_at IS 'for looks_back; NULL: its traces are not cut yet';
COMMENT ON COLUMN cache_check.run_id IS 'that of its task';
COMMENT ON COLUMN cache_check.missing IS 'launches before it that have no trace on the farm';
COMMENT ON TABLE cache_error IS 'error of empty caches, from the finished checks of a design (sampling/cache_error.h)';
COMMENT ON COLUMN recheck.acted IS 'the result was quarantined after a difference';
COMMENT ON COLUMN event.kind IS 'with severity one of event_kinds.h; else the name in the stream';
COMMENT ON COLUMN event.params IS 'one line of JSON: the parameters of the kind; without severity the data that the stream sends';
COMMENT ON COLUMN activity_minute.slowest IS 'host seconds of the slowest that is ok; NULL: not known';
COMMENT ON TABLE activity_rolled IS 'one row: attempts that ended before upto are in activity_minute; the transaction that moves upto locks it';
COMMENT ON COLUMN launcher.problem IS 'why workers cannot be started, as the scheduler reports it; empty: no problem';

-- Stored reports and answers of the API have its names: a kernel launch was called an invocation.
UPDATE import SET report = regexp_replace(report::text, '"invocations"(\s*:)', '"launches"\1')::json WHERE report IS NOT NULL;
UPDATE share_document SET body = regexp_replace(regexp_replace(body, '"(zero_)?invocations"(\s*:)', '"\1launches"\2', 'g'),
                                                '"invocation"(\s*:)', '"launch"\1', 'g')
 WHERE body LIKE '%invocation%';

DELETE FROM schema_patch;
