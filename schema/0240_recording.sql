BEGIN; -- 0240_recording.sql: what happened when in one simulated sample, simulated once more when somebody asks.
SELECT schema_register('0240_recording', requires => '0109_program');
CREATE TYPE recording_state AS ENUM ('ready', 'leased', 'done', 'failed');
CREATE TABLE recording (
    result_id   uuid PRIMARY KEY REFERENCES result ON DELETE CASCADE,
    state       recording_state NOT NULL DEFAULT 'ready',
    attempt     integer NOT NULL DEFAULT 0,
    session_id  uuid REFERENCES worker_session ON DELETE SET NULL,
    asked_by    text NOT NULL,
    asked_at    timestamptz NOT NULL,
    deadline_at timestamptz,
    finished_at timestamptz,
    why         text,
    bytes       bytea,
    CONSTRAINT done_recordings_are_here CHECK ((state = 'done') = (bytes IS NOT NULL)),
    CONSTRAINT failed_recordings_say_why CHECK ((state = 'failed') = (why IS NOT NULL)),
    CONSTRAINT leased_recordings_have_a_deadline CHECK ((state = 'leased') = (deadline_at IS NOT NULL))
);
ALTER TABLE recording ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX recording_open ON recording (asked_at) WHERE state IN ('ready', 'leased');
COMMENT ON TABLE recording IS 'a result whose series somebody asked for; it is no job: no run waits for it and no projection counts it';
COMMENT ON COLUMN recording.attempt IS 'leases given out so far; the fence, as in job';
COMMENT ON COLUMN recording.bytes IS 'docs/formats/recording.md; its columns are compressed already';
COMMIT;
