BEGIN; -- 0280_archive.sql: workloads that are put away, and how far each is.
SELECT schema_register('0280_archive', requires => '0130_look');
ALTER TABLE workload ADD COLUMN archived_at timestamptz;
COMMENT ON COLUMN workload.archived_at IS 'put away: lists leave it out unless they are asked for it; nothing of it is deleted';
-- Of the latest run, as people ask for it: what goes on, what is finished, what came to nothing.
CREATE FUNCTION workload_state(wanted uuid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT CASE r.state WHEN 'paused' THEN 'running' WHEN 'cancelled' THEN 'failed' ELSE r.state::text END
           FROM run r JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id
          WHERE f.workload_id = wanted ORDER BY r.id DESC LIMIT 1),
        CASE WHEN EXISTS (SELECT FROM plan p JOIN profile f ON f.id = p.profile_id
                           WHERE f.workload_id = wanted AND p.parent_id IS NULL)
             THEN 'not_run' ELSE 'not_planned' END)
$$;
COMMIT;
