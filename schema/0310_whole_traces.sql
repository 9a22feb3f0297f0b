BEGIN; -- 0310_whole_traces.sql: whether a profile's file of traces has all its launches: then nobody need send any.
SELECT schema_register('0310_whole_traces', requires => '0300_cache_window');
ALTER TABLE profile ADD COLUMN traces_launches bigint CHECK (traces_launches >= 0);
COMMENT ON COLUMN profile.traces_launches IS 'in the file traces_sha256; NULL: no file, or one from before this was kept and not opened since';
ALTER TABLE import ADD COLUMN traces_launches bigint;
COMMIT;
