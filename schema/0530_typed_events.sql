BEGIN; -- 0530_typed_events.sql: an event is a kind and its parameters (server/event/event_kinds.h); texts of before become kind run.text.
SELECT schema_register('0530_typed_events', requires => '0510_upload_pieces');
DROP INDEX event_by_topic;
ALTER TABLE event RENAME COLUMN data TO params;
ALTER TABLE event ALTER COLUMN params TYPE json USING params::json;
UPDATE event SET kind = 'run.text', severity = coalesce(severity, 'info'), params = json_build_object('text', sentence)
 WHERE sentence IS NOT NULL;
ALTER TABLE event DROP COLUMN sentence;
CREATE INDEX event_by_topic ON event (topic, id) WHERE severity IS NOT NULL;
COMMENT ON COLUMN event.kind IS 'with severity one of server/event/event_kinds.h; else the name in the stream';
COMMENT ON COLUMN event.severity IS 'NULL for events without text, which only move a bar';
COMMENT ON COLUMN event.params IS 'one line of JSON: what the text of the kind is made of; without severity what the stream sends';

ALTER TABLE look ALTER COLUMN reason TYPE json
    USING json_build_object('kind', 'run.text', 'params', json_build_object('text', reason));
COMMENT ON COLUMN look.reason IS 'kind and params of the decision';

-- Frozen links keep documents as they were.
UPDATE share_document SET body = json_build_object('items', (
        SELECT coalesce(json_agg(json_build_object('id', i.e->'id', 'at', i.e->'at', 'kind', 'run.text', 'params',
                   json_build_object('text', i.e->'sentence'), 'severity', i.e->'severity', 'text', i.e->'sentence') ORDER BY i.n), '[]')
          FROM json_array_elements(body::json->'items') WITH ORDINALITY i (e, n)), 'next', body::json->'next')::text
 WHERE address ~ '^/api/v1/runs/[^/]+/events$';
COMMIT;
