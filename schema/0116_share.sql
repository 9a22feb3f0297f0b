BEGIN; -- 0116_share.sql: links that let anybody who has one read one thing
SELECT schema_register('0116_share', requires => '0110_accounts');
CREATE TABLE share (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_id uuid NOT NULL UNIQUE,
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    sha256 bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
    kind text NOT NULL CHECK (kind IN ('run', 'plan', 'profile')),
    object uuid NOT NULL,
    name text NOT NULL CHECK (length(name) <= 63),
    hide_names boolean NOT NULL,
    frozen_at timestamptz,
    made_by text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    opened bigint NOT NULL DEFAULT 0,
    opened_at timestamptz);
COMMENT ON COLUMN share.object IS 'no reference: a link to what is gone shows nothing';
COMMENT ON COLUMN share.frozen_at IS 'NULL: shows the thing as it is now; else the documents of that moment';
CREATE INDEX share_by_team ON share (team_id, id);
CREATE TABLE share_document (
    share_id bigint NOT NULL REFERENCES share ON DELETE CASCADE,
    address text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (share_id, address));
COMMENT ON COLUMN share_document.address IS 'path, and ?design=NAME where the answer depends on it';
COMMIT;
