BEGIN; -- 0112_storage.sql: what a team may store, what may be collected, and answers kept for repeated requests
SELECT schema_register('0112_storage', requires => '0109_program');

-- Blobs: when somebody last wanted them, and whether their bytes are still right.
ALTER TABLE blob ADD COLUMN touched_at timestamptz, ADD COLUMN scrubbed_at timestamptz, ADD COLUMN quarantined_at timestamptz;
UPDATE blob SET touched_at = created_at;
ALTER TABLE blob ALTER COLUMN touched_at SET NOT NULL;
COMMENT ON COLUMN blob.touched_at IS 'sent, or asked for by a team, at this time: what nothing refers to is kept for a while after it';
COMMENT ON COLUMN blob.quarantined_at IS 'the bytes were found damaged and are set aside; sending them again mends it';
CREATE INDEX blob_by_touch ON blob (touched_at);
CREATE INDEX profile_by_blob ON profile (blob_sha256);
CREATE INDEX trace_by_program ON trace (program_sha256);
CREATE INDEX upload_by_hash ON upload (sha256);

-- A blob's bytes and its row cannot be written at once. Who brings bytes announces them here first; who removes bytes
-- says so here, in the transaction that removes the row. So bytes are never removed under somebody who relies on them.
CREATE TABLE blob_pending (
    sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    going boolean NOT NULL,
    at timestamptz NOT NULL);
COMMENT ON COLUMN blob_pending.going IS 'true: the row in blob is gone, the bytes are to be removed; false: bytes are on their way';

-- What each team stores. Kept by triggers, so that every way in and out counts.
CREATE TABLE team_storage (
    team_id bigint PRIMARY KEY REFERENCES team ON DELETE CASCADE,
    stored_bytes bigint NOT NULL DEFAULT 0,
    reserved_bytes bigint NOT NULL DEFAULT 0,
    open_uploads bigint NOT NULL DEFAULT 0,
    quota_bytes bigint CHECK (quota_bytes >= 0));
COMMENT ON COLUMN team_storage.stored_bytes IS 'of all blobs that the team has sent';
COMMENT ON COLUMN team_storage.reserved_bytes IS 'of uploads that have not become a blob yet';
COMMENT ON COLUMN team_storage.quota_bytes IS 'null: the farm''s setting';

ALTER TABLE blob_owner ADD COLUMN bytes bigint;
UPDATE blob_owner o SET bytes = b.bytes FROM blob b WHERE b.sha256 = o.sha256;
ALTER TABLE blob_owner ALTER COLUMN bytes SET NOT NULL;
ALTER TABLE upload ADD COLUMN reserved_bytes bigint NOT NULL DEFAULT 0;
UPDATE upload SET reserved_bytes = bytes WHERE state = 'open' AND NOT known;
INSERT INTO team_storage (team_id, stored_bytes, reserved_bytes, open_uploads)
SELECT t.id, (SELECT coalesce(sum(bytes), 0) FROM blob_owner o WHERE o.team_id = t.id), coalesce(sum(u.reserved_bytes), 0),
       count(u.id) FILTER (WHERE u.state = 'open')
  FROM team t LEFT JOIN upload u ON u.team_id = t.id GROUP BY t.id;

CREATE FUNCTION team_storage_add(team bigint, stored bigint, reserved bigint, opened bigint) RETURNS void LANGUAGE sql AS $$
    UPDATE team_storage SET stored_bytes = stored_bytes + stored, reserved_bytes = reserved_bytes + reserved,
           open_uploads = open_uploads + opened WHERE team_id = team
$$;
CREATE FUNCTION team_storage_make() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO team_storage (team_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER team_has_storage AFTER INSERT ON team FOR EACH ROW EXECUTE FUNCTION team_storage_make();
CREATE FUNCTION blob_owner_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM team_storage_add(NEW.team_id, NEW.bytes, 0, 0);
    ELSE
        PERFORM team_storage_add(OLD.team_id, -OLD.bytes, 0, 0);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER blob_owner_counted AFTER INSERT OR DELETE ON blob_owner FOR EACH ROW EXECUTE FUNCTION blob_owner_count();
CREATE FUNCTION upload_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM team_storage_add(OLD.team_id, 0, -OLD.reserved_bytes, -(OLD.state = 'open')::int);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM team_storage_add(NEW.team_id, 0, NEW.reserved_bytes, (NEW.state = 'open')::int);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER upload_counted AFTER INSERT OR DELETE OR UPDATE OF state, reserved_bytes ON upload
    FOR EACH ROW EXECUTE FUNCTION upload_count();

-- Creations that may be repeated: the same key gets the same answer.
CREATE TABLE idempotent_request (
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    key text NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
    request bytea NOT NULL CHECK (length(request) = 32),
    running_until timestamptz,
    status integer,
    content_type text,
    location text,
    answer bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (team_id, key),
    CONSTRAINT ended_ones_have_an_answer CHECK ((running_until IS NULL) = (status IS NOT NULL)));
CREATE INDEX idempotent_request_by_age ON idempotent_request (created_at);
COMMENT ON COLUMN idempotent_request.request IS 'SHA-256 of method, path, query and body';
COMMENT ON COLUMN idempotent_request.running_until IS 'being answered; after this time its server is gone and it may be done again';
COMMIT;
