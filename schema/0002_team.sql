BEGIN; -- 0002_team.sql: who owns data
SELECT schema_register('0002_team', requires => '0001_versioning');
CREATE TABLE team (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    created_at timestamptz NOT NULL DEFAULT statement_timestamp());
COMMENT ON TABLE team IS 'every row of data belongs to one team; a farm starts with the team "default"';
INSERT INTO team (slug) VALUES ('default');

-- Random numbers that all servers of one farm share, e.g. the key that signs page cursors.
CREATE TABLE farm_secret (
    name text PRIMARY KEY,
    value bytea NOT NULL CHECK (length(value) = 32));
INSERT INTO farm_secret (name, value)
VALUES ('cursor', sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea));
COMMIT;
