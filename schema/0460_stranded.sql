BEGIN; -- 0460_stranded.sql: runs whose jobs no connected worker can take.
SELECT schema_register('0460_stranded', requires => '0441_farm_id');
CREATE VIEW run_stranded AS
    SELECT r.id, r.engine, r.simulator FROM run r WHERE r.state = 'running'
       AND EXISTS (SELECT FROM job j WHERE j.run_id = r.id AND j.state = 'ready' AND j.waits_on IS NULL)
       AND NOT EXISTS (SELECT FROM worker_session w WHERE w.state = 'alive' AND r.engine = ANY (w.engines)
                          AND (r.engine = 'replay' OR w.simulator = r.simulator));
COMMENT ON VIEW run_stranded IS 'results of versions never mix in a run: a job is given to workers of the simulator that its run was made for';
COMMIT;
