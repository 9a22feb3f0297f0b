BEGIN; -- 0250_recording_scale.sql: recordings that wait want workers, too.
SELECT schema_register('0250_recording_scale', requires => '0240_recording');
ALTER VIEW scale_demand RENAME TO scale_jobs;
-- To record takes about twice as long as it took without.
CREATE VIEW scale_demand AS
    SELECT class, ready_jobs, expected_s FROM scale_jobs
     UNION ALL
    SELECT 'recording', count(*), coalesce(sum(2 * q.host_seconds), 0)::float8
      FROM recording c JOIN result q ON q.id = c.result_id WHERE c.state = 'ready' HAVING count(*) > 0;
COMMENT ON VIEW scale_demand IS 'jobs and recordings that a worker could take now, and the seconds of one slot they are expected to take';
CREATE OR REPLACE VIEW scale_busy AS
    SELECT count(DISTINCT session_id) AS workers
      FROM (SELECT session_id FROM job WHERE state = 'leased'
             UNION ALL
            SELECT session_id FROM recording WHERE state = 'leased') held;
COMMIT;
