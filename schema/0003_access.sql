BEGIN; -- 0003_access.sql: tokens for programs, sessions for browsers; only hashes of secrets are stored
SELECT schema_register('0003_access', requires => '0002_team');
CREATE TABLE token (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_id uuid NOT NULL UNIQUE,
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 63),
    sha256 bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
    shown text NOT NULL,
    scopes integer NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    last_used_at timestamptz);
COMMENT ON COLUMN token.sha256 IS 'of the whole token text; the text itself is shown once and not kept';
COMMENT ON COLUMN token.shown IS 'first 8 characters, to tell tokens apart in a list';
COMMENT ON COLUMN token.scopes IS 'bits: 1 << scope as in server/http/http.h';
COMMENT ON COLUMN token.last_used_at IS 'to the minute';

CREATE TABLE session (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_id bigint NOT NULL REFERENCES token ON DELETE CASCADE,
    sha256 bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
    created_at timestamptz NOT NULL,
    used_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL);
COMMENT ON TABLE session IS 'a browser that showed a token; ends with the token, after 12 h of idling, or after 7 days';
CREATE INDEX session_by_token ON session (token_id);
COMMIT;
