BEGIN; -- 0480_job_tally.sql: how many jobs of a run are in each state, kept as they change, because counting a million takes a second.
SELECT schema_register('0480_job_tally', requires => '0441_farm_id');
CREATE TABLE job_tally (
    run_id    uuid NOT NULL,
    blocked   integer NOT NULL,
    ready     integer NOT NULL,
    leased    integer NOT NULL,
    done      integer NOT NULL,
    failed    integer NOT NULL,
    cancelled integer NOT NULL,
    folded    boolean NOT NULL DEFAULT false
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX job_tally_of_run ON job_tally (run_id);
COMMENT ON TABLE job_tally IS 'what statements changed: the sum of a run''s rows is its jobs by state in job and job_archive until it is archived (run.ended_counts); rows are only added, so that nobody waits for another, and the sweeper folds them into one';
COMMENT ON COLUMN job_tally.folded IS 'the sum of others, which are gone';

CREATE FUNCTION job_tally_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_tally SELECT run_id, count(*) FILTER (WHERE state = 'blocked'), count(*) FILTER (WHERE state = 'ready'),
           count(*) FILTER (WHERE state = 'leased'), count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed'),
           count(*) FILTER (WHERE state = 'cancelled') FROM made GROUP BY run_id;
    RETURN NULL;
END $$;
CREATE FUNCTION job_tally_take() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_tally SELECT run_id, -count(*) FILTER (WHERE state = 'blocked'), -count(*) FILTER (WHERE state = 'ready'),
           -count(*) FILTER (WHERE state = 'leased'), -count(*) FILTER (WHERE state = 'done'), -count(*) FILTER (WHERE state = 'failed'),
           -count(*) FILTER (WHERE state = 'cancelled') FROM gone GROUP BY run_id;
    RETURN NULL;
END $$;
CREATE FUNCTION job_tally_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_tally SELECT * FROM (SELECT run_id, coalesce(sum(n) FILTER (WHERE state = 'blocked'), 0) AS blocked,
           coalesce(sum(n) FILTER (WHERE state = 'ready'), 0) AS ready, coalesce(sum(n) FILTER (WHERE state = 'leased'), 0) AS leased,
           coalesce(sum(n) FILTER (WHERE state = 'done'), 0) AS done, coalesce(sum(n) FILTER (WHERE state = 'failed'), 0) AS failed,
           coalesce(sum(n) FILTER (WHERE state = 'cancelled'), 0) AS cancelled
      FROM (SELECT run_id, state, 1 AS n FROM made UNION ALL SELECT run_id, state, -1 FROM gone) x GROUP BY run_id) t
     WHERE (blocked, ready, leased, done, failed, cancelled) <> (0, 0, 0, 0, 0, 0);
    RETURN NULL;
END $$;
CREATE TRIGGER job_tally_made AFTER INSERT ON job REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION job_tally_add();
CREATE TRIGGER job_tally_gone AFTER DELETE ON job REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION job_tally_take();
CREATE TRIGGER job_tally_moved AFTER UPDATE ON job REFERENCING OLD TABLE AS gone NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION job_tally_move();
CREATE TRIGGER job_tally_made AFTER INSERT ON job_archive REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION job_tally_add();
CREATE TRIGGER job_tally_gone AFTER DELETE ON job_archive REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION job_tally_take();

INSERT INTO job_tally SELECT run_id, count(*) FILTER (WHERE state = 'blocked'), count(*) FILTER (WHERE state = 'ready'),
       count(*) FILTER (WHERE state = 'leased'), count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed'),
       count(*) FILTER (WHERE state = 'cancelled'), true
  FROM (SELECT run_id, state FROM job UNION ALL SELECT run_id, state FROM job_archive) j
 WHERE EXISTS (SELECT FROM run WHERE id = run_id AND archived_at IS NULL) GROUP BY run_id;
COMMIT;
