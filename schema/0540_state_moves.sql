BEGIN; -- 0540_state_moves.sql: a job or a run that changes its state in a way that is not in the state machine is refused.
SELECT schema_register('0540_state_moves', requires => '0510_upload_pieces');
-- The state machine of jobs: server/queue/job_state.h.
CREATE FUNCTION job_may_become(job_state, job_state) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE $1 WHEN 'blocked' THEN $2 IN ('ready', 'done', 'cancelled')
                   WHEN 'ready' THEN $2 IN ('blocked', 'leased', 'done', 'failed', 'cancelled')
                   WHEN 'leased' THEN $2 IN ('blocked', 'ready', 'done', 'failed', 'cancelled')
                   WHEN 'done' THEN $2 IN ('blocked', 'failed', 'cancelled')
                   WHEN 'failed' THEN $2 IN ('blocked', 'done')
                   ELSE false END $$;
-- Runs: they end, are paused and resumed; one that ended goes on when jobs are added or results are discarded.
CREATE FUNCTION run_may_become(run_state, run_state) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE $1 WHEN 'running' THEN $2 IN ('paused', 'done', 'failed', 'cancelled')
                   WHEN 'paused' THEN $2 IN ('running', 'done', 'failed', 'cancelled')
                   WHEN 'done' THEN $2 = 'running'
                   WHEN 'failed' THEN $2 = 'running'
                   ELSE false END $$;
CREATE FUNCTION state_move_refused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% % cannot become % from %', TG_TABLE_NAME, NEW.id, NEW.state, OLD.state USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER job_moves AFTER UPDATE OF state ON job FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND NOT job_may_become(OLD.state, NEW.state)) EXECUTE FUNCTION state_move_refused();
CREATE TRIGGER run_moves AFTER UPDATE OF state ON run FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND NOT run_may_become(OLD.state, NEW.state)) EXECUTE FUNCTION state_move_refused();
COMMIT;
