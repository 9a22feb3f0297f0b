BEGIN; -- 0001_versioning.sql: which numbered files this database has seen
CREATE TABLE schema_patch (
    name text PRIMARY KEY,
    requires text REFERENCES schema_patch,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT statement_timestamp());
COMMENT ON TABLE schema_patch IS 'one row a file of schema/, in the order in which they were applied';
COMMENT ON COLUMN schema_patch.checksum IS 'SHA-256 of the file as it was applied; a file never changes once released';

-- Called by each file, first thing. The migrator passes the checksum in a setting of the transaction; a file that
-- is run by hand registers without one and is refused at the next start, so that nobody forgets which it was.
CREATE FUNCTION schema_register(name text, requires text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO schema_patch (name, requires, checksum)
    VALUES (name, requires, coalesce(current_setting('vivace.migration_checksum', true), ''))
$$;
SELECT schema_register('0001_versioning', requires => NULL);
COMMIT;
