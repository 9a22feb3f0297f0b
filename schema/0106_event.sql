BEGIN; -- 0106_event.sql: what happened, for streams and for the run page. Ids never show gaps that fill later: an id starts with
-- the number of its transaction, and readers stop below the oldest transaction that is still open.
SELECT schema_register('0106_event', requires => '0105_projection');
CREATE SEQUENCE event_in_transaction;
CREATE TABLE event (
    id       bigint PRIMARY KEY DEFAULT
                 pg_current_xact_id()::text::bigint * 4096 + nextval('event_in_transaction') % 4096,
    at       timestamptz NOT NULL,
    topic    text NOT NULL,
    kind     text NOT NULL,
    severity text,
    sentence text,
    data     text NOT NULL
);
CREATE INDEX event_by_topic ON event (topic, id) WHERE sentence IS NOT NULL;
COMMENT ON COLUMN event.topic IS '"run:ID", "import:ID" or "farm"';
COMMENT ON COLUMN event.sentence IS 'for people; NULL for events that only move a bar';
COMMENT ON COLUMN event.data IS 'one line of JSON, as the stream sends it';

CREATE TABLE leader (
    name       text PRIMARY KEY,
    holder     text NOT NULL,
    term       bigint NOT NULL,
    expires_at timestamptz NOT NULL
);
COMMENT ON TABLE leader IS 'who sweeps and projects; harmless if two do';
COMMIT;
