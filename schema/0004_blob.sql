BEGIN; -- 0004_blob.sql: stored bytes, by SHA-256, and uploads on their way to become one
SELECT schema_register('0004_blob', requires => '0003_access');
CREATE TABLE blob (
    sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    bytes bigint NOT NULL CHECK (bytes >= 0),
    created_at timestamptz NOT NULL);
COMMENT ON TABLE blob IS 'a row is written after the file is durable, so a row without a file cannot happen';

CREATE TABLE blob_owner (
    sha256 text NOT NULL REFERENCES blob ON DELETE CASCADE,
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (sha256, team_id));
COMMENT ON TABLE blob_owner IS 'teams that have sent these bytes themselves; nobody else learns that they exist';

CREATE TABLE upload (
    id uuid PRIMARY KEY,
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    name text NOT NULL,
    workload text NOT NULL,
    bytes bigint NOT NULL CHECK (bytes > 0),
    sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    known boolean NOT NULL DEFAULT false,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'finished')),
    created_at timestamptz NOT NULL);
COMMENT ON COLUMN upload.name IS 'file name as the sender calls it: a label, never a path';
COMMENT ON COLUMN upload.sha256 IS 'promised by the sender; checked when the upload is finished';
COMMENT ON COLUMN upload.known IS 'the bytes were here already: no piece is missing';

CREATE TABLE upload_piece (
    upload_id uuid NOT NULL REFERENCES upload ON DELETE CASCADE,
    piece integer NOT NULL CHECK (piece >= 0),
    sha256 text NOT NULL,
    PRIMARY KEY (upload_id, piece));
COMMENT ON TABLE upload_piece IS 'pieces whose bytes are on disk for good';
COMMIT;
