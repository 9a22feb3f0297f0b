BEGIN; -- 0003_storage.sql: stored bytes by SHA-256, uploads, and what each team stores.
SELECT schema_register('0003_storage', requires => '0002_team');

CREATE TABLE blob (
    sha256         text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    bytes          bigint NOT NULL CHECK (bytes >= 0),
    created_at     timestamptz NOT NULL,
    touched_at     timestamptz NOT NULL,
    scrubbed_at    timestamptz,
    quarantined_at timestamptz
);
CREATE INDEX blob_by_touch ON blob (touched_at);
COMMENT ON TABLE blob IS 'a row is written after the file is durable, so a row without a file cannot happen';
COMMENT ON COLUMN blob.touched_at IS 'sent, or asked for by a team, at this time: what nothing refers to is kept for a while after it';
COMMENT ON COLUMN blob.quarantined_at IS 'the bytes were found damaged and are set aside; sending them again mends it';

CREATE TABLE blob_owner (
    sha256     text NOT NULL REFERENCES blob ON DELETE CASCADE,
    team_id    bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    bytes      bigint NOT NULL,
    PRIMARY KEY (sha256, team_id)
);
COMMENT ON TABLE blob_owner IS 'teams that have sent these bytes themselves; nobody else learns that they exist';

-- A blob's bytes and its row cannot be written at once. A writer of bytes announces them here first. A collector announces
-- here that it will remove bytes, in the transaction that deletes the row. So bytes in use are never removed.
CREATE TABLE blob_pending (
    sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    going  boolean NOT NULL,
    at     timestamptz NOT NULL
);
COMMENT ON COLUMN blob_pending.going IS 'true: the row in blob is gone, the bytes are to be removed; false: bytes are on their way';

CREATE TABLE upload (
    id             uuid PRIMARY KEY,
    team_id        bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    name           text NOT NULL,
    workload       text NOT NULL,
    bytes          bigint NOT NULL CHECK (bytes > 0),
    sha256         text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    known          boolean NOT NULL DEFAULT false,
    state          text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'finished')),
    created_at     timestamptz NOT NULL,
    reserved_bytes bigint NOT NULL DEFAULT 0
);
CREATE INDEX upload_by_hash ON upload (sha256);
COMMENT ON COLUMN upload.name IS 'file name as the sender calls it: a label, never a path';
COMMENT ON COLUMN upload.sha256 IS 'promised by the sender; checked when the upload is finished';
COMMENT ON COLUMN upload.known IS 'the bytes were here already: no piece is missing';

CREATE TABLE upload_piece (
    upload_id uuid NOT NULL REFERENCES upload ON DELETE CASCADE,
    piece     integer NOT NULL CHECK (piece >= 0),
    sha256    text NOT NULL,
    PRIMARY KEY (upload_id, piece)
);
COMMENT ON TABLE upload_piece IS 'pieces whose bytes are on disk for good';

CREATE TABLE upload_gone (
    upload_id uuid PRIMARY KEY,
    pieces    bigint NOT NULL CHECK (pieces > 0)
);
COMMENT ON TABLE upload_gone IS 'uploads that are over; the collector removes their pieces, then the row';

CREATE FUNCTION upload_pieces_go() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO upload_gone VALUES (OLD.id, (OLD.bytes + 8388607) / 8388608) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER upload_goes AFTER DELETE ON upload FOR EACH ROW WHEN (OLD.reserved_bytes > 0) EXECUTE FUNCTION upload_pieces_go();
CREATE TRIGGER upload_settles AFTER UPDATE OF reserved_bytes ON upload FOR EACH ROW
    WHEN (OLD.reserved_bytes > 0 AND NEW.reserved_bytes = 0) EXECUTE FUNCTION upload_pieces_go();

-- What each team stores. Triggers keep the sums, so that no statement can miss them.
CREATE TABLE team_storage (
    team_id        bigint PRIMARY KEY REFERENCES team ON DELETE CASCADE,
    stored_bytes   bigint NOT NULL DEFAULT 0,
    reserved_bytes bigint NOT NULL DEFAULT 0,
    open_uploads   bigint NOT NULL DEFAULT 0,
    quota_bytes    bigint CHECK (quota_bytes >= 0)
);
COMMENT ON COLUMN team_storage.stored_bytes IS 'of all blobs that the team has sent';
COMMENT ON COLUMN team_storage.reserved_bytes IS 'of uploads that have not become a blob yet';
COMMENT ON COLUMN team_storage.quota_bytes IS 'null: the farm''s setting';

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
INSERT INTO team_storage (team_id) SELECT id FROM team; -- the first team is older than the trigger

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
COMMIT;
