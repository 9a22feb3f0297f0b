BEGIN; -- 0320_uploaded_by.sql: who sent the report that a profile was read from.
SELECT schema_register('0320_uploaded_by', requires => '0310_whole_traces');
ALTER TABLE import ADD COLUMN uploaded_by text;
COMMENT ON COLUMN import.uploaded_by IS 'name of the account or token, as run.created_by; NULL: from before this was kept';
COMMIT;
