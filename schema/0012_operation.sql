BEGIN; -- 0012_operation.sql: events, activity of workers, and the demand for workers.
SELECT schema_register('0012_operation', requires => '0011_task');

-- Ids of events never have gaps that are filled later: an id starts with the number of its transaction, and readers stop
-- below the oldest transaction that is still open.
CREATE SEQUENCE event_in_transaction;

CREATE TABLE event (
    id       bigint PRIMARY KEY DEFAULT pg_current_xact_id()::text::bigint * 4096 + nextval('event_in_transaction') % 4096,
    at       timestamptz NOT NULL,
    topic    text NOT NULL,
    kind     text NOT NULL,
    severity text,
    params   json NOT NULL
);
CREATE INDEX event_by_topic ON event (topic, id) WHERE severity IS NOT NULL;
COMMENT ON COLUMN event.topic IS '"run:ID", "import:ID" or "farm"';
COMMENT ON COLUMN event.kind IS 'with severity one of event_kinds.h; else the name in the stream';
COMMENT ON COLUMN event.severity IS 'NULL for events without text, which only move a bar';
COMMENT ON COLUMN event.params IS 'one line of JSON: the parameters of the kind; without severity the data that the stream sends';

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
COMMENT ON COLUMN activity_minute.slowest IS 'host seconds of the slowest that is ok; NULL: not known';

CREATE TABLE activity_rolled (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    upto     timestamptz NOT NULL
);
COMMENT ON TABLE activity_rolled IS 'one row: attempts that ended before upto are in activity_minute; the transaction that moves upto locks it';
INSERT INTO activity_rolled (upto) VALUES ('-infinity');

-- At most 100 000 jobs are counted: with more, every launcher has reached its maximum, and the query must stay cheap.
-- The expected time of a job is the mean of its run's simulations, else of the farm's newest ones, else a minute.
CREATE VIEW scale_jobs AS
    WITH ready AS (
        SELECT o.id, o.engine, o.memory_class, count(*) AS jobs
          FROM (SELECT r.id, r.engine, j.memory_class FROM run r JOIN job j ON j.run_id = r.id
                 WHERE r.state = 'running' AND j.state = 'ready' AND j.waits_on IS NULL LIMIT 100000) o
         GROUP BY o.id, o.engine, o.memory_class)
    SELECT ready.engine::text || CASE WHEN memory_class > 0 THEN ' memory x' || (1::bigint << memory_class) ELSE '' END AS class,
           sum(jobs)::bigint AS ready_jobs,
           sum(jobs * CASE WHEN ready.engine = 'replay' THEN 0.01 ELSE coalesce(own.s, farm.s, 60) END)::float8 AS expected_s
      FROM ready
      LEFT JOIN LATERAL (
          SELECT avg(host_seconds) AS s FROM (
              SELECT q.host_seconds FROM job d JOIN result q ON q.id = d.result_id
               WHERE d.run_id = ready.id AND d.state = 'done' AND NOT d.cached LIMIT 200) x) own ON true
      LEFT JOIN LATERAL (
          SELECT avg(host_seconds) AS s FROM (
              SELECT q.host_seconds FROM result q WHERE q.engine = ready.engine ORDER BY q.id DESC LIMIT 200) y) farm ON true
     GROUP BY 1;
COMMENT ON VIEW scale_jobs IS 'jobs that a worker could take now, and the seconds of one slot they are expected to take';

CREATE VIEW scale_demand AS
    SELECT class, ready_jobs, expected_s FROM scale_jobs
     UNION ALL
    SELECT 'recording', count(*), sum(expected_s) FROM task WHERE state = 'ready' HAVING count(*) > 0;

CREATE VIEW scale_busy AS
    SELECT count(DISTINCT session_id) AS workers
      FROM (SELECT session_id FROM job WHERE state = 'leased' UNION ALL SELECT session_id FROM task WHERE state = 'leased') held;

CREATE TABLE launcher (
    name       text PRIMARY KEY,
    kind       text NOT NULL,
    wanted     integer NOT NULL,
    running    integer NOT NULL,
    waiting    integer NOT NULL,
    problem    text NOT NULL DEFAULT '',
    updated_at timestamptz NOT NULL
);
COMMENT ON TABLE launcher IS 'what the launcher of the leading server sees; one row';
COMMENT ON COLUMN launcher.waiting IS 'submitted and not started yet';
COMMENT ON COLUMN launcher.problem IS 'why workers cannot be started, as the scheduler reports it; empty: no problem';
COMMIT;
