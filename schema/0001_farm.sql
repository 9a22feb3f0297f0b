BEGIN; -- 0001_farm.sql: the farm itself: schema files that were applied, secrets, leaders; functions that several subjects use.

CREATE TABLE schema_patch (
    name       text PRIMARY KEY,
    requires   text REFERENCES schema_patch,
    checksum   text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT statement_timestamp()
);
COMMENT ON TABLE schema_patch IS 'one row a file of schema/, in the order in which they were applied';
COMMENT ON COLUMN schema_patch.checksum IS 'SHA-256 of the file as it was applied; a file never changes once released';

-- Called by each file, first thing. The migrator passes the checksum in a setting of the transaction; a file that
-- is run by hand registers without one, and the next start refuses it.
CREATE FUNCTION schema_register(name text, requires text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO schema_patch (name, requires, checksum)
    VALUES (name, requires, coalesce(current_setting('vivace.migration_checksum', true), ''))
$$;
SELECT schema_register('0001_farm', requires => NULL);

CREATE TABLE farm (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    id       uuid NOT NULL
);
COMMENT ON TABLE farm IS 'one row; a restored backup is the same farm';
INSERT INTO farm (id) VALUES (gen_random_uuid());

-- Random numbers that all servers of a farm share, such as the key that signs page cursors.
CREATE TABLE farm_secret (
    name  text PRIMARY KEY,
    value bytea NOT NULL CHECK (length(value) = 32)
);
INSERT INTO farm_secret (name, value)
VALUES ('cursor', sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea));

CREATE TABLE leader (
    name       text PRIMARY KEY,
    holder     text NOT NULL,
    term       bigint NOT NULL,
    expires_at timestamptz NOT NULL
);
COMMENT ON TABLE leader IS 'the server that sweeps and projects; two at once do no harm';

-- How answers write a time (RFC 3339, UTC) and a number (JSON has neither NaN nor infinity).
CREATE FUNCTION api_time(at timestamptz) RETURNS text LANGUAGE sql STABLE
    AS $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

CREATE FUNCTION api_number(x double precision) RETURNS double precision LANGUAGE sql IMMUTABLE
    AS $$ SELECT CASE WHEN x IN ('NaN', 'Infinity', '-Infinity') THEN NULL ELSE x END $$;

-- UUIDv7 (RFC 9562) of a given time, for rows that are made in bulk.
CREATE FUNCTION uuid_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
               PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
               52, 1), 53, 1), 'hex')::uuid
$$;

-- Of jobs, runs and tasks: transitions that are not in their state machine.
CREATE FUNCTION state_move_refused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% % cannot become % from %', TG_TABLE_NAME, NEW.id, NEW.state, OLD.state USING ERRCODE = 'check_violation';
END $$;
COMMIT;
