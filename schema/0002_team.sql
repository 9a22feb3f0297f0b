BEGIN; -- 0002_team.sql: teams, accounts and their roles, tokens and sessions, the audit log; only hashes of secrets are stored.
SELECT schema_register('0002_team', requires => '0001_farm');

CREATE TABLE team (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug       text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    share      double precision NOT NULL DEFAULT 1 CHECK (share > 0 AND share <= 1000)
);
COMMENT ON TABLE team IS 'every row of data belongs to one team; a farm starts with the team "default"';
COMMENT ON COLUMN team.share IS 'of the workers, against the other teams that have something to simulate';
INSERT INTO team (slug) VALUES ('default');

CREATE TABLE account (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    login      text NOT NULL UNIQUE CHECK (login ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
    password   text CHECK (password LIKE '$argon2id$%'),
    site_admin boolean NOT NULL DEFAULT false,
    disabled   boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL
);
COMMENT ON COLUMN account.password IS 'as crypto_pwhash_str() of libsodium writes it: parameters, salt, hash';
COMMENT ON COLUMN account.site_admin IS 'manages accounts, teams and workers; reads no team''s data without being its member';

CREATE TABLE member (
    team_id    bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    role       smallint NOT NULL CHECK (role BETWEEN 1 AND 3),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (team_id, account_id)
);
CREATE INDEX member_by_account ON member (account_id);
COMMENT ON COLUMN member.role IS '1 viewer, 2 member, 3 owner';

CREATE TABLE invitation (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    team_id    bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    role       smallint NOT NULL CHECK (role BETWEEN 1 AND 3),
    sha256     bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
COMMENT ON TABLE invitation IS 'the secret admits one account to the team; its use deletes the row';

CREATE TABLE token (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_id    uuid NOT NULL UNIQUE,
    team_id      bigint REFERENCES team ON DELETE CASCADE,
    name         text NOT NULL CHECK (length(name) BETWEEN 1 AND 63),
    sha256       bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
    shown        text NOT NULL,
    scopes       integer NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,
    last_used_at timestamptz,
    account_id   bigint REFERENCES account ON DELETE CASCADE,
    CHECK (team_id IS NOT NULL OR account_id IS NOT NULL)
);
CREATE INDEX token_by_account ON token (account_id) WHERE account_id IS NOT NULL;
COMMENT ON COLUMN token.sha256 IS 'of the whole token text; the text itself is shown once and not kept';
COMMENT ON COLUMN token.shown IS 'first 8 characters, to tell tokens apart in a list';
COMMENT ON COLUMN token.scopes IS 'bits: 1 << scope as in http.h';
COMMENT ON COLUMN token.last_used_at IS 'to the minute';

CREATE TABLE session (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_id   bigint REFERENCES token ON DELETE CASCADE,
    sha256     bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
    created_at timestamptz NOT NULL,
    used_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    account_id bigint REFERENCES account ON DELETE CASCADE,
    team_id    bigint REFERENCES team ON DELETE CASCADE,
    CHECK ((token_id IS NULL) <> (account_id IS NULL))
);
CREATE INDEX session_by_token ON session (token_id);
CREATE INDEX session_by_account ON session (account_id) WHERE account_id IS NOT NULL;
COMMENT ON TABLE session IS 'a browser that showed a token; ends with the token, after 12 h of idling, or after 7 days';
COMMENT ON COLUMN session.team_id IS 'the team that a person works for at the moment; NULL: none, or the token''s';

CREATE TABLE audit (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL,
    team_id    bigint,
    actor      text NOT NULL,
    credential text NOT NULL,
    address    text NOT NULL,
    action     text NOT NULL,
    object     text NOT NULL,
    outcome    smallint NOT NULL,
    request_id text NOT NULL
);
CREATE INDEX audit_by_team ON audit (team_id, id);
COMMENT ON TABLE audit IS 'changes of rights: who, when, what; rows are added, never changed, and deleted after a year';
COMMENT ON COLUMN audit.team_id IS 'no reference: the row outlives the team';
COMMENT ON COLUMN audit.credential IS 'token:ID, session:ID, share:ID or none; never a secret';
COMMENT ON COLUMN audit.outcome IS 'status of the answer';

CREATE FUNCTION audit_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.at < statement_timestamp() - interval '365 days' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'rows of the audit log are never changed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_keep BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_keep();
CREATE TRIGGER audit_keep_all BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_keep();

-- Requests with an idempotency key: the same key gets the same answer.
CREATE TABLE idempotent_request (
    team_id       bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    key           text NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
    request       bytea NOT NULL CHECK (length(request) = 32),
    running_until timestamptz,
    status        integer,
    location      text,
    answer        bytea,
    created_at    timestamptz NOT NULL,
    holder        text NOT NULL,
    created_id    uuid,
    PRIMARY KEY (team_id, key),
    CONSTRAINT ended_ones_have_an_answer CHECK ((running_until IS NULL) = (status IS NOT NULL))
);
CREATE INDEX idempotent_request_by_age ON idempotent_request (created_at);
CREATE INDEX idempotent_request_running ON idempotent_request (holder) WHERE running_until IS NOT NULL;
COMMENT ON COLUMN idempotent_request.request IS 'SHA-256 of method, path, query and body';
COMMENT ON COLUMN idempotent_request.running_until IS 'being answered; after this time its server is gone and it may be done again';
COMMENT ON COLUMN idempotent_request.holder IS 'when it starts again, what it was answering may be done again';
COMMENT ON COLUMN idempotent_request.created_id IS 'the run, plan or upload, noted when it was made: its answer may have been lost since';
COMMIT;
