BEGIN; -- 9000_next_release.sql: the schema change of a next release, for chaos runs: columns of tables that are in use, one of
-- them with the whole table rewritten, an index of a busy table made again, a trigger, and a table that the trigger writes.
SELECT schema_register('9000_next_release', requires => '0554_plan_part');

ALTER TABLE job ADD COLUMN next_release boolean NOT NULL DEFAULT true;
ALTER TABLE job_archive ADD COLUMN next_release boolean NOT NULL DEFAULT true; -- statements read both tables as one
ALTER TABLE run ADD COLUMN next_release double precision NOT NULL DEFAULT random(); -- rewrites the table
ALTER TABLE worker_session ADD COLUMN next_release text;
CREATE INDEX next_release_run ON run (next_release);

CREATE TABLE next_release (run_id uuid PRIMARY KEY REFERENCES run ON DELETE CASCADE, changes integer NOT NULL);
INSERT INTO next_release SELECT id, 0 FROM run;
CREATE FUNCTION next_release_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO next_release VALUES (NEW.id, 1) ON CONFLICT (run_id) DO UPDATE SET changes = next_release.changes + 1;
    RETURN NULL;
END $$;
CREATE TRIGGER next_release_counts AFTER INSERT OR UPDATE OF state ON run FOR EACH ROW EXECUTE FUNCTION next_release_count();
COMMIT;
