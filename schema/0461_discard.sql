BEGIN; -- 0461_discard.sql: results that were found wrong are taken back: marked, never deleted.
SELECT schema_register('0461_discard', requires => '0460_stranded');
CREATE TABLE result_discard (
    id      uuid PRIMARY KEY,
    at      timestamptz NOT NULL,
    by_name text NOT NULL,
    why     text NOT NULL CHECK (why <> ''),
    chosen  json NOT NULL,
    results integer NOT NULL,
    jobs    integer NOT NULL,
    runs    integer NOT NULL
);
COMMENT ON TABLE result_discard IS 'one row each time that somebody took results back';
COMMENT ON COLUMN result_discard.chosen IS 'by what they were chosen, as it was asked';

ALTER TABLE result ADD COLUMN worker text, ADD COLUMN discard_id uuid REFERENCES result_discard, ADD COLUMN discarded_key bytea;
ALTER TABLE result ADD CONSTRAINT discarded_results_keep_their_key CHECK ((discard_id IS NULL) = (discarded_key IS NULL));
CREATE INDEX result_by_discard ON result (discard_id) WHERE discard_id IS NOT NULL;
COMMENT ON COLUMN result.worker IS 'name of the worker that simulated it; NULL: from before, and its attempts are gone';
COMMENT ON COLUMN result.discard_id IS 'NULL: it counts';
COMMENT ON COLUMN result.discarded_key IS 'the key that it had: nobody finds it by that any more, and another result may have it';
UPDATE result t SET worker = o.worker FROM (SELECT DISTINCT ON (j.result_id) j.result_id, a.worker
    FROM (SELECT id, result_id, cached FROM job UNION ALL SELECT id, result_id, cached FROM job_archive) j
    JOIN (SELECT job_id, number, worker, outcome FROM attempt UNION ALL SELECT job_id, number, worker, outcome FROM attempt_archive) a
      ON a.job_id = j.id AND a.outcome = 'ok' WHERE j.result_id IS NOT NULL AND NOT j.cached ORDER BY j.result_id, a.number) o
 WHERE t.id = o.result_id;

CREATE TABLE discarded_use (
    result_id uuid NOT NULL REFERENCES result ON DELETE CASCADE,
    job_id    uuid NOT NULL,
    run_id    uuid NOT NULL REFERENCES run ON DELETE CASCADE,
    PRIMARY KEY (result_id, job_id)
);
CREATE INDEX discarded_use_by_run ON discarded_use (run_id);
COMMENT ON TABLE discarded_use IS 'jobs that were done by a result before it was discarded';

ALTER TABLE share ADD COLUMN discarded_at timestamptz;
COMMENT ON COLUMN share.discarded_at IS 'a frozen link whose documents rest on results that were discarded since';
COMMIT;
