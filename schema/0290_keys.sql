BEGIN; -- 0290_keys.sql: the key of a replay, by functions that never change: such a one is written into a statement and
-- costs nothing, and one that may change is called, planned anew, for every job of a run.
SELECT schema_register('0290_keys', requires => '0104_job');
CREATE OR REPLACE FUNCTION result_key_replay(profile_sha256 text, invocation bigint) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(('replay|' || profile_sha256 || '|' || invocation::text)::bytea) $$;
COMMIT;
