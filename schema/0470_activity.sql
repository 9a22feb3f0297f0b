BEGIN; -- 0470_activity.sql: what workers did, by minute, so that the farm's page reads no million attempts.
SELECT schema_register('0470_activity', requires => '0441_farm_id');
CREATE TABLE activity_minute (
    minute   timestamptz NOT NULL,
    run_id   uuid NOT NULL,
    worker   text NOT NULL,
    island   integer NOT NULL,
    began_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    attempts integer NOT NULL CHECK (attempts > 0),
    ok       integer NOT NULL,
    lost     integer NOT NULL,
    retries  integer NOT NULL,
    cycles   double precision NOT NULL,
    slowest  double precision,
    PRIMARY KEY (minute, run_id, worker, island)
);
COMMENT ON TABLE activity_minute IS 'attempts that ended in a minute, by run and worker; those with at most 250 ms between them are one row';
COMMENT ON COLUMN activity_minute.lost IS 'of them: outcome lost or overdue';
COMMENT ON COLUMN activity_minute.retries IS 'of them: not the first of their job';
COMMENT ON COLUMN activity_minute.cycles IS 'simulated by those that are ok';
COMMENT ON COLUMN activity_minute.slowest IS 'host seconds of the slowest that is ok; NULL: none says';
CREATE TABLE activity_rolled (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), upto timestamptz NOT NULL);
INSERT INTO activity_rolled (upto) VALUES ('-infinity');
COMMENT ON TABLE activity_rolled IS 'one row: what ended before upto is in activity_minute, what ended later is not; locked by the one who moves it';
CREATE INDEX attempt_by_worker ON attempt (worker, job_id);
CREATE INDEX attempt_archive_by_worker ON attempt_archive (worker, job_id);
COMMIT;
