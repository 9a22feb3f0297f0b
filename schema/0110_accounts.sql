BEGIN; -- 0110_accounts.sql: people, which teams they belong to, and what was done by whom
SELECT schema_register('0110_accounts', requires => '0003_access');
CREATE TABLE account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    login text NOT NULL UNIQUE CHECK (login ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
    password text CHECK (password LIKE '$argon2id$%'),
    site_admin boolean NOT NULL DEFAULT false,
    disabled boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL);
COMMENT ON COLUMN account.password IS 'as crypto_pwhash_str() of libsodium writes it: parameters, salt, hash';
COMMENT ON COLUMN account.site_admin IS 'manages accounts, teams and workers; reads no team''s data without being its member';

CREATE TABLE member (
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    role smallint NOT NULL CHECK (role BETWEEN 1 AND 3),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (team_id, account_id));
COMMENT ON COLUMN member.role IS '1 viewer, 2 member, 3 owner';
CREATE INDEX member_by_account ON member (account_id);

CREATE TABLE invitation (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    role smallint NOT NULL CHECK (role BETWEEN 1 AND 3),
    sha256 bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL);
COMMENT ON TABLE invitation IS 'who shows the secret joins the team; the row goes when it is used';

-- Tokens: of a person, whose role bounds them, or of a team; a site admin's may have no team.
ALTER TABLE token ADD COLUMN account_id bigint REFERENCES account ON DELETE CASCADE;
ALTER TABLE token ALTER COLUMN team_id DROP NOT NULL;
ALTER TABLE token ADD CHECK (team_id IS NOT NULL OR account_id IS NOT NULL);
CREATE INDEX token_by_account ON token (account_id) WHERE account_id IS NOT NULL;
-- Until now "admin" was everything: the farm itself (bit 5) and the workers' calls (bit 3) among it.
UPDATE token SET scopes = scopes | 40 WHERE scopes & 16 <> 0;

-- Sessions: of a token that a browser showed, or of a person who gave a password.
ALTER TABLE session ALTER COLUMN token_id DROP NOT NULL;
ALTER TABLE session ADD COLUMN account_id bigint REFERENCES account ON DELETE CASCADE;
ALTER TABLE session ADD COLUMN team_id bigint REFERENCES team ON DELETE CASCADE;
ALTER TABLE session ADD CHECK ((token_id IS NULL) <> (account_id IS NULL));
CREATE INDEX session_by_account ON session (account_id) WHERE account_id IS NOT NULL;
COMMENT ON COLUMN session.team_id IS 'the team that a person works for at the moment; NULL: none, or the token''s';

CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    team_id bigint,
    actor text NOT NULL,
    credential text NOT NULL,
    address text NOT NULL,
    action text NOT NULL,
    object text NOT NULL,
    outcome smallint NOT NULL,
    request_id text NOT NULL);
COMMENT ON TABLE audit IS 'who did what to whom may do what; rows are added, never changed, and go after a year';
COMMENT ON COLUMN audit.team_id IS 'no reference: the row outlives the team';
COMMENT ON COLUMN audit.credential IS 'token:ID, session:ID, share:ID or none; never a secret';
COMMENT ON COLUMN audit.outcome IS 'status of the answer';
CREATE INDEX audit_by_team ON audit (team_id, id);

CREATE FUNCTION audit_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.at < statement_timestamp() - interval '365 days' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'rows of the audit log are never changed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_keep BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_keep();
CREATE TRIGGER audit_keep_all BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_keep();
COMMIT;
